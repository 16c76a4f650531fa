/* widen_mem_space.c - addresses, and the places of shared variables. */
#include "widen_int.h"
#include "widen_mem.h"

LLVMValueRef
widen_beside(struct widen *w, LLVMValueRef p, uint64_t bytes)
{
	LLVMValueRef off;

	off = widen_k64(w, bytes);
	return bytes ? LLVMBuildGEP2(w->b, w->i8, p, &off, 1, "") : p;
}

void
widen_flat_runs(struct widen *w, const struct mem *a, unsigned seg,
	LLVMValueRef run[])
{
	if (a->flat) {
		run[0] = a->flat;
		return;
	}
	widen_runs(w, a->p, 0, seg, run);
}

static LLVMValueRef
steps(struct widen *w, LLVMValueRef first, int64_t stride)
{
	LLVMValueRef off;

	off = widen_steps(w, w->i64, stride);
	return LLVMBuildGEP2(w->b, w->i8, first, &off, 1, "");
}

LLVMValueRef
widen_flat_wide(struct widen *w, const struct mem *a)
{
	if (!a->flat)
		return widen_wide(w, a->p, 0);
	return a->s.seg ? steps(w, a->flat, a->s.stride) : a->flat;
}

struct shape
shape_cast_space(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return widen_shape(w, LLVMGetOperand(insn, 0), part);
}

/* parts that are shared pointers are flat ones */
void
widen_cast_space(struct widen *w, LLVMValueRef insn)
{
	widen_move(w, insn, 0, LLVMGetOperand(insn, 0), 0);
}

/* variables of the block get their places; dynamic ones lie behind all */
static uint32_t
place(struct widen *w, LLVMValueRef g, uint32_t at)
{
	LLVMValueRef off;
	unsigned align;

	align = LLVMGetAlignment(g);
	at = (at + align - 1) & -(uint32_t)align;
	off = LLVMConstInt(w->i32, at, false);
	LLVMReplaceAllUsesWith(g, LLVMConstIntToPtr(off, LLVMTypeOf(g)));
	return at;
}

static bool
is_dynamic(LLVMValueRef g)
{
	return LLVMGetLinkage(g) == LLVMExternalLinkage;
}

void
widen_shared(struct widen *w)
{
	LLVMValueRef g, next;
	uint32_t end, align;

	end = 0;
	align = 1;
	for (g = LLVMGetFirstGlobal(w->m); g; g = LLVMGetNextGlobal(g)) {
		if (!widen_is_shared(LLVMTypeOf(g)))
			continue;
		if (!is_dynamic(g))
			end = place(w, g, end) + (uint32_t)
				LLVMStoreSizeOfType(w->layout,
				LLVMGlobalGetValueType(g));
		else if (LLVMGetAlignment(g) > align)
			align = LLVMGetAlignment(g);
	}
	w->info->shared = end;
	w->info->dynamic = end = (end + align - 1) & -align;
	for (g = LLVMGetFirstGlobal(w->m); g; g = next) {
		next = LLVMGetNextGlobal(g);
		if (!widen_is_shared(LLVMTypeOf(g)))
			continue;
		if (is_dynamic(g))
			place(w, g, end);
		LLVMDeleteGlobal(g);
	}
}
