/* unreachable.c - drop what control never reaches.
 *
 * Front ends leave tails behind "trap" and unconditional "bra", jumps to the
 * next statement and labels that no jump names.  Declarations stay, since
 * what they declare may be used elsewhere; so do the labels of a module with
 * .section directives, where debugging data may name them.
 * Needs the blocks; keeps nothing, for blocks merge when labels go.
 */
#include "pass.h"

struct marks {
	bool *label;        /* by id: a jump that stays names it */
};

static void
note_label(void *arg, struct sym *label)
{
	struct marks *m = arg;

	m->label[label->id] = true;
}

static bool
is_jump(const struct insn *i)
{
	return i->kind == STMT_INSN && i->op->flags & TERM;
}

static bool
drop_dead(const struct cfg *g)
{
	const struct block *b;
	struct insn *i;
	bool changed;

	changed = false;
	for (b = g->block; b < g->block + g->n; b++)
		for (i = b->first; b->order == NONE && i != b->end; i = i->next)
			if (i->kind == STMT_INSN || i->kind == STMT_LOC) {
				insn_kill(i);
				changed = true;
			}
	return changed;
}

/* the jump that ends block b, if it is to one place, and is it needed?
 * run: by label, which of the runs of labels that follow each other it is in;
 * here is the one that follows b */
static struct insn *
idle_jump(const struct block *b, const uint32_t *run, uint32_t here)
{
	struct insn *i, *last;

	last = 0;
	for (i = b->first; i != b->end; i = i->next)
		if (i->kind == STMT_INSN)
			last = i;
	if (!last || !is_jump(last) || last->nopnd != 1 ||
	    last->u.opnd->kind != OP_SYM ||
	    run[last->u.opnd->u.sym->id] != here)
		return 0;
	return last;
}

/* backwards, so that a jump over nothing but dropped ones is seen as such */
static bool
drop_idle(struct work *w)
{
	const struct block *b;
	struct insn *i;
	uint32_t *run, here;
	bool changed;

	run = NEWN(w->a, w->f->nlabel + 1, uint32_t);
	here = 1;
	changed = false;
	for (b = w->cfg->block + w->cfg->n; b-- > w->cfg->block;) {
		i = idle_jump(b, run, here);
		if (i) {
			insn_kill(i);
			changed = true;
		}
		for (i = b->first; i != b->end && i->kind != STMT_INSN;)
			i = i->next;
		here += i != b->end;
		for (i = b->first; i != b->end; i = i->next)
			if (i->kind == STMT_LABEL)
				run[i->u.sym->id] = here;
	}
	return changed;
}

/* lists are few: those that no jump names keep their labels */
static void
note_lists(const struct func *f, struct marks *m)
{
	const struct insn *i;
	const struct opnd *list;
	uint32_t k;

	for (i = f->first; i; i = i->next) {
		if (i->kind != STMT_TARGETS || i->u.targets->call)
			continue;
		list = &i->u.targets->list;
		for (k = 0; k < list->n; k++)
			note_label(m, list->u.list[k].u.sym);
	}
}

static bool
drop_labels(struct work *w)
{
	struct marks m;
	struct insn *i;
	bool changed;

	if (w->debug)
		return false;
	m.label = NEWN(w->a, w->f->nlabel + 1, bool);
	for (i = w->f->first; i; i = i->next)
		if (is_jump(i))
			insn_targets(i, note_label, &m);
	note_lists(w->f, &m);
	changed = false;
	for (i = w->f->first; i; i = i->next)
		if (i->kind == STMT_LABEL && !m.label[i->u.sym->id]) {
			insn_kill(i);
			changed = true;
		}
	return changed;
}

bool
pass_unreachable(struct work *w)
{
	bool changed;

	changed = drop_dead(w->cfg);
	changed |= drop_idle(w);
	changed |= drop_labels(w);
	return changed;
}
