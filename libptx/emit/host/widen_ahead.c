/* widen_ahead.c - prefetches for loops with long steps.
 *
 * A loop over an array whose step is as wide as the grid touches another page
 * each time, where the processor's own prefetchers do not follow.  Where an
 * address is made of a loop's counter that grows by what is the same in all
 * lanes, and is not a small constant, what later rounds will read is fetched.
 * Addresses here are guesses, and a wrong one does no harm.
 */
#include "widen_int.h"
#include "widen_mem.h"

enum {
	ROUNDS = 8,             /* how far ahead */
	LINE = 64,              /* bytes */
	LINES = 4,              /* of one access, at most */
	NEAR = 2048,            /* the processor sees smaller steps itself */
	DEPTH = 12,             /* of what an address is computed from */
};

/* how a value grows from round to round of a loop: constant + scale * step,
 * as 64 bits; step 0: only by the constant */
struct growth {
	LLVMValueRef counter;   /* the phi; 0: it does not grow */
	LLVMValueRef step;
	int64_t constant, scale;
};

static struct growth growth(struct widen *, LLVMValueRef v, unsigned depth);

static struct growth
scaled(struct growth g, int64_t by)
{
	g.constant *= by;
	g.scale *= by;
	return g;
}

/* one of which grows, or neither; of two the inner loop counts */
static struct growth
sum(struct widen *w, struct growth a, struct growth b)
{
	if (!a.counter)
		return b;
	if (!b.counter)
		return a;
	return widen_value(w, a.counter)->home->order
		> widen_value(w, b.counter)->home->order ? a : b;
}

/* adds v, a step, to g; false: there are two different ones */
static bool
add_step(struct growth *g, LLVMValueRef v, int64_t by)
{
	if (LLVMIsAConstantInt(v)) {
		g->constant += LLVMConstIntGetSExtValue(v) * by;
		return true;
	}
	if (g->step && g->step != v)
		return false;
	g->step = v;
	g->scale += by;
	return true;
}

/* is v computed before the loop that begins at head, the same in all lanes? */
static bool
is_step(struct widen *w, LLVMValueRef v, const struct widen_block *head)
{
	const struct widen_block *home;

	if (LLVMIsAConstantInt(v))
		return true;
	if (!widen_is_uniform(w, v, 0) || LLVMIsConstant(v))
		return false;
	home = widen_value(w, v)->home;
	return !home || home->order < head->order;
}

/* v is phi with steps added to it */
static bool
chain(struct widen *w, LLVMValueRef v, LLVMValueRef phi, struct growth *g)
{
	const struct widen_block *head = widen_value(w, phi)->home;
	LLVMValueRef a, b;
	unsigned depth;
	int64_t size;

	for (depth = 0; v != phi && depth < DEPTH; depth++) {
		if (LLVMIsAGetElementPtrInst(v)
		&& LLVMGetNumOperands(v) == 2)
			size = (int64_t)LLVMABISizeOfType(w->layout,
				LLVMGetGEPSourceElementType(v));
		else if (LLVMIsABinaryOperator(v)
		&& LLVMGetInstructionOpcode(v) == LLVMAdd)
			size = 1;
		else
			return false;
		a = LLVMGetOperand(v, 0);
		b = LLVMGetOperand(v, 1);
		if (!is_step(w, b, head) || !add_step(g, b, size))
			return false;
		v = a;
	}
	return v == phi;
}

static struct growth
of_phi(struct widen *w, LLVMValueRef phi)
{
	static const struct growth none;
	struct growth g;
	unsigned k, n = LLVMCountIncoming(phi);

	for (k = 0; k < n; k++) {
		g = none;
		g.counter = phi;
		if (chain(w, LLVMGetIncomingValue(phi, k), phi, &g)
		&& (g.step || g.constant))
			return g;
	}
	return none;
}

static struct growth
of_gep(struct widen *w, LLVMValueRef v, unsigned depth)
{
	static const struct growth none;
	struct growth base, index;

	if (LLVMGetNumOperands(v) != 2)
		return none;
	base = growth(w, LLVMGetOperand(v, 0), depth);
	index = growth(w, LLVMGetOperand(v, 1), depth);
	return sum(w, base, scaled(index, (int64_t)LLVMABISizeOfType(
		w->layout, LLVMGetGEPSourceElementType(v))));
}

static struct growth
of_binary(struct widen *w, LLVMValueRef v, unsigned depth)
{
	static const struct growth none;
	LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
	int64_t c = LLVMIsAConstantInt(b)
		&& LLVMGetIntTypeWidth(LLVMTypeOf(b)) <= 64
		? LLVMConstIntGetSExtValue(b) : 0;

	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMAdd:
	case LLVMOr:
		return sum(w, growth(w, a, depth), growth(w, b, depth));
	case LLVMSub:
		return growth(w, a, depth);
	case LLVMShl:
		return c < 0 || c > 32 ? none
			: scaled(growth(w, a, depth), INT64_C(1) << c);
	case LLVMMul:
		return c ? scaled(growth(w, a, depth), c) : none;
	default:
		return none;
	}
}

static struct growth
growth(struct widen *w, LLVMValueRef v, unsigned depth)
{
	static const struct growth none;

	if (!depth-- || !LLVMIsAInstruction(v)
	|| LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
		return none;
	if (LLVMIsAPHINode(v))
		return of_phi(w, v);
	if (LLVMIsAGetElementPtrInst(v))
		return of_gep(w, v, depth);
	if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v) || LLVMIsAIntToPtrInst(v)
	|| LLVMIsAPtrToIntInst(v))
		return growth(w, LLVMGetOperand(v, 0), depth);
	if (LLVMIsABinaryOperator(v))
		return of_binary(w, v, depth);
	return none;
}

/* bytes from what is read now to what is fetched */
static LLVMValueRef
distance(struct widen *w, struct growth g)
{
	LLVMValueRef d;

	d = widen_scalar(w, g.step, 0);
	d = LLVMBuildIntCast2(w->b, d, w->i64, true, "");
	d = LLVMBuildMul(w->b, d, widen_k64(w, (uint64_t)(g.scale * ROUNDS)),
		"");
	return LLVMBuildAdd(w->b, d, widen_k64(w, (uint64_t)(g.constant
		* ROUNDS)), "");
}

static void
fetch(struct widen *w, LLVMValueRef p)
{
	LLVMValueRef arg[4];

	arg[0] = p;
	arg[1] = widen_k32(w, 0); /* to read */
	arg[2] = widen_k32(w, 3); /* into all caches */
	arg[3] = widen_k32(w, 1); /* data */
	widen_intrinsic(w, "llvm.prefetch", &w->ptr, 1, arg, 4);
}

/* how many bytes the lanes of a run span */
static uint64_t
span(const struct mem *a)
{
	int64_t stride = a->s.stride < 0 ? -a->s.stride : a->s.stride;

	return (uint64_t)stride * (LANES / a->s.seg - 1) + a->n * a->size;
}

void
widen_ahead(struct widen *w, const struct mem *a)
{
	LLVMValueRef run[RUNS], off, p;
	struct growth g;
	unsigned r;
	uint64_t at;

	if (!a->s.seg || span(a) * a->s.seg > LINES * LINE
	|| LLVMGetPointerAddressSpace(LLVMTypeOf(a->p)) != 0)
		return;
	g = growth(w, a->p, DEPTH);
	if (!g.counter || (!g.step && g.constant < NEAR
	&& g.constant > -NEAR))
		return;
	off = g.step ? distance(w, g)
		: widen_k64(w, (uint64_t)g.constant * ROUNDS);
	widen_flat_runs(w, a, a->s.seg, run);
	for (r = 0; r < a->s.seg; r++) {
		p = LLVMBuildGEP2(w->b, w->i8, run[r], &off, 1, "");
		for (at = 0; at < span(a); at += LINE)
			fetch(w, widen_beside(w, p, at));
	}
}
