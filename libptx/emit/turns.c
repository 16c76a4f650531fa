/* turns.c - loops in whose turns the lanes of a wave take and give a lock.
 *
 *	while (!done)
 *		if (!atomicCAS(lock, 0, 1)) {
 *			...; atomicExch(lock, 0);
 *			done = true;
 *		}
 *
 * A lane that has the lock gives it back before it meets the others at the
 * end of the turn, so the next turn is another's.  LLVM sees that this lane
 * leaves the loop, and takes what it does out of the loop; there it waits for
 * the others, who wait for the lock.  Where ways meet in such a loop, and part
 * again, a wave barrier, which is no instruction, keeps them together.
 */
#include "emit_int.h"

/* does it take or give what others wait for? */
static bool
exchanges(LLVMValueRef i)
{
	if (LLVMGetInstructionOpcode(i) == LLVMAtomicCmpXchg)
		return true;
	return LLVMGetInstructionOpcode(i) == LLVMAtomicRMW
		&& LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
}

static bool
block_exchanges(LLVMBasicBlockRef b)
{
	LLVMValueRef i;

	for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (exchanges(i))
			return true;
	return false;
}

/* from a block back to one that stands before it, or to itself */
static bool
goes_back(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMBasicBlockRef b;

	for (b = to; b && b != from; b = LLVMGetNextBasicBlock(b))
		;
	return b;
}

/* how many branches name it */
static int
ways_in(LLVMBasicBlockRef b)
{
	LLVMUseRef u;
	int n;

	n = 0;
	for (u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u;
	u = LLVMGetNextUse(u))
		n++;
	return n;
}

static void
hold(LLVMModuleRef m, LLVMBuilderRef build, LLVMBasicBlockRef b)
{
	static const char name[] = "llvm.amdgcn.wave.barrier";
	LLVMTypeRef type;
	unsigned id;

	id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	type = LLVMIntrinsicGetType(LLVMGetModuleContext(m), id, 0, 0);
	LLVMPositionBuilderBefore(build, LLVMGetBasicBlockTerminator(b));
	LLVMBuildCall2(build, type,
		LLVMGetIntrinsicDeclaration(m, id, 0, 0), 0, 0, "");
}

/* the loop from first to last, as the blocks stand */
static void
hold_loop(LLVMModuleRef m, LLVMBuilderRef build, LLVMBasicBlockRef first,
	LLVMBasicBlockRef last)
{
	LLVMBasicBlockRef b, end;
	LLVMValueRef t;

	end = LLVMGetNextBasicBlock(last);
	for (b = first; b != end && !block_exchanges(b); )
		b = LLVMGetNextBasicBlock(b);
	if (b == end)
		return;
	for (b = first; b != end; b = LLVMGetNextBasicBlock(b)) {
		t = LLVMGetBasicBlockTerminator(b);
		if (b != first && ways_in(b) > 1 && LLVMIsABranchInst(t)
		&& LLVMIsConditional(t))
			hold(m, build, b);
	}
}

static void
hold_loops(LLVMModuleRef m, LLVMBuilderRef build, LLVMValueRef f)
{
	LLVMBasicBlockRef b, to;
	LLVMValueRef t;
	unsigned k;

	for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		t = LLVMGetBasicBlockTerminator(b);
		for (k = 0; t && k < LLVMGetNumSuccessors(t); k++) {
			to = LLVMGetSuccessor(t, k);
			if (goes_back(b, to))
				hold_loop(m, build, to, b);
		}
	}
}

void
emit_turns(LLVMModuleRef m)
{
	LLVMBuilderRef build;
	LLVMBasicBlockRef b;
	LLVMValueRef f;

	build = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
	for (f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		for (b = LLVMGetFirstBasicBlock(f); b && !block_exchanges(b); )
			b = LLVMGetNextBasicBlock(b);
		if (b)
			hold_loops(m, build, f);
	}
	LLVMDisposeBuilder(build);
}
