/* live.c - which registers are still to be read where a block begins.
 *
 * Most registers never leave their block; only those that do have a column
 * in the bit matrix.  A function for which the matrix would still be huge
 * gets none, and its registers count as live everywhere.
 */
#include "pass/pass.h"
#include <string.h>

enum { HUGE_WORDS = 1 << 24 };

struct scan {
	const struct func *f;
	struct live *l;
	uint32_t *written;  /* by register: last block that has written it */
	uint32_t block;
	uint64_t *use, *def; /* of the block; 0 while columns are counted */
	bool guard;
	bool writes;        /* second of two rounds over an instruction */
};

static void
set(uint64_t *row, uint32_t bit)
{
	row[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void
note_read(struct scan *c, uint32_t reg)
{
	uint32_t *column;

	if (c->written[reg] == c->block + 1)
		return;
	column = &c->l->column[reg];
	if (c->use)
		set(c->use, *column);
	else if (*column == NONE)
		*column = c->l->ncolumn++;
}

static void
note_reg(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct scan *c = arg;

	if (s->kind != SYM_REG)
		return;
	if (!c->writes && access & ACCESS_READ)
		note_read(c, s->id);
	if (!c->writes || !(access & ACCESS_WRITE))
		return;
	if (c->guard || s->vec || (o && o->comp))
		return; /* the old value may show through */
	c->written[s->id] = c->block + 1;
	if (c->def && c->l->column[s->id] != NONE)
		set(c->def, c->l->column[s->id]);
}

static void
note_block(struct scan *c, const struct block *b)
{
	struct insn *i;
	struct sym *s;

	for (i = b->first; i != b->end; i = i->next)
		if (i->kind == STMT_INSN) {
			c->guard = i->guard;
			c->writes = false;
			insn_regs(i, note_reg, c);
			c->writes = true;
			insn_regs(i, note_reg, c);
		}
	for (s = c->f->ret; s && b->leaves; s = s->next)
		if (s->kind == SYM_REG)
			note_read(c, s->id);
}

static void
count_columns(struct scan *c, const struct cfg *g)
{
	for (c->block = 0; c->block < g->n; c->block++)
		note_block(c, &g->block[c->block]);
	memset(c->written, 0, c->f->nreg * sizeof *c->written);
}

/* in = use | (out & ~def); out of b is what its successors take in */
static bool
flow(struct live *l, const struct cfg *g, uint32_t b, const uint64_t *def)
{
	uint64_t *in, old, out;
	uint32_t e, k;
	bool changed;

	changed = false;
	in = l->in + (size_t)b * l->words;
	for (k = 0; k < l->words; k++) {
		out = 0;
		for (e = g->succ.at[b]; e < g->succ.at[b + 1]; e++)
			out |= l->in[(size_t)g->succ.to[e] * l->words + k];
		old = in[k];
		in[k] |= out & ~def[k];
		changed |= in[k] != old;
	}
	return changed;
}

static void
solve(struct arena *a, struct scan *c, const struct cfg *g)
{
	struct live *l;
	uint64_t *def;
	uint32_t k;
	bool changed;

	l = c->l;
	l->in = NEWN(a, (size_t)g->n * l->words, uint64_t);
	def = NEWN(a, (size_t)g->n * l->words, uint64_t);
	for (c->block = 0; c->block < g->n; c->block++) {
		c->use = l->in + (size_t)c->block * l->words;
		c->def = def + (size_t)c->block * l->words;
		note_block(c, &g->block[c->block]);
	}
	do {
		changed = false;
		for (k = g->nrpo; k--;)
			changed |= flow(l, g, g->rpo[k],
				def + (size_t)g->rpo[k] * l->words);
	} while (changed);
}

struct live *
live_build(struct arena *a, const struct func *f, const struct cfg *g)
{
	struct scan c = { .f = f };

	c.l = NEW(a, struct live);
	c.l->column = NEWN(a, f->nreg + 1, uint32_t);
	memset(c.l->column, 0xff, f->nreg * sizeof *c.l->column);
	c.written = NEWN(a, f->nreg + 1, uint32_t);
	count_columns(&c, g);
	c.l->words = (c.l->ncolumn + 63) / 64;
	if ((uint64_t)c.l->words * g->n <= HUGE_WORDS)
		solve(a, &c, g);
	return c.l;
}

bool
live_in(const struct live *l, uint32_t block, uint32_t reg)
{
	uint32_t bit;

	bit = l->column[reg];
	if (bit == NONE)
		return false;
	return !l->in || l->in[(size_t)block * l->words + bit / 64] >>
		bit % 64 & 1;
}
