/* bits.c - counting and moving bits (PTX 9.7.1.13 ff.). */
#include "arith.h"

static LLVMValueRef
count(struct emit *e, const char *name, LLVMValueRef v, bool zero_is_poison)
{
	LLVMTypeRef ty;
	LLVMValueRef arg[2];

	ty = LLVMTypeOf(v);
	arg[0] = v;
	arg[1] = LLVMConstInt(LLVMInt1TypeInContext(e->c), zero_is_poison, 0);
	return emit_intrinsic(e, name, &ty, 1, arg, 2);
}

void
emit_popc(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;

	(void)with;
	v = emit_iread(e, i, 1, insn_type(i, 0));
	emit_write(e, &i->u.opnd[0], T_U32,
		emit_resize(e, emit_call1(e, "llvm.ctpop", v), 32, false));
}

void
emit_clz(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;

	(void)with;
	v = emit_iread(e, i, 1, insn_type(i, 0));
	emit_write(e, &i->u.opnd[0], T_U32,
		emit_resize(e, count(e, "llvm.ctlz", v, false), 32, false));
}

void
emit_brev(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t,
		emit_call1(e, "llvm.bitreverse", emit_iread(e, i, 1, t)));
}

/* the place of the highest bit that differs from the sign; -1: none */
void
emit_bfind(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, n;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	if (emit_is_signed(t))
		v = LLVMBuildXor(e->b, v, LLVMBuildAShr(e->b, v,
			emit_klike(e, v, emit_width(v) - 1), ""), "");
	if (insn_has(i, "shiftamt"))
		n = emit_select(e, emit_icmp(e, LLVMIntEQ, v,
			emit_klike(e, v, 0)), emit_klike(e, v, -1),
			count(e, "llvm.ctlz", v, true));
	else
		n = LLVMBuildSub(e->b, emit_klike(e, v, emit_width(v) - 1),
			count(e, "llvm.ctlz", v, false), "");
	emit_write(e, &i->u.opnd[0], T_U32, emit_resize(e, n, 32, false));
}

/* operand k as wide as like; forms of 32 bits take its lower 8 */
static LLVMValueRef
place(struct emit *e, const struct insn *i, int k, LLVMValueRef like)
{
	LLVMValueRef v;

	v = emit_iread(e, i, k, T_U32);
	if (emit_width(like) == 32)
		v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 0xff), "");
	return emit_resize(e, v, emit_width(like), false);
}

/* is a shift by n shorter than the value? */
static LLVMValueRef
inside(struct emit *e, LLVMValueRef n)
{
	return emit_icmp(e, LLVMIntULT, n, emit_klike(e, n, emit_width(n)));
}

/* len ones; all for a len beyond the width */
static LLVMValueRef
ones(struct emit *e, LLVMValueRef len)
{
	LLVMValueRef v;

	v = LLVMBuildShl(e->b, emit_klike(e, len, -1), len, "");
	v = LLVMBuildNot(e->b, v, "");
	return emit_select(e, inside(e, len), v, emit_klike(e, len, -1));
}

static LLVMValueRef
shift_left(struct emit *e, LLVMValueRef v, LLVMValueRef n)
{
	return emit_select(e, inside(e, n), LLVMBuildShl(e->b, v, n, ""),
		emit_klike(e, v, 0));
}

/* v's lower len bits, the highest of them its sign */
static LLVMValueRef
sign_extend(struct emit *e, LLVMValueRef v, LLVMValueRef len)
{
	LLVMValueRef n, r, width;

	width = emit_klike(e, v, emit_width(v));
	n = LLVMBuildSub(e->b, width, len, "");
	r = LLVMBuildAShr(e->b, LLVMBuildShl(e->b, v, n, ""), n, "");
	r = emit_select(e, inside(e, len), r, v);
	return emit_select(e, emit_icmp(e, LLVMIntEQ, len,
		emit_klike(e, len, 0)), emit_klike(e, v, 0), r);
}

void
emit_bfe(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, pos, len, last;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	pos = place(e, i, 2, v);
	len = place(e, i, 3, v);
	if (emit_is_signed(t)) {
		last = emit_klike(e, v, emit_width(v) - 1);
		pos = emit_imin(e, false, pos, last);
		v = LLVMBuildAShr(e->b, v, pos, "");
		v = sign_extend(e, v, len);
	} else {
		v = emit_select(e, inside(e, pos),
			LLVMBuildLShr(e->b, v, pos, ""), emit_klike(e, v, 0));
		v = LLVMBuildAnd(e->b, v, ones(e, len), "");
	}
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_bfi(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, pos, mask;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	a = emit_iread(e, i, 1, t);
	b = emit_iread(e, i, 2, t);
	pos = place(e, i, 3, a);
	mask = shift_left(e, ones(e, place(e, i, 4, a)), pos);
	a = LLVMBuildAnd(e->b, shift_left(e, a, pos), mask, "");
	b = LLVMBuildAnd(e->b, b, LLVMBuildNot(e->b, mask, ""), "");
	emit_write(e, &i->u.opnd[0], t, LLVMBuildOr(e->b, a, b, ""));
}

/* operand k as a count of bits: .wrap takes it modulo 32 */
static LLVMValueRef
clamped(struct emit *e, const struct insn *i, int k)
{
	LLVMValueRef v;

	v = emit_iread(e, i, k, T_U32);
	if (insn_has(i, "wrap"))
		v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 31), "");
	return v;
}

void
emit_szext(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, len;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	len = clamped(e, i, 2);
	v = emit_is_signed(t) ? sign_extend(e, v, len)
		: LLVMBuildAnd(e->b, v, ones(e, len), "");
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_bmsk(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_B32, shift_left(e,
		ones(e, clamped(e, i, 2)), clamped(e, i, 1)));
}

/* the place of the n-th (from 1) set bit of v, -1 if there is none: halves
 * that hold fewer than n are skipped */
static LLVMValueRef
nth_set(struct emit *e, LLVMValueRef v, LLVMValueRef n)
{
	LLVMValueRef at, low, skip, step, zero;
	int w;

	at = zero = emit_klike(e, v, 0);
	for (w = 16; w; w /= 2) {
		low = LLVMBuildAnd(e->b, v,
			emit_klike(e, v, (1 << w) - 1), "");
		low = emit_call1(e, "llvm.ctpop", low);
		skip = emit_icmp(e, LLVMIntUGT, n, low);
		step = emit_select(e, skip, emit_klike(e, v, w), zero);
		n = LLVMBuildSub(e->b, n,
			emit_select(e, skip, low, zero), "");
		v = LLVMBuildLShr(e->b, v, step, "");
		at = LLVMBuildAdd(e->b, at, step, "");
	}
	v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 1), "");
	return emit_select(e, emit_icmp(e, LLVMIntEQ, v, n), at,
		emit_klike(e, v, -1));
}

/* fns d, mask, base, offset: downwards is upwards in the reversed mask */
void
emit_fns(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, base, n, down, none, at, keep;

	(void)with;
	v = emit_iread(e, i, 1, T_B32);
	base = emit_iread(e, i, 2, T_B32);
	n = emit_iread(e, i, 3, T_S32);
	none = emit_klike(e, v, 0);
	down = emit_icmp(e, LLVMIntSLT, n, none);
	v = emit_select(e, down, emit_call1(e, "llvm.bitreverse", v), v);
	base = emit_select(e, down, LLVMBuildSub(e->b,
		emit_klike(e, v, 31), base, ""), base);
	keep = shift_left(e, emit_klike(e, v, -1), base);
	at = emit_icmp(e, LLVMIntEQ, n, none);
	keep = emit_select(e, at, shift_left(e, emit_klike(e, v, 1), base),
		keep);
	n = emit_select(e, down, LLVMBuildNeg(e->b, n, ""), n);
	n = emit_select(e, at, emit_klike(e, n, 1), n);
	v = nth_set(e, LLVMBuildAnd(e->b, v, keep, ""), n);
	base = LLVMBuildSub(e->b, emit_klike(e, v, 31), v, "");
	at = LLVMBuildAnd(e->b, down, emit_icmp(e, LLVMIntSGE, v,
		emit_klike(e, v, 0)), "");
	emit_write(e, &i->u.opnd[0], T_B32, emit_select(e, at, base, v));
}
