/* divide.c - quotients, reciprocals, square roots of f32 and f64, correctly
 * rounded (PTX 9.7.3.8, .13, .15).
 *
 * LLVM's fdiv and llvm.sqrt round to nearest exactly on every target, but for
 * one divisor of f64.  For the other roundings the remainder decides: of f32 it
 * is exact in f64.
 */
#include "arith.h"

static LLVMValueRef
fma64(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return emit_call3(e, "llvm.fma", emit_wide(e, a, 64),
		emit_wide(e, b, 64), emit_wide(e, c, 64));
}

/* v & mantissa == want, of doubles as integers */
static LLVMValueRef
ends_in(struct emit *e, LLVMIntPredicate p, LLVMValueRef v, uint64_t want)
{
	int64_t mantissa = ((int64_t)1 << 52) - 1;

	v = emit_int(e, v);
	v = LLVMBuildAnd(e->b, v, emit_klike(e, v, mantissa), "");
	return emit_icmp(e, p, v, emit_klike(e, v, (int64_t)want));
}

static LLVMValueRef
is_normal(struct emit *e, LLVMValueRef v)
{
	LLVMTypeRef ty = LLVMTypeOf(v);
	LLVMValueRef arg[] = { v, emit_k(e, emit_ity(e, 32), 0x108) };

	return emit_intrinsic(e, "llvm.is.fpclass", &ty, 1, arg, 2);
}

/* A refined quotient is wrong for one kind of divisor, that whose mantissa
 * is all ones (Markstein), and there where the quotient is just above a tie
 * over a power of two: a is one, and the quotient came out as one. */
static LLVMValueRef
last_bit(struct emit *e, LLVMValueRef q, LLVMValueRef a, LLVMValueRef b)
{
	uint64_t ones = ((uint64_t)1 << 52) - 1;
	LLVMValueRef is, bits;

	is = LLVMBuildAnd(e->b, ends_in(e, LLVMIntEQ, b, ones),
		ends_in(e, LLVMIntEQ, q, 0), "");
	is = LLVMBuildAnd(e->b, is, ends_in(e, LLVMIntNE, a, ones), "");
	is = LLVMBuildAnd(e->b, is, is_normal(e, q), "");
	is = LLVMBuildAnd(e->b, is, is_normal(e, b), "");
	bits = emit_int(e, q);
	bits = LLVMBuildOr(e->b, bits, LLVMBuildZExt(e->b, is,
		LLVMTypeOf(bits), ""), "");
	return emit_flt(e, bits);
}

static LLVMValueRef
divide(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef q, rem, one;

	q = LLVMBuildFDiv(e->b, a, b, "");
	if (r == ROUND_RN && emit_width(a) == 64 && e->o->target->refines_f64)
		return last_bit(e, q, a, b);
	if (r == ROUND_RN)
		return q;
	if (emit_width(a) == 64)
		return emit_eft64_div(e, r, a, b);
	rem = fma64(e, LLVMBuildFNeg(e->b, q, ""), b, a);
	one = emit_call2(e, "llvm.copysign", emit_kflike(e, rem, 1),
		emit_wide(e, b, 64));
	return emit_nudge(e, r, q, LLVMBuildFMul(e->b, rem, one, ""));
}

static LLVMValueRef
root(struct emit *e, enum round r, LLVMValueRef a)
{
	LLVMValueRef v;

	if (r != ROUND_RN && emit_width(a) == 64)
		return emit_eft64_sqrt(e, r, a);
	v = emit_call1(e, "llvm.sqrt", a);
	if (r == ROUND_RN)
		return v;
	return emit_nudge(e, r, v,
		fma64(e, LLVMBuildFNeg(e->b, v, ""), v, a));
}

void
emit_div_fp(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_result(e, i, t, divide(e, emit_round(i, ROUND_RN),
		emit_operand(e, i, 1, t), emit_operand(e, i, 2, t)));
}

void
emit_rcp(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_operand(e, i, 1, t);
	emit_result(e, i, t, divide(e, emit_round(i, ROUND_RN),
		emit_kflike(e, v, 1), v));
}

void
emit_sqrt(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_result(e, i, t, root(e, emit_round(i, ROUND_RN),
		emit_operand(e, i, 1, t)));
}
