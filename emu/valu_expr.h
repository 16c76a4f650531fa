/* valu_expr.h - words of the expressions in isa/valu*.def; w is the wave,
 * o the op. */
#ifndef VALU_EXPR_H
#define VALU_EXPR_H

#include "valu.h"

/* halves: the value of one, and the half of a value, of the result of an
 * operation on halves */
#define F(h)            f16_value(h)
#define H(x)            f16_round(x, ROUND16(w))
#define H2(x, a, b)     f16_result(x, ROUND16(w), a, b, b)
#define H3(x, a, b, c)  f16_result(x, ROUND16(w), a, b, c)

/* sums that clamp saturates */
#define SAT_U32(x) (o->clamp ? alu_sat_u32(x) : (uint32_t)(x))
#define SAT_I32(x) (o->clamp ? alu_sat_i32(x) : (int32_t)(x))
#define SAT_U16(x) (uint16_t)(o->clamp ? alu_sat_u16(x) : (uint32_t)(x))
#define SAT_I16(x) (int16_t)(o->clamp ? alu_sat_i16(x) : (int32_t)(x))
#define SAT_U16L(x) (uint16_t)(o->clamp ? LEAST(x, 0xffff) : (x))

#define U24(x) ((x) & 0xffffff)
#define I24(x) ((int32_t)((x) << 8) >> 8)
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b)  ((a) > (b) ? (a) : (b))
#define DISTANCE(a, b) ((a) > (b) ? (a) - (b) : (b) - (a))
#define TWO(a, b) (((uint32_t)(a) & 0xffff) | (uint32_t)(b) << 16)
#define PAIR(a, b) (bits32(a) | (uint64_t)bits32(b) << 32)

#define NORM_I16(x) (int16_t)alu_to_i16(alu_rndne(32767.0 * \
	alu_max32(alu_min32(x, 1, false), -1, false)))
#define NORM_U16(x) (uint16_t)alu_to_u16(alu_rndne(65535.0 * (x)))

/* v_mad_f32 and its like: no subnormals, not in between either */
#define MAD32(a, b, c) flush32(nan32( \
	flush32(flush32(a) * flush32(b)) + flush32(c), a, b, c))

#define MIN32(a, b) alu_min32(a, b, MODE_IEEE(w))
#define MAX32(a, b) alu_max32(a, b, MODE_IEEE(w))
#define MIN16(a, b) H(MIN32(F(a), F(b)))
#define MAX16(a, b) H(MAX32(F(a), F(b)))
#define MINNUM16(a, b)  H(alu_minnum32(F(a), F(b)))
#define MAXNUM16(a, b)  H(alu_maxnum32(F(a), F(b)))
#define MINIMUM16(a, b) H(alu_minimum32(F(a), F(b)))
#define MAXIMUM16(a, b) H(alu_maximum32(F(a), F(b)))

/* floats of 8 bits: which kind, what becomes of large ones, which byte or
 * half of source 0 is meant, and which byte of the destination */
#define FNUZ (w->gpu->generation < 10)
#define SATURATES (w->mode >> 23 & 1)
#define BYTE(i) (o->byte_sel * 8u)
#define HALF(i) ((o->op_sel >> (i) & 1) * 16u)
#define PUT_BYTE(old, b) (((old) & ~(0xffu << DST_BYTE)) | \
	(uint32_t)(b) << DST_BYTE)
#define DST_BYTE ((o->byte_sel | (o->op_sel >> 2 & 3)) * 8)

/* a half of a packed source of a dot product, negated by neg_lo or neg_hi;
 * and the sum of the products */
#define PART(value, s, i, half) ((half ? o->neg_hi : o->neg_lo) >> i & 1 ? \
	-(double)value((uint16_t)((s) >> 16 * ((half ? o->op_sel_hi \
		: o->op_sel) >> i & 1))) : \
	(double)value((uint16_t)((s) >> 16 * ((half ? o->op_sel_hi \
		: o->op_sel) >> i & 1))))
#define DOT2(value) (PART(value, S0, 0, 0) * PART(value, S1, 1, 0) + \
	PART(value, S0, 0, 1) * PART(value, S1, 1, 1))
#define F8(s, i, wide) (double)f8_value((s) >> 8 * (i) & 0xff, wide, FNUZ)
#define DOT4(awide, bwide) (F8(S0, 0, awide) * F8(S1, 0, bwide) + \
	F8(S0, 1, awide) * F8(S1, 1, bwide) + \
	F8(S0, 2, awide) * F8(S1, 2, bwide) + \
	F8(S0, 3, awide) * F8(S1, 3, bwide))

/* how results of a type are rounded */
enum {
	R_b16, R_u16 = 0, R_i16 = 0, R_bf16 = 0, R_b32 = 0, R_u32 = 0,
	R_i32 = 0, R_p32 = ROUND_SINGLE, R_b64 = 0, R_u64 = 0, R_i64 = 0,
	R_f16 = ROUND_DOUBLE, R_f32 = ROUND_SINGLE, R_f64 = ROUND_DOUBLE,
	R_p16 = ROUND_DOUBLE,
};

#endif
