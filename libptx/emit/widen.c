/* widen.c - floats of eight bits and fewer as f16, which holds all values.
 *
 * Shifted so that their exponents start where that of f16 does, they are too
 * small by a constant factor, of which multiplying makes subnormals right,
 * too.  Those of six and four bits stand in a byte each, e2m1 in its bits 2
 * to 5 (PTX 9.7.14, kind::f8f6f4); they have neither infinities nor NaN, of
 * which e4m3 has its largest magnitude.
 */
#include "matrix.h"

static const struct small {
	enum type type;
	uint32_t magnitude;     /* its bits, in the upper byte of a half */
	int down;               /* … move down by this many bits */
	int sign_up;            /* the sign moves up to the top */
	double factor;
} smalls[] = {
	{ T_E5M2, 0x7f00, 0, 0, 1 },
	{ T_E4M3, 0x7f00, 1, 0, 0x1p8 },
	{ T_E3M2, 0x1f00, 0, 2, 0x1p12 },
	{ T_E2M3, 0x1f00, 1, 2, 0x1p14 },
	{ T_E2M1, 0x1c00, 1, 2, 0x1p14 },
};

static LLVMValueRef
k32(struct emit *e, uint32_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* in both halves of v */
static LLVMValueRef
masked(struct emit *e, LLVMValueRef v, uint32_t mask)
{
	return LLVMBuildAnd(e->b, v, k32(e, mask << 16 | mask), "");
}

static LLVMValueRef
up(struct emit *e, LLVMValueRef v, int by)
{
	return by ? LLVMBuildShl(e->b, v, k32(e, (uint32_t)by), "") : v;
}

static LLVMValueRef
down(struct emit *e, LLVMValueRef v, int by)
{
	return by ? LLVMBuildLShr(e->b, v, k32(e, (uint32_t)by), "") : v;
}

/* 0x7e00 in the halves of magnitude that stand for e4m3's NaN: adding to
 * 0x7f carries into bit 14, and from there it goes to bits 9 to 14 */
static LLVMValueRef
nan_bits(struct emit *e, LLVMValueRef magnitude)
{
	LLVMValueRef v;

	v = LLVMBuildAdd(e->b, magnitude, k32(e, 0x00800080), "");
	v = masked(e, v, 0x4000);
	return LLVMBuildSub(e->b, up(e, v, 1), down(e, v, 5), "");
}

/* the values in the upper bytes of v's halves as f16 */
static LLVMValueRef
scale(struct emit *e, const struct small *s, LLVMValueRef v)
{
	LLVMTypeRef half2 = emit_fty(e, T_F16X2);
	LLVMValueRef magnitude, f;

	magnitude = down(e, masked(e, v, s->magnitude), s->down);
	f = masked(e, up(e, v, s->sign_up), 0x8000);
	f = LLVMBuildOr(e->b, magnitude, f, "");
	if (s->factor != 1)
		f = LLVMBuildFMul(e->b, emit_bits(e, f, half2),
			emit_kf(e, half2, s->factor), "");
	f = emit_bits(e, f, emit_ity(e, 32));
	if (s->type == T_E4M3)
		f = LLVMBuildOr(e->b, f, nan_bits(e, magnitude), "");
	return f;
}

void
mma_widen(struct emit *e, enum type t, LLVMValueRef v, LLVMValueRef half[2])
{
	const struct small *s;
	LLVMValueRef lo, hi, low = k32(e, 0xff00), high = k32(e, 0xff000000);

	for (s = smalls; s->type != t; s++)
		;
	lo = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, up(e, v, 8), low, ""),
		LLVMBuildAnd(e->b, up(e, v, 16), high, ""), "");
	hi = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, down(e, v, 8), low, ""),
		LLVMBuildAnd(e->b, v, high, ""), "");
	half[0] = scale(e, s, lo);
	half[1] = scale(e, s, hi);
}
