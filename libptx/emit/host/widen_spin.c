/* widen_spin.c - where lanes wait for what others do.
 *
 * A loop spins if it is left when a value that is read in it anew, by a
 * volatile or atomic access, becomes another one.  Loops around a
 * compare-and-swap that try again with what they found do not wait: each
 * round, one of those that try gets on.
 *
 * Lanes of one warp that spin may wait for lanes that left the loop before
 * them or went elsewhere, and lanes that come to a .sync operation for lanes
 * on the other side of a branch.  Then the function must be dispatched.
 */
#include "widen_int.h"

#include <stdlib.h>
#include <string.h>

struct loop {
	struct widen *w;
	struct widen_block *head;
	uint64_t *body;            /* blocks by order */
	unsigned number;
};

static void
put(uint64_t *set, const struct widen_block *b)
{
	set[b->order / 64] |= UINT64_C(1) << b->order % 64;
}

/* blocks from which the head is reached again; false: it heads no loop */
static bool
find_body(struct loop *l)
{
	struct widen *w = l->w;
	struct widen_block *b;
	unsigned i, k;
	bool more = true, any = false;

	memset(l->body, 0, (w->nblock / 64 + 1) * sizeof *l->body);
	while (more)
		for (more = false, i = w->nblock; i-- > l->head->order;) {
			b = &w->block[i];
			for (k = 0; k < b->nsucc && !widen_has(l->body, b);
			k++)
				if (b->succ[k] == l->head
				|| (b->succ[k]->order > l->head->order
				&& widen_has(l->body, b->succ[k]))) {
					put(l->body, b);
					more = any = true;
				}
		}
	return any;
}

static bool
is_inside(const struct loop *l, LLVMValueRef v)
{
	struct widen_block *home;

	if (!LLVMIsAInstruction(v))
		return false;
	home = widen_value(l->w, v)->home;
	return home == l->head || widen_has(l->body, home);
}

/* does it give what is in memory and leave that as it is? */
static bool
only_reads(LLVMValueRef rmw)
{
	LLVMValueRef v = LLVMGetOperand(rmw, 1);

	if (LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpXchg)
		return true; /* a lock is taken so */
	return LLVMIsAConstant(v) && LLVMIsNull(v);
}

/* is what load or phi v gives, perhaps by some steps, expected by a
 * compare-and-swap of the loop? */
static bool
is_expected(const struct loop *l, LLVMValueRef v, unsigned depth)
{
	LLVMUseRef u;
	LLVMValueRef user;

	for (u = LLVMGetFirstUse(v); u && depth < 6; u = LLVMGetNextUse(u)) {
		user = LLVMGetUser(u);
		if (!is_inside(l, user))
			continue;
		if (LLVMIsAAtomicCmpXchgInst(user)) {
			if (LLVMGetOperand(user, 1) == v)
				return true;
			continue;
		}
		if ((LLVMIsACastInst(user) || LLVMIsAPHINode(user)
		|| LLVMIsAFreezeInst(user) || LLVMIsABinaryOperator(user))
		&& is_expected(l, user, depth + 1))
			return true;
	}
	return false;
}

/* does i read what others may write meanwhile? */
static bool
listens(const struct loop *l, LLVMValueRef i)
{
	if (LLVMIsALoadInst(i))
		return (LLVMGetVolatile(i)
			|| LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
			&& !is_expected(l, i, 0);
	if (LLVMIsAAtomicRMWInst(i))
		return only_reads(i);
	return LLVMIsAAtomicCmpXchgInst(i)
		&& !is_inside(l, LLVMGetOperand(i, 1));
}

static bool
hears(struct loop *l, LLVMValueRef i)
{
	struct widen_value *v = widen_value(l->w, i);
	int k, n = LLVMGetNumOperands(i);
	LLVMValueRef o;

	if (v->heard == l->number)
		return false;
	if (listens(l, i))
		v->heard = l->number;
	for (k = 0; k < n; k++) {
		o = LLVMGetOperand(i, (unsigned)k);
		if (LLVMIsAInstruction(o)
		&& widen_value(l->w, o)->heard == l->number)
			v->heard = l->number;
	}
	return v->heard == l->number;
}

/* marks what depends in the loop on what others write; true: more does */
static bool
spread(struct loop *l)
{
	LLVMValueRef i;
	unsigned k;
	bool more = false;

	for (k = l->head->order; k < l->w->nblock; k++)
		if (widen_has(l->body, &l->w->block[k]))
			for (i = LLVMGetFirstInstruction(l->w->block[k].from);
			i; i = LLVMGetNextInstruction(i))
				more |= hears(l, i);
	return more;
}

/* is the loop left at b because of that? */
static bool
is_left(struct loop *l, struct widen_block *b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b->from), c;
	unsigned k;

	if (b->nsucc < 2)
		return false;
	c = LLVMIsABranchInst(end) ? LLVMGetCondition(end)
		: LLVMGetOperand(end, 0);
	if (!LLVMIsAInstruction(c)
	|| widen_value(l->w, c)->heard != l->number)
		return false;
	for (k = 0; k < b->nsucc; k++)
		if (b->succ[k] != l->head && !widen_has(l->body, b->succ[k]))
			return true;
	return false;
}

/* … and do lanes part there? */
static bool
is_left_apart(struct loop *l, struct widen_block *b)
{
	return is_left(l, b) && b->divergent;
}

static bool
any_block(struct loop *l, bool (*test)(struct loop *, struct widen_block *))
{
	unsigned k;

	for (k = l->head->order; k < l->w->nblock; k++)
		if (widen_has(l->body, &l->w->block[k])
		&& test(l, &l->w->block[k]))
			return true;
	return false;
}

/* are there lanes at other blocks, which have not ended? */
static bool
lanes_elsewhere(struct widen *w, const struct widen_block *b)
{
	struct widen_block *next = widen_next(w, b->elsewhere);

	return next && next->order < w->nblock;
}

static bool
loops_wait(struct widen *w)
{
	struct loop l = { .w = w };
	unsigned i;
	bool wait = false;

	l.body = calloc(w->nblock / 64 + 1, sizeof *l.body);
	for (i = 0; i < w->nblock; i++) {
		l.head = &w->block[i];
		l.number = i + 1;
		if (!l.head->reached || !find_body(&l))
			continue;
		while (spread(&l))
			;
		l.head->spins = any_block(&l, is_left);
		if (l.head->spins && (lanes_elsewhere(w, l.head)
		|| any_block(&l, is_left_apart)))
			wait = true;
	}
	free(l.body);
	return wait;
}

/* the call of ptx.gather in b, or 0 */
static LLVMValueRef
gather_in(const struct widen_block *b)
{
	LLVMValueRef i;
	const char *name;
	size_t n;

	for (i = LLVMGetFirstInstruction(b->from); i;
	i = LLVMGetNextInstruction(i)) {
		if (!LLVMIsACallInst(i))
			continue;
		name = LLVMGetValueName2(LLVMGetCalledValue(i), &n);
		if (!strcmp(name, "ptx.gather"))
			return i;
	}
	return 0;
}

/* marks what is reached from b without a step into without */
static void
reach(struct widen *w, struct widen_block *b, const struct widen_block *without,
	const uint64_t *walls, uint64_t *seen)
{
	unsigned k;

	if (b == without || widen_has(seen, b) || widen_has(walls, b))
		return;
	put(seen, b);
	for (k = 0; k < b->nsucc; k++)
		reach(w, b->succ[k], without, walls, seen);
}

struct sets {
	uint64_t *walls, *seen, *none;
	size_t size;
};

/* do all ways from g lead through p? */
static bool
is_on_all_ways(struct widen *w, struct widen_block *g, struct widen_block *p,
	struct sets *s)
{
	memset(s->seen, 0, s->size);
	reach(w, g, p, s->none, s->seen);
	return !widen_has(s->seen, &w->block[w->nblock]);
}

/* may lanes at p come to an operation that those at g wait for? */
static bool
meets(struct widen *w, struct widen_block *g, struct widen_block *p,
	struct sets *s)
{
	LLVMValueRef a = LLVMGetOperand(gather_in(g), 0), b;
	LLVMValueRef other;
	unsigned k;

	memset(s->walls, 0, s->size);
	for (k = 0; k < w->nblock; k++)
		if (&w->block[k] != g && w->block[k].reached
		&& k >= p->order && is_on_all_ways(w, g, &w->block[k], s))
			put(s->walls, &w->block[k]);
	memset(s->seen, 0, s->size);
	reach(w, p, g, s->walls, s->seen);
	for (k = 0; k < w->nblock; k++) {
		if (!widen_has(s->seen, &w->block[k]))
			continue;
		other = gather_in(&w->block[k]);
		if (!other)
			continue;
		b = LLVMGetOperand(other, 0);
		if (!LLVMIsAConstantInt(a) || !LLVMIsAConstantInt(b)
		|| LLVMConstIntGetZExtValue(a) & LLVMConstIntGetZExtValue(b))
			return true;
	}
	return false;
}

static bool
gather_waits(struct widen *w, struct widen_block *g, struct sets *s)
{
	unsigned k;

	for (k = 0; k < w->nblock; k++)
		if (widen_has(g->elsewhere, &w->block[k])
		&& !is_on_all_ways(w, g, &w->block[k], s)
		&& meets(w, g, &w->block[k], s))
			return true;
	return false;
}

static bool
gathers_wait(struct widen *w)
{
	size_t n = w->nblock / 64 + 1;
	struct sets s = { .size = n * sizeof(uint64_t) };
	unsigned i;
	bool wait = false;

	s.walls = calloc(3 * n, sizeof(uint64_t));
	s.seen = s.walls + n;
	s.none = s.seen + n;
	for (i = 0; i < w->nblock && !wait; i++)
		if (w->block[i].reached && lanes_elsewhere(w, &w->block[i])
		&& gather_in(&w->block[i]))
			wait = gather_waits(w, &w->block[i], &s);
	free(s.walls);
	return wait;
}

bool
widen_lanes_wait(struct widen *w)
{
	bool wait = loops_wait(w);

	return wait || gathers_wait(w);
}
