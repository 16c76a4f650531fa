/* widen_mem_space.c - addresses, their alignment, and the places of shared
 * variables.
 */
#include "widen_int.h"
#include "widen_mem.h"

#include <stddef.h>

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

/* ends the kernel where bad (i1): no lane is told from another */
static void
misaligned(struct widen *w, LLVMValueRef bad)
{
	LLVMTypeRef arg_type[3];
	LLVMValueRef arg[2];
	LLVMBasicBlockRef here, rest;

	if (LLVMIsAConstantInt(bad) && !LLVMConstIntGetZExtValue(bad))
		return;
	here = LLVMGetInsertBlock(w->b);
	rest = widen_new_block(w, "");
	if (!w->misaligned) {
		w->misaligned = widen_new_block(w, "misaligned");
		LLVMPositionBuilderAtEnd(w->b, w->misaligned);
		arg_type[0] = w->ptr;
		arg_type[1] = arg_type[2] = w->i32;
		arg[0] = widen_k32(w, HOST_MISALIGNED);
		arg[1] = widen_k32(w, 0);
		widen_device(w, offsetof(struct host_calls, fault),
			LLVMFunctionType(LLVMVoidTypeInContext(w->c),
			arg_type, 3, false), arg, 2, false);
		LLVMBuildUnreachable(w->b);
		LLVMPositionBuilderAtEnd(w->b, here);
	}
	LLVMBuildCondBr(w->b, bad, w->misaligned, rest);
	LLVMPositionBuilderAtEnd(w->b, rest);
}

/* the low bits of p as far as align counts, scalar or wide */
static LLVMValueRef
low(struct widen *w, LLVMValueRef p, unsigned align)
{
	LLVMValueRef ones;

	ones = widen_k64(w, align - 1);
	if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMVectorTypeKind)
		ones = widen_splat(w, ones);
	p = LLVMBuildPtrToInt(w->b, p, LLVMTypeOf(ones), "");
	return LLVMBuildAnd(w->b, p, ones, "");
}

static bool
is_known(const struct mem *a)
{
	return a->align <= 1 || a->align > 64
		|| (a->s.seg && 1u << a->s.zeros >= a->align
		&& !(a->s.stride & (a->align - 1)));
}

LLVMValueRef
widen_run_here(struct widen *w, unsigned run, unsigned seg)
{
	LLVMValueRef bits;
	uint32_t ones;

	ones = seg == 1 ? ~0u : (1u << LANES / seg) - 1;
	bits = LLVMBuildAnd(w->b, widen_bits(w, w->mask), widen_k32(w,
		ones << run * (LANES / seg)), "");
	return LLVMBuildICmp(w->b, LLVMIntNE, bits, widen_k32(w, 0), "");
}

/* the low bits of the first lanes, or-ed: those of all lanes.  A run of which
 * no lane is here does not count. */
static LLVMValueRef
low_runs(struct widen *w, const struct mem *a)
{
	LLVMValueRef run[RUNS], bad, one;
	unsigned r;

	widen_runs(w, a->p, 0, a->s.seg, run);
	bad = 0;
	for (r = 0; r < a->s.seg; r++) {
		one = low(w, run[r], a->align);
		if (a->s.seg > 1 && !w->full)
			one = LLVMBuildSelect(w->b, widen_run_here(w, r,
				a->s.seg), one, LLVMConstNull(LLVMTypeOf(one)),
				"");
		bad = bad ? LLVMBuildOr(w->b, bad, one, "") : one;
	}
	return bad;
}

static LLVMValueRef
is_not_0(struct widen *w, LLVMValueRef v)
{
	return LLVMBuildICmp(w->b, LLVMIntNE, v,
		LLVMConstNull(LLVMTypeOf(v)), "");
}

void
widen_aligned(struct widen *w, const struct mem *a)
{
	LLVMValueRef bad;

	if (is_known(a))
		return;
	if (a->s.seg && !(a->s.stride & (a->align - 1))) {
		misaligned(w, is_not_0(w, low_runs(w, a)));
		return;
	}
	bad = is_not_0(w, low(w, widen_wide(w, a->p, 0), a->align));
	misaligned(w, widen_any(w, widen_and(w, w->mask, bad)));
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
