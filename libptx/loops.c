/* loops.c - natural loops: which blocks go round together.
 *
 * A loop is a header and all blocks from which one of its back edges can be
 * reached without passing the header.  Loops of one header are one loop.  A
 * cycle that is entered in several places is none; such a function is marked
 * as irreducible.
 */
#include "pass/pass.h"
#include <string.h>

struct find {
	const struct cfg *g;
	struct loops *l;
	uint32_t *stack;
};

/* the outermost loop so far that b is in, or NONE */
static uint32_t
outermost(const struct loops *l, uint32_t b)
{
	uint32_t k;

	k = l->of[b];
	while (k != NONE && l->loop[k].outer != NONE)
		k = l->loop[k].outer;
	return k;
}

/* takes block b, or the whole loop that it is already in, into loop k */
static uint32_t
take(struct find *f, uint32_t b, uint32_t k, uint32_t depth)
{
	uint32_t inner;

	inner = outermost(f->l, b);
	if (inner == k)
		return depth;
	if (inner == NONE) {
		f->l->of[b] = k;
		f->stack[depth++] = b;
	} else {
		f->l->loop[inner].outer = k;
		f->stack[depth++] = f->l->loop[inner].header;
	}
	return depth;
}

/* the blocks that lead to the back edges of header h, inner loops at once */
static void
grow(struct find *f, const struct dom *d, uint32_t h)
{
	const struct cfg *g = f->g;
	uint32_t k, e, b, depth;

	k = f->l->n++;
	f->l->loop[k] = (struct loop){ h, NONE };
	f->l->of[h] = k;
	depth = 0;
	for (e = g->pred.at[h]; e < g->pred.at[h + 1]; e++) {
		b = g->pred.to[e];
		if (g->block[b].order != NONE && dominates(d, h, b))
			depth = take(f, b, k, depth);
	}
	while (depth) {
		b = f->stack[--depth];
		for (e = g->pred.at[b]; e < g->pred.at[b + 1]; e++)
			if (g->block[g->pred.to[e]].order != NONE)
				depth = take(f, g->pred.to[e], k, depth);
	}
}

/* does an edge that closes a cycle lead to h?  natural: h is its header */
static bool
is_header(struct find *f, const struct dom *d, uint32_t h)
{
	const struct cfg *g = f->g;
	uint32_t e, b;
	bool found;

	found = false;
	for (e = g->pred.at[h]; e < g->pred.at[h + 1]; e++) {
		b = g->pred.to[e];
		if (g->block[b].order == NONE ||
		    g->block[b].order < g->block[h].order)
			continue;
		if (dominates(d, h, b))
			found = true;
		else
			f->l->irreducible = true;
	}
	return found;
}

struct loops *
loops_build(struct arena *a, const struct cfg *g, const struct dom *d)
{
	struct find f = { .g = g };
	uint32_t k;

	f.l = NEW(a, struct loops);
	f.l->of = NEWN(a, g->n + 1, uint32_t);
	memset(f.l->of, 0xff, g->n * sizeof *f.l->of);
	f.l->loop = NEWN(a, g->nrpo + 1, struct loop);
	f.stack = NEWN(a, g->n + 1, uint32_t);
	for (k = g->nrpo; k--;)
		if (is_header(&f, d, g->rpo[k]))
			grow(&f, d, g->rpo[k]);
	return f.l;
}

bool
in_loop(const struct loops *l, uint32_t block, uint32_t loop)
{
	uint32_t k;

	for (k = l->of[block]; k != NONE && k != loop; k = l->loop[k].outer)
		;
	return k == loop;
}
