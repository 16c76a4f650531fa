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

/* is b entered again from itself or a later block? */
static bool
is_head(struct widen *w, const struct widen_block *b)
{
	unsigned i, k;

	for (i = b->order; i < w->nblock; i++)
		for (k = 0; k < w->block[i].nsucc; k++)
			if (w->block[i].succ[k] == b)
				return true;
	return false;
}

/* blocks from which the head is reached again */
static void
find_body(struct loop *l)
{
	struct widen *w = l->w;
	struct widen_block *b;
	unsigned i, k;
	bool more = true;

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
					more = true;
				}
		}
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

/* is there anything that others may write meanwhile? */
static bool
reads_shared(struct widen *w)
{
	LLVMValueRef i;
	unsigned k;

	for (k = 0; k < w->nblock; k++)
		for (i = LLVMGetFirstInstruction(w->block[k].from); i;
		i = LLVMGetNextInstruction(i))
			if (LLVMIsAAtomicCmpXchgInst(i)
			|| (LLVMIsAAtomicRMWInst(i) && only_reads(i))
			|| (LLVMIsALoadInst(i) && (LLVMGetVolatile(i)
			|| LLVMGetOrdering(i))))
				return true;
	return false;
}

static bool
loops_wait(struct widen *w)
{
	struct loop l = { .w = w };
	unsigned i;
	bool wait = false;

	if (!reads_shared(w))
		return false;
	l.body = calloc(w->nblock / 64 + 1, sizeof *l.body);
	for (i = 0; i < w->nblock; i++) {
		l.head = &w->block[i];
		l.number = i + 1;
		if (!l.head->reached || !is_head(w, l.head))
			continue;
		find_body(&l);
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

/* which blocks lie on all ways from a block to the end: sets by order */
struct after {
	struct widen *w;
	size_t words;
	uint64_t *set, *seen;
	LLVMValueRef *gather;      /* of each block, or 0 */
};

static uint64_t *
all_ways(const struct after *p, const struct widen_block *b)
{
	return p->set + b->order * p->words;
}

/* what lies behind all successors of b; true: that is less than before */
static bool
meet(struct after *p, struct widen_block *b)
{
	uint64_t *to = all_ways(p, b), v;
	unsigned k;
	size_t i;
	bool less = false;

	for (i = 0; i < p->words; i++) {
		v = b->nsucc ? ~UINT64_C(0) : 0;
		for (k = 0; k < b->nsucc; k++)
			v &= all_ways(p, b->succ[k])[i];
		if (b->order / 64 == i)
			v |= UINT64_C(1) << b->order % 64;
		less |= v != to[i];
		to[i] = v;
	}
	return less;
}

static void
find_ways(struct after *p)
{
	struct widen *w = p->w;
	unsigned i;
	bool more = true;

	memset(p->set, 0xff, w->nblock * p->words * sizeof *p->set);
	put(all_ways(p, &w->block[w->nblock]), &w->block[w->nblock]);
	while (more)
		for (more = false, i = w->nblock; i-- > 0;)
			more |= meet(p, &w->block[i]);
}

static bool
may_share(LLVMValueRef a, LLVMValueRef b)
{
	a = LLVMGetOperand(a, 0);
	b = LLVMGetOperand(b, 0);
	return !LLVMIsAConstantInt(a) || !LLVMIsAConstantInt(b)
		|| LLVMConstIntGetZExtValue(a) & LLVMConstIntGetZExtValue(b);
}

/* may lanes at b come to an operation that those at g wait for, before both
 * come to the same place? */
static bool
meets(struct after *p, struct widen_block *g, struct widen_block *b)
{
	unsigned k;

	if (b == g || widen_has(p->seen, b)
	|| widen_has(all_ways(p, g), b))
		return false;
	put(p->seen, b);
	if (b->order < p->w->nblock && p->gather[b->order]
	&& may_share(p->gather[g->order], p->gather[b->order]))
		return true;
	for (k = 0; k < b->nsucc; k++)
		if (meets(p, g, b->succ[k]))
			return true;
	return false;
}

static bool
gather_waits(struct after *p, struct widen_block *g)
{
	unsigned k;

	memset(p->seen, 0, p->words * sizeof *p->seen);
	for (k = 0; k < p->w->nblock; k++)
		if (widen_has(g->elsewhere, &p->w->block[k])
		&& meets(p, g, &p->w->block[k]))
			return true;
	return false;
}

static bool
gathers_wait(struct widen *w)
{
	struct after p = { .w = w, .words = w->nblock / 64 + 1 };
	unsigned i, n = 0;
	bool wait = false;

	p.gather = calloc(w->nblock + 1, sizeof(LLVMValueRef));
	for (i = 0; i < w->nblock; i++) {
		p.gather[i] = gather_in(&w->block[i]);
		n += p.gather[i] && lanes_elsewhere(w, &w->block[i]);
	}
	if (n) {
		p.set = calloc((w->nblock + 2) * p.words, sizeof *p.set);
		p.seen = p.set + (w->nblock + 1) * p.words;
		find_ways(&p);
	}
	for (i = 0; n && i < w->nblock && !wait; i++)
		if (w->block[i].reached && p.gather[i]
		&& lanes_elsewhere(w, &w->block[i]))
			wait = gather_waits(&p, &w->block[i]);
	free(p.set);
	free(p.gather);
	return wait;
}

bool
widen_lanes_wait(struct widen *w)
{
	bool wait = loops_wait(w);

	return wait || gathers_wait(w);
}
