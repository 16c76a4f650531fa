/* dom.c - who must be passed on the way in, and on the way out.
 *
 * The Semi-NCA algorithm (Georgiadis, "Linear-Time Algorithms for Dominators
 * and Related Problems", 2005): semidominators with path compression, then
 * the nearest common ancestor by walking up.  Inside, nodes are numbered in
 * the order in which a depth-first walk from the root meets them.
 */
#include "pass/pass.h"
#include <string.h>

struct graph {
	uint32_t n, root;
	const struct list *succ, *pred;
};

struct walk {
	uint32_t n;         /* nodes met */
	uint32_t *num;      /* node to number; NONE: not met */
	uint32_t *node;     /* number to node */
	uint32_t *parent;   /* the following: number to number */
	uint32_t *semi, *idom;
	uint32_t *up, *best; /* compressed paths, and the least semi on them */
	uint32_t *stack;
};

static void
meet(struct walk *w, uint32_t node, uint32_t parent)
{
	w->num[node] = w->n;
	w->node[w->n] = node;
	w->parent[w->n++] = parent;
}

static void
visit(struct arena *a, const struct graph *g, struct walk *w)
{
	uint32_t *next, depth, v, to;

	next = NEWN(a, g->n + 1, uint32_t);
	memcpy(next, g->succ->at, g->n * sizeof *next);
	depth = 0;
	meet(w, g->root, 0);
	w->stack[depth++] = g->root;
	while (depth) {
		v = w->stack[depth - 1];
		if (next[v] == g->succ->at[v + 1]) {
			depth--;
			continue;
		}
		to = g->succ->to[next[v]++];
		if (w->num[to] != NONE)
			continue;
		meet(w, to, w->num[v]);
		w->stack[depth++] = to;
	}
}

/* the least semidominator on the path from v up to its processed root */
static uint32_t
eval(struct walk *w, uint32_t v, uint32_t done)
{
	uint32_t depth, top, at;

	if (v < done)
		return v;
	depth = 0;
	for (at = v; w->up[at] >= done; at = w->up[at])
		w->stack[depth++] = at;
	top = at;
	while (depth) {
		at = w->stack[--depth];
		if (w->best[w->up[at]] < w->best[at])
			w->best[at] = w->best[w->up[at]];
		w->up[at] = w->up[top];
	}
	return w->best[v];
}

static void
solve(const struct graph *g, struct walk *w)
{
	uint32_t i, e, v, s;

	for (i = 0; i < w->n; i++)
		w->up[i] = w->idom[i] = w->parent[i];
	for (i = w->n; i-- > 1;) {
		v = w->node[i];
		w->semi[i] = w->parent[i];
		for (e = g->pred->at[v]; e < g->pred->at[v + 1]; e++) {
			s = w->num[g->pred->to[e]];
			if (s == NONE)
				continue;
			s = eval(w, s, i + 1);
			if (s < w->semi[i])
				w->semi[i] = s;
		}
		w->best[i] = w->semi[i];
	}
	for (i = 1; i < w->n; i++)
		while (w->idom[i] > w->semi[i])
			w->idom[i] = w->idom[w->idom[i]];
}

/* preorder intervals of the tree: a parent's number is below its child's */
static void
stamp(struct arena *a, const struct walk *w, struct dom *d)
{
	uint32_t *size, *next, i, v, p;

	size = NEWN(a, w->n + 1, uint32_t);
	next = NEWN(a, w->n + 1, uint32_t);
	for (i = w->n; i--;) {
		size[i]++;
		if (i)
			size[w->idom[i]] += size[i];
	}
	for (i = 0; i < w->n; i++) {
		v = w->node[i];
		p = w->idom[i];
		d->in[v] = i ? next[p] : 0;
		d->out[v] = d->in[v] + size[i] - 1;
		if (i) {
			d->idom[v] = w->node[p];
			next[p] += size[i];
		}
		next[i] = d->in[v] + 1;
	}
}

static struct dom *
tree(struct arena *a, const struct graph *g)
{
	struct walk w = {0};
	struct dom *d;
	uint32_t n;

	n = g->n + 1;
	d = NEW(a, struct dom);
	d->idom = NEWN(a, n, uint32_t);
	d->in = NEWN(a, n, uint32_t);
	d->out = NEWN(a, n, uint32_t);
	memset(d->idom, 0xff, n * sizeof *d->idom);
	memset(d->in, 0xff, n * sizeof *d->in);
	w.num = NEWN(a, n, uint32_t);
	memset(w.num, 0xff, n * sizeof *w.num);
	w.node = NEWN(a, n, uint32_t);
	w.parent = NEWN(a, n, uint32_t);
	w.semi = NEWN(a, n, uint32_t);
	w.idom = NEWN(a, n, uint32_t);
	w.up = NEWN(a, n, uint32_t);
	w.best = NEWN(a, n, uint32_t);
	w.stack = NEWN(a, n, uint32_t);
	if (g->n) {
		visit(a, g, &w);
		solve(g, &w);
		stamp(a, &w, d);
	}
	return d;
}

struct dom *
dom_build(struct arena *a, const struct cfg *c)
{
	struct graph g = { c->n, 0, &c->succ, &c->pred };

	return tree(a, &g);
}

/* marks what leads to b; stack has room for every block */
static void
mark_back(const struct cfg *c, uint32_t b, bool *seen, uint32_t *stack)
{
	uint32_t depth, e;

	depth = 0;
	if (!seen[b])
		stack[depth++] = b;
	seen[b] = true;
	while (depth) {
		b = stack[--depth];
		for (e = c->pred.at[b]; e < c->pred.at[b + 1]; e++)
			if (!seen[c->pred.to[e]]) {
				seen[c->pred.to[e]] = true;
				stack[depth++] = c->pred.to[e];
			}
	}
}

/* which blocks end the function; of a loop without a way out, one does */
static bool *
find_exits(struct arena *a, const struct cfg *c)
{
	bool *seen, *exit;
	uint32_t *stack, b, k;

	seen = NEWN(a, c->n + 1, bool);
	exit = NEWN(a, c->n + 1, bool);
	stack = NEWN(a, c->n + 1, uint32_t);
	for (b = 0; b < c->n; b++)
		if (c->block[b].leaves) {
			exit[b] = true;
			mark_back(c, b, seen, stack);
		}
	for (k = c->nrpo; k--;) {
		b = c->rpo[k];
		exit[b] |= !seen[b];
		mark_back(c, b, seen, stack);
	}
	return exit;
}

struct dom *
postdom_build(struct arena *a, const struct cfg *c)
{
	struct list succ, pred;
	struct graph g = { c->n + 1, c->n, &succ, &pred };
	bool *exit;
	uint32_t b, e, n;

	exit = find_exits(a, c);
	pred.at = NEWN(a, c->n + 2, uint32_t);
	pred.to = NEWN(a, c->succ.at[c->n] + c->n + 1, uint32_t);
	n = 0;
	for (b = 0; b < c->n; b++) {
		pred.at[b] = n;
		for (e = c->succ.at[b]; e < c->succ.at[b + 1]; e++)
			pred.to[n++] = c->succ.to[e];
		if (exit[b])
			pred.to[n++] = c->n;
	}
	pred.at[b] = pred.at[b + 1] = n;
	list_turn(a, &succ, &pred, c->n + 1);
	return tree(a, &g);
}

bool
dom_same(const struct dom *a, const struct dom *b, uint32_t n)
{
	return !memcmp(a->idom, b->idom, n * sizeof *a->idom);
}
