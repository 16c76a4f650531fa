/* widen_mem_lanes.c - each lane has an address of its own.
 *
 * Elements of 4 and 8 bytes are gathered and scattered where the processor
 * can; shorter ones that fill words go as words, and single ones are cut out of
 * the aligned word around them, which is in the same page.  Everything else
 * is a loop over the lanes that are here.
 */
#include "widen_mem.h"

LLVMValueRef
widen_spill(struct widen *w, LLVMTypeRef ty, LLVMValueRef wide)
{
	LLVMValueRef slot;

	slot = widen_slot(w, widen_wide_type(ty), "");
	LLVMSetAlignment(slot, 64);
	if (wide)
		LLVMSetAlignment(LLVMBuildStore(w->b, wide, slot), 64);
	return slot;
}

static LLVMValueRef
element(struct widen *w, LLVMTypeRef ty, LLVMValueRef slot, LLVMValueRef lane)
{
	lane = LLVMBuildZExtOrBitCast(w->b, lane, w->i64, "");
	return LLVMBuildGEP2(w->b, ty, slot, &lane, 1, "");
}

LLVMValueRef
widen_spilt(struct widen *w, LLVMTypeRef ty, LLVMValueRef slot,
	LLVMValueRef lane)
{
	return LLVMBuildLoad2(w->b, ty, element(w, ty, slot, lane), "");
}

void
widen_respill(struct widen *w, LLVMTypeRef ty, LLVMValueRef slot,
	LLVMValueRef lane, LLVMValueRef v)
{
	LLVMBuildStore(w->b, v, element(w, ty, slot, lane));
}

LLVMValueRef
widen_unspill(struct widen *w, LLVMTypeRef ty, LLVMValueRef slot)
{
	LLVMValueRef v;

	v = LLVMBuildLoad2(w->b, widen_wide_type(ty), slot, "");
	LLVMSetAlignment(v, 64);
	return v;
}

static bool
is_offset(const struct mem *a)
{
	return !a->flat && widen_is_shared(LLVMTypeOf(a->p));
}

/* shared addresses are spilt as offsets, which takes half the room */
LLVMValueRef
widen_spill_p(struct widen *w, const struct mem *a)
{
	LLVMValueRef p;

	p = widen_flat_wide(w, a);
	if (is_offset(a))
		p = widen_shared_offset(w, p);
	return widen_spill(w, LLVMGetElementType(LLVMTypeOf(p)), p);
}

LLVMValueRef
widen_spilt_p(struct widen *w, const struct mem *a, LLVMValueRef slot,
	LLVMValueRef lane)
{
	if (is_offset(a))
		return widen_shared_pointer(w, widen_spilt(w, w->i32, slot,
			lane));
	return widen_spilt(w, w->ptr, slot, lane);
}

static LLVMValueRef
gather(struct widen *w, LLVMTypeRef ty, LLVMValueRef p, unsigned align)
{
	LLVMTypeRef over[2];
	LLVMValueRef arg[4];

	over[0] = widen_wide_type(ty);
	over[1] = LLVMTypeOf(p);
	arg[0] = p;
	arg[1] = widen_k32(w, align);
	arg[2] = w->mask;
	arg[3] = LLVMGetPoison(over[0]);
	return widen_intrinsic(w, "llvm.masked.gather", over, 2, arg, 4);
}

static void
scatter(struct widen *w, LLVMValueRef v, LLVMValueRef p, unsigned align)
{
	LLVMTypeRef over[2];
	LLVMValueRef arg[4];

	over[0] = LLVMTypeOf(v);
	over[1] = LLVMTypeOf(p);
	arg[0] = v;
	arg[1] = p;
	arg[2] = widen_k32(w, align);
	arg[3] = w->mask;
	widen_intrinsic(w, "llvm.masked.scatter", over, 2, arg, 4);
}

/* an element of 1 or 2 bytes: the word around it, shifted */
static LLVMValueRef
gather_short(struct widen *w, const struct mem *a, LLVMValueRef p)
{
	LLVMTypeRef address;
	LLVMValueRef low, word;

	address = widen_wide_type(w->i64);
	p = LLVMBuildPtrToInt(w->b, p, address, "");
	low = LLVMBuildAnd(w->b, p, widen_splat(w, widen_k64(w, 3)), "");
	p = LLVMBuildIntToPtr(w->b, LLVMBuildSub(w->b, p, low, ""),
		widen_wide_type(w->ptr), "");
	word = gather(w, w->i32, p, 4);
	low = LLVMBuildShl(w->b, low, widen_splat(w, widen_k64(w, 3)), "");
	low = LLVMBuildTrunc(w->b, low, widen_wide_type(w->i32), "");
	return LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, word, low, ""),
		widen_wide_type(a->type), "");
}

/* how many of a's elements go together into a word; 0: they fill none */
static unsigned
packed(const struct mem *a)
{
	if (a->size >= 4)
		return 1;
	return a->n * a->size % 4 ? 0 : 4 / a->size;
}

static bool
by_gather(struct widen *w, const struct mem *a)
{
	return !a->is_volatile && widen_has_gather(w)
		&& (packed(a) || a->n == 1);
}

static void
gather_all(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	LLVMValueRef p, word;
	unsigned k, q;

	p = widen_flat_wide(w, a);
	q = packed(a);
	if (!q) {
		v[0] = gather_short(w, a, p);
		return;
	}
	for (k = 0; k < a->n; k += q) {
		word = gather(w, q > 1 ? w->i32 : a->type,
			widen_beside(w, p, k * a->size),
			a->align < 4 ? a->align : q > 1 ? 4 : a->size);
		if (q > 1)
			widen_split(w, word, a->type, q, v + k);
		else
			v[k] = word;
	}
}

/* accesses by scalar code of a lane: its elements go together, if they are
 * not of many bytes, because others may watch */
static LLVMTypeRef
scalar_type(const struct mem *a)
{
	return a->n > 1 ? LLVMVectorType(a->type, a->n) : a->type;
}

static void
mark(const struct mem *a, LLVMValueRef v)
{
	LLVMSetAlignment(v, a->align);
	LLVMSetVolatile(v, a->is_volatile);
	if (a->atomic)
		LLVMSetOrdering(v, LLVMAtomicOrderingMonotonic);
}

static void
loop_load(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	struct widen_loop each;
	LLVMValueRef p, slot[ELEMENTS], d;
	unsigned k;

	p = widen_spill_p(w, a);
	for (k = 0; k < a->n; k++)
		slot[k] = widen_spill(w, a->type, 0);
	widen_each(w, &each, widen_bits(w, w->mask));
	d = LLVMBuildLoad2(w->b, scalar_type(a),
		widen_spilt_p(w, a, p, each.lane), "");
	mark(a, d);
	for (k = 0; k < a->n; k++)
		widen_respill(w, a->type, slot[k], each.lane, a->n == 1 ? d
			: LLVMBuildExtractElement(w->b, d, widen_k32(w, k),
			""));
	widen_endeach(w, &each);
	for (k = 0; k < a->n; k++)
		v[k] = widen_unspill(w, a->type, slot[k]);
}

static void
loop_store(struct widen *w, const struct mem *a, const LLVMValueRef *v)
{
	struct widen_loop each;
	LLVMValueRef p, slot[ELEMENTS], one, d;
	unsigned k;

	p = widen_spill_p(w, a);
	for (k = 0; k < a->n; k++)
		slot[k] = widen_spill(w, a->type, v[k]);
	widen_each(w, &each, widen_bits(w, w->mask));
	d = LLVMGetPoison(scalar_type(a));
	for (k = 0; k < a->n; k++) {
		one = widen_spilt(w, a->type, slot[k], each.lane);
		d = a->n == 1 ? one : LLVMBuildInsertElement(w->b, d, one,
			widen_k32(w, k), "");
	}
	mark(a, LLVMBuildStore(w->b, d, widen_spilt_p(w, a, p, each.lane)));
	widen_endeach(w, &each);
}

void
widen_lanes_load(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	if (by_gather(w, a))
		gather_all(w, a, v);
	else
		loop_load(w, a, v);
}

void
widen_lanes_store(struct widen *w, const struct mem *a,
	const LLVMValueRef *v)
{
	LLVMValueRef p;
	unsigned k, q, align;

	q = packed(a);
	if (a->is_volatile || !q || !widen_has_masks(w)) {
		loop_store(w, a, v);
		return;
	}
	p = widen_flat_wide(w, a);
	align = a->align < 4 ? a->align : q > 1 ? 4 : a->size;
	for (k = 0; k < a->n; k += q)
		scatter(w, q > 1 ? widen_merge(w, v + k, q) : v[k],
			widen_beside(w, p, k * a->size), align);
}
