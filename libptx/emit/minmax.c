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

/* v, or the canonical NaN where a or b is one */
static LLVMValueRef
propagate(struct emit *e, LLVMValueRef v, LLVMValueRef a, LLVMValueRef b)
{
	return emit_select(e, emit_fcmp(e, LLVMRealUNO, a, b),
		emit_nan(e, v), v);
}

static LLVMValueRef
lesser(struct emit *e, const struct insn *i, bool max, LLVMValueRef a,
	LLVMValueRef b)
{
	LLVMValueRef v;

	if (insn_has(i, "NaN") && e->t->orders_zeros)
		return emit_call2(e, max ? "llvm.maximum" : "llvm.minimum",
			a, b);
	v = max ? emit_fmax(e, a, b) : emit_fmin(e, a, b);
	return insn_has(i, "NaN") ? propagate(e, v, a, b) : v;
}

/* v with the sign of a times b */
static LLVMValueRef
xorsign(struct emit *e, LLVMValueRef v, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef x;

	x = LLVMBuildXor(e->b, emit_int(e, a), emit_int(e, b), "");
	return emit_call2(e, "llvm.copysign", v, emit_flt(e, x));
}

/* with: is it max?  A bf16 result is one of the operands: it needs no
 * rounding. */
void
emit_minmax_fp(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v;
	enum type t;

	t = insn_type(i, 0);
	a = emit_operand(e, i, 1, t);
	b = emit_operand(e, i, 2, t);
	if (insn_has(i, "xorsign")) {
		v = lesser(e, i, with, emit_call1(e, "llvm.fabs", a),
			emit_call1(e, "llvm.fabs", b));
		v = xorsign(e, v, a, b);
	} else {
		v = lesser(e, i, with, a, b);
	}
	if (emit_is_bf16(t)) {
		v = emit_int(e, v);
		v = LLVMBuildLShr(e->b, v, emit_klike(e, v, 16), "");
		v = emit_resize(e, v, 16, false);
	}
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_minmax3(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v[3];
	int k;

	for (k = 0; k < 3; k++) {
		v[k] = emit_operand(e, i, k + 1, T_F32);
		if (insn_has(i, "abs"))
			v[k] = emit_call1(e, "llvm.fabs", v[k]);
	}
	v[0] = lesser(e, i, with, v[0], v[1]);
	emit_write(e, &i->u.opnd[0], T_F32, lesser(e, i, with, v[0], v[2]));
}
