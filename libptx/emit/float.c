/* float.c - sums and products of floats (PTX 9.7.3 to 9.7.5).
 *
 * Operands and results pass through the working form of shape.c: packed
 * halves as vectors, bf16 as float.  Sums and products of two bf16 may round
 * twice, first to f32, since that has more than twice their bits (Figueroa).
 * A multiply-add may not: it is rounded to odd first.
 */
#include "arith.h"

/* let LLVM fuse v with the sum that uses it, or the product it uses, where
 * PTX leaves that open: neither spells a rounding */
static LLVMValueRef
fusible(struct emit *e, const struct insn *i, LLVMValueRef v)
{
	LLVMOpcode op;

	if (!e->o->fmad || insn_word(i, "rnd") || !LLVMIsAInstruction(v))
		return v;
	op = LLVMGetInstructionOpcode(v);
	if (op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul)
		LLVMSetFastMathFlags(v, LLVMFastMathAllowContract);
	return v;
}

static LLVMValueRef
large(struct emit *e, LLVMValueRef v)
{
	return LLVMBuildFMul(e->b, v, emit_kflike(e, v,
		emit_width(v) == 16 ? 0x1p12 : 0x1p64), "");
}

/* a * b, flushed as the exact product demands */
static LLVMValueRef
multiply(struct emit *e, const struct insn *i, enum type t, LLVMValueRef a,
	LLVMValueRef b)
{
	LLVMValueRef v;
	enum round r;

	r = emit_round(i, ROUND_RN);
	v = fusible(e, i, emit_fmul(e, r, a, b));
	if (!emit_flushes(e, i, t))
		return v;
	return emit_flush_tiny(e, v, emit_fmul(e, r, large(e, a), b));
}

/* with: LLVMFAdd, LLVMFSub or LLVMFMul */
void
emit_fbinary(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v;
	enum round r;
	enum type t;

	t = insn_type(i, 0);
	a = emit_operand(e, i, 1, t);
	b = emit_operand(e, i, 2, t);
	r = emit_round(i, ROUND_RN);
	if (with == LLVMFMul)
		v = multiply(e, i, t, a, b);
	else if (r == ROUND_RN)
		v = fusible(e, i, LLVMBuildBinOp(e->b, with, a, b, ""));
	else
		v = emit_fadd(e, r, a, with == LLVMFAdd ? b
			: LLVMBuildFNeg(e->b, b, ""));
	emit_result(e, i, t, v);
}

/* operand k, of type t, as f32 */
static LLVMValueRef
as_f32(struct emit *e, const struct insn *i, int k, enum type t)
{
	return emit_wide(e, emit_operand(e, i, k, t), 32);
}

/* add, sub of a f16 or bf16 and a f32; with: is it sub? */
void
emit_add_mixed(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef c;

	c = emit_operand(e, i, 2, T_F32);
	if (with)
		c = LLVMBuildFNeg(e->b, c, "");
	emit_result(e, i, T_F32, emit_fadd(e, emit_round(i, ROUND_RN),
		as_f32(e, i, 1, insn_type(i, 1)), c));
}

void
emit_fma_mixed(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 1);
	emit_result(e, i, T_F32, emit_ffma(e, emit_round(i, ROUND_RN),
		as_f32(e, i, 1, t), as_f32(e, i, 2, t),
		emit_operand(e, i, 3, T_F32)));
}

/* a*b + c of bf16 in f32, rounded to odd as far as that tells in a bf16.
 *
 * What the fused multiply-add leaves out is found as Knuth's 2Sum finds it
 * for a sum, since the product of two bf16 is exact in f32, with two
 * exceptions.  If it overflows and the sum does not, the sum is exact, and err
 * a NaN.  If it underflows, it lies below 2^-134, half of the least bf16, and
 * 16 bits that are a product of 8 by 8 never round up to that: err may be
 * wrong, but the sum is not halfway between two bf16. */
static LLVMValueRef
fma_bf16(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	LLVMValueRef sum, p, t, err;

	sum = emit_call3(e, "llvm.fma", a, b, c);
	p = LLVMBuildFMul(e->b, a, b, "");
	t = LLVMBuildFSub(e->b, sum, p, "");
	err = LLVMBuildFSub(e->b, p, LLVMBuildFSub(e->b, sum, t, ""), "");
	err = LLVMBuildFAdd(e->b, err, LLVMBuildFSub(e->b, c, t, ""), "");
	return emit_odd(e, sum, err);
}

static LLVMValueRef
fma_of(struct emit *e, const struct insn *i, enum type t)
{
	LLVMValueRef a, b, c, v;
	enum round r;

	a = emit_operand(e, i, 1, t);
	b = emit_operand(e, i, 2, t);
	c = emit_operand(e, i, 3, t);
	r = emit_round(i, ROUND_RN);
	if (emit_is_bf16(t))
		return fma_bf16(e, a, b, c);
	v = emit_ffma(e, r, a, b, c);
	if (!emit_flushes(e, i, t))
		return v;
	return emit_flush_tiny(e, v,
		emit_ffma(e, r, large(e, a), b, large(e, c)));
}

/* fma, and mad, which is the same since sm_20 */
void
emit_fma(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_result(e, i, t, fma_of(e, i, t));
}

/* is operand k the NaN that marks what lies outside? */
static LLVMValueRef
outside(struct emit *e, const struct insn *i, int k, enum type t)
{
	LLVMValueRef v;

	v = emit_iread(e, i, k, t);
	return emit_icmp(e, LLVMIntEQ, v, emit_klike(e, v, 0xffff));
}

/* zero where a or b is outside */
void
emit_fma_oob(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef any, v;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	any = LLVMBuildOr(e->b, outside(e, i, 1, t), outside(e, i, 2, t), "");
	v = fma_of(e, i, t);
	emit_result(e, i, t, emit_select(e, any, emit_kflike(e, v, 0), v));
}
