/* intx.c - extended-precision integer arithmetic (PTX 9.7.2).
 *
 * CC.CF lives in an i1 of the function's frame that SROA makes a value of;
 * add and addc in a row become v_add_co and v_add_co_ci.  A subtraction
 * leaves the complement of the borrow there, and reads that.
 */
#include "arith.h"

static LLVMValueRef
flag(struct emit *e)
{
	LLVMBasicBlockRef here;

	if (e->carry)
		return e->carry;
	e->carry = emit_alloca(e, emit_ity(e, 1), "cc");
	here = LLVMGetInsertBlock(e->b);
	LLVMPositionBuilder(e->b, LLVMGetEntryBasicBlock(e->fn),
		LLVMGetNextInstruction(e->carry));
	LLVMBuildStore(e->b, emit_k(e, emit_ity(e, 1), 0), e->carry);
	LLVMPositionBuilderAtEnd(e->b, here);
	return e->carry;
}

/* a op b; *out becomes the carry or borrow, or-ed with what *out holds */
static LLVMValueRef
step(struct emit *e, const char *op, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef *out)
{
	LLVMValueRef pair, carry;

	pair = emit_call2(e, op, a, b);
	carry = LLVMBuildExtractValue(e->b, pair, 1, "");
	*out = *out ? LLVMBuildOr(e->b, *out, carry, "") : carry;
	return LLVMBuildExtractValue(e->b, pair, 0, "");
}

static const char plus[] = "llvm.uadd.with.overflow",
	minus[] = "llvm.usub.with.overflow";

/* d = a op b op CC.CF, as i spells it; with .cc the flag is written */
static void
chain(struct emit *e, const struct insn *i, const char *op, bool in,
	LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v, cf, out;

	out = 0;
	v = step(e, op, a, b, &out);
	if (in) {
		cf = LLVMBuildLoad2(e->b, emit_ity(e, 1), flag(e), "");
		if (op == minus)
			cf = LLVMBuildNot(e->b, cf, "");
		cf = LLVMBuildZExt(e->b, cf, LLVMTypeOf(v), "");
		v = step(e, op, v, cf, &out);
	}
	if (op == minus)
		out = LLVMBuildNot(e->b, out, "");
	if (insn_has(i, "cc"))
		LLVMBuildStore(e->b, out, flag(e));
	emit_write(e, &i->u.opnd[0], insn_type(i, 0), v);
}

/* with: is CC.CF read? */
void
emit_add_cc(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	t = insn_type(i, 0);
	chain(e, i, plus, with,
		emit_iread(e, i, 1, t), emit_iread(e, i, 2, t));
}

void
emit_sub_cc(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	t = insn_type(i, 0);
	chain(e, i, minus, with,
		emit_iread(e, i, 1, t), emit_iread(e, i, 2, t));
}

void
emit_mad_cc(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b;
	enum type t;

	t = insn_type(i, 0);
	a = emit_iread(e, i, 1, t);
	b = emit_iread(e, i, 2, t);
	a = insn_has(i, "hi") ? emit_mulhi(e, emit_is_signed(t), a, b)
		: LLVMBuildMul(e->b, a, b, "");
	chain(e, i, plus, with, a,
		emit_iread(e, i, 3, t));
}
