/* prmt.c - permutation of bytes (PTX 9.7.9.7).
 *
 * The modes are tables of four selectors, of which the lower two bits of c
 * choose; from there on they are the general form.  AMD: v_perm_b32 picks
 * bytes by the bytes of its selector; the sign bit that PTX can spread over
 * a byte is then spread by arithmetic, and a constant selector without signs
 * leaves nothing but the v_perm.
 */
#include "arith.h"

/* for c = 0 in the lowest 16 bits, c = 3 in the highest */
static const struct {
	const char *mode;
	uint64_t sel;
} table[] = {
	{ "f4e",  0x6543543243213210 },
	{ "b4e",  0x0123701267015670 },
	{ "rc8",  0x3333222211110000 },
	{ "ecl",  0x3333322232113210 },
	{ "ecr",  0x3210221011100000 },
	{ "rc16", 0x3232101032321010 },
};

/* the selector that mode makes of c */
static LLVMValueRef
by_mode(struct emit *e, const struct insn *i, LLVMValueRef c)
{
	LLVMValueRef v;
	size_t k;

	for (k = 0; k < sizeof table / sizeof *table; k++)
		if (insn_has(i, table[k].mode))
			break;
	if (k == sizeof table / sizeof *table)
		return c;
	c = LLVMBuildAnd(e->b, c, emit_klike(e, c, 3), "");
	c = LLVMBuildShl(e->b, c, emit_klike(e, c, 4), "");
	c = emit_resize(e, c, 64, false);
	v = emit_klike(e, c, (int64_t)table[k].sel);
	return emit_resize(e, LLVMBuildLShr(e->b, v, c, ""), 32, false);
}

/* the four nibbles of c, each the lower half of a byte */
static LLVMValueRef
spread(struct emit *e, LLVMValueRef c)
{
	c = LLVMBuildAnd(e->b, c, emit_klike(e, c, 0xffff), "");
	c = LLVMBuildOr(e->b, c, LLVMBuildShl(e->b, c,
		emit_klike(e, c, 8), ""), "");
	c = LLVMBuildAnd(e->b, c, emit_klike(e, c, 0x00ff00ff), "");
	c = LLVMBuildOr(e->b, c, LLVMBuildShl(e->b, c,
		emit_klike(e, c, 4), ""), "");
	return LLVMBuildAnd(e->b, c, emit_klike(e, c, 0x0f0f0f0f), "");
}

/* byte k of what sel picks out of hi:lo */
static LLVMValueRef
pick(struct emit *e, LLVMValueRef both, LLVMValueRef sel, int k)
{
	LLVMValueRef n, v;

	n = LLVMBuildLShr(e->b, sel, emit_klike(e, sel, 8 * k), "");
	n = LLVMBuildAnd(e->b, n, emit_klike(e, n, 7), "");
	n = LLVMBuildShl(e->b, n, emit_klike(e, n, 3), "");
	v = LLVMBuildLShr(e->b, both, emit_resize(e, n, 64, false), "");
	v = emit_resize(e, v, 32, false);
	v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 0xff), "");
	return LLVMBuildShl(e->b, v, emit_klike(e, v, 8 * k), "");
}

/* the bytes of hi:lo that the bytes of sel, 0 to 7, name */
static LLVMValueRef
permute(struct emit *e, LLVMValueRef hi, LLVMValueRef lo, LLVMValueRef sel)
{
	LLVMValueRef both, v;
	int k;

	v = e->t->perm ? e->t->perm(e, hi, lo, sel) : 0;
	if (v)
		return v;
	both = emit_resize(e, hi, 64, false);
	both = LLVMBuildShl(e->b, both, emit_klike(e, both, 32), "");
	both = LLVMBuildOr(e->b, both, emit_resize(e, lo, 64, false), "");
	v = pick(e, both, sel, 0);
	for (k = 1; k < 4; k++)
		v = LLVMBuildOr(e->b, v, pick(e, both, sel, k), "");
	return v;
}

/* 0xff in each byte of which v has the highest bit */
static LLVMValueRef
fill(struct emit *e, LLVMValueRef v)
{
	v = LLVMBuildAnd(e->b, v, emit_klike(e, v, 0x80808080), "");
	return LLVMBuildSub(e->b, LLVMBuildShl(e->b, v,
		emit_klike(e, v, 1), ""), LLVMBuildLShr(e->b, v,
		emit_klike(e, v, 7), ""), "");
}

void
emit_prmt(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef sel, v, signs, mask;

	(void)with;
	sel = spread(e, by_mode(e, i, emit_iread(e, i, 3, T_B32)));
	mask = LLVMBuildShl(e->b, sel, emit_klike(e, sel, 4), "");
	sel = LLVMBuildAnd(e->b, sel, emit_klike(e, sel, 0x07070707), "");
	v = permute(e, emit_iread(e, i, 2, T_B32), emit_iread(e, i, 1, T_B32),
		sel);
	mask = fill(e, mask);
	signs = LLVMBuildAnd(e->b, fill(e, v), mask, "");
	v = LLVMBuildAnd(e->b, v, LLVMBuildNot(e->b, mask, ""), "");
	emit_write(e, &i->u.opnd[0], T_B32, LLVMBuildOr(e->b, v, signs, ""));
}
