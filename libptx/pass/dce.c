/* dce.c - drop what computes only what nobody needs.
 *
 * Needed is what an instruction with effects reads, and whatever goes into
 * something needed; a counter that only counts for itself is not.  Those
 * that pass the carry flag on stay, each is a link of a chain.  A load may
 * go if nobody else can see it happen: volatile ones and such that order
 * others are STOREs to the table.
 * Needs nothing; keeps nothing, as blocks may become empty.
 */
#include "pass.h"
#include <string.h>

struct dce {
	const struct func *f;
	struct insn **insn; /* those that may be dropped, by number */
	uint32_t ninsn;
	bool *live;         /* by number */
	struct list def;    /* of each register, the numbers that write it */
	uint32_t *next;     /* where its next number goes */
	bool *needed;       /* by register */
	uint32_t *stack, depth; /* needed, but their writers not yet live */
};

static bool
may_drop(const struct insn *i)
{
	return i->kind == STMT_INSN && !(i->op->flags & IMPURE & ~LOAD);
}

static void
count_def(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct dce *d = arg;

	(void)o;
	if (s->kind == SYM_REG && access & ACCESS_WRITE)
		d->def.at[s->id + 1]++;
}

static void
note_def(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct dce *d = arg;

	(void)o;
	if (s->kind == SYM_REG && access & ACCESS_WRITE)
		d->def.to[d->next[s->id]++] = d->ninsn;
}

static void
need(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct dce *d = arg;

	(void)o;
	if (s->kind != SYM_REG || !(access & ACCESS_READ) || d->needed[s->id])
		return;
	d->needed[s->id] = true;
	d->stack[d->depth++] = s->id;
}

static void
find_defs(struct dce *d, struct arena *a)
{
	struct insn *i;
	uint32_t n, k;

	n = 0;
	for (i = d->f->first; i; i = i->next)
		if (may_drop(i)) {
			insn_regs(i, count_def, d);
			n++;
		}
	for (k = 0; k < d->f->nreg; k++)
		d->def.at[k + 1] += d->def.at[k];
	memcpy(d->next, d->def.at, d->f->nreg * sizeof *d->next);
	d->def.to = NEWN(a, d->def.at[d->f->nreg] + 1, uint32_t);
	d->insn = NEWN(a, n + 1, struct insn *);
	d->live = NEWN(a, n + 1, bool);
	for (i = d->f->first; i; i = i->next)
		if (may_drop(i)) {
			insn_regs(i, note_def, d);
			d->insn[d->ninsn++] = i;
		}
}

static void
mark(struct dce *d)
{
	struct insn *i;
	struct sym *s;
	uint32_t reg, e, k;

	for (s = d->f->ret; s; s = s->next)
		need(d, s, 0, ACCESS_READ);
	for (i = d->f->first; i; i = i->next)
		if (i->kind == STMT_INSN && !may_drop(i))
			insn_regs(i, need, d);
	while (d->depth) {
		reg = d->stack[--d->depth];
		for (e = d->def.at[reg]; e < d->def.at[reg + 1]; e++) {
			k = d->def.to[e];
			if (!d->live[k])
				insn_regs(d->insn[k], need, d);
			d->live[k] = true;
		}
	}
}

bool
pass_dce(struct work *w)
{
	struct dce d = { .f = w->f };
	uint32_t k, n;
	bool changed;

	n = w->f->nreg + 1;
	d.def.at = NEWN(w->a, n + 1, uint32_t);
	d.next = NEWN(w->a, n, uint32_t);
	d.needed = NEWN(w->a, n, bool);
	d.stack = NEWN(w->a, n, uint32_t);
	find_defs(&d, w->a);
	mark(&d);
	changed = false;
	for (k = 0; k < d.ninsn; k++)
		if (!d.live[k]) {
			insn_kill(d.insn[k]);
			changed = true;
		}
	return changed;
}
