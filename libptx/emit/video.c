/* video.c - scalar video instructions (PTX 9.7.17).
 *
 * Bytes, halves or words of a and b are widened to 64 bits (vmad: to 128, as
 * its products need), so that no intermediate result is cut before it is
 * saturated; then the result is merged into c or combined with it.
 */
#include "video.h"

LLVMValueRef
video_field(struct emit *e, LLVMValueRef word, unsigned at, unsigned bits,
	bool is_signed, unsigned to)
{
	word = LLVMBuildLShr(e->b, word, emit_klike(e, word, at), "");
	return emit_resize(e, emit_resize(e, word, bits, false), to,
		is_signed);
}

LLVMValueRef
video_word(struct emit *e, const struct insn *i, int k)
{
	struct opnd o;

	o = i->u.opnd[k];
	o.flags &= ~OPF_NEG;
	return emit_read(e, &o, T_B32);
}

static LLVMValueRef
sub(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSub(e->b, a, b, "");
}

LLVMValueRef
video_op(struct emit *e, int op, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v, up;

	switch (op) {
	case '+':
		return LLVMBuildAdd(e->b, a, b, "");
	case '-':
		return sub(e, a, b);
	case '<':
		return emit_imin(e, true, a, b);
	case '>':
		return emit_imax(e, true, a, b);
	case '|':
		return sub(e, emit_imax(e, true, a, b),
			emit_imin(e, true, a, b));
	default: /* halves go away from zero */
		v = LLVMBuildAdd(e->b, a, b, "");
		up = emit_icmp(e, LLVMIntSGE, v, emit_klike(e, v, 0));
		v = LLVMBuildAdd(e->b, v,
			LLVMBuildZExt(e->b, up, LLVMTypeOf(v), ""), "");
		return LLVMBuildAShr(e->b, v, emit_klike(e, v, 1), "");
	}
}

LLVMValueRef
video_saturate(struct emit *e, LLVMValueRef v, unsigned bits, bool is_signed)
{
	int64_t max;

	max = ((int64_t)1 << (bits - is_signed)) - 1;
	v = emit_imax(e, true, v, emit_klike(e, v, is_signed ? -max - 1 : 0));
	return emit_imin(e, true, v, emit_klike(e, v, max));
}

/* where the part that o names begins, and its size */
static unsigned
part(const struct opnd *o, unsigned *bits)
{
	*bits = !o->sel ? 32 : o->sel < 5 ? 8 : 16;
	return !o->sel ? 0 : o->sel < 5 ? 8u * (o->sel - 1)
		: 16u * (o->sel - 5);
}

/* the part of source operand k, of type t, that i names, in to bits */
static LLVMValueRef
source(struct emit *e, const struct insn *i, int k, enum type t, unsigned to)
{
	unsigned at, bits;

	at = part(&i->u.opnd[k], &bits);
	return video_field(e, video_word(e, i, k), at, bits,
		emit_is_signed(t), to);
}

static LLVMValueRef
negated(struct emit *e, const struct insn *i, int k, LLVMValueRef v)
{
	return i->u.opnd[k].flags & OPF_NEG ? LLVMBuildNeg(e->b, v, "") : v;
}

/* v, the low part of a word, in place of the part of c that d names */
static LLVMValueRef
merge(struct emit *e, const struct opnd *d, LLVMValueRef v, LLVMValueRef c)
{
	LLVMValueRef mask;
	unsigned at, bits;

	at = part(d, &bits);
	mask = emit_klike(e, v, (int64_t)(UINT32_MAX >> (32 - bits)) << at);
	v = LLVMBuildShl(e->b, v, emit_klike(e, v, at), "");
	v = LLVMBuildAnd(e->b, v, mask, "");
	c = LLVMBuildAnd(e->b, c, LLVMBuildNot(e->b, mask, ""), "");
	return LLVMBuildOr(e->b, v, c, "");
}

/* v, 64 bits and signed, becomes the result: saturated, cut to a word, then
 * combined with or merged into c */
static void
finish(struct emit *e, const struct insn *i, enum type d, LLVMValueRef v)
{
	LLVMValueRef c;
	unsigned bits;

	part(&i->u.opnd[0], &bits);
	if (insn_has(i, "sat"))
		v = video_saturate(e, v, bits, emit_is_signed(d));
	v = emit_resize(e, v, 32, false);
	if (i->nopnd == 4) {
		c = emit_read(e, &i->u.opnd[3], d);
		if (insn_has(i, "add"))
			v = LLVMBuildAdd(e->b, v, c, "");
		else if (insn_has(i, "min"))
			v = emit_imin(e, emit_is_signed(d), v, c);
		else if (insn_has(i, "max"))
			v = emit_imax(e, emit_is_signed(d), v, c);
		else
			v = merge(e, &i->u.opnd[0], v, c);
	}
	emit_write(e, &i->u.opnd[0], d, v);
}

/* with: as video_op */
void
emit_video(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b;

	a = negated(e, i, 1, source(e, i, 1, insn_type(i, 1), 64));
	b = negated(e, i, 2, source(e, i, 2, insn_type(i, 2), 64));
	finish(e, i, insn_type(i, 0), video_op(e, with, a, b));
}

/* the count of vshl and vshr, at most 32 */
static LLVMValueRef
count(struct emit *e, const struct insn *i)
{
	LLVMValueRef n;

	n = source(e, i, 2, T_U32, 64);
	if (insn_has(i, "wrap"))
		return LLVMBuildAnd(e->b, n, emit_klike(e, n, 31), "");
	return emit_imin(e, false, n, emit_klike(e, n, 32));
}

/* a << n: by 32 as by 31 and a doubling, which saturates if the result does */
static LLVMValueRef
left(struct emit *e, const struct insn *i, LLVMValueRef a, LLVMValueRef n)
{
	LLVMValueRef v, twice;

	v = LLVMBuildShl(e->b, a,
		emit_imin(e, false, n, emit_klike(e, n, 31)), "");
	twice = insn_has(i, "sat") ? emit_call2(e, "llvm.sadd.sat", v, v)
		: LLVMBuildAdd(e->b, v, v, "");
	return emit_select(e, emit_icmp(e, LLVMIntEQ, n,
		emit_klike(e, n, 32)), twice, v);
}

/* with: LLVMShl, or to the right */
void
emit_video_shift(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, n;

	a = source(e, i, 1, insn_type(i, 1), 64);
	n = count(e, i);
	a = with == LLVMShl ? left(e, i, a, n) : LLVMBuildAShr(e->b, a, n, "");
	finish(e, i, insn_type(i, 0), a);
}

void
emit_video_set(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;

	(void)with;
	v = emit_compare(e, i, true,
		negated(e, i, 1, source(e, i, 1, insn_type(i, 0), 64)),
		negated(e, i, 2, source(e, i, 2, insn_type(i, 1), 64)));
	v = LLVMBuildZExt(e->b, v, emit_ity(e, 64), "");
	finish(e, i, T_U32, v);
}

/* ±(a*b) ± c + po, shifted, saturated */
void
emit_vmad(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, c;
	enum type d, a, b;
	bool minus, sign;

	(void)with;
	d = insn_type(i, 0);
	a = insn_type(i, 1);
	b = insn_type(i, 2);
	minus = (i->u.opnd[1].flags ^ i->u.opnd[2].flags) & OPF_NEG;
	sign = emit_is_signed(a) || emit_is_signed(b) || minus
		|| i->u.opnd[3].flags & OPF_NEG;
	v = LLVMBuildMul(e->b, source(e, i, 1, a, 128),
		source(e, i, 2, b, 128), "");
	if (minus)
		v = LLVMBuildNeg(e->b, v, "");
	c = emit_resize(e, video_word(e, i, 3), 128, sign);
	v = LLVMBuildAdd(e->b, v, negated(e, i, 3, c), "");
	if (insn_has(i, "po"))
		v = LLVMBuildAdd(e->b, v, emit_klike(e, v, 1), "");
	if (insn_word(i, "scale"))
		v = LLVMBuildAShr(e->b, v, emit_klike(e, v,
			insn_is(i, "scale", "shr7") ? 7 : 15), "");
	if (insn_has(i, "sat"))
		v = video_saturate(e, v, 32, sign);
	emit_write(e, &i->u.opnd[0], d, emit_resize(e, v, 32, false));
}
