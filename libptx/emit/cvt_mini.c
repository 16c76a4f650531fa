/* cvt_mini.c - conversions of and to floats of 8, 6 and 4 bits, two in a
 * register (PTX 9.7.9.21). */
#include "arith.h"

static const struct mini {
	enum type pair;
	int mantissa, bias;
	double greatest;
	unsigned slot;          /* bits an element takes */
	int nan;
} minis[] = {
	{ T_E4M3X2, 3, 7,  448,   8, 0x7f },
	{ T_E5M2X2, 2, 15, 57344, 8, 0x7f },
	{ T_E2M3X2, 3, 1,  7.5,   8, 0x1f },
	{ T_E3M2X2, 2, 3,  28,    8, 0x1f },
	{ T_E2M1X2, 1, 1,  6,     4, 0x07 },
};

static const struct mini *
find(enum type t)
{
	const struct mini *m;

	for (m = minis; m->pair != t; m++)
		;
	return m;
}

/* 2^n */
static double
power(int n)
{
	return n < 0 ? 1 / power(-n) : n ? 2 * power(n - 1) : 1;
}

/* the bits of f32 a, at least a normal number of m, rounded to m's mantissa
 * and with m's bias */
static LLVMValueRef
normal(struct emit *e, const struct mini *m, LLVMValueRef a)
{
	LLVMValueRef u, odd, cut;

	u = emit_int(e, a);
	cut = emit_klike(e, u, 23 - m->mantissa);
	odd = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, u, cut, ""),
		emit_klike(e, u, 1), "");
	u = LLVMBuildAdd(e->b, u, emit_klike(e, u,
		(1 << (22 - m->mantissa)) - 1), "");
	u = LLVMBuildLShr(e->b, LLVMBuildAdd(e->b, u, odd, ""), cut, "");
	return LLVMBuildSub(e->b, u,
		emit_klike(e, u, (127 - m->bias) << m->mantissa), "");
}

/* a below that, as a multiple of m's least number: what is left in the last
 * places of a sum with 2^23 times it */
static LLVMValueRef
subnormal(struct emit *e, const struct mini *m, LLVMValueRef a)
{
	LLVMValueRef big, sum;

	big = emit_kflike(e, a, power(24 - m->bias - m->mantissa));
	sum = LLVMBuildFAdd(e->b, a, big, "");
	return LLVMBuildSub(e->b, emit_int(e, sum), emit_int(e, big), "");
}

/* f32 v as m, in an i32 */
static LLVMValueRef
encode(struct emit *e, const struct mini *m, bool relu, LLVMValueRef v)
{
	LLVMValueRef a, max, u, sign, nan;

	nan = emit_isnan(e, v);
	a = emit_call1(e, "llvm.fabs", v);
	max = emit_kflike(e, a, m->greatest);
	a = emit_select(e, emit_fcmp(e, LLVMRealOLT, a, max), a, max);
	u = emit_select(e, emit_fcmp(e, LLVMRealOLT, a,
		emit_kflike(e, a, power(1 - m->bias))),
		subnormal(e, m, a), normal(e, m, a));
	sign = LLVMBuildLShr(e->b, emit_int(e, v), emit_klike(e, u, 31), "");
	if (relu)
		u = emit_select(e, emit_icmp(e, LLVMIntNE, sign,
			emit_klike(e, u, 0)), emit_klike(e, u, 0), u);
	else
		u = LLVMBuildOr(e->b, u, LLVMBuildShl(e->b, sign, emit_klike(e,
			u, m->pair == T_E2M1X2 ? 3 : m->nan == 0x1f
			? 5 : 7), ""), "");
	return emit_select(e, nan, emit_klike(e, u, m->nan), u);
}

/* hi and lo of f32 to operand 0 */
static void
write_pair(struct emit *e, const struct insn *i, LLVMValueRef hi,
	LLVMValueRef lo)
{
	const struct mini *m;
	LLVMValueRef v;
	bool relu;

	m = find(insn_type(i, 0));
	relu = insn_has(i, "relu");
	v = LLVMBuildShl(e->b, encode(e, m, relu, hi),
		emit_k(e, emit_ity(e, 32), m->slot), "");
	v = LLVMBuildOr(e->b, v, encode(e, m, relu, lo), "");
	emit_write(e, &i->u.opnd[0], m->pair,
		emit_resize(e, v, 2 * m->slot, false));
}

/* cvt.rn.satfinite.e4m3x2.f32 d, a, b: a to the upper half */
void
emit_cvt_mini(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	write_pair(e, i, emit_readf(e, &i->u.opnd[1], T_F32),
		emit_readf(e, &i->u.opnd[2], T_F32));
}

void
emit_cvt_mini_f16x2(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;

	(void)with;
	v = emit_wide(e, emit_readf(e, &i->u.opnd[1], T_F16X2), 32);
	write_pair(e, i, emit_part(e, v, 2, 1), emit_part(e, v, 2, 0));
}

/* element k of pair v as the bits of a f16 that is too small by a power of
 * two: the fields moved to their places */
static LLVMValueRef
spread(struct emit *e, const struct mini *m, LLVMValueRef v, int k)
{
	LLVMValueRef u, sign;
	int size;

	size = m->pair == T_E2M1X2 ? 3 : m->nan == 0x1f ? 5 : 7;
	u = LLVMBuildLShr(e->b, v, emit_klike(e, v, k * (int)m->slot), "");
	sign = LLVMBuildAnd(e->b, LLVMBuildShl(e->b, u,
		emit_klike(e, u, 15 - size), ""), emit_klike(e, u, 0x8000), "");
	u = LLVMBuildAnd(e->b, u, emit_klike(e, u, (1 << size) - 1), "");
	u = LLVMBuildShl(e->b, u, emit_klike(e, u, 10 - m->mantissa), "");
	return LLVMBuildOr(e->b, u, sign, "");
}

/* two minis as f16x2, exactly; e4m3 has a NaN of its own, e5m2 is the upper
 * byte of a f16 */
void
emit_cvt_from_mini(struct emit *e, const struct insn *i, int with)
{
	const struct mini *m;
	LLVMValueRef v, part[2], f;

	(void)with;
	m = find(insn_type(i, 1));
	v = emit_resize(e, emit_read(e, &i->u.opnd[1], m->pair), 16, false);
	part[0] = spread(e, m, v, 0);
	part[1] = spread(e, m, v, 1);
	v = emit_parts(e, part, 2);
	f = emit_flt(e, v);
	f = LLVMBuildFMul(e->b, f, emit_kflike(e, f, power(15 - m->bias)), "");
	if (m->pair == T_E4M3X2) {
		v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 0x7fff), "");
		v = emit_icmp(e, LLVMIntEQ, v, emit_klike(e, v, 0x7f << 7));
		f = emit_select(e, v, emit_nan(e, f), f);
	}
	emit_result(e, i, T_F16X2, f);
}
