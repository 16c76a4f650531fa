/* widen_local.c - local memory: what a thread's function allocates.
 *
 * Each lane has its copy, whole and in one place, so that a pointer to it
 * works everywhere: the address grows by the copy's size from lane to lane.
 * A variable that only loads and stores reach, and these in its own function,
 * is interleaved instead: granules, as large as its smallest element, lie
 * lane by lane.  Then one offset in all lanes is a vector.  Its pointers are
 * computed as if it were not; an access takes the offset out of them again.
 */
#include "widen_mem.h"

#include <string.h>

enum { ALIGN_LOG2 = 6 };        /* of all lanes' copies together, at least */

/* bytes from lane to lane */
static uint64_t
copy_size(struct widen *w, LLVMValueRef local)
{
	uint64_t size, align;

	size = LLVMStoreSizeOfType(w->layout, LLVMGetAllocatedType(local))
		* LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0));
	align = LLVMGetAlignment(local) > 8 ? LLVMGetAlignment(local) : 8;
	return (size + align - 1) & -align;
}

/* does it come anew each time it is passed, or in a size found then? */
static bool
is_dynamic(LLVMValueRef local)
{
	LLVMBasicBlockRef block;

	block = LLVMGetInstructionParent(local);
	return !LLVMIsAConstantInt(LLVMGetOperand(local, 0))
		|| block != LLVMGetEntryBasicBlock(
			LLVMGetBasicBlockParent(block));
}

struct shape
shape_alloca(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	if (is_dynamic(insn))
		return VARYING;
	return (struct shape){ .seg = 1, .zeros = ALIGN_LOG2,
		.stride = (int64_t)copy_size(w, insn) };
}

/* the largest size that a lane here asks for, as an i64 multiple of align */
static LLVMValueRef
largest(struct widen *w, LLVMValueRef insn, unsigned align)
{
	LLVMTypeRef ty;
	LLVMValueRef n, size;

	n = LLVMGetOperand(insn, 0);
	if (widen_is_uniform(w, n, 0)) {
		size = widen_scalar(w, n, 0);
	} else {
		n = widen_wide(w, n, 0);
		n = LLVMBuildSelect(w->b, w->mask, n,
			LLVMConstNull(LLVMTypeOf(n)), "");
		size = widen_call1(w, "llvm.vector.reduce.umax", n);
	}
	size = LLVMBuildZExtOrBitCast(w->b, size, w->i64, "");
	ty = LLVMGetAllocatedType(insn);
	size = LLVMBuildMul(w->b, size, widen_k64(w,
		LLVMStoreSizeOfType(w->layout, ty)), "");
	size = LLVMBuildAdd(w->b, size, widen_k64(w, align - 1), "");
	return LLVMBuildAnd(w->b, size, widen_k64(w, -(uint64_t)align), "");
}

static void
dynamic(struct widen *w, LLVMValueRef insn)
{
	LLVMTypeRef wide;
	LLVMValueRef p, size, all;
	unsigned align;

	align = LLVMGetAlignment(insn) > 16 ? LLVMGetAlignment(insn) : 16;
	size = largest(w, insn, align);
	all = LLVMBuildMul(w->b, size, widen_k64(w, LANES), "");
	p = LLVMBuildArrayAlloca(w->b, w->i8, all, "");
	LLVMSetAlignment(p, align);
	wide = widen_wide_type(w->i64);
	size = LLVMBuildMul(w->b, widen_splat(w, size),
		LLVMBuildBitCast(w->b, widen_steps(w, w->i64, 1), wide, ""),
		"");
	widen_set_wide(w, insn, 0, LLVMBuildGEP2(w->b, w->i8, p, &size, 1,
		""));
}

void
widen_alloca(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef p;
	uint64_t size;

	if (is_dynamic(insn)) {
		dynamic(w, insn);
		return;
	}
	size = copy_size(w, insn);
	w->local += size;
	p = widen_slot(w, LLVMArrayType2(w->i8, size * LANES), "local");
	LLVMSetAlignment(p, LLVMGetAlignment(insn) > 1 << ALIGN_LOG2
		? LLVMGetAlignment(insn) : 1 << ALIGN_LOG2);
	widen_set_runs(w, insn, 0, shape_alloca(w, insn, 0), &p);
}

/* the variable that p is an address in, found through what adds to it */
static LLVMValueRef
variable(LLVMValueRef p)
{
	while (LLVMIsAGetElementPtrInst(p))
		p = LLVMGetOperand(p, 0);
	return LLVMIsAAllocaInst(p) && !is_dynamic(p) ? p : 0;
}

/* bytes of the element that insn accesses at p; 0: p is used otherwise */
static unsigned
accessed(struct widen *w, LLVMValueRef insn, LLVMValueRef p)
{
	LLVMTypeRef ty, part;
	unsigned size;

	if (LLVMIsALoadInst(insn))
		ty = LLVMTypeOf(insn);
	else if (LLVMIsAStoreInst(insn) && LLVMGetOperand(insn, 0) != p)
		ty = LLVMTypeOf(LLVMGetOperand(insn, 0));
	else
		return 0;
	part = widen_part_type(w, ty, 0);
	size = (unsigned)LLVMStoreSizeOfType(w->layout, part);
	return size > 8 ? 8 : size;
}

static bool
is_lifetime(LLVMValueRef insn)
{
	const char *name;
	size_t n;

	if (!LLVMIsACallInst(insn))
		return false;
	name = LLVMGetValueName2(LLVMGetCalledValue(insn), &n);
	return !strncmp(name, "llvm.lifetime.", 14);
}

/* the smallest element at p and at what is computed from it, if that is
 * below least; 0: there are other uses */
static unsigned
smallest(struct widen *w, LLVMValueRef p, unsigned least)
{
	LLVMUseRef use;
	LLVMValueRef insn;
	unsigned size;

	for (use = LLVMGetFirstUse(p); use && least;
	use = LLVMGetNextUse(use)) {
		insn = LLVMGetUser(use);
		if (is_lifetime(insn))
			continue;
		if (LLVMIsAGetElementPtrInst(insn)
		&& LLVMGetOperand(insn, 0) == p) {
			least = smallest(w, insn, least);
			continue;
		}
		size = accessed(w, insn, p);
		if (size < least)
			least = size;
	}
	return least;
}

static unsigned
metadata_kind(struct widen *w)
{
	static const char kind[] = "ptx.granule";

	return LLVMGetMDKindIDInContext(w->c, kind, sizeof kind - 1);
}

/* bytes of a granule of local variable v; 0: each lane's copy is whole.  It is
 * noted with v. */
static unsigned
granule(struct widen *w, LLVMValueRef v)
{
	LLVMMetadataRef md;
	LLVMValueRef n;
	unsigned size;

	n = LLVMGetMetadata(v, metadata_kind(w));
	if (n)
		return (unsigned)LLVMConstIntGetZExtValue(
			LLVMGetOperand(n, 0));
	size = smallest(w, v, 8);
	md = LLVMValueAsMetadata(widen_k32(w, size));
	md = LLVMMDNodeInContext2(w->c, &md, 1);
	LLVMSetMetadata(v, metadata_kind(w), LLVMMetadataAsValue(w->c, md));
	return size;
}

/* the offset in the lane's copy: an i64, or a wide one if *uniform is not */
static LLVMValueRef
offset(struct widen *w, const struct mem *a, LLVMValueRef v, bool *uniform)
{
	LLVMValueRef base, p, own;

	widen_runs(w, v, 0, 1, &base);
	base = LLVMBuildPtrToInt(w->b, base, w->i64, "");
	*uniform = a->s.seg == 1 && !a->s.maybe
		&& a->s.stride == (int64_t)copy_size(w, v);
	if (*uniform) {
		widen_runs(w, a->p, 0, 1, &p);
		return LLVMBuildSub(w->b, LLVMBuildPtrToInt(w->b, p, w->i64,
			""), base, "");
	}
	p = LLVMBuildPtrToInt(w->b, widen_wide(w, a->p, 0),
		widen_wide_type(w->i64), "");
	own = LLVMBuildAdd(w->b, widen_splat(w, base), widen_steps(w, w->i64,
		(int64_t)copy_size(w, v)), "");
	return LLVMBuildSub(w->b, p, own, "");
}

/* where the granules of an access begin */
struct granules {
	struct mem one;      /* of one of them */
	LLVMValueRef first;     /* the flat pointer, as one.flat */
	unsigned q;             /* in an element */
};

static bool
find(struct widen *w, const struct mem *a, struct granules *g)
{
	LLVMValueRef v, base, off;
	unsigned size;
	bool uniform;

	v = a->p ? variable(a->p) : 0;
	size = v ? granule(w, v) : 0;
	if (!size)
		return false;
	off = offset(w, a, v, &uniform);
	widen_runs(w, v, 0, 1, &base);
	g->q = a->size / size;
	g->one = *a;
	g->one.n = 1;
	g->one.size = g->one.align = size;
	g->one.type = g->q > 1 ? LLVMIntTypeInContext(w->c, 8 * size)
		: a->type;
	g->one.s = uniform ? (struct shape){ .seg = 1, .stride = size }
		: VARYING;
	if (!uniform)
		off = LLVMBuildAdd(w->b, LLVMBuildMul(w->b, off,
			widen_splat(w, widen_k64(w, LANES)), ""),
			widen_steps(w, w->i64, size), "");
	else
		off = LLVMBuildMul(w->b, off, widen_k64(w, LANES), "");
	g->first = LLVMBuildGEP2(w->b, w->i8, base, &off, 1, "");
	return true;
}

/* granule k of the access */
static struct mem
at(struct widen *w, const struct granules *g, unsigned k)
{
	struct mem one = g->one;
	LLVMValueRef off;

	off = widen_k64(w, (uint64_t)k * one.size * LANES);
	one.flat = k ? LLVMBuildGEP2(w->b, w->i8, g->first, &off, 1, "")
		: g->first;
	return one;
}

bool
widen_local_load(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	struct granules g;
	struct mem one;
	LLVMValueRef piece[8];
	unsigned k, j;

	if (!find(w, a, &g))
		return false;
	for (k = 0; k < a->n; k++) {
		for (j = 0; j < g.q; j++) {
			one = at(w, &g, k * g.q + j);
			widen_mem_load(w, &one, &piece[j]);
		}
		v[k] = g.q == 1 ? piece[0] : LLVMBuildBitCast(w->b,
			widen_merge(w, piece, g.q), widen_wide_type(a->type),
			"");
	}
	return true;
}

bool
widen_local_store(struct widen *w, const struct mem *a,
	const LLVMValueRef *v)
{
	struct granules g;
	struct mem one;
	LLVMValueRef piece[8];
	unsigned k, j;

	if (!find(w, a, &g))
		return false;
	for (k = 0; k < a->n; k++) {
		if (g.q == 1)
			piece[0] = v[k];
		else
			widen_split(w, v[k], g.one.type, g.q, piece);
		for (j = 0; j < g.q; j++) {
			one = at(w, &g, k * g.q + j);
			widen_mem_store(w, &one, &piece[j]);
		}
	}
	return true;
}

/* The stack's top is one for all lanes.  It goes down only where no lane can
 * be elsewhere, with something on the stack. */
void
widen_stack_save(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, widen_intrinsic(w, "llvm.stacksave",
		&w->ptr, 1, 0, 0));
}

void
widen_stack_restore(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef p;

	p = LLVMGetOperand(insn, 0);
	if ((w->full || w->whole) && !w->dispatched
	&& widen_is_uniform(w, p, 0))
		widen_call1(w, "llvm.stackrestore", widen_scalar(w, p, 0));
}
