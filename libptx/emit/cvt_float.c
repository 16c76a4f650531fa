/* cvt_float.c - conversions between f64, f32, tf32, f16 and bf16
 * (PTX 9.7.9.21). */
#include "arith.h"

/* 2^15 (2 - 2^-10), the largest f16; of bf16 and tf32 the exponents are those
 * of f32 */
static double
greatest(enum type t)
{
	switch (t) {
	case T_F16:
	case T_F16X2: return 65504;
	case T_TF32:  return 0x1.ffcp127;
	default:      return 0x1.fep127;
	}
}

/* |v| at most what type d holds; a NaN stays */
static LLVMValueRef
finite(struct emit *e, LLVMValueRef v, enum type d)
{
	LLVMValueRef max, low;

	max = emit_kflike(e, v, greatest(d));
	low = LLVMBuildFNeg(e->b, max, "");
	v = emit_select(e, emit_fcmp(e, LLVMRealOGT, v, max), max, v);
	return emit_select(e, emit_fcmp(e, LLVMRealOLT, v, low), low, v);
}

static LLVMValueRef
relu(struct emit *e, LLVMValueRef v)
{
	LLVMValueRef zero;

	zero = emit_kflike(e, v, 0);
	return emit_select(e, emit_fcmp(e, LLVMRealOLE, v, zero), zero, v);
}

/* v, f32 or f64, as 16 bits of type d, f16 or bf16 */
static LLVMValueRef
to_16(struct emit *e, const struct insn *i, enum type d, LLVMValueRef v)
{
	enum round r;

	r = emit_round(i, ROUND_RN);
	if (insn_has(i, "satfinite"))
		v = finite(e, v, d);
	if (insn_has(i, "relu"))
		v = relu(e, v);
	if (emit_is_bf16(d))
		return emit_bf16(e, r, emit_odd32(e, v));
	v = emit_narrow(e, r, v, 16);
	return emit_int(e, insn_has(i, "sat") ? emit_saturate(e, v) : v);
}

LLVMValueRef
emit_source(struct emit *e, const struct insn *i, int k, enum type s)
{
	LLVMValueRef v;

	if (emit_is_bf16(s))
		v = emit_from_bf16(e, emit_iread(e, i, k, s));
	else
		v = emit_readf(e, &i->u.opnd[k], s);
	if (s != T_F32 || insn_type(i, 0) == T_F16 || !insn_has(i, "ftz"))
		return v;
	return emit_flush(e, v);
}

/* v as f32 or f64 */
static LLVMValueRef
resize(struct emit *e, const struct insn *i, unsigned bits, LLVMValueRef v)
{
	LLVMValueRef big;
	enum round r;

	if (emit_width(v) <= bits)
		return emit_wide(e, v, bits);
	r = emit_round(i, ROUND_RN);
	if (!insn_has(i, "ftz"))
		return emit_narrow(e, r, v, bits);
	big = LLVMBuildFMul(e->b, v, emit_kflike(e, v, 0x1p64), "");
	return emit_flush_tiny(e, emit_narrow(e, r, v, bits),
		emit_narrow(e, r, big, bits));
}

/* between any two of f16, bf16, f32, f64 */
void
emit_cvt_float(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type d, s;

	(void)with;
	d = insn_type(i, 0);
	s = insn_type(i, 1);
	v = emit_source(e, i, 1, s);
	if (d == T_F16 || d == T_BF16) {
		if (s == T_F16)
			v = emit_wide(e, v, 32);
		v = to_16(e, i, d, emit_irnd(e, i, v));
		emit_write(e, &i->u.opnd[0], d, v);
		return;
	}
	v = resize(e, i, type_info[d].bits, v);
	v = emit_irnd(e, i, v);
	if (d == T_F32 && insn_has(i, "ftz"))
		v = emit_flush(e, v);
	if (insn_has(i, "sat"))
		v = emit_saturate(e, v);
	emit_write(e, &i->u.opnd[0], d, v);
}

/* a to the upper, b to the lower half */
void
emit_cvt_x2(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef part[2];
	enum type d;

	(void)with;
	d = insn_type(i, 0);
	part[1] = to_16(e, i, d, emit_source(e, i, 1, T_F32));
	part[0] = to_16(e, i, d, emit_source(e, i, 2, T_F32));
	emit_write(e, &i->u.opnd[0], d, emit_bits(e,
		emit_parts(e, part, 2), emit_tty(e, d)));
}

/* to nearest, ties away: bits alone, so that a NaN whose payload is cut off
 * becomes an infinity */
static LLVMValueRef
away(struct emit *e, const struct insn *i, LLVMValueRef u)
{
	LLVMValueRef size, inf, top;

	inf = emit_klike(e, u, 0x7f800000);
	size = LLVMBuildAnd(e->b, u, emit_klike(e, u, 0x7fffffff), "");
	u = emit_select(e, emit_icmp(e, LLVMIntULT, size, inf),
		LLVMBuildAdd(e->b, u, emit_klike(e, u, 0x1000), ""), u);
	u = LLVMBuildAnd(e->b, u, emit_klike(e, u, -0x2000), "");
	if (!insn_has(i, "satfinite"))
		return u;
	size = LLVMBuildAnd(e->b, u, emit_klike(e, u, 0x7fffffff), "");
	top = LLVMBuildSub(e->b, u, emit_klike(e, u, 0x2000), "");
	return emit_select(e, emit_icmp(e, LLVMIntEQ, size, inf), top, u);
}

void
emit_cvt_tf32_rna(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_TF32,
		away(e, i, emit_iread(e, i, 1, T_F32)));
}

/* f32 cut to 10 bits after the point */
void
emit_cvt_tf32(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, u, odd;

	(void)with;
	v = emit_source(e, i, 1, T_F32);
	if (insn_has(i, "satfinite"))
		v = finite(e, v, T_TF32);
	if (insn_has(i, "relu"))
		v = relu(e, v);
	u = emit_int(e, v);
	if (insn_has(i, "rn")) {
		odd = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, u,
			emit_klike(e, u, 13), ""), emit_klike(e, u, 1), "");
		odd = LLVMBuildAdd(e->b, odd, emit_klike(e, u, 0xfff), "");
		u = LLVMBuildAdd(e->b, u, odd, "");
	}
	u = LLVMBuildAnd(e->b, u, emit_klike(e, u, -0x2000), "");
	u = emit_select(e, emit_isnan(e, v), emit_klike(e, u, 0x7fffffff), u);
	emit_write(e, &i->u.opnd[0], T_TF32, u);
}
