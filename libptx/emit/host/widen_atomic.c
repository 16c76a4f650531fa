/* widen_atomic.c - atomic operations and fences.
 *
 * Lanes come one after the other, in order.  Where all meet at one address and
 * the operation on integers is associative, the warp makes one access, and
 * what each lane finds there is computed.  Nobody but this thread sees the
 * block's shared memory: operations on it are plain ones, and lanes that are
 * side by side in it make one vector.
 */
#include "widen_mem.h"

#include <stddef.h>

/* the rest of an operation beside LLVM's number for it */
struct atom_op {
	LLVMAtomicRMWBinOp rmw, scan; /* what combines two lanes' operands */
	const char *reduce;     /* llvm.vector.reduce.NAME */
	bool ones;              /* what changes nothing is all ones, not 0 */
	int top;                /* … but for the top bit: 1 min, -1 max */
};

#define RMW(op) LLVMAtomicRMWBinOp##op

static const struct atom_op ops[] = {
	{ RMW(Add),  RMW(Add),  "add",  false, 0 },
	{ RMW(Sub),  RMW(Add),  "add",  false, 0 },
	{ RMW(And),  RMW(And),  "and",  true,  0 },
	{ RMW(Or),   RMW(Or),   "or",   false, 0 },
	{ RMW(Xor),  RMW(Xor),  "xor",  false, 0 },
	{ RMW(UMax), RMW(UMax), "umax", false, 0 },
	{ RMW(UMin), RMW(UMin), "umin", true,  0 },
	{ RMW(Max),  RMW(Max),  "smax", false, -1 },
	{ RMW(Min),  RMW(Min),  "smin", true,  1 },
};

/* one atomicrmw or cmpxchg */
struct atom {
	struct mem a;
	LLVMAtomicRMWBinOp op;
	LLVMAtomicOrdering order, failed;
	LLVMTypeRef type;       /* of the operand */
	bool shared, used;      /* in the block's memory; is the old value? */
};

static bool
is_used(LLVMValueRef insn)
{
	return LLVMGetFirstUse(insn) != 0;
}

static struct atom
take_apart(struct widen *w, LLVMValueRef insn, LLVMTypeRef type)
{
	struct atom m = { .a = { .p = LLVMGetOperand(insn, 0) } };

	m.type = type;
	m.shared = LLVMGetPointerAddressSpace(LLVMTypeOf(m.a.p)) == SHARED_AS;
	m.used = is_used(insn);
	m.a.type = type;
	m.a.n = 1;
	m.a.size = m.a.align = (unsigned)LLVMStoreSizeOfType(w->layout, type);
	m.a.s = widen_shape(w, m.a.p, 0);
	return m;
}

static const struct atom_op *
associative(LLVMAtomicRMWBinOp rmw)
{
	size_t i;

	for (i = 0; i < sizeof ops / sizeof *ops; i++)
		if (ops[i].rmw == rmw)
			return &ops[i];
	return 0;
}

static LLVMValueRef
choose(struct widen *w, LLVMIntPredicate p, LLVMValueRef x, LLVMValueRef y)
{
	return LLVMBuildSelect(w->b, LLVMBuildICmp(w->b, p, x, y, ""), x, y,
		"");
}

/* an integer constant of v's type */
static LLVMValueRef
constant(struct widen *w, LLVMValueRef v, uint64_t k)
{
	LLVMTypeRef ty;

	ty = LLVMTypeOf(v);
	if (LLVMGetTypeKind(ty) != LLVMVectorTypeKind)
		return LLVMConstInt(ty, k, true);
	return widen_splat(w, LLVMConstInt(LLVMGetElementType(ty), k, true));
}

/* old + 1, but 0 from y on */
static LLVMValueRef
count_up(struct widen *w, LLVMValueRef old, LLVMValueRef y)
{
	return LLVMBuildSelect(w->b, LLVMBuildICmp(w->b, LLVMIntUGE, old, y,
		""), constant(w, old, 0), LLVMBuildAdd(w->b, old,
		constant(w, old, 1), ""), "");
}

/* old - 1, but y from 0 and from above y on */
static LLVMValueRef
count_down(struct widen *w, LLVMValueRef old, LLVMValueRef y)
{
	LLVMValueRef less, wraps;

	less = LLVMBuildSub(w->b, old, constant(w, old, 1), "");
	wraps = LLVMBuildICmp(w->b, LLVMIntUGE, less, y, "");
	return LLVMBuildSelect(w->b, wraps, y, less, "");
}

/* what op leaves of old and y, scalars or vectors; 0: not known here */
static LLVMValueRef
combine(struct widen *w, LLVMAtomicRMWBinOp op, LLVMValueRef old,
	LLVMValueRef y)
{
	switch (op) {
	case RMW(Xchg):
		return y;
	case RMW(Add):
		return LLVMBuildAdd(w->b, old, y, "");
	case RMW(Sub):
		return LLVMBuildSub(w->b, old, y, "");
	case RMW(And):
		return LLVMBuildAnd(w->b, old, y, "");
	case RMW(Or):
		return LLVMBuildOr(w->b, old, y, "");
	case RMW(Xor):
		return LLVMBuildXor(w->b, old, y, "");
	case RMW(Max):
		return choose(w, LLVMIntSGT, old, y);
	case RMW(Min):
		return choose(w, LLVMIntSLT, old, y);
	case RMW(UMax):
		return choose(w, LLVMIntUGT, old, y);
	case RMW(UMin):
		return choose(w, LLVMIntULT, old, y);
	case RMW(FAdd):
		return LLVMBuildFAdd(w->b, old, y, "");
	case RMW(UIncWrap):
		return count_up(w, old, y);
	case RMW(UDecWrap):
		return count_down(w, old, y);
	default:
		return 0;
	}
}

/* the operation of one lane */
static LLVMValueRef
once(struct widen *w, const struct atom *m, LLVMValueRef p, LLVMValueRef y)
{
	LLVMValueRef old;

	if (!m->shared)
		return LLVMBuildAtomicRMW(w->b, m->op, p, y, m->order, false);
	old = LLVMBuildLoad2(w->b, m->type, p, "");
	LLVMBuildStore(w->b, combine(w, m->op, old, y), p);
	return old;
}

/* what leaves every y as it is */
static LLVMValueRef
neutral(struct widen *w, const struct atom_op *op, LLVMTypeRef ty)
{
	uint64_t top;

	(void)w;
	top = (uint64_t)1 << (LLVMGetIntTypeWidth(ty) - 1);
	if (op->top)
		return LLVMConstInt(ty, op->top > 0 ? top - 1 : top, false);
	return op->ones ? LLVMConstAllOnes(ty) : LLVMConstNull(ty);
}

/* lane l gets lane l - by, the first ones fill */
static LLVMValueRef
upwards(struct widen *w, LLVMValueRef v, LLVMValueRef fill, unsigned by)
{
	LLVMValueRef k[LANES];
	unsigned l;

	for (l = 0; l < LANES; l++)
		k[l] = widen_k32(w, l < by ? LANES : l - by);
	return LLVMBuildShuffleVector(w->b, v, fill,
		LLVMConstVector(k, LANES), "");
}

/* y of all lanes before, combined */
static LLVMValueRef
before(struct widen *w, const struct atom_op *op, LLVMValueRef y)
{
	LLVMValueRef fill;
	unsigned by;

	fill = widen_splat(w, neutral(w, op,
		LLVMGetElementType(LLVMTypeOf(y))));
	y = upwards(w, y, fill, 1);
	for (by = 1; by < LANES; by *= 2)
		y = combine(w, op->scan, upwards(w, y, fill, by), y);
	return y;
}

/* y times the number of set bits in mask, an i32 or wide */
static LLVMValueRef
times(struct widen *w, LLVMValueRef y, LLVMValueRef bits)
{
	bits = widen_call1(w, "llvm.ctpop", bits);
	return LLVMBuildMul(w->b, LLVMBuildIntCast2(w->b, bits, LLVMTypeOf(y),
		false, ""), y, "");
}

/* for each lane, the lanes of bits before it */
static LLVMValueRef
lanes_before(struct widen *w, LLVMValueRef bits)
{
	LLVMValueRef k[LANES];
	unsigned l;

	for (l = 0; l < LANES; l++)
		k[l] = widen_k32(w, (1u << l) - 1);
	return LLVMBuildAnd(w->b, widen_splat(w, bits),
		LLVMConstVector(k, LANES), "");
}

/* all lanes add the same */
static void
meet_sum(struct widen *w, struct atom *m, LLVMValueRef insn, LLVMValueRef p)
{
	LLVMValueRef y, bits, old;

	y = widen_scalar(w, LLVMGetOperand(insn, 1), 0);
	bits = widen_bits(w, w->mask);
	old = once(w, m, p, times(w, y, bits));
	if (m->used)
		widen_set_wide(w, insn, 0, combine(w, m->op,
			widen_splat(w, old), times(w, widen_splat(w, y),
			lanes_before(w, bits))));
}

static void
meet(struct widen *w, struct atom *m, LLVMValueRef insn,
	const struct atom_op *op)
{
	LLVMValueRef p, y, none, old;
	char name[40];

	widen_flat_runs(w, &m->a, 1, &p);
	if (op->scan == RMW(Add)
	&& widen_is_uniform(w, LLVMGetOperand(insn, 1), 0)) {
		meet_sum(w, m, insn, p);
		return;
	}
	none = widen_splat(w, neutral(w, op, m->type));
	y = widen_wide(w, LLVMGetOperand(insn, 1), 0);
	y = w->full ? y : LLVMBuildSelect(w->b, w->mask, y, none, "");
	snprintf(name, sizeof name, "llvm.vector.reduce.%s", op->reduce);
	old = once(w, m, p, widen_call1(w, name, y));
	if (m->used)
		widen_set_wide(w, insn, 0, combine(w, m->op,
			widen_splat(w, old), before(w, op, y)));
}

/* All lanes add floats to one: each addition rounds, so they come in turn,
 * starting from old (an integer, as cmpxchg compares).  Gives what is to be
 * there then; d, if not 0, gets what each lane found. */
static LLVMValueRef
in_turn(struct widen *w, const struct atom *m, LLVMValueRef old,
	LLVMValueRef y, LLVMValueRef d)
{
	struct widen_loop each;
	LLVMValueRef sum, found;

	sum = widen_slot(w, m->type, "sum");
	LLVMBuildStore(w->b, LLVMBuildBitCast(w->b, old, m->type, ""), sum);
	widen_each(w, &each, widen_bits(w, w->mask));
	found = LLVMBuildLoad2(w->b, m->type, sum, "");
	if (d)
		widen_respill(w, m->type, d, each.lane, found);
	LLVMBuildStore(w->b, combine(w, m->op, found,
		widen_spilt(w, m->type, y, each.lane)), sum);
	widen_endeach(w, &each);
	return LLVMBuildBitCast(w->b, LLVMBuildLoad2(w->b, m->type, sum, ""),
		LLVMTypeOf(old), "");
}

/* the same until nobody came between; old is a first guess */
static void
in_turn_atomically(struct widen *w, const struct atom *m, LLVMValueRef p,
	LLVMValueRef guess, LLVMValueRef y, LLVMValueRef d)
{
	LLVMBasicBlockRef from, again, done;
	LLVMValueRef old, now;

	from = LLVMGetInsertBlock(w->b);
	again = widen_new_block(w, "again");
	done = widen_new_block(w, "");
	LLVMBuildBr(w->b, again);
	LLVMPositionBuilderAtEnd(w->b, again);
	old = LLVMBuildPhi(w->b, LLVMTypeOf(guess), "");
	LLVMAddIncoming(old, &guess, &from, 1);
	now = LLVMBuildAtomicCmpXchg(w->b, p, old, in_turn(w, m, old, y, d),
		m->order, LLVMAtomicOrderingMonotonic, false);
	guess = LLVMBuildExtractValue(w->b, now, 0, "");
	LLVMBuildCondBr(w->b, LLVMBuildExtractValue(w->b, now, 1, ""), done,
		again);
	from = LLVMGetInsertBlock(w->b);
	LLVMAddIncoming(old, &guess, &from, 1);
	LLVMPositionBuilderAtEnd(w->b, done);
}

static void
meet_float(struct widen *w, const struct atom *m, LLVMValueRef insn)
{
	LLVMValueRef p, y, d, old;

	widen_flat_runs(w, &m->a, 1, &p);
	y = widen_spill(w, m->type, widen_wide(w, LLVMGetOperand(insn, 1),
		0));
	d = m->used ? widen_spill(w, m->type, 0) : 0;
	old = LLVMBuildLoad2(w->b, LLVMIntTypeInContext(w->c,
		8 * m->a.size), p, "");
	LLVMSetAlignment(old, m->a.align);
	if (m->shared) {
		LLVMBuildStore(w->b, in_turn(w, m, old, y, d), p);
	} else {
		LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
		in_turn_atomically(w, m, p, old, y, d);
	}
	if (d)
		widen_set_wide(w, insn, 0, widen_unspill(w, m->type, d));
}

/* lanes at addresses that differ, side by side in shared memory */
static bool
is_side_by_side(const struct atom *m)
{
	return m->shared && widen_is_vector(&m->a) && !m->a.s.maybe
		&& m->a.s.seg == 1;
}

static void
side_by_side(struct widen *w, const struct atom *m, LLVMValueRef insn)
{
	LLVMValueRef old, now;

	widen_mem_load(w, &m->a, &old);
	now = combine(w, m->op, old, widen_wide(w, LLVMGetOperand(insn, 1),
		0));
	widen_mem_store(w, &m->a, &now);
	if (m->used)
		widen_set_wide(w, insn, 0, old);
}

static void
one_by_one(struct widen *w, const struct atom *m, LLVMValueRef insn)
{
	struct widen_loop each;
	LLVMValueRef p, y, d, value;

	p = widen_spill_p(w, &m->a);
	value = LLVMGetOperand(insn, 1);
	y = widen_is_uniform(w, value, 0) ? 0
		: widen_spill(w, m->type, widen_wide(w, value, 0));
	d = m->used ? widen_spill(w, m->type, 0) : 0;
	value = y ? 0 : widen_scalar(w, value, 0);
	widen_each(w, &each, widen_bits(w, w->mask));
	if (y)
		value = widen_spilt(w, m->type, y, each.lane);
	value = once(w, m, widen_spilt_p(w, &m->a, p, each.lane), value);
	if (d)
		widen_respill(w, m->type, d, each.lane, value);
	widen_endeach(w, &each);
	if (d)
		widen_set_wide(w, insn, 0, widen_unspill(w, m->type, d));
}

void
widen_atomic(struct widen *w, LLVMValueRef insn)
{
	const struct atom_op *op;
	struct atom m;

	m = take_apart(w, insn, LLVMTypeOf(insn));
	m.op = LLVMGetAtomicRMWBinOp(insn);
	m.order = LLVMGetOrdering(insn);
	if (!combine(w, m.op, LLVMGetUndef(m.type), LLVMGetUndef(m.type))) {
		widen_refuse(w, insn, "no such atomic operation");
		return;
	}
	widen_aligned(w, &m.a);
	op = associative(m.op);
	if (op && m.a.s.seg == 1 && !m.a.s.stride)
		meet(w, &m, insn, op);
	else if (m.op == RMW(FAdd) && m.a.s.seg == 1 && !m.a.s.stride)
		meet_float(w, &m, insn);
	else if (is_side_by_side(&m))
		side_by_side(w, &m, insn);
	else
		one_by_one(w, &m, insn);
}

/* compare and swap of one lane: what was there, *done (i1) */
static LLVMValueRef
swap(struct widen *w, const struct atom *m, LLVMValueRef p, LLVMValueRef old,
	LLVMValueRef y, LLVMValueRef *done)
{
	LLVMValueRef d;

	if (!m->shared) {
		d = LLVMBuildAtomicCmpXchg(w->b, p, old, y, m->order,
			m->failed, false);
		*done = LLVMBuildExtractValue(w->b, d, 1, "");
		return LLVMBuildExtractValue(w->b, d, 0, "");
	}
	d = LLVMBuildLoad2(w->b, m->type, p, "");
	*done = LLVMBuildICmp(w->b, LLVMIntEQ, d, old, "");
	LLVMBuildStore(w->b, LLVMBuildSelect(w->b, *done, y, d, ""), p);
	return d;
}

void
widen_swap(struct widen *w, LLVMValueRef insn)
{
	struct widen_loop each;
	struct atom m;
	LLVMValueRef p, x[2], d, done, was, bit;
	unsigned k;

	m = take_apart(w, insn, LLVMTypeOf(LLVMGetOperand(insn, 1)));
	m.order = LLVMGetCmpXchgSuccessOrdering(insn);
	m.failed = LLVMGetCmpXchgFailureOrdering(insn);
	widen_aligned(w, &m.a);
	p = widen_spill_p(w, &m.a);
	for (k = 0; k < 2; k++)
		x[k] = widen_spill(w, m.type, widen_wide(w,
			LLVMGetOperand(insn, 1 + k), 0));
	d = widen_spill(w, m.type, 0);
	done = widen_spill(w, w->i8, 0);
	widen_each(w, &each, widen_bits(w, w->mask));
	was = swap(w, &m, widen_spilt_p(w, &m.a, p, each.lane),
		widen_spilt(w, m.type, x[0], each.lane),
		widen_spilt(w, m.type, x[1], each.lane), &bit);
	widen_respill(w, m.type, d, each.lane, was);
	widen_respill(w, w->i8, done, each.lane, LLVMBuildZExt(w->b, bit,
		w->i8, ""));
	widen_endeach(w, &each);
	widen_set_wide(w, insn, 0, widen_unspill(w, m.type, d));
	widen_set_wide(w, insn, 1, LLVMBuildTrunc(w->b, widen_unspill(w,
		w->i8, done), w->mask_type, ""));
}

/* one for all lanes, which are one thread here */
void
widen_fence(struct widen *w, LLVMValueRef insn)
{
	LLVMInsertIntoBuilder(w->b, LLVMInstructionClone(insn));
}
