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

/* near is the exact value rounded to nearest, err has the sign of exact
 * minus near; a NaN in err says that near stands */
LLVMValueRef
emit_nudge(struct emit *e, enum round r, LLVMValueRef near, LLVMValueRef err)
{
	LLVMValueRef zero, bits, step, below, above, none, d;

	zero = emit_kflike(e, err, 0);
	bits = emit_int(e, near);
	below = less(e, err, zero);
	above = less(e, zero, err);
	none = emit_klike(e, bits, 0);
	step = upward(e, bits);
	switch (r) {
	case ROUND_RM:
		step = LLVMBuildNeg(e->b, step, "");
		d = emit_select(e, below, step, none);
		break;
	case ROUND_RP:
		d = emit_select(e, above, step, none);
		break;
	case ROUND_RZ:
		d = emit_select(e, emit_select(e, LLVMBuildICmp(e->b,
			LLVMIntSLT, bits, none, ""), above, below),
			emit_klike(e, bits, -1), none);
		break;
	default:
		return near;
	}
	return emit_flt(e, LLVMBuildAdd(e->b, bits, d, ""));
}

/* near made odd where it is not exact: what is rounded again, to at least
 * two bits fewer, comes out as if rounded once (Boldo and Melquiond) */
LLVMValueRef
emit_odd(struct emit *e, LLVMValueRef near, LLVMValueRef err)
{
	LLVMValueRef zero, bits, step, even, d;

	zero = emit_kflike(e, err, 0);
	bits = emit_int(e, near);
	step = upward(e, bits);
	d = emit_select(e, less(e, err, zero),
		LLVMBuildNeg(e->b, step, ""), step);
	even = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, bits,
		emit_klike(e, bits, 1), ""), emit_klike(e, bits, 0), "");
	d = emit_select(e, LLVMBuildAnd(e->b, even,
		emit_fcmp(e, LLVMRealONE, err, zero), ""),
		d, emit_klike(e, bits, 0));
	return emit_flt(e, LLVMBuildAdd(e->b, bits, d, ""));
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
