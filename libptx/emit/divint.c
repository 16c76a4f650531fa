/* divint.c - integer division (PTX 9.7.1.7, 9.7.1.8).
 *
 * LLVM leaves division by zero and of the least number by -1 undefined; the
 * hardware has answers.  So signed division is done on magnitudes, and a zero
 * divisor is replaced by one and the result by all ones, quotient and
 * remainder alike.
 */
#include "arith.h"

static LLVMValueRef
magnitude(struct emit *e, LLVMValueRef v)
{
	return emit_select(e, emit_icmp(e, LLVMIntSLT, v, emit_klike(e, v, 0)),
		LLVMBuildNeg(e->b, v, ""), v);
}

/* v, or its negative where s is negative */
static LLVMValueRef
with_sign(struct emit *e, LLVMValueRef v, LLVMValueRef s)
{
	return emit_select(e, emit_icmp(e, LLVMIntSLT, s, emit_klike(e, s, 0)),
		LLVMBuildNeg(e->b, v, ""), v);
}

static LLVMValueRef
quotient(struct emit *e, bool sign, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v;

	if (!sign)
		return LLVMBuildUDiv(e->b, a, b, "");
	v = LLVMBuildUDiv(e->b, magnitude(e, a), magnitude(e, b), "");
	return with_sign(e, v, LLVMBuildXor(e->b, a, b, ""));
}

static LLVMValueRef
remainder_(struct emit *e, bool sign, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v;

	if (!sign)
		return LLVMBuildURem(e->b, a, b, "");
	v = LLVMBuildURem(e->b, magnitude(e, a), magnitude(e, b), "");
	return with_sign(e, v, a);
}

/* is b a literal that LLVM may divide by as it stands? */
static bool
is_safe(LLVMValueRef b)
{
	int64_t k;

	if (!LLVMIsAConstantInt(b))
		return false;
	k = LLVMConstIntGetSExtValue(b);
	return k != 0 && k != -1;
}

/* with: is it the remainder? */
void
emit_divide_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v, zero;
	enum type t;
	bool sign;

	t = insn_type(i, 0);
	sign = emit_is_signed(t);
	a = emit_iread(e, i, 1, t);
	b = emit_iread(e, i, 2, t);
	if (is_safe(b)) {
		emit_write(e, &i->u.opnd[0], t, LLVMBuildBinOp(e->b, with
			? sign ? LLVMSRem : LLVMURem
			: sign ? LLVMSDiv : LLVMUDiv, a, b, ""));
		return;
	}
	zero = emit_icmp(e, LLVMIntEQ, b, emit_klike(e, b, 0));
	b = emit_select(e, zero, emit_klike(e, b, 1), b);
	v = with ? remainder_(e, sign, a, b) : quotient(e, sign, a, b);
	v = emit_select(e, zero, emit_klike(e, v, -1), v);
	emit_write(e, &i->u.opnd[0], t, v);
}
