/* valu_more.c - vector instructions that need more than an expression:
 * masks as sources, two destinations, scalar registers. */
#include "valu_expr.h"

#include <fenv.h>

/* opens a function with sources 0 and 1 of type t and results of td */
#define BEGIN(name, td, t) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array dbuf, buf0, buf1; \
	a_##td *d = (a_##td *)dbuf; \
	const a_##t *s0, *s1; \
\
	valu_begin(w, o, &x, R_##td); \
	s0 = valu_src(w, o, &x, 0, buf0); \
	s1 = valu_src(w, o, &x, 1, buf1);
#define END() \
	valu_end(w, o, &x, dbuf, false); \
}
#define SOURCE2(t) \
	valu_array buf2; \
	const a_##t *s2 = valu_src(w, o, &x, 2, buf2);

#define CNDMASK(name, t) \
BEGIN(name, t, t) \
	uint64_t mask = valu_mask(w, &o->src[2]); \
	ALL_LANES(w, l) \
		d[l] = mask >> l & 1 ? s1[l] : s0[l]; \
END()
CNDMASK(v_cndmask_b32, b32)
CNDMASK(v_cndmask_b16, b16)

#define DIV_SCALE(name, t, scale) \
BEGIN(name, t, t) \
	SOURCE2(t) \
	uint64_t mask = 0; \
	bool vcc; \
	ON_LANES(&x, l) { \
		d[l] = scale(s0[l], s1[l], s2[l], &vcc); \
		mask |= (uint64_t)vcc << l; \
	} \
	put_mask(w, &o->dst[1], mask); \
END()
DIV_SCALE(v_div_scale_f32, f32, alu_div_scale32)
DIV_SCALE(v_div_scale_f64, f64, alu_div_scale64)

#define DIV_FMAS(name, t, fmas) \
BEGIN(name, t, t) \
	SOURCE2(t) \
	uint64_t mask = VCC(w); \
	ON_LANES(&x, l) \
		d[l] = fmas(s0[l], s1[l], s2[l], mask >> l & 1); \
END()
DIV_FMAS(v_div_fmas_f32, f32, alu_div_fmas32)
DIV_FMAS(v_div_fmas_f64, f64, alu_div_fmas64)

/* the product and sum with a carry of 65 bits */
BEGIN(v_mad_u64_u32, u64, u32)
	SOURCE2(u64)
	uint64_t carry = 0;
	ALL_LANES(w, l) {
		d[l] = (uint64_t)s0[l] * s1[l] + s2[l];
		carry |= (uint64_t)(d[l] < s2[l]) << l;
	}
	valu_end_mask(w, &o->dst[1], &x, carry);
END()

BEGIN(v_mad_i64_i32, i64, i32)
	SOURCE2(i64)
	uint64_t over = 0;
	int64_t r;
	ALL_LANES(w, l) {
		over |= (uint64_t)__builtin_add_overflow(
			(int64_t)s0[l] * s1[l], s2[l], &r) << l;
		d[l] = r;
	}
	valu_end_mask(w, &o->dst[1], &x, over);
END()

/* op_sel alone tells the halves: of source 0 for the low, of source 1 for
 * the high one */
BEGIN(v_pk_mov_b32, p32, p32)
	unsigned lo = o->op_sel & 1 ? 32 : 0, hi = o->op_sel & 2 ? 32 : 0;
	ALL_LANES(w, l)
		d[l] = (s0[l] >> lo & 0xffffffff) | s1[l] >> hi << 32;
END()

/* gfx12: estimates of a scalar */
#define SCALAR(name, t, expr, bits) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array buf0; \
	const a_##t *s0; \
	c_##t S0; \
\
	valu_begin(w, o, &x, R_##t); \
	s0 = valu_src(w, o, &x, 0, buf0); \
	S0 = s0[0]; \
	w->s[o->dst[0].reg] = bits(expr); \
	if (x.rounding) \
		fesetround(FE_TONEAREST); \
}
SCALAR(v_s_exp_f32,  f32, alu_exp32(S0),  bits32)
SCALAR(v_s_log_f32,  f32, alu_log32(S0),  bits32)
SCALAR(v_s_rcp_f32,  f32, alu_rcp32(S0),  bits32)
SCALAR(v_s_rsq_f32,  f32, alu_rsq32(S0),  bits32)
SCALAR(v_s_sqrt_f32, f32, alu_sqrt32(S0), bits32)
SCALAR(v_s_exp_f16,  f16, exp2(F(S0)), H)
SCALAR(v_s_log_f16,  f16, log2(F(S0)), H)
SCALAR(v_s_rcp_f16,  f16, alu_rcp16(F(S0)), H)
SCALAR(v_s_rsq_f16,  f16, alu_rsq16(F(S0)), H)
SCALAR(v_s_sqrt_f16, f16, sqrt(F(S0)), H)

op_run valu_v_nop;

void
valu_v_nop(struct wave *w, const struct op *o)
{
	(void)w, (void)o;
}
