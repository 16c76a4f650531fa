/* video_simd.c - SIMD video instructions (PTX 9.7.18).
 *
 * Two halves or four bytes at a time, each in 32 bits.  A selector chooses an
 * operand's elements from those of a and b together, a's first.
 */
#include "video.h"

/* which element of a and b stands at place n of o, the sources' k-th */
static unsigned
chosen(const struct opnd *o, int k, unsigned n, unsigned parts)
{
	if (o->sel < 7)
		return (unsigned)(k - 1) * parts + n;
	return o->n >> 4 * n & 15;
}

/* element n of source operand k */
static LLVMValueRef
element(struct emit *e, const struct insn *i, int k, unsigned n,
	unsigned parts, bool is_signed)
{
	LLVMValueRef v;
	unsigned from;

	from = chosen(&i->u.opnd[k], k, n, parts);
	v = video_field(e, video_word(e, i, from < parts ? 1 : 2),
		from % parts * (32 / parts), 32 / parts, is_signed, 32);
	return i->u.opnd[k].flags & OPF_NEG ? LLVMBuildNeg(e->b, v, "") : v;
}

/* is element n among those that d's mask names? */
static bool
is_masked(const struct opnd *d, unsigned n)
{
	unsigned k;

	if (!d->sel)
		return true;
	if (d->sel < 7)
		return n == (d->sel - 1u) % 4;
	for (k = 0; k < d->n >> 24; k++)
		if ((d->n >> 4 * k & 15) == n)
			return true;
	return false;
}

/* the results v of parts elements, those of the mask, added to c or put into
 * it */
static void
finish(struct emit *e, const struct insn *i, enum type d, LLVMValueRef *v,
	unsigned parts)
{
	LLVMValueRef c, t, mask;
	unsigned n, bits;

	bits = 32 / parts;
	c = emit_read(e, &i->u.opnd[3], T_B32);
	for (n = 0; n < parts; n++) {
		if (!is_masked(&i->u.opnd[0], n))
			continue;
		if (insn_has(i, "add")) {
			c = LLVMBuildAdd(e->b, c, v[n], "");
			continue;
		}
		mask = emit_klike(e, c, (int64_t)(UINT32_MAX >> (32 - bits))
			<< (n * bits));
		t = LLVMBuildShl(e->b, v[n], emit_klike(e, c, n * bits), "");
		c = LLVMBuildOr(e->b, LLVMBuildAnd(e->b, t, mask, ""),
			LLVMBuildAnd(e->b, c, LLVMBuildNot(e->b, mask, ""),
			""), "");
	}
	emit_write(e, &i->u.opnd[0], d, c);
}

static void
each(struct emit *e, const struct insn *i, int op, unsigned parts)
{
	LLVMValueRef v[4];
	enum type d;
	unsigned n;

	d = insn_type(i, 0);
	for (n = 0; n < parts; n++) {
		v[n] = video_op(e, op,
			element(e, i, 1, n, parts,
				emit_is_signed(insn_type(i, 1))),
			element(e, i, 2, n, parts,
				emit_is_signed(insn_type(i, 2))));
		if (insn_has(i, "sat"))
			v[n] = video_saturate(e, v[n], 32 / parts,
				emit_is_signed(d));
	}
	finish(e, i, d, v, parts);
}

/* with: as video_op */
void
emit_video2(struct emit *e, const struct insn *i, int with)
{
	each(e, i, with, 2);
}

void
emit_video4(struct emit *e, const struct insn *i, int with)
{
	each(e, i, with, 4);
}

/* with: how many elements */
void
emit_video_vset(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v[4];
	int n;

	for (n = 0; n < with; n++)
		v[n] = LLVMBuildZExt(e->b, emit_compare(e, i, true,
			element(e, i, 1, n, with,
				emit_is_signed(insn_type(i, 0))),
			element(e, i, 2, n, with,
				emit_is_signed(insn_type(i, 1)))),
			emit_ity(e, 32), "");
	finish(e, i, T_U32, v, with);
}
