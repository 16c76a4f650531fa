/* widen.c - eight-bit floats as f16, which holds each of their values.
 *
 * e5m2 is the upper byte of an f16.  e4m3 has its exponent one bit lower and
 * biased by 7 instead of 15, so that it is shifted and multiplied by 2^8,
 * which also makes its subnormals right; it has no infinities, and only the
 * largest magnitude is a NaN.
 */
#include "matrix.h"

static LLVMValueRef
masked(struct emit *e, LLVMValueRef v, uint32_t mask)
{
	return LLVMBuildAnd(e->b, v, emit_k(e, emit_ity(e, 32), mask), "");
}

/* up: to the left, by bits; negative: to the right */
static LLVMValueRef
shifted(struct emit *e, LLVMValueRef v, int up)
{
	LLVMTypeRef i32 = emit_ity(e, 32);

	if (up < 0)
		return LLVMBuildLShr(e->b, v, emit_k(e, i32, -up), "");
	return LLVMBuildShl(e->b, v, emit_k(e, i32, up), "");
}

/* the e4m3 that are the upper bytes of v's halves, as f16 */
static LLVMValueRef
scale(struct emit *e, LLVMValueRef v)
{
	LLVMTypeRef i32 = emit_ity(e, 32), half2 = emit_fty(e, T_F16X2);
	LLVMValueRef size, nan, f;

	size = shifted(e, masked(e, v, 0x7f007f00), -1);
	/* carries into bit 14 for 0x7f alone; from there to bits 9 to 14 */
	nan = LLVMBuildAdd(e->b, size, emit_k(e, i32, 0x00800080), "");
	nan = masked(e, nan, 0x40004000);
	nan = LLVMBuildSub(e->b, shifted(e, nan, 1), shifted(e, nan, -5), "");
	f = LLVMBuildOr(e->b, size, masked(e, v, 0x80008000), "");
	f = LLVMBuildFMul(e->b, emit_bits(e, f, half2),
		emit_kf(e, half2, 256), "");
	return LLVMBuildOr(e->b, emit_bits(e, f, i32), nan, "");
}

void
mma_widen(struct emit *e, enum type t, LLVMValueRef v, LLVMValueRef half[2])
{
	LLVMValueRef lo, hi;

	lo = LLVMBuildOr(e->b, masked(e, shifted(e, v, 8), 0xff00),
		masked(e, shifted(e, v, 16), 0xff000000), "");
	hi = LLVMBuildOr(e->b, masked(e, shifted(e, v, -8), 0xff00),
		masked(e, v, 0xff000000), "");
	half[0] = t == T_E4M3 ? scale(e, lo) : lo;
	half[1] = t == T_E4M3 ? scale(e, hi) : hi;
}
