/* minmax.c - the smaller and the larger of two and three floats (PTX 9.7.3).
 *
 * -0 is below +0, and a NaN loses against a number unless .NaN is spelled.
 * AMD: v_min and v_max order zeros so, and with the mode bit IEEE off they
 * drop every NaN; llvm.minnum on another machine may not order zeros, so its
 * result is built by hand there.
 */
#include "arith.h"

/* for equal a and b, which are the same or two zeros */
static LLVMValueRef
equal(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMOpcode join,
	LLVMValueRef other)
{
	LLVMValueRef v;

	v = LLVMBuildBinOp(e->b, join, emit_int(e, a), emit_int(e, b), "");
	return emit_select(e, emit_fcmp(e, LLVMRealOEQ, a, b),
		emit_flt(e, v), other);
}

static LLVMValueRef
choose(struct emit *e, LLVMValueRef a, LLVMValueRef b,
	LLVMRealPredicate wins, LLVMOpcode join)
{
	LLVMValueRef v;

	v = emit_select(e, emit_fcmp(e, wins, a, b), a, b);
	v = emit_select(e, emit_isnan(e, b), a, v);
	return equal(e, a, b, join, v);
}

LLVMValueRef
emit_fmin(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	if (e->t->orders_zeros)
		return emit_call2(e, "llvm.minnum", a, b);
	return choose(e, a, b, LLVMRealOLT, LLVMOr);
}

LLVMValueRef
emit_fmax(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	if (e->t->orders_zeros)
		return emit_call2(e, "llvm.maxnum", a, b);
	return choose(e, a, b, LLVMRealOGT, LLVMAnd);
}
