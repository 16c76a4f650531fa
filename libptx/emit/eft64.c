/* eft64.c - the sign of what an f64 operation left out.
 *
 * residual(a, b, c, r) has the sign of the exact a*b + c - r, for an r that is
 * one of the two f64 neighbours of a*b + c.  It serves multiplication and
 * multiply-add (r the result), division and square root (c the dividend, -a*b
 * the product of quotient and divisor, r zero).
 *
 * The product is split by one fused multiply-add, which is exact only away
 * from underflow, and the sums must not overflow.  So everything is scaled by
 * one power of two: up where product and c lie below 2^-300, down where one
 * lies above 2^1000.  A product that is still below 2^-900 is too small to do
 * more than break a tie: +-2^-900 stands for it.  So is a c below 1 beside a
 * product above 2^1000: it is not scaled down, where it might vanish.
 */
#include "arith.h"
#include <math.h>

static LLVMValueRef
fabs_(struct emit *e, LLVMValueRef v)
{
	return emit_call1(e, "llvm.fabs", v);
}

static LLVMValueRef
below(struct emit *e, LLVMValueRef v, double k)
{
	return emit_fcmp(e, LLVMRealOLT, fabs_(e, v), emit_kflike(e, v, k));
}

static LLVMValueRef
sub(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFSub(e->b, a, b, "");
}

static LLVMValueRef
mul(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFMul(e->b, a, b, "");
}

static LLVMValueRef
fma_(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return emit_call3(e, "llvm.fma", a, b, c);
}

/* sum = a + b and what it leaves out (Knuth's 2Sum) */
static LLVMValueRef
two_sum(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *low)
{
	LLVMValueRef sum, b1, a1;

	sum = LLVMBuildFAdd(e->b, a, b, "");
	b1 = sub(e, sum, a);
	a1 = sub(e, sum, b1);
	*low = LLVMBuildFAdd(e->b, sub(e, a, a1), sub(e, b, b1), "");
	return sum;
}

/* the power of two that brings a product p and c into the safe range */
static LLVMValueRef
scale(struct emit *e, LLVMValueRef p, LLVMValueRef c)
{
	LLVMValueRef tiny, fair;

	tiny = LLVMBuildAnd(e->b, below(e, p, 0x1p-300),
		below(e, c, 0x1p-300), "");
	fair = LLVMBuildAnd(e->b, below(e, p, 0x1p1000),
		below(e, c, 0x1p1000), "");
	return emit_select(e, tiny, emit_kflike(e, p, 0x1p700),
		emit_select(e, fair, emit_kflike(e, p, 1),
			emit_kflike(e, p, 0x1p-100)));
}

static LLVMValueRef
at_least_one(struct emit *e, LLVMValueRef k)
{
	LLVMValueRef one;

	one = emit_kflike(e, k, 1);
	return emit_select(e, below(e, k, 1), one, k);
}

/* a*b*k as high + low; k goes to the operand that can take it */
static LLVMValueRef
product(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef k,
	LLVMValueRef *low)
{
	LLVMValueRef swap, big, small, up, high, some, tiny;

	swap = emit_fcmp(e, LLVMRealOLT, fabs_(e, a), fabs_(e, b));
	big = emit_select(e, swap, b, a);
	small = emit_select(e, swap, a, b);
	up = at_least_one(e, k);
	small = mul(e, small, up);
	big = mul(e, big, emit_select(e, below(e, k, 1), k,
		emit_kflike(e, k, 1)));
	high = mul(e, big, small);
	some = LLVMBuildAnd(e->b,
		emit_fcmp(e, LLVMRealUNE, small, emit_kflike(e, k, 0)),
		below(e, high, 0x1p-900), "");
	tiny = emit_call2(e, "llvm.copysign", emit_kflike(e, k, 0x1p-900),
		high);
	*low = emit_select(e, some, emit_kflike(e, k, 0),
		fma_(e, big, small, LLVMBuildFNeg(e->b, high, "")));
	return emit_select(e, some, tiny, high);
}

/* sign of uh + ul + c - r */
static LLVMValueRef
sign(struct emit *e, LLVMValueRef uh, LLVMValueRef ul, LLVMValueRef c,
	LLVMValueRef r)
{
	LLVMValueRef th, tl, vh, vl, wh, wl, d;

	th = two_sum(e, c, ul, &tl);
	vh = two_sum(e, uh, th, &vl);
	wh = two_sum(e, vl, tl, &wl);
	d = LLVMBuildFAdd(e->b, sub(e, vh, r), wh, "");
	return emit_select(e,
		emit_fcmp(e, LLVMRealOEQ, d, emit_kflike(e, d, 0)), wl, d);
}

static void
build(struct emit *e, LLVMValueRef fn)
{
	LLVMValueRef a, b, c, r, k, kc, uh, ul;

	a = LLVMGetParam(fn, 0);
	b = LLVMGetParam(fn, 1);
	c = LLVMGetParam(fn, 2);
	r = LLVMGetParam(fn, 3);
	k = scale(e, mul(e, a, b), c);
	kc = emit_select(e, below(e, c, 1), at_least_one(e, k), k);
	uh = product(e, a, b, k, &ul);
	LLVMBuildRet(e->b, sign(e, uh, ul, mul(e, c, kc), mul(e, r, k)));
}

static LLVMValueRef
residual(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c,
	LLVMValueRef r)
{
	LLVMValueRef arg[4] = { a, b, c, r };
	LLVMTypeRef ty[4], f64;
	int k;

	f64 = LLVMTypeOf(a);
	for (k = 0; k < 4; k++)
		ty[k] = f64;
	return emit_helper(e, "residual.f64",
		LLVMFunctionType(f64, ty, 4, 0), build, arg, 4);
}

static LLVMValueRef
is_finite(struct emit *e, LLVMValueRef v)
{
	return emit_fcmp(e, LLVMRealONE, fabs_(e, v),
		emit_kflike(e, v, HUGE_VAL));
}

/* err, but of the opposite sign to r where r overflowed, and zero where r is
 * infinite because an operand is */
static LLVMValueRef
overflowed(struct emit *e, LLVMValueRef operands_finite, LLVMValueRef r,
	LLVMValueRef err)
{
	LLVMValueRef inf;

	inf = emit_select(e, operands_finite, LLVMBuildFNeg(e->b, r, ""),
		emit_kflike(e, r, 0));
	return emit_select(e, is_finite(e, r), err, inf);
}

LLVMValueRef
emit_eft64_fma(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	LLVMValueRef near, ok, err, zero, v;

	near = fma_(e, a, b, c);
	zero = emit_kflike(e, a, 0);
	ok = LLVMBuildAnd(e->b, is_finite(e, a), is_finite(e, b), "");
	ok = LLVMBuildAnd(e->b, ok, is_finite(e, c), "");
	err = overflowed(e, ok, near, residual(e, a, b, c, near));
	v = emit_nudge(e, r, near, err);
	if (r != ROUND_RM)
		return v;
	zero = LLVMBuildAnd(e->b, emit_fcmp(e, LLVMRealOEQ, near, zero),
		emit_fcmp(e, LLVMRealOEQ, err, zero), "");
	return emit_zero_sign(e, zero, v, mul(e, a, b), c);
}

LLVMValueRef
emit_eft64_mul(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef near, ok, zero;

	near = mul(e, a, b);
	zero = emit_kflike(e, a, 0);
	ok = LLVMBuildAnd(e->b, is_finite(e, a), is_finite(e, b), "");
	return emit_nudge(e, r, near,
		overflowed(e, ok, near, residual(e, a, b, zero, near)));
}

LLVMValueRef
emit_eft64_div(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef near, ok, zero, err;

	near = LLVMBuildFDiv(e->b, a, b, "");
	zero = emit_kflike(e, a, 0);
	ok = LLVMBuildAnd(e->b, is_finite(e, a),
		emit_fcmp(e, LLVMRealONE, b, zero), "");
	err = residual(e, LLVMBuildFNeg(e->b, near, ""), b, a, zero);
	err = mul(e, err, emit_call2(e, "llvm.copysign",
		emit_kflike(e, b, 1), b));
	return emit_nudge(e, r, near, overflowed(e, ok, near, err));
}

LLVMValueRef
emit_eft64_sqrt(struct emit *e, enum round r, LLVMValueRef a)
{
	LLVMValueRef near, err;

	near = emit_call1(e, "llvm.sqrt", a);
	err = residual(e, LLVMBuildFNeg(e->b, near, ""), near, a,
		emit_kflike(e, a, 0));
	return emit_nudge(e, r, near, err);
}
