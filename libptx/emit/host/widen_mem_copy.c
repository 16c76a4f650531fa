/* widen_mem_copy.c - copies and fills of memory, and hints about it. */
#include "widen_mem.h"

#include <string.h>

/* is operand k the same in all lanes? */
static bool
is_same(struct widen *w, LLVMValueRef insn, unsigned k)
{
	return widen_is_uniform(w, LLVMGetOperand(insn, k), 0);
}

enum { OPERANDS = 3 };          /* to, from or byte, size */

/* builds the call with scalar operands: unaligned, since the
 * size decides what a lane's copy is aligned to */
static void
build(struct widen *w, LLVMValueRef insn, LLVMValueRef *x)
{
	const char *name;
	LLVMValueRef fn;
	size_t n;

	x[2] = LLVMBuildZExtOrBitCast(w->b, x[2], w->i64, "");
	fn = LLVMGetCalledValue(insn);
	name = LLVMGetValueName2(fn, &n);
	if (!strncmp(name, "llvm.memset.", 12))
		LLVMBuildMemSet(w->b, x[0], x[1], x[2], 1);
	else if (!strncmp(name, "llvm.memmove.", 13))
		LLVMBuildMemMove(w->b, x[0], 1,
			x[1], 1, x[2]);
	else
		LLVMBuildMemCpy(w->b, x[0], 1,
			x[1], 1, x[2]);
}

void
widen_copy(struct widen *w, LLVMValueRef insn)
{
	struct widen_loop each;
	LLVMTypeRef ty[OPERANDS];
	LLVMValueRef slot[OPERANDS], x[OPERANDS];
	unsigned k;

	for (k = 0; k < OPERANDS && is_same(w, insn, k); k++)
		x[k] = widen_scalar(w, LLVMGetOperand(insn, k), 0);
	if (k == OPERANDS) {
		build(w, insn, x);
		return;
	}
	for (k = 0; k < OPERANDS; k++) {
		ty[k] = LLVMTypeOf(LLVMGetOperand(insn, k));
		slot[k] = widen_spill(w, ty[k], widen_wide(w,
			LLVMGetOperand(insn, k), 0));
	}
	widen_each(w, &each, widen_bits(w, w->mask));
	for (k = 0; k < OPERANDS; k++)
		x[k] = widen_spilt(w, ty[k], slot[k], each.lane);
	build(w, insn, x);
	widen_endeach(w, &each);
}

/* lifetimes, prefetches: lanes do not live and fetch together */
void
widen_hint(struct widen *w, LLVMValueRef insn)
{
	(void)w;
	(void)insn;
}
