/* insn.c - instructions matched to the forms of grammar/ptx.def.
 *
 * A spelling such as "add.rn.f32" is looked up once and remembered in its
 * name: all forms that it fits, in the order of the table, each with its
 * operands worked out.  For an instruction of the text nothing is left but
 * to compare kinds of operands, and mostly there is one candidate.
 */
#include "form.h"
#include <string.h>

static void
set_words(struct ptx *x, struct op *op, const struct form *f,
	struct name **word, int n, const uint8_t *pick)
{
	enum type t;
	int p, k;

	op->word = NEWN(&x->arena, (size_t)n + 1, struct op_word);
	for (p = 0; p < f->npart; p++)
		for (k = 0; k < n; k++) {
			if (pick[k] != p)
				continue;
			op->word[op->nword].slot = f->part[p].slot->text;
			op->word[op->nword++].word = word[k]->text;
			t = type_find(word[k]->text, word[k]->len);
			if (t != T_NONE && op->ntype < sizeof op->type)
				op->type[op->ntype++] = (uint8_t)t;
		}
}

/* the form once for each choice of optional operands, all present first */
static struct op **
add_form(struct ptx *x, struct op **last, const struct form *f,
	const struct op *base)
{
	uint8_t group[8];
	struct op *op;
	unsigned choice, mask;
	int ngroup, g;

	ngroup = op_groups(f, group);
	for (choice = 0; choice < 1u << ngroup; choice++) {
		for (mask = 0, g = 0; g < ngroup; g++)
			if (choice >> g & 1)
				mask |= 1u << group[g];
		op = NEW(&x->arena, struct op);
		*op = *base;
		op_opnds(x, op, f, mask);
		*last = op;
		last = &op->next;
	}
	return last;
}

/* all forms that name fits, chained at last; the first that is kept out by a
 * rule alone goes to *broken */
static void
find_forms(struct ptx *x, struct name *name, struct op **last,
	struct op *broken)
{
	struct name *word[MAX_WORD], *root;
	uint8_t pick[MAX_WORD];
	struct form *f;
	struct op base;
	int id, n;

	root = form_root(x, name);
	n = form_split(x, name, word);
	for (id = INSN_NONE; n >= 0 && (f = form_next(x, root, &id));) {
		if (!form_fit(f, word, n, pick))
			continue;
		base = (struct op){ .name = name, .id = (uint16_t)id,
			.flags = (uint16_t)f->info->flags };
		set_words(x, &base, f, word, n, pick);
		if (!op_rule(&base))
			last = add_form(x, last, f, &base);
		else if (!broken->id)
			*broken = base;
	}
}

struct op *
insn_ops(struct ptx *x, struct name *name, struct loc loc)
{
	struct op broken = {0};

	if (name->op_done && name->op)
		return name->op;
	find_forms(x, name, &name->op, &broken);
	name->op_done = true;
	if (!name->op)
		insn_no_form(x, name, broken.id ? &broken : 0, loc);
	return name->op;
}

bool
op_takes(const struct op_opnd *want, const struct opnd *o)
{
	if (!(want->kinds >> o->kind & 1))
		return false;
	if (o->kind == OP_ADDR || o->kind == OP_VEC)
		return o->n >= want->min && o->n <= want->max;
	return true;
}

/* is a register of the type that is wanted? */
static bool
is_likely(const struct op_opnd *want, const struct opnd *o)
{
	return o->kind != OP_SYM || !o->u.sym || o->u.sym->kind != SYM_REG
		|| want->type == T_NONE || want->flags & OPND_ANY
		|| type_accepts((enum type)want->type,
			(enum type)o->u.sym->type, want->flags & OPND_DATA);
}

static bool
fits(const struct op *op, const struct insn *i, bool likely)
{
	int k;

	if (op->nopnd != i->nopnd)
		return false;
	for (k = 0; k < op->nopnd; k++)
		if (!op_takes(&op->opnd[k], &i->u.opnd[k])
		|| (likely && !is_likely(&op->opnd[k], &i->u.opnd[k])))
			return false;
	return true;
}

/* ld.u32 {r}, [a]: a vector of one is its member */
static const struct op *
unwrap(const struct op *op, const struct insn *i)
{
	struct opnd *o;
	int k;

	for (k = 0; k < op->nopnd; k++) {
		o = &i->u.opnd[k];
		if (op->opnd[k].shape == SHAPE_SCALAR && o->kind == OP_VEC)
			*o = o->u.list[0];
	}
	return op;
}

const struct op *
insn_match(struct ptx *x, struct op *op, const struct insn *i)
{
	const struct op *at, *found;

	for (found = 0, at = op; at; at = at->next) {
		if (!fits(at, i, false))
			continue;
		if (!at->next || fits(at, i, true))
			return unwrap(at, i);
		found = found ? found : at;
	}
	if (found)
		return unwrap(found, i);
	insn_no_match(x, op, i);
	return 0;
}

const char *
insn_word(const struct insn *i, const char *slot)
{
	int k;

	for (k = 0; k < i->op->nword; k++)
		if (!strcmp(i->op->word[k].slot, slot))
			return i->op->word[k].word;
	return 0;
}

bool
insn_has(const struct insn *i, const char *word)
{
	int k;

	for (k = 0; k < i->op->nword; k++)
		if (!strcmp(i->op->word[k].word, word))
			return true;
	return false;
}

bool
insn_is(const struct insn *i, const char *slot, const char *word)
{
	const char *w;

	w = insn_word(i, slot);
	return w && !strcmp(w, word);
}

enum type
insn_type(const struct insn *i, int k)
{
	return k < i->op->ntype ? (enum type)i->op->type[k] : T_NONE;
}
