/* widen_mem_align.c - addresses that are no multiple of what is accessed.
 *
 * x86 would take them; PTX does not.  Most addresses are a pointer that came
 * as a parameter, plus multiples of the size: then only the pointer is asked,
 * which LLVM does once for all accesses and outside of loops.
 */
#include "widen_int.h"
#include "widen_mem.h"

#include <stddef.h>

enum { DEPTH = 8, MANY = 32 };

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

/* low bits of v known to be 0, from how it is computed */
static unsigned
zeros(struct widen *w, LLVMValueRef v, unsigned depth)
{
	LLVMValueRef a, b;
	unsigned x, y;

	if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
		return LLVMConstIntGetZExtValue(v) ? (unsigned)__builtin_ctzll(
			LLVMConstIntGetZExtValue(v)) : MANY;
	if (!depth-- || !LLVMIsAInstruction(v)
	|| LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
		return 0;
	a = LLVMGetOperand(v, 0);
	b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : 0;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc:
		return zeros(w, a, depth);
	case LLVMShl:
		return zeros(w, a, depth) + (LLVMIsAConstantInt(b)
			? (unsigned)LLVMConstIntGetZExtValue(b) & 31 : 0);
	case LLVMMul:
		return zeros(w, a, depth) + zeros(w, b, depth);
	case LLVMAnd:
		x = zeros(w, a, depth);
		y = zeros(w, b, depth);
		return x > y ? x : y;
	case LLVMAdd:
	case LLVMSub:
	case LLVMOr:
		x = zeros(w, a, depth);
		y = zeros(w, b, depth);
		return x < y ? x : y;
	default:
		return 0;
	}
}

/* can the block that is being built take v? */
static bool
is_here(struct widen *w, LLVMValueRef v)
{
	const struct widen_value *value;

	if (!LLVMIsAInstruction(v))
		return true;
	value = widen_value(w, v);
	return value->home == w->at || value->crosses;
}

/* p without what does not matter to the bits that align counts */
static LLVMValueRef
root(struct widen *w, LLVMValueRef p, unsigned align)
{
	uint64_t size;
	LLVMValueRef index, found = p;

	while (LLVMIsAGetElementPtrInst(p) && LLVMGetNumOperands(p) == 2) {
		size = LLVMABISizeOfType(w->layout,
			LLVMGetGEPSourceElementType(p));
		index = LLVMGetOperand(p, 1);
		if (!size || __builtin_ctzll(size) + zeros(w, index, DEPTH)
		< (unsigned)__builtin_ctz(align))
			break;
		p = LLVMGetOperand(p, 0);
		if (is_here(w, p))
			found = p;
	}
	return found;
}

/* is p, which root() gave, a multiple of align? */
static bool
is_known(struct widen *w, LLVMValueRef p, unsigned align)
{
	struct shape s;

	if (LLVMIsAArgument(p) && w->kernel)
		return true; /* the parameters */
	if (LLVMIsAIntToPtrInst(p)
	&& zeros(w, LLVMGetOperand(p, 0), DEPTH)
	>= (unsigned)__builtin_ctz(align))
		return true;
	s = widen_shape(w, p, 0);
	return s.seg && 1u << (s.zeros < 31 ? s.zeros : 31) >= align
		&& !(s.stride & (align - 1));
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
low_runs(struct widen *w, LLVMValueRef p, struct shape s, unsigned align)
{
	LLVMValueRef run[RUNS], bad, one;
	unsigned r;

	widen_runs(w, p, 0, s.seg, run);
	bad = 0;
	for (r = 0; r < s.seg; r++) {
		one = low(w, run[r], align);
		if (s.seg > 1 && !w->full)
			one = LLVMBuildSelect(w->b, widen_run_here(w, r,
				s.seg), one, LLVMConstNull(LLVMTypeOf(one)),
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
	LLVMValueRef p, bad;
	struct shape s;

	if (a->align <= 1 || a->align > 64)
		return;
	p = root(w, a->p, a->align);
	if (is_known(w, p, a->align))
		return;
	s = widen_shape(w, p, 0);
	if (s.seg && !(s.stride & (a->align - 1))) {
		misaligned(w, is_not_0(w, low_runs(w, p, s, a->align)));
		return;
	}
	bad = is_not_0(w, low(w, widen_wide(w, p, 0), a->align));
	misaligned(w, widen_any(w, widen_and(w, w->mask, bad)));
}
