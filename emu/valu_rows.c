/* valu_rows.c - the table of vector instructions, from isa/valu*.def. */
#include "emu.h"

#define V1(name, d, s0, expr) ROW(name, VALU, d, none, s0, none, none, none)
#define V2(name, d, s0, s1, expr) ROW(name, VALU, d, none, s0, s1, none, none)
#define V3(name, d, s0, s1, s2, expr) ROW(name, VALU, d, none, s0, s1, s2, none)
#define T1 V1
#define T2 V2
#define T3 V3
#define K3 V3
#define A2 V2
#define HALF2(name, s0, s1, expr) V2(name, b16, s0, s1, expr)
#define BYTE2(name, s0, s1, expr) V2(name, b32, s0, s1, expr)
#define CO(name, a, b, sum) ROW(name, VALU, u32, mask, u32, u32, none, none)
#define CI(name, a, b, sum) ROW(name, VALU, u32, mask, u32, u32, mask, none)
#define P2(name, type, expr) V2(name, p16, p16, p16, expr)
#define P3(name, type, expr) V3(name, p16, p16, p16, p16, expr)
#define PA2 P2
#define Q2(name, expr) V2(name, p32, p32, p32, expr)
#define Q3(name, expr) V3(name, p32, p32, p32, p32, expr)
#define M3(name, d) V3(name, d, f32, f32, f32, 0)
#define CMP(cond, type, expr) CMP_ROWS(cond##_##type, type, type)
#define CLASS(type, bits, expr) CMP_ROWS(class_##type, bits, b32)
#define CMP_ROWS(name, s0, s1) \
	ROW(v_cmp_##name, VALU, mask, none, s0, s1, none, none) \
	ROW(v_cmpx_##name, VALU, none, none, s0, s1, none, none)
#define MFMA(name, kind, m, k, blocks) \
	ROW(name, MATRIX, b128, none, b128, b128, b128, none)
#define MFMA64(name, kind, m, k, blocks) \
	ROW(name, MATRIX, b128, none, b128, b128, f64, none)
#define WMMA(name, kind, to, k) \
	ROW(name, MATRIX, b128, none, b128, b128, b128, none)

/* functions, and what is in a row as constants */
#define ROW(name, class, d0, d1, s0, s1, s2, s3) \
	op_run valu_##name; \
	enum { \
		name##_class = OP_##class, \
		name##_d0 = T_##d0, name##_d1 = T_##d1, \
		name##_s0 = T_##s0, name##_s1 = T_##s1, \
		name##_s2 = T_##s2, name##_s3 = T_##s3, \
		name##_ndst = (T_##d0 != T_none) + (T_##d1 != T_none), \
		name##_nsrc = (T_##s0 != T_none) + (T_##s1 != T_none) + \
			(T_##s2 != T_none) + (T_##s3 != T_none), \
	};
#define ALIAS(name, row)
#include "isa/valu.def"
#undef ROW
#undef ALIAS

#define ROW(name, ...) ALIAS(name, name)
#define ALIAS(of, row) { .name = #of, .run = valu_##row, \
	.class = row##_class, .ndst = row##_ndst, .nsrc = row##_nsrc, \
	.dst = { row##_d0, row##_d1 }, \
	.src = { row##_s0, row##_s1, row##_s2, row##_s3 } },
const struct op_row rows_valu[] = {
#include "isa/valu.def"
	{ .name = 0 },
};
