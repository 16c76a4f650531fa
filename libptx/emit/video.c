/* video.c - scalar video instructions (PTX 9.7.17).
 *
 * Bytes, halves or words of a and b are widened to 64 bits, so that no
 * intermediate result is cut before it is saturated; then the result is
 * merged into c or combined with it.
 *
 * NVIDIA's hardware since sm_50 emulates these instructions, and differs from
 * the manual.  What is here is what an H200 answers: into a byte or a half,
 * what is out of range, also below it, saturates to the greatest value; an
 * unsigned word saturates at zero alone; a result for .h1 is taken from the
 * upper half; vshl and vshr saturate words, of which they know 34 bits; vmad
 * takes all words, and c, as signed.
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
	if (bits == 8)
		v = LLVMBuildShl(e->b, v, emit_klike(e, v, at), "");
	v = LLVMBuildAnd(e->b, v, mask, "");
	c = LLVMBuildAnd(e->b, c, LLVMBuildNot(e->b, mask, ""), "");
	return LLVMBuildOr(e->b, v, c, "");
}

/* v, 64 bits and signed, in the range of i's destination */
static LLVMValueRef
saturate(struct emit *e, const struct insn *i, enum type d, LLVMValueRef v)
{
	unsigned bits;

	part(&i->u.opnd[0], &bits);
	if (!insn_has(i, "sat"))
		return v;
	if (bits < 32)
		return emit_imin(e, false, v, emit_klike(e, v,
			((int64_t)1 << (bits - emit_is_signed(d))) - 1));
	if (emit_is_signed(d))
		return video_saturate(e, v, 32, true);
	return emit_imax(e, true, v, emit_klike(e, v, 0));
}

/* the lesser or the greater of v and c, which is a word */
static LLVMValueRef
choose(struct emit *e, const struct insn *i, bool is_signed, LLVMValueRef v,
	LLVMValueRef c)
{
	c = emit_resize(e, c, 64, is_signed);
	return insn_has(i, "min") ? emit_imin(e, true, v, c)
		: emit_imax(e, true, v, c);
}

/* v, saturated, combined with c or merged into it, becomes the result */
static void
finish(struct emit *e, const struct insn *i, enum type d, bool is_signed,
	LLVMValueRef v)
{
	LLVMValueRef c, w;

	w = emit_resize(e, v, 32, false);
	if (i->nopnd == 4) {
		c = emit_read(e, &i->u.opnd[3], T_B32);
		if (insn_has(i, "add"))
			w = LLVMBuildAdd(e->b, w, c, "");
		else if (insn_word(i, "op2"))
			w = emit_resize(e, choose(e, i, is_signed, v, c),
				32, false);
		else
			w = merge(e, &i->u.opnd[0], w, c);
	}
	emit_write(e, &i->u.opnd[0], d, w);
}

/* v cut to a word of type d, in 64 bits */
static LLVMValueRef
cut(struct emit *e, enum type d, LLVMValueRef v)
{
	return emit_resize(e, emit_resize(e, v, 32, false), 64,
		emit_is_signed(d));
}

/* with: as video_op */
void
emit_video(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v;
	enum type d;

	d = insn_type(i, 0);
	a = negated(e, i, 1, source(e, i, 1, insn_type(i, 1), 64));
	b = negated(e, i, 2, source(e, i, 2, insn_type(i, 2), 64));
	v = saturate(e, i, d, video_op(e, with, a, b));
	finish(e, i, d, emit_is_signed(d), with == '|' ? v : cut(e, d, v));
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

/* with: LLVMShl or LLVMAShr */
void
emit_video_shift(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, k;
	enum type d;
	unsigned bits;

	d = insn_type(i, 0);
	v = LLVMBuildBinOp(e->b, with, source(e, i, 1, insn_type(i, 1), 64),
		count(e, i), "");
	part(&i->u.opnd[0], &bits);
	if (insn_has(i, "sat") && bits == 32) {
		k = emit_klike(e, v, 64 - 34);
		v = LLVMBuildAShr(e->b, LLVMBuildShl(e->b, v, k, ""), k, "");
		v = video_saturate(e, v, 32, emit_is_signed(d));
	} else if (insn_has(i, "sat") && with == LLVMAShr) {
		v = emit_imax(e, true, v, emit_klike(e, v, 0));
	}
	finish(e, i, d, emit_is_signed(d),
		with == LLVMShl ? v : cut(e, d, v));
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
	finish(e, i, T_U32, emit_is_signed(insn_type(i, 0)), v);
}

/* operand k of vmad: a word is signed whatever its type says */
static LLVMValueRef
factor(struct emit *e, const struct insn *i, int k)
{
	return source(e, i, k, i->u.opnd[k].sel ? insn_type(i, k) : T_S32, 64);
}

/* ±(a*b) ± c + po, shifted, saturated */
void
emit_vmad(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, c;
	bool minus, sign, scaled;

	(void)with;
	minus = (i->u.opnd[1].flags ^ i->u.opnd[2].flags) & OPF_NEG;
	sign = emit_is_signed(insn_type(i, 1)) || minus
		|| emit_is_signed(insn_type(i, 2))
		|| i->u.opnd[3].flags & OPF_NEG;
	scaled = insn_word(i, "scale") != 0;
	v = LLVMBuildMul(e->b, factor(e, i, 1), factor(e, i, 2), "");
	if (minus)
		v = LLVMBuildNeg(e->b, v, "");
	c = emit_resize(e, video_word(e, i, 3), 64, true);
	v = LLVMBuildAdd(e->b, v, negated(e, i, 3, c), "");
	if (insn_has(i, "po"))
		v = LLVMBuildAdd(e->b, v, emit_klike(e, v, 1), "");
	if (scaled)
		v = LLVMBuildAShr(e->b, v, emit_klike(e, v,
			insn_is(i, "scale", "shr7") ? 7 : 15), "");
	if (insn_has(i, "sat") && scaled && !sign)
		v = emit_imin(e, false, v, emit_klike(e, v, UINT32_MAX));
	else if (insn_has(i, "sat"))
		v = video_saturate(e, v, 32, sign);
	emit_write(e, &i->u.opnd[0], insn_type(i, 0),
		emit_resize(e, v, 32, false));
}
