/* named.c - barriers of a block beyond the one that the machine has.
 *
 * A barrier is a word: below, how many threads have come, in whole warps; in
 * the upper half, how often it has opened.  A thread that finds all there
 * takes them off below and adds one above, in one step, and all who wait see
 * the change.  One thread of a warp does it for the others.
 *
 * A warp counts once for a barrier of a given number of threads, however
 * many of its threads are here.  Where all of the block meet, a wave counts
 * for all of its warps, and no longer when it has ended.
 *
 * What can and cannot go on: a wave that waits here does not run other code.
 * So where a wave holds two warps these must not wait for one another at
 * different places, as a producer and a consumer would; with waves of one
 * warp, and between warps of different waves, all is as PTX has it.  A warp
 * whose threads come one after the other, in pieces, is counted for each,
 * where NVIDIA's later machines wait for the last; so do not part a warp
 * around a barrier with a count.
 */
#include "barrier.h"

enum { TURN = 16, COME_MASK = 0xffff };

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static LLVMValueRef
turn(struct emit *e, LLVMValueRef word)
{
	return LLVMBuildLShr(e->b, word, k32(e, TURN), "");
}

/* have all come, by word?  *count: how many these are */
static LLVMValueRef
complete(struct emit *e, LLVMValueRef word, LLVMValueRef *count)
{
	struct atomic a = { 0, LLVMAtomicOrderingMonotonic, "cta" };

	if (!*count) {
		a.p = emit_barrier_word(e, k32(e, 2 * NAMED));
		*count = emit_atomic_load(e, &a, 32);
	}
	return LLVMBuildICmp(e->b, LLVMIntUGE, LLVMBuildAnd(e->b, word,
		k32(e, COME_MASK), ""), *count, "");
}

/* this thread speaks for threads that come, as many as *n */
static LLVMValueRef
speaks(struct emit *e, LLVMValueRef count, LLVMValueRef *n)
{
	LLVMValueRef warps;

	*n = k32(e, 32);
	if (count)
		return LLVMBuildICmp(e->b, LLVMIntEQ, e->t->laneid(e),
			emit_call2(e, "llvm.cttz", emit_members(e, 0),
				emit_k(e, emit_ity(e, 1), 1)), "");
	count = e->t->leads(e, &warps);
	*n = LLVMBuildMul(e->b, warps, *n, "");
	return count;
}

/* until the word's turn is no longer that of old: opens the barrier if all
 * have come; else waits, or not */
static void
watch(struct emit *e, const struct atomic *a, LLVMValueRef old,
	LLVMValueRef count, bool wait, LLVMBasicBlockRef rest)
{
	LLVMBasicBlockRef look, same, open, nap;
	LLVMValueRef word, next;

	look = emit_block(e, "look");
	same = emit_block(e, "");
	open = emit_block(e, "open");
	nap = wait ? emit_block(e, "nap") : rest;
	LLVMBuildBr(e->b, look);
	LLVMPositionBuilderAtEnd(e->b, look);
	word = emit_atomic_load(e, a, 32);
	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, turn(e, word),
		turn(e, old), ""), same, rest);
	LLVMPositionBuilderAtEnd(e->b, same);
	LLVMBuildCondBr(e->b, complete(e, word, &count), open, nap);
	LLVMPositionBuilderAtEnd(e->b, open);
	next = LLVMBuildAdd(e->b, word, k32(e, 1 << TURN), "");
	emit_cas(e, a, word, LLVMBuildSub(e->b, next, count, ""));
	LLVMBuildBr(e->b, look);
	if (!wait)
		return;
	LLVMPositionBuilderAtEnd(e->b, nap);
	e->t->sleep(e, k32(e, 64));
	LLVMBuildBr(e->b, look);
}

void
emit_named(struct emit *e, LLVMValueRef id, LLVMValueRef count, bool wait)
{
	struct atomic a = { 0, LLVMAtomicOrderingMonotonic, "cta" };
	LLVMBasicBlockRef rest;
	LLVMValueRef n;

	e->t->fence(e, LLVMAtomicOrderingRelease, "cta");
	id = LLVMBuildAnd(e->b, id, k32(e, NAMED - 1), "");
	a.p = emit_barrier_word(e, id);
	rest = emit_if(e, speaks(e, count, &n));
	watch(e, &a, emit_rmw(e, &a, LLVMAtomicRMWBinOpAdd, n), count, wait,
		rest);
	LLVMPositionBuilderAtEnd(e->b, rest);
	if (wait)
		e->t->fence(e, LLVMAtomicOrderingAcquire, "cta");
}
