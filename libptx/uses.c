/* uses.c - which statements write and read a register.
 *
 * Registers of PTX may be written anywhere.  Most of those that compilers
 * make are written once, before every read; these are as good as values and
 * are marked ssa.  A guarded write does not qualify, nor does one to a part
 * of a vector register.
 */
#include "pass/pass.h"

struct scan {
	const struct func *f;
	const struct dom *dom;
	struct reg_uses *reg;
	struct insn *at;
	uint32_t block, pos;
};

static bool
is_part(const struct sym *s, const struct opnd *o)
{
	return s->vec || (o && o->comp);
}

static void
count(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct scan *c = arg;
	struct reg_uses *r;

	if (s->kind != SYM_REG)
		return;
	r = &c->reg[s->id];
	if (access & ACCESS_READ)
		r->nuse++;
	if (!(access & ACCESS_WRITE))
		return;
	r->ndef++;
	r->def = c->at;
	r->block = c->block;
	r->pos = c->pos;
	r->ssa = r->ndef == 1 && !c->at->guard && !is_part(s, o);
}

static void
check(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct scan *c = arg;
	struct reg_uses *r;

	(void)o;
	if (s->kind != SYM_REG || !(access & ACCESS_READ))
		return;
	r = &c->reg[s->id];
	if (!r->ssa)
		return;
	if (r->block == c->block)
		r->ssa = r->pos < c->pos;
	else
		r->ssa = dominates(c->dom, r->block, c->block);
}

static void
scan(struct scan *c, const struct cfg *g,
	void (*fn)(void *, struct sym *, struct opnd *, enum access))
{
	struct insn *i;

	c->pos = 0;
	for (c->block = 0; c->block < g->n; c->block++)
		for (i = g->block[c->block].first;
		    i != g->block[c->block].end; i = i->next) {
			c->pos++;
			c->at = i;
			if (i->kind == STMT_INSN)
				insn_regs(i, fn, c);
		}
}

/* what the caller writes and reads */
static void
take_signature(struct scan *c)
{
	struct sym *s;

	for (s = c->f->param; s; s = s->next)
		if (s->kind == SYM_REG)
			c->reg[s->id] = (struct reg_uses){
				.ndef = 1, .ssa = !s->vec };
	for (s = c->f->ret; s; s = s->next)
		if (s->kind == SYM_REG)
			c->reg[s->id] = (struct reg_uses){
				.ndef = 1, .nuse = 1 };
}

struct reg_uses *
uses_build(struct arena *a, const struct func *f, const struct cfg *g,
	const struct dom *dom)
{
	struct scan c = { .f = f, .dom = dom };

	c.reg = NEWN(a, f->nreg + 1, struct reg_uses);
	take_signature(&c);
	scan(&c, g, count);
	scan(&c, g, check);
	return c.reg;
}

bool
uses_same(const struct reg_uses *a, const struct reg_uses *b, uint32_t n)
{
	uint32_t k;

	for (k = 0; k < n; k++)
		if (a[k].ndef != b[k].ndef || a[k].nuse != b[k].nuse ||
		    a[k].ssa != b[k].ssa || a[k].def != b[k].def)
			return false;
	return true;
}
