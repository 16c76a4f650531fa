/* mbarrier.c - arrive here, wait there, in shared memory (PTX 9.7.13.15).
 *
 * The 64 bits are ours to lay out:
 *
 *	0	pending arrivals of this phase
 *	20	arrivals that a phase expects
 *	40	number of the phase, modulo 8
 *	43	bytes of transactions still to come, signed
 *
 * Everything is one atomic addition; bytes stand on top, where a carry is
 * lost.  Who makes pending and bytes zero adds once more, to begin the next
 * phase.  What others add in between belongs to that phase already, may
 * borrow from the field above until then and is looked at afterwards.  The
 * state that arrive returns is the word before it.
 *
 * Waiting is spinning in the program: a thread waits in vain for another one
 * of its own wave that the loop keeps from arriving.
 */
#include "mbarrier.h"

enum { EXPECTED = 20, PHASE = 40, BYTES = 43, COUNT_MASK = 0xfffff };

static const uint64_t OPEN = COUNT_MASK | UINT64_MAX << BYTES;

static LLVMValueRef
k64(struct emit *e, uint64_t v)
{
	return emit_k(e, emit_ity(e, 64), (int64_t)v);
}

static LLVMValueRef
shl(struct emit *e, LLVMValueRef v, unsigned by)
{
	return LLVMBuildShl(e->b, v, k64(e, by), "");
}

static LLVMValueRef
field(struct emit *e, LLVMValueRef word, unsigned at, unsigned mask)
{
	word = LLVMBuildLShr(e->b, word, k64(e, at), "");
	return LLVMBuildAnd(e->b, word, k64(e, mask), "");
}

/* what begins the next phase when added to word */
static LLVMValueRef
advance(struct emit *e, LLVMValueRef word)
{
	LLVMValueRef last, step;

	last = LLVMBuildICmp(e->b, LLVMIntEQ, field(e, word, PHASE, 7),
		k64(e, 7), "");
	step = LLVMBuildSelect(e->b, last, k64(e, -(UINT64_C(7) << PHASE)),
		k64(e, UINT64_C(1) << PHASE), "");
	return LLVMBuildAdd(e->b, step,
		field(e, word, EXPECTED, COUNT_MASK), "");
}

/* as long as word, just written, closes its phase: begin the next */
static void
turn(struct emit *e, const struct atomic *a, LLVMValueRef word)
{
	LLVMBasicBlockRef from[2], next, rest;
	LLVMValueRef now, all, step, new[2];

	from[0] = LLVMGetInsertBlock(e->b);
	from[1] = emit_block(e, "mbarrier");
	next = emit_block(e, "phase");
	rest = emit_block(e, "");
	LLVMBuildBr(e->b, from[1]);
	LLVMPositionBuilderAtEnd(e->b, from[1]);
	now = LLVMBuildPhi(e->b, emit_ity(e, 64), "");
	all = LLVMBuildICmp(e->b, LLVMIntEQ, LLVMBuildAnd(e->b, now,
		k64(e, OPEN), ""), k64(e, 0), "");
	LLVMBuildCondBr(e->b, all, next, rest);
	LLVMPositionBuilderAtEnd(e->b, next);
	step = advance(e, now);
	new[0] = word;
	new[1] = LLVMBuildAdd(e->b, step, emit_rmw(e, a,
		LLVMAtomicRMWBinOpAdd, step), "");
	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ,
		field(e, now, EXPECTED, COUNT_MASK), k64(e, 0), ""), rest,
		from[1]);
	from[1] = next;
	LLVMAddIncoming(now, new, from, 2);
	LLVMPositionBuilderAtEnd(e->b, rest);
}

static LLVMValueRef
change(struct emit *e, const struct atomic *a, LLVMValueRef by)
{
	LLVMValueRef old;

	old = emit_rmw(e, a, LLVMAtomicRMWBinOpAdd, by);
	turn(e, a, LLVMBuildAdd(e->b, old, by, ""));
	return old;
}

void
emit_mbar_come(struct emit *e, LLVMValueRef p)
{
	struct atomic a = { p, LLVMAtomicOrderingAcquireRelease, "cta" };

	change(e, &a, k64(e, UINT64_MAX));
}

void
emit_mbar_done(struct emit *e, LLVMValueRef p, LLVMValueRef bytes)
{
	struct atomic a = { p, LLVMAtomicOrderingAcquireRelease, "cta" };

	bytes = LLVMBuildZExt(e->b, bytes, emit_ity(e, 64), "");
	change(e, &a, shl(e, LLVMBuildNeg(e->b, bytes, ""), BYTES));
}

/* a cluster is one block here: no scope is wider than that */
static struct atomic
access(struct emit *e, const struct insn *i, const struct opnd *o,
	LLVMAtomicOrdering order)
{
	struct atomic a = { emit_addr(e, o, SHARED), order, "cta" };

	if (insn_is(i, "sem", "relaxed"))
		a.order = LLVMAtomicOrderingMonotonic;
	return a;
}

static LLVMValueRef
read64(struct emit *e, const struct opnd *o)
{
	return LLVMBuildZExt(e->b, emit_read(e, o, T_U32), emit_ity(e, 64),
		"");
}

void
emit_mbar_init(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef n, store;

	(void)with;
	n = read64(e, &i->u.opnd[1]);
	n = LLVMBuildOr(e->b, n, shl(e, n, EXPECTED), "");
	store = LLVMBuildStore(e->b, n, emit_addr(e, &i->u.opnd[0], SHARED));
	LLVMSetAlignment(store, 8);
}

/* with: 1 expect_tx, -1 complete_tx */
void
emit_mbar_tx(struct emit *e, const struct insn *i, int with)
{
	struct atomic a;
	LLVMValueRef n;

	a = access(e, i, &i->u.opnd[0], LLVMAtomicOrderingMonotonic);
	n = read64(e, &i->u.opnd[1]);
	if (with < 0)
		n = LLVMBuildNeg(e->b, n, "");
	change(e, &a, shl(e, n, BYTES));
}

/* with: 'c' a count or none follows, 't' bytes to expect; .arrive_drop also
 * takes the arrivals from those of the phases to come */
void
emit_mbar_arrive(struct emit *e, const struct insn *i, int with)
{
	struct atomic a;
	LLVMValueRef n, by;

	a = access(e, i, &i->u.opnd[1], LLVMAtomicOrderingAcquireRelease);
	n = k64(e, 1);
	if (with == 'c' && i->nopnd > 2)
		n = read64(e, &i->u.opnd[2]);
	by = n;
	if (insn_has(i, "arrive_drop"))
		by = LLVMBuildAdd(e->b, by, shl(e, n, EXPECTED), "");
	by = LLVMBuildNeg(e->b, by, "");
	if (with == 't')
		by = LLVMBuildAdd(e->b, by, shl(e, read64(e, &i->u.opnd[2]),
			BYTES), "");
	emit_write(e, &i->u.opnd[0], T_B64, change(e, &a, by));
}

/* with: 'p' b is a phase's parity, 's' a state of arrive */
void
emit_mbar_test(struct emit *e, const struct insn *i, int with)
{
	LLVMBasicBlockRef wait, rest;
	struct atomic a;
	LLVMValueRef now, then, over;

	a = access(e, i, &i->u.opnd[1], LLVMAtomicOrderingAcquire);
	now = emit_atomic_load(e, &a, 64);
	now = field(e, now, PHASE, with == 'p' ? 1 : 7);
	if (with == 'p')
		then = read64(e, &i->u.opnd[2]);
	else
		then = field(e, emit_read(e, &i->u.opnd[2], T_B64), PHASE, 7);
	over = LLVMBuildICmp(e->b, LLVMIntNE, now, then, "");
	emit_write(e, &i->u.opnd[0], T_PRED, over);
	if (!insn_has(i, "try_wait"))
		return;
	wait = emit_block(e, "wait");
	rest = emit_block(e, "");
	LLVMBuildCondBr(e->b, over, rest, wait);
	LLVMPositionBuilderAtEnd(e->b, wait);
	e->t->sleep(e, emit_k(e, emit_ity(e, 32), 64));
	LLVMBuildBr(e->b, rest);
	LLVMPositionBuilderAtEnd(e->b, rest);
}

void
emit_mbar_pending(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_U32, LLVMBuildTrunc(e->b,
		field(e, emit_read(e, &i->u.opnd[1], T_B64), 0, COUNT_MASK),
		emit_ity(e, 32), ""));
}
