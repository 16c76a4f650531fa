/* fence.c - memory order: fences, and atomic accesses for other chapters.
 *
 * PTX's orders are LLVM's; its scopes are the target's (syncscope()).  A
 * membar of PTX 1 is a fence.sc of its level.  Copies that PTX calls
 * asynchronous are ordinary accesses here, so a fence between the generic and
 * the asynchronous proxy has only to order this thread's own accesses.
 */
#include "emit_int.h"

#include <string.h>

static const struct {
	const char *word;
	LLVMAtomicOrdering order;
} orders[] = {
	{ "acquire", LLVMAtomicOrderingAcquire },
	{ "release", LLVMAtomicOrderingRelease },
	{ "acq_rel", LLVMAtomicOrderingAcquireRelease },
	{ "sc",      LLVMAtomicOrderingSequentiallyConsistent },
};

/* the order that i spells, or otherwise */
static LLVMAtomicOrdering
spelled(const struct insn *i, LLVMAtomicOrdering otherwise)
{
	const char *sem;
	size_t k;

	sem = insn_word(i, "sem");
	for (k = 0; sem && k < sizeof orders / sizeof *orders; k++)
		if (!strcmp(sem, orders[k].word))
			return orders[k].order;
	return otherwise;
}

LLVMAtomicOrdering
emit_order(const struct insn *i)
{
	return spelled(i, LLVMAtomicOrderingMonotonic);
}

const char *
emit_scope(const struct insn *i)
{
	const char *scope;

	scope = insn_word(i, "scope");
	return scope ? scope : "gpu";
}

static LLVMValueRef
scoped(struct emit *e, LLVMValueRef access, const struct atomic *a)
{
	emit_syncscope(access, e->t->syncscope(a->scope));
	return access;
}

LLVMValueRef
emit_rmw(struct emit *e, const struct atomic *a, LLVMAtomicRMWBinOp op,
	LLVMValueRef v)
{
	return scoped(e, LLVMBuildAtomicRMW(e->b, op, a->p, v, a->order,
		false), a);
}

/* what is left of an order where nothing is written */
static LLVMAtomicOrdering
load_order(LLVMAtomicOrdering o)
{
	switch (o) {
	case LLVMAtomicOrderingRelease:
		return LLVMAtomicOrderingMonotonic;
	case LLVMAtomicOrderingAcquireRelease:
		return LLVMAtomicOrderingAcquire;
	default:
		return o;
	}
}

LLVMValueRef
emit_cas(struct emit *e, const struct atomic *a, LLVMValueRef old,
	LLVMValueRef v)
{
	return scoped(e, LLVMBuildAtomicCmpXchg(e->b, a->p, old, v, a->order,
		load_order(a->order), false), a);
}

LLVMValueRef
emit_atomic_load(struct emit *e, const struct atomic *a, unsigned bits)
{
	LLVMValueRef v;

	v = LLVMBuildLoad2(e->b, emit_ity(e, bits), a->p, "");
	LLVMSetOrdering(v, load_order(a->order));
	LLVMSetAlignment(v, bits / 8);
	return scoped(e, v, a);
}

void
emit_fence(struct emit *e, const struct insn *i, int with)
{
	const char *level;

	(void)with;
	level = insn_word(i, "level");
	if (level)
		e->t->fence(e, LLVMAtomicOrderingSequentiallyConsistent,
			strcmp(level, "gl") ? level : "gpu");
	else
		e->t->fence(e, spelled(i, LLVMAtomicOrderingAcquireRelease),
			emit_scope(i));
}

/* one block is a cluster of its own, so "cluster" is no more than "cta" */
void
emit_fence_cta(struct emit *e, const struct insn *i, int with)
{
	(void)i;
	(void)with;
	e->t->fence(e, LLVMAtomicOrderingAcquireRelease, "cta");
}
