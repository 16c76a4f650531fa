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

/* does i jump to one of the labels that begin at to? */
static bool
is_idle(const struct insn *i, const struct insn *to)
{
	if (!is_jump(i) || i->nopnd != 1 || i->u.opnd->kind != OP_SYM)
		return false;
	for (; to && to->kind == STMT_LABEL; to = to->next)
		if (to->u.sym == i->u.opnd->u.sym)
			return true;
	return false;
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

static bool
does_nothing(const struct insn *i)
{
	return i->kind == STMT_DECL || i->kind == STMT_LOC ||
		i->kind == STMT_OPEN || i->kind == STMT_CLOSE;
}

/* backwards, so that a jump over nothing but dropped ones is seen as such */
static bool
drop_idle(const struct cfg *g)
{
	const struct block *b;
	struct insn *i, *last, *first, *next;
	bool changed;

	next = 0;
	changed = false;
	for (b = g->block + g->n; b-- > g->block;) {
		first = last = 0;
		for (i = b->first; i != b->end; i = i->next)
			if (!does_nothing(i)) {
				first = first ? first : i;
				last = i;
			}
		if (last && is_idle(last, next)) {
			insn_kill(last);
			changed = true;
			first = first == last ? 0 : first;
		}
		next = first ? first : next;
	}
	return changed;
}

static bool
has_sections(const struct ptx *x)
{
	const struct item *t;

	for (t = x->item; t; t = t->next)
		if (t->kind == ITEM_SECTION)
			return true;
	return false;
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

	if (has_sections(w->x))
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
	changed |= drop_idle(w->cfg);
	changed |= drop_labels(w);
	return changed;
}
