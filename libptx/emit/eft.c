/* eft.c - directed roundings without a mode register.
 *
 * The result rounded to nearest comes from the machine; then the sign of what
 * that rounding left out decides whether it moves by one unit.  That sign is
 * found exactly: products of f32 are exact in f64, sums by Dekker's and
 * Knuth's error-free transformations, and f64 products by a fused multiply-add
 * on operands scaled away from the ends of the range.  All of it is plain
 * arithmetic that may be vectorised, moved and folded; switching the mode
 * register would cost less on the machine and pin every float operation of
 * the function.
 */
#include "arith.h"

static LLVMValueRef
fabs_(struct emit *e, LLVMValueRef v)
{
	return emit_call1(e, "llvm.fabs", v);
}

static LLVMValueRef
less(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return emit_fcmp(e, LLVMRealOLT, a, b);
}

/* one step away from zero, or towards it where v is negative: ±1 */
static LLVMValueRef
upward(struct emit *e, LLVMValueRef bits)
{
	LLVMValueRef sign;

	sign = LLVMBuildAShr(e->b, bits,
		emit_klike(e, bits, emit_width(bits) - 1), "");
	return LLVMBuildOr(e->b, sign, emit_klike(e, bits, 1), "");
}

/* do near and err differ in sign: is near too large in magnitude? */
static LLVMValueRef
exceeds(struct emit *e, LLVMValueRef near, LLVMValueRef err)
{
	near = emit_int(e, near);
	err = emit_int(e, err);
	return LLVMBuildXor(e->b,
		emit_icmp(e, LLVMIntSLT, near, emit_klike(e, near, 0)),
		emit_icmp(e, LLVMIntSLT, err, emit_klike(e, err, 0)), "");
}

static LLVMValueRef
is_inexact(struct emit *e, LLVMValueRef err)
{
	return emit_fcmp(e, LLVMRealONE, err, emit_kflike(e, err, 0));
}

/* near is the exact value rounded to nearest, err has the sign of exact
 * minus near; a NaN in err says that near stands */
LLVMValueRef
emit_nudge(struct emit *e, enum round r, LLVMValueRef near, LLVMValueRef err)
{
	LLVMValueRef zero, bits, d;

	zero = emit_kflike(e, err, 0);
	bits = emit_int(e, near);
	switch (r) {
	case ROUND_RM:
		d = emit_select(e, less(e, err, zero),
			LLVMBuildNeg(e->b, upward(e, bits), ""),
			emit_klike(e, bits, 0));
		break;
	case ROUND_RP:
		d = emit_select(e, less(e, zero, err), upward(e, bits),
			emit_klike(e, bits, 0));
		break;
	case ROUND_RZ:
		d = LLVMBuildAnd(e->b, is_inexact(e, err),
			exceeds(e, near, err), "");
		d = LLVMBuildSExt(e->b, d, LLVMTypeOf(bits), "");
		break;
	default:
		return near;
	}
	return emit_flt(e, LLVMBuildAdd(e->b, bits, d, ""));
}

/* near made odd where it is not exact: what is rounded again, to at least
 * two bits fewer, comes out as if rounded once (Boldo and Melquiond).  An odd
 * near stays; an even one becomes its odd neighbour on the side of err. */
LLVMValueRef
emit_odd(struct emit *e, LLVMValueRef near, LLVMValueRef err)
{
	LLVMValueRef bits, odd;

	bits = emit_int(e, near);
	odd = LLVMBuildSub(e->b, bits, LLVMBuildZExt(e->b,
		exceeds(e, near, err), LLVMTypeOf(bits), ""), "");
	odd = LLVMBuildOr(e->b, odd, emit_klike(e, bits, 1), "");
	return emit_flt(e, emit_select(e, is_inexact(e, err), odd, bits));
}

/* sum = a + b to nearest; what it leaves out, exactly (Fast2Sum); of the
 * right sign when sum overflows, a NaN when a or b is infinite or a NaN */
static LLVMValueRef
lost(struct emit *e, LLVMValueRef sum, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef swap, big, small;

	swap = less(e, fabs_(e, a), fabs_(e, b));
	big = emit_select(e, swap, b, a);
	small = emit_select(e, swap, a, b);
	return LLVMBuildFSub(e->b, small,
		LLVMBuildFSub(e->b, sum, big, ""), "");
}

/* an exact sum that is zero is -0 downward, unless a and b were both +0 */
LLVMValueRef
emit_zero_sign(struct emit *e, LLVMValueRef is_zero, LLVMValueRef sum,
	LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef any, sign;

	any = LLVMBuildOr(e->b, emit_int(e, a), emit_int(e, b), "");
	sign = emit_klike(e, any, (int64_t)(UINT64_C(1)
		<< (emit_width(any) - 1)));
	return emit_select(e, is_zero,
		emit_flt(e, LLVMBuildAnd(e->b, any, sign, "")), sum);
}

static LLVMValueRef
is_zero(struct emit *e, LLVMValueRef v)
{
	return emit_fcmp(e, LLVMRealOEQ, v, emit_kflike(e, v, 0));
}

/* a + b rounded to odd; a zero gets the sign that r gives it */
LLVMValueRef
emit_add_odd(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef sum;

	sum = LLVMBuildFAdd(e->b, a, b, "");
	sum = emit_odd(e, sum, lost(e, sum, a, b));
	if (r != ROUND_RM)
		return sum;
	return emit_zero_sign(e, is_zero(e, sum), sum, a, b);
}

LLVMValueRef
emit_eft_add(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef sum;

	sum = LLVMBuildFAdd(e->b, a, b, "");
	sum = emit_nudge(e, r, sum, lost(e, sum, a, b));
	if (r != ROUND_RM)
		return sum;
	return emit_zero_sign(e, is_zero(e, sum), sum, a, b);
}
