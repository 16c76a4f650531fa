/* op.c - an instruction's text becomes an op. */
#include "emu_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffix[] = { "_e64_dpp", "_e32", "_e64", "_sdwa",
	"_dpp" };

/* what is wrong, for the launch's message; malloc'ed */
static bool
wrong(char **why, const char *what, const char *name)
{
	size_t n = strlen(what) + strlen(name) + 4;

	*why = malloc(n);
	if (*why)
		snprintf(*why, n, "%s \"%s\"", what, name);
	return false;
}

/* the row of a mnemonic that may be longer than its row's name */
static const struct op_row *
find(const char *name)
{
	const struct op_row *r = isa_find(name, strlen(name));
	size_t i, n = strlen(name), m;

	for (i = 0; !r && i < sizeof suffix / sizeof *suffix; i++) {
		m = strlen(suffix[i]);
		if (n > m && !strcmp(name + n - m, suffix[i]))
			r = isa_find(name, n - m);
	}
	return r;
}

/* operands in the order of the text: destinations, then sources */
static bool
read_operands(struct op *o, struct line *l)
{
	size_t part = 0;
	unsigned i;

	o->ndst = o->row->ndst;
	o->nsrc = o->row->nsrc;
	for (i = 0; i < o->ndst; i++) {
		o->dst[i].type = o->row->dst[i];
		if (o->dst[i].type == T_mask &&
				l->nparts < (size_t)o->ndst + o->nsrc)
			continue;
		if (part >= l->nparts ||
				!operand_read(&o->dst[i], l->part[part++]))
			return false;
	}
	for (i = 0; i < o->nsrc; i++) {
		o->src[i].type = o->row->src[i];
		if (part >= l->nparts && i + 1 == o->nsrc &&
				o->src[i].type == T_mask) {
			o->src[i].kind = OPND_SGPR;
			o->src[i].reg = VCC_REG;
			o->src[i].width = 2;
			break;
		}
		if (part >= l->nparts ||
				!operand_read(&o->src[i], l->part[part++]))
			return false;
	}
	return part == l->nparts;
}

/* null takes what is written; so do high halves of pairs */
static void
settle_null(struct op *o)
{
	unsigned i;

	for (i = 0; i < o->ndst; i++)
		if (o->dst[i].kind == OPND_CONST)
			o->dst[i].kind = OPND_SGPR;
}

static void
clear(struct op *o)
{
	o->op_sel_hi = 0xff;
	o->row_mask = o->bank_mask = 0xf;
}

static bool
read_one(struct op *o, const char *text, char **why)
{
	struct line l;
	size_t i;

	clear(o);
	if (!line_split(&l, text))
		return wrong(why, "cannot read", text);
	o->row = find(l.name);
	if (!o->row)
		return wrong(why, "no such instruction in the emulator:",
			l.name);
	o->run = o->row->run;
	o->class = o->row->class;
	o->sdwa = strstr(l.name, "_sdwa") != 0;
	if (!(o->row->read ? o->row->read : read_operands)(o, &l))
		return wrong(why, "cannot read the operands of", text);
	settle_null(o);
	for (i = 0; i < l.nwords; i++)
		if (!modifier_read(o, l.word[i]))
			return wrong(why, "unknown modifier", l.word[i]);
	return true;
}

static bool
overlaps(const struct opnd *a, const struct opnd *b)
{
	return a->kind == OPND_VGPR && b->kind == OPND_VGPR &&
		a->reg == b->reg;
}

/* both halves read before either writes: where the second reads what the
 * first writes, it reads a copy */
static void
run_dual(struct wave *w, const struct op *o)
{
	const struct op *x = o->pair;

	if (x->imm)
		memcpy(w->v[SPARE_REG], w->v[x->dst[0].reg],
			w->size * sizeof **w->v);
	x->run(w, x);
	o->row->run(w, o);
}

static bool
read_dual(struct op *o, const char *text, const char *second, struct op *x,
	char **why)
{
	char half[MAX_LINE];
	unsigned i;

	snprintf(half, sizeof half, "v_%.*s", (int)(second - text - 7),
		text + 7);
	if (!read_one(x, half, why))
		return false;
	snprintf(half, sizeof half, "v_%s", second + 4 + 7);
	if (!read_one(o, half, why))
		return false;
	for (i = 0; i < o->nsrc; i++)
		if (overlaps(&x->dst[0], &o->src[i])) {
			o->src[i].reg = SPARE_REG;
			x->imm = 1;
		}
	x->addr = o->addr;
	x->text = o->text;
	o->pair = x;
	o->run = run_dual;
	return true;
}

bool
op_read(struct op *o, const char *text, struct op *pair, char **why)
{
	const char *second = strstr(text, " :: v_dual_");

	if (!strncmp(text, "v_dual_", 7) && second)
		return read_dual(o, text, second, pair, why);
	return read_one(o, text, why);
}
