/* widen_flow.c - where lanes may be while others run a block.
 *
 * Lanes that part are pending each at the block where they go; the first
 * such block in the order of all is run next.  So it is known, of each block,
 * where lanes that are not in it may be pending.  Where there are none, all
 * lanes that came into the function are in it, and a branch on what is the
 * same in all of them is a plain branch.  The end stands for lanes that have
 * returned.
 */
#include "widen_int.h"

#include <string.h>

static unsigned
words(struct widen *w)
{
	return w->nblock / 64 + 1;
}

bool
widen_has(const uint64_t *set, const struct widen_block *b)
{
	return set[b->order / 64] >> b->order % 64 & 1;
}

bool
widen_is_empty(struct widen *w, const uint64_t *set)
{
	return !widen_next(w, set);
}

struct widen_block *
widen_next(struct widen *w, const uint64_t *set)
{
	unsigned i;

	for (i = 0; i < words(w); i++)
		if (set[i])
			return &w->block[64 * i + (unsigned)
				__builtin_ctzll(set[i])];
	return 0;
}

/* the next block of set is run while lanes may be at all others of it */
static bool
go(struct widen *w, const uint64_t *set)
{
	struct widen_block *b = widen_next(w, set);
	uint64_t s;
	unsigned i;
	bool more;

	if (!b)
		return false;
	more = !b->reached;
	b->reached = true;
	for (i = 0; i < words(w); i++) {
		s = set[i];
		if (i == b->order / 64)
			s &= ~(UINT64_C(1) << b->order % 64);
		more |= (s & ~b->elsewhere[i]) != 0;
		b->elsewhere[i] |= s;
	}
	return more;
}

static void
put(uint64_t *set, const struct widen_block *b)
{
	set[b->order / 64] |= UINT64_C(1) << b->order % 64;
}

/* what follows b; set is room for one */
static bool
leave(struct widen *w, struct widen_block *b, uint64_t *set)
{
	size_t size = words(w) * sizeof *set;
	unsigned i;
	bool more;

	more = go(w, b->elsewhere); /* should no lane be at b */
	memcpy(set, b->elsewhere, size);
	for (i = 0; i < b->nsucc; i++) {
		if (widen_has(b->elsewhere, b->succ[i]) || w->dispatched) {
			more |= !b->succ[i]->merged;
			b->succ[i]->merged = true;
		}
		put(set, b->succ[i]);
		if (b->divergent && i + 1 < b->nsucc)
			continue;
		more |= go(w, set);
		memcpy(set, b->elsewhere, size);
	}
	return more;
}

/* do lanes of b part?  It only becomes true. */
static void
part(struct widen *w, struct widen_block *b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b->from);

	if (b->nsucc > 1
	&& !widen_is_uniform(w, LLVMIsABranchInst(end)
		? LLVMGetCondition(end) : LLVMGetOperand(end, 0), 0))
		b->divergent = true;
}

static bool
sweep(struct widen *w, uint64_t *set)
{
	unsigned i;
	bool more = false;

	for (i = 0; i < w->nblock; i++)
		if (w->block[i].reached)
			more |= leave(w, &w->block[i], set);
	return more;
}

bool
widen_flow(struct widen *w)
{
	uint64_t *set = NEWN(&w->value->a, words(w), uint64_t);
	unsigned i;
	bool more = false;

	for (i = 0; i < w->nblock; i++)
		part(w, &w->block[i]);
	while (sweep(w, set))
		more = true;
	return more;
}
