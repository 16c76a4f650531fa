/* round.c - arithmetic with PTX's roundings, flushes and saturation.
 *
 * Nearest is what the machine does.  The other roundings are computed from
 * the nearest result (eft.c), f32 products and sums of three through f64.
 */
#include "arith.h"

enum round
emit_round(const struct insn *i, enum round otherwise)
{
	static const char word[][3] = {
		[ROUND_RN] = "rn", [ROUND_RZ] = "rz",
		[ROUND_RM] = "rm", [ROUND_RP] = "rp",
	};
	int r;

	for (r = ROUND_RN; r <= ROUND_RP; r++)
		if (insn_has(i, word[r]))
			return r;
	return otherwise;
}

static double
least_normal(unsigned bits)
{
	return bits == 16 ? 0x1p-14 : bits == 32 ? 0x1p-126 : 0x1p-1022;
}

/* v, or a zero of its sign where |size| is below limit */
static LLVMValueRef
flush(struct emit *e, LLVMValueRef v, LLVMValueRef size, double limit)
{
	LLVMValueRef tiny, zero;

	tiny = emit_fcmp(e, LLVMRealOLT, emit_call1(e, "llvm.fabs", size),
		emit_kflike(e, size, limit));
	zero = emit_call2(e, "llvm.copysign", emit_kflike(e, v, 0), v);
	return emit_select(e, tiny, zero, v);
}

LLVMValueRef
emit_flush(struct emit *e, LLVMValueRef v)
{
	return flush(e, v, v, least_normal(emit_width(v)));
}

/* The hardware flushes what is below the least normal number once rounded to
 * all bits of a normal one; rounded to the fewer bits of a subnormal it may
 * reach that number and would stay. */
LLVMValueRef
emit_flush_tiny(struct emit *e, LLVMValueRef v, LLVMValueRef big)
{
	return flush(e, v, big, emit_width(v) == 16 ? 0x1p-2 : 0x1p-62);
}

/* AMD: one clamp bit on the instruction before it */
LLVMValueRef
emit_saturate(struct emit *e, LLVMValueRef v)
{
	v = emit_fmax(e, v, emit_kflike(e, v, 0));
	return emit_fmin(e, v, emit_kflike(e, v, 1));
}

LLVMValueRef
emit_fadd(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	if (r == ROUND_RN)
		return LLVMBuildFAdd(e->b, a, b, "");
	return emit_eft_add(e, r, a, b);
}

/* the exact product of two f32 as f64 */
static LLVMValueRef
product(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFMul(e->b, emit_wide(e, a, 64), emit_wide(e, b, 64),
		"");
}

LLVMValueRef
emit_fmul(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	if (r == ROUND_RN)
		return LLVMBuildFMul(e->b, a, b, "");
	if (emit_width(a) == 64)
		return emit_eft64_mul(e, r, a, b);
	return emit_narrow(e, r, product(e, a, b), 32);
}

/* a*b + c in f64, rounded to odd; operands of at most 24 bits */
LLVMValueRef
emit_fma_odd(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	return emit_add_odd(e, r, product(e, a, b), emit_wide(e, c, 64));
}

LLVMValueRef
emit_ffma(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	unsigned width;

	width = emit_width(a);
	if (r == ROUND_RN && (width != 16 || e->t->fuses_half))
		return emit_call3(e, "llvm.fma", a, b, c);
	if (width == 64)
		return emit_eft64_fma(e, r, a, b, c);
	return emit_narrow(e, r, emit_fma_odd(e, r, a, b, c), width);
}
