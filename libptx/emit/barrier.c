/* barrier.c - bar, barrier and barrier.cluster (PTX 9.7.13.1 to 9.7.13.4).
 *
 * The machine has one barrier a block.  It serves every bar.sync 0 of whole
 * blocks, as long as nothing else in the unit may come to barrier 0.  All
 * other barriers are made of words in shared memory, see named.c.  A unit
 * that needs none of those words pays nothing for them.
 *
 * bar.red adds up in such a word; every warp takes back what it added when
 * all have read the sum, before it comes to another barrier.
 */
#include "barrier.h"

enum use {
	WORDS = 1,         /* the unit has words */
	OTHERS = 2,        /* barriers other than those of the machine */
	ZERO = 4,          /* barrier 0 is one of them */
	ARRIVE = 8,
	RED = 16,
};

enum { NWORD = 2 * NAMED + 1 };

/* 's' sync, 'a' arrive, 'r' red */
static const char kinds[NINSN] = {
	[INSN_BAR_SYNC]       = 's',
	[INSN_BARRIER]        = 's',
	[INSN_BAR_ARRIVE]     = 'a',
	[INSN_BARRIER_ARRIVE] = 'a',
	[INSN_BAR_POPC]       = 'r',
	[INSN_BAR_RED]        = 'r',
	[INSN_BARRIER_POPC]   = 'r',
	[INSN_BARRIER_RED]    = 'r',
};

/* the operands that name a barrier and its count, or 0 */
struct meeting {
	char kind;
	const struct opnd *id, *count, *p;
};

static struct meeting
meeting(const struct insn *i)
{
	struct meeting m = { .kind = kinds[i->op->id] };
	unsigned k, n;

	k = m.kind == 'r';
	n = i->nopnd;
	if (m.kind == 'r')
		m.p = &i->u.opnd[--n];
	m.id = &i->u.opnd[k];
	if (n > k + 1)
		m.count = &i->u.opnd[k + 1];
	return m;
}

/* the size that all kernels of the unit demand of their blocks, or 0 */
static int64_t
block_size(const struct unit *u)
{
	const struct attr *a;
	int64_t n, all;
	size_t k;
	int d;

	all = 0;
	for (k = 0; k < u->nkernel; k++) {
		a = func_attr(u->kernel[k], "reqntid");
		if (!a)
			return 0;
		for (n = 1, d = 0; d < a->n; d++)
			n *= a->v[d];
		if (k && n != all)
			return 0;
		all = n;
	}
	return all;
}

static bool
is_int(const struct opnd *o, int64_t v)
{
	return o->kind == OP_INT && o->u.i == v;
}

/* does the whole block meet at barrier 0? */
static bool
is_plain(const struct emit *e, const struct meeting *m)
{
	return m->kind != 'a' && is_int(m->id, 0)
		&& (!m->count || is_int(m->count, block_size(e->u)));
}

static unsigned
use_of(const struct emit *e, const struct insn *i)
{
	struct meeting m;
	unsigned use;

	if (i->kind != STMT_INSN || !kinds[i->op->id])
		return 0;
	m = meeting(i);
	use = m.kind == 'r' ? WORDS | RED : m.kind == 'a' ? ARRIVE : 0;
	if (is_plain(e, &m))
		return use;
	use |= WORDS | OTHERS;
	if (m.id->kind != OP_INT || m.id->u.i == 0)
		use |= ZERO;
	return use;
}

static unsigned
use_in(const struct emit *e, const struct func *f)
{
	const struct insn *i;
	unsigned use;

	use = 0;
	for (i = f->first; i; i = i->next)
		use |= use_of(e, i);
	return use;
}

void
emit_barriers(struct emit *e)
{
	LLVMTypeRef ty;
	size_t k;

	if (e->t->meet)
		return;
	for (k = 0; k < e->u->nkernel; k++)
		e->barrier_use |= use_in(e, e->u->kernel[k]);
	for (k = 0; k < e->u->nfunc; k++)
		e->barrier_use |= use_in(e, e->u->func[k]);
	if (!(e->barrier_use & WORDS))
		return;
	ty = LLVMArrayType2(LLVMInt32TypeInContext(e->c), NWORD);
	e->barrier = LLVMAddGlobalInAddressSpace(e->m, ty, "ptx.barriers",
		e->t->space[SHARED]);
	LLVMSetInitializer(e->barrier, LLVMGetUndef(ty));
	LLVMSetLinkage(e->barrier, LLVMInternalLinkage);
	LLVMSetAlignment(e->barrier, 16);
}

LLVMValueRef
emit_barrier_word(struct emit *e, LLVMValueRef k)
{
	return LLVMBuildGEP2(e->b, LLVMInt32TypeInContext(e->c), e->barrier,
		&k, 1, "");
}

LLVMBasicBlockRef
emit_if(struct emit *e, LLVMValueRef p)
{
	LLVMBasicBlockRef then, rest;

	then = emit_block(e, "");
	rest = emit_block(e, "");
	LLVMBuildCondBr(e->b, p, then, rest);
	LLVMPositionBuilderAtEnd(e->b, then);
	return rest;
}

static void
end_if(struct emit *e, LLVMBasicBlockRef rest)
{
	LLVMBuildBr(e->b, rest);
	LLVMPositionBuilderAtEnd(e->b, rest);
}

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static LLVMValueRef
is_zero(struct emit *e, LLVMValueRef v)
{
	return LLVMBuildICmp(e->b, LLVMIntEQ, v, k32(e, 0), "");
}

/* i32: threads of the block in whole warps */
static LLVMValueRef
block_threads(struct emit *e)
{
	LLVMValueRef n;

	n = LLVMBuildMul(e->b, emit_sreg(e, SREG_NTID, 0),
		emit_sreg(e, SREG_NTID, 1), "");
	n = LLVMBuildMul(e->b, n, emit_sreg(e, SREG_NTID, 2), "");
	n = LLVMBuildAdd(e->b, n, k32(e, 31), "");
	return LLVMBuildAnd(e->b, n, k32(e, -32), "");
}

/* thread 0 sets the words before anyone comes to a barrier */
void
emit_barrier_begin(struct emit *e)
{
	LLVMBasicBlockRef rest;
	LLVMValueRef id;

	if (!e->barrier)
		return;
	id = LLVMBuildOr(e->b, emit_sreg(e, SREG_TID, 0),
		emit_sreg(e, SREG_TID, 1), "");
	id = LLVMBuildOr(e->b, id, emit_sreg(e, SREG_TID, 2), "");
	rest = emit_if(e, is_zero(e, id));
	LLVMBuildMemSet(e->b, e->barrier, LLVMConstInt(
		LLVMInt8TypeInContext(e->c), 0, false),
		k32(e, 4 * 2 * NAMED), 16);
	LLVMBuildStore(e->b, block_threads(e),
		emit_barrier_word(e, k32(e, 2 * NAMED)));
	end_if(e, rest);
	e->t->barrier(e);
}

/* a wave no longer counts where all are to meet; ends the kernel */
static void
uncount(struct emit *e)
{
	struct atomic a = { 0, LLVMAtomicOrderingMonotonic, "cta" };
	LLVMBasicBlockRef rest;
	LLVMValueRef leads, warps;

	leads = e->t->leads(e, &warps);
	rest = emit_if(e, leads);
	a.p = emit_barrier_word(e, k32(e, 2 * NAMED));
	emit_rmw(e, &a, LLVMAtomicRMWBinOpSub,
		LLVMBuildMul(e->b, warps, k32(e, 32), ""));
	end_if(e, rest);
	LLVMBuildRetVoid(e->b);
}

/* in one place, where the threads of a wave that ended before the others
 * wait for them: the wave counts until its last thread ends */
void
emit_barrier_end(struct emit *e)
{
	LLVMBasicBlockRef here;

	if (!(e->barrier_use & OTHERS)) {
		LLVMBuildRetVoid(e->b);
		return;
	}
	if (!e->end) {
		here = LLVMGetInsertBlock(e->b);
		e->end = emit_block(e, "end");
		LLVMPositionBuilderAtEnd(e->b, e->end);
		uncount(e);
		LLVMPositionBuilderAtEnd(e->b, here);
	}
	LLVMBuildBr(e->b, e->end);
}

/* the target does it all */
static LLVMValueRef
meet_there(struct emit *e, const struct meeting *m)
{
	return e->t->meet(e, m->kind, emit_read(e, m->id, T_U32),
		m->count ? emit_read(e, m->count, T_U32) : 0,
		m->p ? emit_read(e, m->p, T_PRED) : 0);
}

static void
meet(struct emit *e, const struct meeting *m)
{
	LLVMValueRef count;

	if (e->t->meet) {
		meet_there(e, m);
		return;
	}
	if (is_plain(e, m) && !(e->barrier_use & ZERO)) {
		e->t->barrier(e);
		return;
	}
	count = m->count ? emit_read(e, m->count, T_U32) : 0;
	emit_named(e, emit_read(e, m->id, T_U32), count, m->kind != 'a');
}

/* with: unused, as what i is stands in kinds[] */
void
emit_bar(struct emit *e, const struct insn *i, int with)
{
	struct meeting m;

	(void)with;
	m = meeting(i);
	meet(e, &m);
}

/* the first member of the warp adds v to the sum at p, or takes it away */
static void
tally(struct emit *e, LLVMValueRef p, LLVMAtomicRMWBinOp op, LLVMValueRef v)
{
	struct atomic a = { p, LLVMAtomicOrderingMonotonic, "cta" };
	LLVMBasicBlockRef rest;
	LLVMValueRef first;

	first = emit_call2(e, "llvm.cttz", emit_members(e, 0),
		emit_k(e, emit_ity(e, 1), 1));
	rest = emit_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, first,
		e->t->laneid(e), ""));
	emit_rmw(e, &a, op, v);
	end_if(e, rest);
}

/* how many threads' p is true; of "and": is false */
static LLVMValueRef
voters(struct emit *e, const struct insn *i)
{
	struct meeting m = meeting(i);
	LLVMValueRef p, v, sum, id;

	if (e->t->meet) {
		v = meet_there(e, &m);
		sum = LLVMBuildTrunc(e->b, v, emit_ity(e, 32), "");
		if (!insn_is(i, "op", "and"))
			return sum;
		v = LLVMBuildLShr(e->b, v, emit_k(e, emit_ity(e, 64), 32), "");
		v = LLVMBuildTrunc(e->b, v, emit_ity(e, 32), "");
		return LLVMBuildSub(e->b, v, sum, "");
	}
	p = emit_read(e, m.p, T_PRED);
	if (insn_is(i, "op", "and"))
		p = LLVMBuildNot(e->b, p, "");
	v = emit_call1(e, "llvm.ctpop", e->t->ballot(e, p));
	id = LLVMBuildAnd(e->b, emit_read(e, m.id, T_U32), k32(e, NAMED - 1),
		"");
	id = emit_barrier_word(e, LLVMBuildAdd(e->b, id, k32(e, NAMED), ""));
	tally(e, id, LLVMAtomicRMWBinOpAdd, v);
	meet(e, &m);
	sum = LLVMBuildLoad2(e->b, emit_ity(e, 32), id, "");
	meet(e, &m);
	tally(e, id, LLVMAtomicRMWBinOpSub, v);
	return sum;
}

/* and: nobody's p is false; or: somebody's is true; popc: how many are */
void
emit_bar_red(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef sum;

	(void)with;
	if (e->barrier_use & ARRIVE) {
		emit_refuse(e, "reduction beside bar.arrive is not translated");
		return;
	}
	sum = voters(e, i);
	if (insn_is(i, "op", "and"))
		emit_write(e, &i->u.opnd[0], T_PRED, is_zero(e, sum));
	else if (insn_is(i, "op", "or"))
		emit_write(e, &i->u.opnd[0], T_PRED,
			LLVMBuildNot(e->b, is_zero(e, sum), ""));
	else
		emit_write(e, &i->u.opnd[0], T_U32, sum);
}

/* A cluster is one block: all meet where it waits.  A thread that arrives
 * and lets another one wait meanwhile for what it has yet to do before it
 * waits itself finds that it does not get there. */
void
emit_bar_cluster(struct emit *e, const struct insn *i, int with)
{
	(void)i;
	(void)with;
	e->t->barrier(e);
}

void
emit_cluster(struct emit *e, const struct func *f)
{
	const struct attr *a;
	int i;

	a = func_attr(f, "reqnctapercluster");
	for (i = 0; a && i < a->n; i++)
		if (a->v[i] != 1) {
			emit_refuse(e, "a cluster of several blocks");
			return;
		}
}
