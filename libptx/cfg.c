/* cfg.c - blocks and the ways between them.
 *
 * A block is a run of statements: it begins at a label or behind a
 * statement that may jump, and a call does not end one.  Where a statement
 * that ends a block goes is read from its operands: to every label among
 * them and, if it is guarded, also to the next block.
 */
#include "pass/pass.h"
#include <string.h>

static bool
ends_block(const struct insn *i)
{
	return i->kind == STMT_INSN && i->op && i->op->flags & TERM;
}

/* may control run from i into the statement behind it? */
static bool
falls_through(const struct insn *i)
{
	return !ends_block(i) || i->guard;
}

void
insn_targets(const struct insn *i, void (*fn)(void *, struct sym *), void *arg)
{
	const struct opnd *o, *to;
	struct targets *t;

	for (o = i->u.opnd; o < i->u.opnd + i->nopnd; o++)
		if (o->kind != OP_SYM) {
			continue;
		} else if (o->u.sym->kind == SYM_LABEL) {
			fn(arg, o->u.sym);
		} else if (o->u.sym->kind == SYM_TARGETS) {
			t = o->u.sym->u.at->u.targets;
			for (to = t->list.u.list;
			    to < t->list.u.list + t->list.n; to++)
				fn(arg, to->u.sym);
		}
}

/* does a block begin at i, given the statement before it? */
static bool
leads(const struct insn *i, const struct insn *before)
{
	if (!before || ends_block(before))
		return true;
	return i->kind == STMT_LABEL && before->kind != STMT_LABEL;
}

static uint32_t
count_blocks(const struct func *f)
{
	const struct insn *i, *before;
	uint32_t n;

	n = 0;
	before = 0;
	for (i = f->first; i; before = i, i = i->next)
		n += leads(i, before);
	return n;
}

static void
cut(struct cfg *g, const struct func *f)
{
	struct insn *i, *before;
	uint32_t b;

	b = 0;
	before = 0;
	for (i = f->first; i; before = i, i = i->next) {
		if (leads(i, before)) {
			if (b)
				g->block[b - 1].end = i;
			g->block[b].order = NONE;
			g->block[b++].first = i;
		}
		if (i->kind == STMT_LABEL)
			g->label[i->u.sym->id] = b - 1;
	}
}

/* the statement that decides where block b goes */
static struct insn *
last_of(const struct block *b)
{
	struct insn *i, *last;

	last = 0;
	for (i = b->first; i != b->end; i = i->next)
		last = i;
	return last;
}

/* edges in the order of their source, written twice: counted, then kept */
struct edges {
	struct cfg *g;
	uint32_t n;
	uint32_t *to;       /* 0: only count */
};

static void
add_edge(struct edges *e, uint32_t to)
{
	if (e->to)
		e->to[e->n] = to;
	e->n++;
}

static void
add_label(void *arg, struct sym *label)
{
	struct edges *e = arg;

	if (e->g->label[label->id] != NONE)
		add_edge(e, e->g->label[label->id]);
}

/* those of block b, which may also be the way out of the function */
static void
leave(struct edges *e, uint32_t b)
{
	struct cfg *g;
	struct insn *last;
	uint32_t before;

	g = e->g;
	before = e->n;
	last = last_of(&g->block[b]);
	if (ends_block(last))
		insn_targets(last, add_label, e);
	g->block[b].leaves = ends_block(last) && e->n == before;
	if (!falls_through(last))
		return;
	if (b + 1 < g->n)
		add_edge(e, b + 1);
	else
		g->block[b].leaves = true;
}

static void
add_edges(struct edges *e)
{
	uint32_t b;

	e->n = 0;
	for (b = 0; b < e->g->n; b++) {
		e->g->succ.at[b] = e->n;
		leave(e, b);
	}
	e->g->succ.at[b] = e->n;
}

void
list_turn(struct arena *a, struct list *to, const struct list *from, uint32_t n)
{
	uint32_t b, e;

	to->at = NEWN(a, n + 2, uint32_t);
	to->to = NEWN(a, from->at[n] + 1, uint32_t);
	for (e = 0; e < from->at[n]; e++)
		to->at[from->to[e] + 2]++;
	for (b = 2; b <= n; b++)
		to->at[b] += to->at[b - 1];
	for (b = 0; b < n; b++)
		for (e = from->at[b]; e < from->at[b + 1]; e++)
			to->to[to->at[from->to[e] + 1]++] = b;
}

static void
number(struct arena *a, struct cfg *g)
{
	uint32_t *stack, *next, depth, b, to, k;

	stack = NEWN(a, g->n + 1, uint32_t);
	next = NEWN(a, g->n + 1, uint32_t);
	memcpy(next, g->succ.at, g->n * sizeof *next);
	g->rpo = NEWN(a, g->n + 1, uint32_t);
	k = g->n;
	depth = 0;
	if (g->n)
		g->block[stack[depth++] = 0].order = 0;
	while (depth) {
		b = stack[depth - 1];
		if (next[b] == g->succ.at[b + 1]) {
			g->rpo[--k] = b;
			depth--;
			continue;
		}
		to = g->succ.to[next[b]++];
		if (g->block[to].order == NONE)
			g->block[stack[depth++] = to].order = 0;
	}
	g->nrpo = g->n - k;
	memmove(g->rpo, g->rpo + k, g->nrpo * sizeof *g->rpo);
	for (k = 0; k < g->nrpo; k++)
		g->block[g->rpo[k]].order = k;
}

struct cfg *
cfg_build(struct arena *a, const struct func *f)
{
	struct cfg *g;
	struct edges e;

	g = NEW(a, struct cfg);
	g->n = count_blocks(f);
	g->block = NEWN(a, g->n + 1, struct block);
	g->label = NEWN(a, f->nlabel + 1, uint32_t);
	memset(g->label, 0xff, f->nlabel * sizeof *g->label);
	cut(g, f);
	g->succ.at = NEWN(a, g->n + 1, uint32_t);
	e = (struct edges){ .g = g };
	add_edges(&e);
	e.to = NEWN(a, e.n + 1, uint32_t);
	add_edges(&e);
	g->succ.to = e.to;
	list_turn(a, &g->pred, &g->succ, g->n);
	number(a, g);
	return g;
}

static bool
same_list(const struct list *a, const struct list *b, uint32_t n)
{
	return !memcmp(a->at, b->at, (n + 1) * sizeof *a->at) &&
		!memcmp(a->to, b->to, a->at[n] * sizeof *a->to);
}

bool
cfg_same(const struct cfg *a, const struct cfg *b)
{
	uint32_t i;

	if (a->n != b->n || !same_list(&a->succ, &b->succ, a->n))
		return false;
	for (i = 0; i < a->n; i++)
		if (a->block[i].first != b->block[i].first ||
		    a->block[i].end != b->block[i].end)
			return false;
	return true;
}
