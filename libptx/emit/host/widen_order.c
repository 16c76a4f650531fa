/* widen_order.c - the order in which blocks are run.
 *
 * Bourdoncle's weak topological order: every join after the ways that lead to
 * it, every loop in one piece, with what follows it behind.  The first block
 * in this order where lanes are pending is the next to be run.
 */
#include "widen_int.h"

#include <stdlib.h>

static const unsigned done = ~0u;

struct order {
	struct widen *w;
	LLVMBasicBlockRef *block;
	struct place {
		LLVMBasicBlockRef block;
		unsigned i;
	} *place;                  /* sorted by block */
	unsigned *number, *stack, *out;
	unsigned n, count, depth, nout; /* out is filled from its end */
};

static void component(struct order *, unsigned);

static int
by_block(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	return (p->block > q->block) - (p->block < q->block);
}

static unsigned
find(const struct order *o, LLVMBasicBlockRef b)
{
	struct place key = { b, 0 }, *p;

	p = bsearch(&key, o->place, o->n, sizeof key, by_block);
	return p->i;
}

static LLVMValueRef
terminator(const struct order *o, unsigned v)
{
	return LLVMGetBasicBlockTerminator(o->block[v]);
}

static unsigned
visit(struct order *o, unsigned v)
{
	LLVMValueRef end = terminator(o, v);
	unsigned i, s, min, head, last;
	bool loop = false;

	o->stack[o->depth++] = v;
	head = o->number[v] = ++o->count;
	for (i = 0; i < LLVMGetNumSuccessors(end); i++) {
		s = find(o, LLVMGetSuccessor(end, i));
		min = o->number[s] ? o->number[s] : visit(o, s);
		if (min > head)
			continue;
		head = min;
		loop = true;
	}
	if (head != o->number[v])
		return head;
	o->number[v] = done;
	while ((last = o->stack[--o->depth]) != v)
		o->number[last] = 0;
	if (loop)
		component(o, v);
	o->out[--o->nout] = v;
	return head;
}

/* the loop of v but for v itself */
static void
component(struct order *o, unsigned v)
{
	LLVMValueRef end = terminator(o, v);
	unsigned i, s;

	for (i = 0; i < LLVMGetNumSuccessors(end); i++) {
		s = find(o, LLVMGetSuccessor(end, i));
		if (!o->number[s])
			visit(o, s);
	}
}

static int
by_from(const void *a, const void *b)
{
	const struct widen_place *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

struct widen_block *
widen_block(struct widen *w, LLVMBasicBlockRef b)
{
	struct widen_place key = { b, 0 }, *p;

	p = bsearch(&key, w->place, w->nblock, sizeof key, by_from);
	return p->at;
}

/* s becomes a successor of b, if it is not yet */
static void
add_successor(struct widen_block *b, struct widen_block *s)
{
	unsigned i;

	for (i = 0; i < b->nsucc; i++)
		if (b->succ[i] == s)
			return;
	b->succ[b->nsucc++] = s;
}

static void
link_block(struct widen *w, struct widen_block *b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b->from);
	unsigned i, n = LLVMGetNumSuccessors(end);

	b->succ = NEWN(&w->value->a, n + 1, struct widen_block *);
	for (i = 0; i < n; i++)
		add_successor(b, widen_block(w, LLVMGetSuccessor(end, i)));
	if (LLVMGetInstructionOpcode(end) == LLVMRet)
		add_successor(b, &w->block[w->nblock]);
}

/* w's blocks as o has them */
static void
take(struct widen *w, const struct order *o)
{
	struct arena *a = &w->value->a;
	struct widen_block *b;
	unsigned i, n = o->n - o->nout;

	w->nblock = n;
	w->block = NEWN(a, n + 1, struct widen_block);
	w->place = NEWN(a, n + 1, struct widen_place);
	for (i = 0; i <= n; i++) {
		b = &w->block[i];
		b->order = i;
		b->elsewhere = NEWN(a, n / 64 + 1, uint64_t);
		if (i == n)
			break;
		b->from = o->block[o->out[o->nout + i]];
		w->place[i] = (struct widen_place){ b->from, b };
	}
	qsort(w->place, n, sizeof *w->place, by_from);
	for (i = 0; i < n; i++)
		link_block(w, &w->block[i]);
	w->block[0].reached = true;
}

void
widen_order(struct widen *w)
{
	struct order o = { .w = w, .n = LLVMCountBasicBlocks(w->from) };
	unsigned i;

	o.block = calloc(o.n, sizeof(LLVMBasicBlockRef));
	o.place = calloc(o.n, sizeof *o.place);
	o.number = calloc(o.n, 3 * sizeof *o.number);
	o.stack = o.number + o.n;
	o.out = o.stack + o.n;
	o.nout = o.n;
	LLVMGetBasicBlocks(w->from, o.block);
	for (i = 0; i < o.n; i++)
		o.place[i] = (struct place){ o.block[i], i };
	qsort(o.place, o.n, sizeof *o.place, by_block);
	visit(&o, 0);
	take(w, &o);
	free(o.block);
	free(o.place);
	free(o.number);
}
