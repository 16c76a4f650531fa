/* approx_host.c - estimates of f32 functions for CPUs, without a library.
 *
 * rcp, rsqrt and sqrt are the CPU's own division and root, right for all
 * operands; rsqrt is its estimate where that is good, within 2^-22.8 of the
 * result.  The others are polynomials, minimax on the interval to which the
 * operand is reduced: 2^x within 1 ulp where the result is a normal number,
 * log2 within 1.2 ulp (2^-23 absolute near 1), sine and cosine within 2^-22
 * absolute as far as 2^18.  Subnormals are zeros to log2 and 2^x.
 *
 * All is arithmetic on elements and selects: nothing traps, nothing is poison
 * for any operand.
 */
#include "target_host.h"
#include "emit/arith.h"

#include <math.h>
#include <string.h>

/* added to a float of less than 2^22, it leaves the nearest integer in the
 * lower bits of the sum */
static const double ROUNDER = 0x1.8p23;

static LLVMValueRef
k(struct emit *e, LLVMValueRef like, double v)
{
	return emit_kflike(e, like, v);
}

static LLVMValueRef
add(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFAdd(e->b, a, b, "");
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

/* c[0] + c[1] x + … of n coefficients */
static LLVMValueRef
polynomial(struct emit *e, LLVMValueRef x, const double *c, int n)
{
	LLVMValueRef v;

	v = k(e, x, c[--n]);
	while (n--)
		v = fma_(e, v, x, k(e, x, c[n]));
	return v;
}

#define POLYNOMIAL(e, x, c) polynomial(e, x, c, sizeof c / sizeof *c)

/* yes where a is related to b, else no */
static LLVMValueRef
where(struct emit *e, LLVMRealPredicate p, LLVMValueRef a, double b,
	LLVMValueRef yes, LLVMValueRef no)
{
	return emit_select(e, emit_fcmp(e, p, a, k(e, a, b)), yes, no);
}

static LLVMValueRef
shift_left(struct emit *e, LLVMValueRef bits, int n)
{
	return LLVMBuildShl(e->b, bits, emit_klike(e, bits, n), "");
}

static LLVMValueRef
rcp(struct emit *e, LLVMValueRef x)
{
	return LLVMBuildFDiv(e->b, k(e, x, 1), x, "");
}

static LLVMValueRef
square_root(struct emit *e, LLVMValueRef x)
{
	return emit_call1(e, "llvm.sqrt", x);
}

/* With these flags LLVM takes AVX-512's estimate, of 14 bits, of a vector and
 * one step of Newton's, which is wrong for zero and infinity. */
static LLVMValueRef
rsqrt(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef v, root;

	root = square_root(e, x);
	v = rcp(e, root);
	if (host_isa(e->o->arch) < ISA_AVX512 || !LLVMIsAInstruction(v))
		return v;
	LLVMSetFastMathFlags(root, LLVMFastMathAllowContract);
	LLVMSetFastMathFlags(v, LLVMFastMathAllowReciprocal |
		LLVMFastMathAllowContract);
	v = where(e, LLVMRealOEQ, x, HUGE_VAL, k(e, x, 0), v);
	return where(e, LLVMRealOEQ, x, 0, emit_call2(e, "llvm.copysign",
		k(e, x, HUGE_VAL), x), v);
}

/* x = n + f with |f| <= 1/2: 2^f, and n added to its exponent */
static LLVMValueRef
ex2(struct emit *e, LLVMValueRef x)
{
	/* (2^f - 1) / f */
	static const double c[] = { 0x1.62e432p-1, 0x1.ebfbep-3,
		0x1.c6ae14p-5, 0x1.3b29a4p-7, 0x1.5f91ep-10, 0x1.449c74p-13 };
	LLVMValueRef n, f, v;

	n = add(e, x, k(e, x, ROUNDER));
	f = sub(e, x, sub(e, n, k(e, x, ROUNDER)));
	v = fma_(e, f, POLYNOMIAL(e, f, c), k(e, x, 1));
	v = LLVMBuildAdd(e->b, emit_int(e, v), shift_left(e, emit_int(e, n),
		23), "");
	v = emit_flt(e, v);
	v = where(e, LLVMRealOGE, x, 128, k(e, x, HUGE_VAL), v);
	v = where(e, LLVMRealOLT, x, -126, k(e, x, 0), v);
	return where(e, LLVMRealUNO, x, 0, x, v);
}

/* x = 2^n (1 + f) with 1 + f from sqrt(1/2) to sqrt(2) */
static LLVMValueRef
lg2(struct emit *e, LLVMValueRef x)
{
	/* log2(1 + f) / f */
	static const double c[] = { 0x1.715476p+0, -0x1.71547p-1,
		0x1.ec7096p-2, -0x1.715a76p-2, 0x1.277e32p-2, -0x1.eabc8ep-3,
		0x1.a3065cp-3, -0x1.874c6ap-3, 0x1.7d450cp-3, -0x1.c24d98p-4 };
	enum { ROOT = 0x3f3504f3 };  /* bits of sqrt(1/2) */
	LLVMValueRef bits, n, f, v;

	bits = emit_int(e, x);
	bits = LLVMBuildSub(e->b, bits, emit_klike(e, bits, ROOT), "");
	n = LLVMBuildAShr(e->b, bits, emit_klike(e, bits, 23), "");
	n = LLVMBuildSIToFP(e->b, n, LLVMTypeOf(x), "");
	f = LLVMBuildAnd(e->b, bits, emit_klike(e, bits, 0x7fffff), "");
	f = LLVMBuildAdd(e->b, f, emit_klike(e, bits, ROOT), "");
	f = sub(e, emit_flt(e, f), k(e, x, 1));
	v = fma_(e, f, POLYNOMIAL(e, f, c), n);
	v = where(e, LLVMRealOLT, x, HUGE_VAL, v, x);
	v = where(e, LLVMRealOLT, x, 0x1p-126, k(e, x, -HUGE_VAL), v);
	return where(e, LLVMRealOLE, x, -0x1p-126, k(e, x, NAN), v);
}

/* the sine of x - n pi, with the sign of turns' lowest bit, which is that of
 * an integer below 2^22 */
static LLVMValueRef
sine_of(struct emit *e, LLVMValueRef x, LLVMValueRef n, LLVMValueRef turns)
{
	/* (sin(r) - r) / r^3, in r^2 */
	static const double c[] = { -0x1.555548p-3, 0x1.110e7cp-7,
		-0x1.9f6446p-13, 0x1.5d38b6p-19 };
	LLVMValueRef r, s, v, sign;

	r = fma_(e, n, k(e, x, -0x1.921fb6p+1), x);
	r = fma_(e, n, k(e, x, 0x1.777a5cp-24), r);
	s = mul(e, r, r);
	v = fma_(e, mul(e, r, s), POLYNOMIAL(e, s, c), r);
	sign = emit_int(e, add(e, turns, k(e, x, ROUNDER)));
	sign = shift_left(e, sign, 31);
	return emit_flt(e, LLVMBuildXor(e->b, emit_int(e, v), sign, ""));
}

/* x, or what is left of it beyond whole turns where it is large */
static LLVMValueRef
near(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef t;

	t = mul(e, x, k(e, x, 0.15915494309189535));
	t = sub(e, t, emit_call1(e, "llvm.floor", t));
	t = mul(e, t, k(e, x, 6.283185307179586));
	return where(e, LLVMRealOLT, emit_call1(e, "llvm.fabs", x), 0x1p18, x,
		t);
}

static LLVMValueRef
half_turns(struct emit *e, LLVMValueRef x)
{
	return mul(e, x, k(e, x, 0.3183098861837907));
}

static LLVMValueRef
sine(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef n;

	x = near(e, x);
	n = emit_call1(e, "llvm.roundeven", half_turns(e, x));
	return sine_of(e, x, n, n);
}

/* with n = floor(x / pi): the sine of x - (n + 1/2) pi, negative if n is
 * even */
static LLVMValueRef
cosine(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef n;

	x = near(e, x);
	n = emit_call1(e, "llvm.floor", half_turns(e, x));
	return sine_of(e, x, add(e, n, k(e, x, 0.5)),
		add(e, n, k(e, x, 1)));
}

static const struct {
	const char *op;
	LLVMValueRef (*how)(struct emit *, LLVMValueRef);
} row[] = {
	{ "rcp",   rcp },
	{ "rsqrt", rsqrt },
	{ "sqrt",  square_root },
	{ "sin",   sine },
	{ "cos",   cosine },
	{ "lg2",   lg2 },
	{ "ex2",   ex2 },
};

LLVMValueRef
host_approx(struct emit *e, const char *op, LLVMValueRef x)
{
	size_t i;

	for (i = 0; strcmp(row[i].op, op); i++)
		;
	return row[i].how(e, x);
}
