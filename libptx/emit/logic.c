/* logic.c - logic and shifts (PTX 9.7.8). */
#include "arith.h"

static LLVMValueRef
not_(struct emit *e, LLVMValueRef v)
{
	return LLVMBuildNot(e->b, v, "");
}

static LLVMValueRef
and_(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildAnd(e->b, a, b, "");
}

void
emit_not(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, not_(e, emit_iread(e, i, 1, t)));
}

void
emit_cnot(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	v = LLVMBuildZExt(e->b, emit_icmp(e, LLVMIntEQ, v,
		emit_klike(e, v, 0)), LLVMTypeOf(v), "");
	emit_write(e, &i->u.opnd[0], t, v);
}

/* a function of b and c by its four-bit table: bit 2b+c is the value */
static LLVMValueRef
lut2(struct emit *e, LLVMValueRef b, LLVMValueRef c, unsigned lut)
{
	switch (lut) {
	case 0x0: return emit_klike(e, b, 0);
	case 0x2: return and_(e, not_(e, b), c);
	case 0x3: return not_(e, b);
	case 0x4: return and_(e, b, not_(e, c));
	case 0x5: return not_(e, c);
	case 0x6: return LLVMBuildXor(e->b, b, c, "");
	case 0x8: return and_(e, b, c);
	case 0xa: return c;
	case 0xb: return LLVMBuildOr(e->b, not_(e, b), c, "");
	case 0xc: return b;
	case 0xd: return LLVMBuildOr(e->b, b, not_(e, c), "");
	case 0xe: return LLVMBuildOr(e->b, b, c, "");
	default:  return not_(e, lut2(e, b, c, lut ^ 0xf));
	}
}

/* v[0..2] by its eight-bit table: bit 4a+2b+c is the value.  If one variable
 * decides between two equal, constant or opposite halves, the other two give
 * the rest; else it selects (v_bfi). */
static LLVMValueRef
lut3(struct emit *e, LLVMValueRef v[3], unsigned lut)
{
	LLVMValueRef hi, lo;
	unsigned h, l;

	h = lut >> 4 & 15;
	l = lut & 15;
	hi = lut2(e, v[1], v[2], h);
	lo = lut2(e, v[1], v[2], l);
	if (h == l)
		return lo;
	if (h == (l ^ 15))
		return LLVMBuildXor(e->b, v[0], lo, "");
	if (l == 0)
		return and_(e, v[0], hi);
	if (h == 0)
		return and_(e, not_(e, v[0]), lo);
	if (h == 15)
		return LLVMBuildOr(e->b, v[0], lo, "");
	if (l == 15)
		return LLVMBuildOr(e->b, not_(e, v[0]), hi, "");
	if (!(l & ~h)) /* the majority, of which LLVM makes v_bfi as well */
		return LLVMBuildOr(e->b, lo, and_(e, v[0], hi), "");
	if (!(h & ~l))
		return LLVMBuildOr(e->b, hi, and_(e, not_(e, v[0]), lo), "");
	return LLVMBuildOr(e->b, and_(e, v[0], hi),
		and_(e, not_(e, v[0]), lo), "");
}

/* the table of the same function with variable k in front */
static unsigned
in_front(unsigned lut, int k)
{
	unsigned r, n, at;

	r = 0;
	for (n = 0; n < 8; n++) {
		at = k == 0 ? n : k == 1
			? (n & 1) | (n & 2) << 1 | (n & 4) >> 1
			: (n & 2) | (n & 1) << 2 | (n & 4) >> 2;
		r |= (lut >> at & 1) << n;
	}
	return r;
}

/* does the first variable leave one function of the other two? */
static bool
is_easy(unsigned lut)
{
	unsigned h, l;

	h = lut >> 4;
	l = lut & 15;
	return h == l || h == (l ^ 15) || !h || !l || h == 15 || l == 15;
}

static LLVMValueRef
lop3(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c,
	unsigned lut)
{
	LLVMValueRef front[3][3] = { { a, b, c }, { b, a, c }, { c, b, a } };
	int k;

	for (k = 0; k < 3; k++)
		if (is_easy(in_front(lut, k)))
			return lut3(e, front[k], in_front(lut, k));
	return lut3(e, front[0], lut);
}

void
emit_lop3(struct emit *e, const struct insn *i, int with)
{
	struct opnd *o, *d;
	LLVMValueRef v, p, q;

	(void)with;
	o = i->u.opnd;
	v = lop3(e, emit_iread(e, i, 1, T_B32), emit_iread(e, i, 2, T_B32),
		emit_iread(e, i, 3, T_B32), (unsigned)o[4].u.i & 0xff);
	d = o;
	if (d->kind == OP_PAIR)
		d = &o->u.list[0];
	if (i->nopnd == 6) {
		q = emit_read(e, &o[5], T_PRED);
		p = emit_icmp(e, LLVMIntNE, v, emit_klike(e, v, 0));
		p = LLVMBuildBinOp(e->b, insn_has(i, "or")
			? LLVMOr : LLVMAnd, p, q, "");
		emit_write(e, &o->u.list[1], T_PRED, p);
	}
	emit_write(e, d, T_B32, v);
}

/* with: LLVMShl or LLVMLShr; of signed types an arithmetic shift.  What LLVM
 * leaves undefined, a shift by the width or more, gives zero or the sign. */
void
emit_shift(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, n, width, in, all;
	enum type t;

	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	n = emit_iread(e, i, 2, T_U32);
	width = emit_klike(e, n, emit_width(v));
	in = emit_icmp(e, LLVMIntULT, n, width);
	if (emit_is_signed(t)) {
		n = emit_imin(e, false, n, LLVMBuildSub(e->b, width,
			emit_klike(e, n, 1), ""));
		n = emit_resize(e, n, emit_width(v), false);
		v = LLVMBuildAShr(e->b, v, n, "");
	} else {
		all = emit_klike(e, v, 0);
		n = emit_resize(e, n, emit_width(v), false);
		v = emit_select(e, in,
			LLVMBuildBinOp(e->b, with, v, n, ""), all);
	}
	emit_write(e, &i->u.opnd[0], t, v);
}

/* shf.l: the upper, shf.r: the lower half of b:a shifted (v_alignbit) */
void
emit_shf(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, n, v, in;
	bool left;

	(void)with;
	left = insn_is(i, "dir", "l");
	a = emit_iread(e, i, 1, T_B32);
	b = emit_iread(e, i, 2, T_B32);
	n = emit_iread(e, i, 3, T_U32);
	v = emit_call3(e, left ? "llvm.fshl" : "llvm.fshr", b, a, n);
	if (insn_has(i, "clamp")) {
		in = emit_icmp(e, LLVMIntULT, n, emit_klike(e, n, 32));
		v = emit_select(e, in, v, left ? a : b);
	}
	emit_write(e, &i->u.opnd[0], T_B32, v);
}
