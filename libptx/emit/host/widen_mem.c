/* widen_mem.c - loads and stores.
 *
 * What is at one address for all lanes is one scalar access; lanes side by
 * side are vectors, if need be after a test at run time that the lanes are all
 * here and that no index wrapped; otherwise each lane has its own access,
 * together in a gather or one after the other.  Lanes that are not here touch
 * no memory.  That at least one lane is here, widen.c takes care of.
 *
 * Accesses with an order are relaxed ones with fences, and like volatile ones
 * stay where they are, one a lane.  A vector access is one of each element on
 * all processors there are.
 */
#include "widen_mem.h"

/* is p's memory read as it was when the kernel began? */
static bool
is_invariant(struct widen *w, LLVMValueRef insn)
{
	static const char kind[] = "invariant.load";

	return LLVMIsALoadInst(insn) && LLVMGetMetadata(insn,
		LLVMGetMDKindIDInContext(w->c, kind, sizeof kind - 1));
}

static bool
is_still(struct shape s)
{
	return s.seg && !s.stride && !s.maybe;
}

struct shape
shape_load(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape s;

	(void)part;
	s = widen_shape(w, LLVMGetOperand(insn, 0), 0);
	if (!is_still(s))
		return VARYING;
	s.zeros = 0;
	return s;
}

/* how a part of that type stands in memory: as *per elements of the type
 * that is returned */
static LLVMTypeRef
element(struct widen *w, LLVMTypeRef part, unsigned *per)
{
	LLVMTypeKind kind;
	unsigned size;

	size = (unsigned)LLVMStoreSizeOfType(w->layout, part);
	*per = size > 8 ? size / 8 : 1;
	kind = LLVMGetTypeKind(part);
	if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
		return part;
	return LLVMIntTypeInContext(w->c, 8 * size / *per);
}

/* a as insn, which moves a value of type, accesses memory.  The type is one
 * whose parts are of one type, side by side. */
static bool
take_apart(struct widen *w, struct mem *a, LLVMValueRef insn,
	LLVMTypeRef type, LLVMValueRef p)
{
	static const struct mem none;
	LLVMAtomicOrdering order;
	LLVMTypeRef part;
	unsigned per, n;

	*a = none;
	n = widen_parts(w, type);
	part = widen_part_type(w, type, 0);
	a->type = element(w, part, &per);
	a->size = (unsigned)LLVMStoreSizeOfType(w->layout, a->type);
	a->n = n * per;
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind || a->n > ELEMENTS
	|| a->n * a->size != LLVMStoreSizeOfType(w->layout, type)
	|| (a->size & (a->size - 1))) {
		widen_refuse(w, insn, "a value of %u parts in memory", n);
		return false;
	}
	a->p = p;
	a->align = LLVMGetAlignment(insn);
	a->invariant = is_invariant(w, insn);
	order = LLVMGetOrdering(insn);
	a->atomic = order != LLVMAtomicOrderingNotAtomic;
	a->is_volatile = a->atomic || LLVMGetVolatile(insn);
	a->s = widen_shape(w, p, 0);
	return true;
}

static LLVMTypeRef
like(LLVMValueRef v, LLVMTypeRef ty)
{
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
		return widen_wide_type(ty);
	return ty;
}

/* bits of v, scalar or wide, as a to */
static LLVMValueRef
convert(struct widen *w, LLVMValueRef v, LLVMTypeRef to)
{
	LLVMTypeKind is;
	LLVMTypeRef from;

	is = LLVMGetTypeKind(to);
	from = LLVMTypeOf(v);
	to = like(v, to);
	if (from == to)
		return v;
	if (LLVMGetTypeKind(from) == LLVMVectorTypeKind)
		from = LLVMGetElementType(from);
	if (is == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(w->b, v, to, "");
	if (LLVMGetTypeKind(from) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(w->b, v, to, "");
	if (is == LLVMIntegerTypeKind
	&& LLVMGetTypeKind(from) == LLVMIntegerTypeKind)
		return LLVMBuildZExtOrBitCast(w->b, v, to, "");
	return LLVMBuildBitCast(w->b, v, to, "");
}

/* the part made of elements v[0], v[1] … */
static LLVMValueRef
to_part(struct widen *w, const LLVMValueRef *v, LLVMTypeRef part)
{
	LLVMTypeRef wide;
	LLVMValueRef d, by;
	unsigned per, k;

	element(w, part, &per);
	if (per == 1 && LLVMGetTypeKind(part) == LLVMIntegerTypeKind)
		return LLVMBuildTruncOrBitCast(w->b, v[0], like(v[0], part),
			"");
	if (per == 1)
		return convert(w, v[0], part);
	wide = like(v[0], LLVMIntTypeInContext(w->c, 64 * per));
	d = LLVMBuildZExt(w->b, v[0], wide, "");
	for (k = 1; k < per; k++) {
		by = LLVMConstInt(LLVMIntTypeInContext(w->c, 64 * per),
			64 * k, false);
		if (LLVMGetTypeKind(wide) == LLVMVectorTypeKind)
			by = widen_splat(w, by);
		d = LLVMBuildOr(w->b, d, LLVMBuildShl(w->b, LLVMBuildZExt(w->b,
			v[k], wide, ""), by, ""), "");
	}
	return convert(w, d, part);
}

/* and back */
static void
from_part(struct widen *w, LLVMValueRef part, LLVMTypeRef type,
	LLVMValueRef *v)
{
	LLVMTypeRef ty, whole;
	LLVMValueRef by;
	unsigned per, k;

	ty = LLVMTypeOf(part);
	if (LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
		ty = LLVMGetElementType(ty);
	element(w, ty, &per);
	if (per == 1) {
		v[0] = convert(w, part, type);
		return;
	}
	whole = LLVMIntTypeInContext(w->c, 64 * per);
	part = convert(w, part, whole);
	for (k = 0; k < per; k++) {
		by = LLVMConstInt(whole, 64 * k, false);
		if (LLVMGetTypeKind(LLVMTypeOf(part)) == LLVMVectorTypeKind)
			by = widen_splat(w, by);
		v[k] = LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, part, by, ""),
			like(part, type), "");
	}
}

/* the access of one address by scalar code */
static void
mark(struct widen *w, const struct mem *a, LLVMValueRef v, unsigned k)
{
	static const char kind[] = "invariant.load";
	unsigned align, off;

	off = k * a->size;
	align = off ? off & -off : a->align;
	LLVMSetAlignment(v, align < a->align ? align : a->align);
	LLVMSetVolatile(v, a->is_volatile);
	if (a->atomic)
		LLVMSetOrdering(v, LLVMAtomicOrderingMonotonic);
	if (a->invariant)
		LLVMSetMetadata(v, LLVMGetMDKindIDInContext(w->c, kind,
			sizeof kind - 1), LLVMMetadataAsValue(w->c,
			LLVMMDNodeInContext2(w->c, 0, 0)));
}

static void
load_here(struct widen *w, const struct mem *a, LLVMValueRef p,
	LLVMValueRef *v)
{
	unsigned k;

	for (k = 0; k < a->n; k++) {
		v[k] = LLVMBuildLoad2(w->b, a->type,
			widen_beside(w, p, k * a->size), "");
		mark(w, a, v[k], k);
	}
}

/* a run of which no lane is here reads what another one reads */
static void
read_where_here(struct widen *w, const struct mem *a, LLVMValueRef *run)
{
	LLVMValueRef here[RUNS], some;
	unsigned r, seg;

	seg = a->s.seg;
	if (seg == 1 || w->full)
		return;
	some = run[seg - 1];
	for (r = seg; r-- > 0;) {
		here[r] = widen_run_here(w, r, seg);
		some = LLVMBuildSelect(w->b, here[r], run[r], some, "");
	}
	for (r = 0; r < seg; r++)
		run[r] = LLVMBuildSelect(w->b, here[r], run[r], some, "");
}

/* one scalar load a run */
static void
load_still(struct widen *w, const struct mem *a, LLVMValueRef insn)
{
	LLVMTypeRef part;
	LLVMValueRef run[RUNS], v[RUNS][ELEMENTS], d[RUNS];
	unsigned r, k, per, n;

	widen_flat_runs(w, a, a->s.seg, run);
	read_where_here(w, a, run);
	for (r = 0; r < a->s.seg; r++)
		load_here(w, a, run[r], v[r]);
	n = widen_parts(w, LLVMTypeOf(insn));
	per = a->n / n;
	for (k = 0; k < n; k++) {
		part = widen_part_type(w, LLVMTypeOf(insn), k);
		for (r = 0; r < a->s.seg; r++)
			d[r] = to_part(w, v[r] + k * per, part);
		widen_set_runs(w, insn, k, (struct shape){ .seg = a->s.seg },
			d);
	}
}

/* i1: may this be done by vectors? 0: certainly */
static LLVMValueRef
vector_here(struct widen *w, const struct mem *a)
{
	LLVMValueRef here, exact;

	here = widen_needs_all(w, a) ? widen_all(w, w->mask) : 0;
	if (!a->s.maybe)
		return here;
	exact = widen_exact(w, a->p, 0);
	return here ? LLVMBuildAnd(w->b, here, exact, "") : exact;
}

/* the two ways where the code has to look which one it is */
struct ways {
	LLVMBasicBlockRef other, end, from[2];
};

static void
begin(struct widen *w, struct ways *f, LLVMValueRef is_vector)
{
	f->from[0] = widen_new_block(w, "vector");
	f->other = widen_new_block(w, "lanes");
	f->end = widen_new_block(w, "");
	LLVMBuildCondBr(w->b, is_vector, f->from[0], f->other);
	LLVMPositionBuilderAtEnd(w->b, f->from[0]);
}

static void
otherwise(struct widen *w, struct ways *f)
{
	f->from[0] = LLVMGetInsertBlock(w->b);
	LLVMBuildBr(w->b, f->end);
	LLVMPositionBuilderAtEnd(w->b, f->other);
}

static void
end(struct widen *w, struct ways *f)
{
	f->from[1] = LLVMGetInsertBlock(w->b);
	LLVMBuildBr(w->b, f->end);
	LLVMPositionBuilderAtEnd(w->b, f->end);
}

void
widen_mem_load(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	struct ways f;
	LLVMValueRef here, other[ELEMENTS], both[2], d;
	unsigned k;

	if (!widen_is_vector(a)) {
		widen_lanes_load(w, a, v);
		return;
	}
	here = vector_here(w, a);
	if (!here) {
		widen_vector_load(w, a, v);
		return;
	}
	begin(w, &f, here);
	widen_vector_load(w, a, v);
	otherwise(w, &f);
	widen_lanes_load(w, a, other);
	end(w, &f);
	for (k = 0; k < a->n; k++) {
		both[0] = v[k];
		both[1] = other[k];
		d = LLVMBuildPhi(w->b, LLVMTypeOf(v[k]), "");
		LLVMAddIncoming(d, both, f.from, 2);
		v[k] = d;
	}
}

void
widen_mem_store(struct widen *w, const struct mem *a, const LLVMValueRef *v)
{
	struct ways f;
	LLVMValueRef here;

	if (!widen_is_vector(a)) {
		widen_lanes_store(w, a, v);
		return;
	}
	here = vector_here(w, a);
	if (!here) {
		widen_vector_store(w, a, v);
		return;
	}
	begin(w, &f, here);
	widen_vector_store(w, a, v);
	otherwise(w, &f);
	widen_lanes_store(w, a, v);
	end(w, &f);
}

void
widen_ld(struct widen *w, LLVMValueRef insn)
{
	struct mem a;
	LLVMTypeRef ty;
	LLVMValueRef v[ELEMENTS];
	unsigned k, n;

	ty = LLVMTypeOf(insn);
	if (!take_apart(w, &a, insn, ty, LLVMGetOperand(insn, 0)))
		return;
	widen_aligned(w, &a);
	widen_ahead(w, &a);
	if (is_still(a.s)) {
		load_still(w, &a, insn);
	} else {
		if (!widen_local_load(w, &a, v))
			widen_mem_load(w, &a, v);
		n = widen_parts(w, ty);
		for (k = 0; k < n; k++)
			widen_set_wide(w, insn, k, to_part(w, v + k * a.n / n,
				widen_part_type(w, ty, k)));
	}
	if (LLVMGetOrdering(insn) > LLVMAtomicOrderingMonotonic)
		LLVMBuildFence(w->b, LLVMAtomicOrderingAcquire, false, "");
}

/* the last lane that is here */
static LLVMValueRef
last(struct widen *w)
{
	LLVMValueRef arg[2];

	if (w->full)
		return widen_k32(w, LANES - 1);
	arg[0] = widen_bits(w, w->mask);
	arg[1] = LLVMConstInt(w->i1, 1, false);
	return LLVMBuildSub(w->b, widen_k32(w, 31), widen_intrinsic(w,
		"llvm.ctlz", &w->i32, 1, arg, 2), "");
}

/* part k of v as the lane that comes last has it */
static LLVMValueRef
last_part(struct widen *w, LLVMValueRef v, unsigned k, LLVMValueRef *lane)
{
	if (widen_is_uniform(w, v, k))
		return widen_scalar(w, v, k);
	if (!*lane)
		*lane = last(w);
	return widen_extract(w, widen_wide(w, v, k), *lane);
}

/* all lanes at one address: the last one stays */
static void
store_still(struct widen *w, const struct mem *a, LLVMValueRef value)
{
	LLVMValueRef p, lane, store, v[ELEMENTS];
	unsigned k, n;

	lane = 0;
	n = widen_parts(w, LLVMTypeOf(value));
	for (k = 0; k < n; k++)
		from_part(w, last_part(w, value, k, &lane), a->type,
			v + k * a->n / n);
	widen_flat_runs(w, a, 1, &p);
	for (k = 0; k < a->n; k++) {
		store = LLVMBuildStore(w->b, v[k],
			widen_beside(w, p, k * a->size));
		mark(w, a, store, k);
	}
}

void
widen_st(struct widen *w, LLVMValueRef insn)
{
	struct mem a;
	LLVMValueRef value, v[ELEMENTS];
	unsigned k, n;

	value = LLVMGetOperand(insn, 0);
	if (!take_apart(w, &a, insn, LLVMTypeOf(value),
		LLVMGetOperand(insn, 1)))
		return;
	widen_aligned(w, &a);
	if (LLVMGetOrdering(insn) > LLVMAtomicOrderingMonotonic)
		LLVMBuildFence(w->b, LLVMAtomicOrderingRelease, false, "");
	if (is_still(a.s) && a.s.seg == 1) {
		store_still(w, &a, value);
		return;
	}
	n = widen_parts(w, LLVMTypeOf(value));
	for (k = 0; k < n; k++)
		from_part(w, widen_wide(w, value, k), a.type,
			v + k * a.n / n);
	if (!widen_local_store(w, &a, v))
		widen_mem_store(w, &a, v);
}
