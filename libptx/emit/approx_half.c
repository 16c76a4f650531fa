/* approx_half.c - ex2 of half types, and tanh of all (PTX 9.7.4.10, .11).
 *
 * Computed in f32 from its estimates.  tanh is 1 - 2 / (1 + e^2x), but below
 * 1/2, where that loses digits, the first terms of its series; both stay
 * within the 2^-11 that PTX grants.
 */
#include "arith.h"

static LLVMValueRef
mul(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFMul(e->b, a, b, "");
}

static LLVMValueRef
k(struct emit *e, LLVMValueRef like, double v)
{
	return emit_kflike(e, like, v);
}

/* x - x^3/3 + 2x^5/15 - 17x^7/315 */
static LLVMValueRef
series(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef s, v;

	s = mul(e, x, x);
	v = emit_call3(e, "llvm.fma", s, k(e, x, -17. / 315), k(e, x, 2. / 15));
	v = emit_call3(e, "llvm.fma", s, v, k(e, x, -1. / 3));
	return emit_call3(e, "llvm.fma", mul(e, s, x), v, x);
}

/* 1 - 2 / (1 + 2^(|x| * 2 / ln 2)) */
static LLVMValueRef
quotient(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef v;

	v = e->t->approx(e, "ex2", mul(e, x, k(e, x, 2.8853900817779268)));
	v = LLVMBuildFAdd(e->b, v, k(e, x, 1), "");
	v = e->t->approx(e, "rcp", v);
	return emit_call3(e, "llvm.fma", v, k(e, x, -2), k(e, x, 1));
}

static LLVMValueRef
tanh_(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef size, large;

	size = emit_call1(e, "llvm.fabs", x);
	large = emit_call2(e, "llvm.copysign", quotient(e, size), x);
	return emit_select(e, emit_fcmp(e, LLVMRealOLT, size,
		k(e, x, 0.5)), series(e, x), large);
}

static LLVMValueRef
exp2_(struct emit *e, LLVMValueRef x)
{
	return e->t->approx(e, "ex2", x);
}

/* op on every element of x */
static LLVMValueRef
each(struct emit *e, LLVMValueRef x, enum type t,
	LLVMValueRef (*op)(struct emit *, LLVMValueRef))
{
	LLVMValueRef part[2];
	unsigned n;

	if (type_info[t].lanes == 1)
		return op(e, x);
	for (n = 0; n < 2; n++)
		part[n] = op(e, emit_part(e, x, 2, n));
	return emit_parts(e, part, 2);
}

/* with: is it tanh, or ex2? */
void
emit_approx_half(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef x;
	enum type t;

	t = insn_type(i, 0);
	x = emit_wide(e, emit_operand(e, i, 1, t), 32);
	x = each(e, x, t, with ? tanh_ : exp2_);
	if (insn_has(i, "ftz"))
		x = emit_flush(e, x);
	if (t == T_F16 || t == T_F16X2)
		x = emit_narrow(e, ROUND_RN, x, 16);
	emit_result(e, i, t, x);
}
