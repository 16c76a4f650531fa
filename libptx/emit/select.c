/* select.c - comparison and selection (PTX 9.7.6, 9.7.7). */
#include "arith.h"
#include <string.h>

static const struct cmp {
	const char *word;
	LLVMIntPredicate u, s;
	LLVMRealPredicate f;
} table[] = {
#define CMP(word, u, s, f) { #word, u, s, f },
#include "cmp.def"
#undef CMP
};

static const struct cmp *
find(const struct insn *i)
{
	const char *word;
	const struct cmp *c;

	word = insn_word(i, "cmp");
	for (c = table; strcmp(c->word, word); c++)
		;
	return c;
}

/* a cmp b of integers, as i spells it */
LLVMValueRef
emit_compare(struct emit *e, const struct insn *i, bool is_signed,
	LLVMValueRef a, LLVMValueRef b)
{
	const struct cmp *c;

	c = find(i);
	return emit_icmp(e, is_signed ? c->s : c->u, a, b);
}

/* operands 1 and 2 compared: an i1 for each element of type t */
static LLVMValueRef
compare(struct emit *e, const struct insn *i, enum type t)
{
	if (type_info[t].kind == 'f')
		return emit_fcmp(e, find(i)->f, emit_operand(e, i, 1, t),
			emit_operand(e, i, 2, t));
	return emit_compare(e, i, emit_is_signed(t),
		emit_iread(e, i, 1, t), emit_iread(e, i, 2, t));
}

/* v and c joined as i's .bool says; without one, v */
static LLVMValueRef
join(struct emit *e, const struct insn *i, LLVMValueRef v, LLVMValueRef c)
{
	const char *word;

	word = insn_word(i, "bool");
	if (!word)
		return v;
	return LLVMBuildBinOp(e->b, !strcmp(word, "and") ? LLVMAnd
		: !strcmp(word, "or") ? LLVMOr : LLVMXor, v, c, "");
}

/* the third source operand, a predicate that only .bool has */
static LLVMValueRef
third(struct emit *e, const struct insn *i)
{
	return insn_word(i, "bool")
		? emit_read(e, &i->u.opnd[3], T_PRED) : 0;
}

/* p|q: of packed operands the lower and the upper result, of others the
 * result and its complement */
void
emit_setp(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, c, p, q;
	struct opnd *d;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = compare(e, i, t);
	c = third(e, i);
	if (type_info[t].lanes == 2) {
		p = emit_part(e, v, 2, 0);
		q = emit_part(e, v, 2, 1);
	} else {
		p = v;
		q = LLVMBuildNot(e->b, v, "");
	}
	d = &i->u.opnd[0];
	p = join(e, i, p, c);
	if (d->kind != OP_PAIR) {
		emit_write(e, d, T_PRED, p);
		return;
	}
	q = join(e, i, q, c);
	emit_write(e, &d->u.list[0], T_PRED, p);
	emit_write(e, &d->u.list[1], T_PRED, q);
}

/* what dtype t has for true, in integers of so many bits */
static int64_t
true_of(enum type t, unsigned bits)
{
	if (type_info[t].kind != 'f')
		return -1;
	if (bits == 32)
		return 0x3f800000;
	return emit_is_bf16(t) ? 0x3f80 : 0x3c00;
}

/* c for both halves of a packed result */
static LLVMValueRef
both(struct emit *e, LLVMValueRef c, unsigned n)
{
	LLVMValueRef part[2] = { c, c };

	return n == 2 && c ? emit_parts(e, part, 2) : c;
}

void
emit_set(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, yes;
	enum type d, s;
	unsigned n, bits;

	(void)with;
	d = insn_type(i, 0);
	s = insn_type(i, 1);
	n = type_info[s].lanes;
	bits = type_info[d].bits / n;
	v = join(e, i, compare(e, i, s), both(e, third(e, i), n));
	yes = emit_k(e, emit_ilike(e, v, bits), true_of(d, bits));
	v = emit_select(e, v, yes, emit_klike(e, yes, 0));
	emit_write(e, &i->u.opnd[0], d, emit_bits(e, v, emit_tty(e, d)));
}

void
emit_selp(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, emit_select(e,
		emit_read(e, &i->u.opnd[3], T_PRED),
		emit_read(e, &i->u.opnd[1], t),
		emit_read(e, &i->u.opnd[2], t)));
}

void
emit_slct(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef c;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	if (insn_type(i, 1) == T_F32) {
		c = emit_operand(e, i, 3, T_F32);
		c = emit_fcmp(e, LLVMRealOGE, c, emit_kflike(e, c, 0));
	} else {
		c = emit_iread(e, i, 3, T_S32);
		c = emit_icmp(e, LLVMIntSGE, c, emit_klike(e, c, 0));
	}
	emit_write(e, &i->u.opnd[0], t, emit_select(e, c,
		emit_read(e, &i->u.opnd[1], t),
		emit_read(e, &i->u.opnd[2], t)));
}
