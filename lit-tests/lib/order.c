/* order.c - numbers the places of a module where threads stop.
 *
 * Blocks are taken in Bourdoncle's weak topological order: every join after
 * the ways that lead to it, every loop in one piece.
 */
#include "simt.h"

#include <stdlib.h>

static const unsigned done = ~0u;

struct order {
	LLVMBasicBlockRef *block;
	unsigned *number, *stack, *out;
	unsigned n, count, depth, nout;  /* out is filled from its end */
};

static void component(struct order *, unsigned);

static unsigned
find(const struct order *o, LLVMBasicBlockRef b)
{
	unsigned i;

	for (i = 0; o->block[i] != b; i++)
		;
	return i;
}

static unsigned
visit(struct order *o, unsigned v)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[v]);
	unsigned i, s, min, head, last;
	bool loop = false;

	o->stack[o->depth++] = v;
	head = o->number[v] = ++o->count;
	for (i = 0; i < LLVMGetNumSuccessors(end); i++) {
		s = find(o, LLVMGetSuccessor(end, i));
		min = o->number[s] ? o->number[s] : visit(o, s);
		if (min > head)
			continue;
		head = min;
		loop = true;
	}
	if (head != o->number[v])
		return head;
	o->number[v] = done;
	while ((last = o->stack[--o->depth]) != v)
		o->number[last] = 0;
	if (loop)
		component(o, v);
	o->out[--o->nout] = v;
	return head;
}

/* the loop of v but for v itself */
static void
component(struct order *o, unsigned v)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(o->block[v]);
	unsigned i, s;

	for (i = 0; i < LLVMGetNumSuccessors(end); i++) {
		s = find(o, LLVMGetSuccessor(end, i));
		if (!o->number[s])
			visit(o, s);
	}
}

/* a call of simt_stop before i */
static void
stop(LLVMModuleRef m, LLVMValueRef i, enum simt_stop kind, unsigned place)
{
	LLVMContextRef c = LLVMGetModuleContext(m);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
	LLVMValueRef fn = LLVMGetNamedFunction(m, "simt_stop"), arg[4];

	arg[0] = LLVMConstInt(i32, kind, false);
	arg[1] = LLVMConstInt(i32, place, false);
	arg[2] = arg[3] = LLVMConstInt(i32, 0, false);
	LLVMPositionBuilderBefore(b, i);
	LLVMBuildCall2(b, LLVMGlobalGetValueType(fn), fn, arg, 4, "");
	LLVMDisposeBuilder(b);
}

/* does i call something that may stop? */
static bool
is_call(LLVMValueRef i)
{
	LLVMValueRef f;

	if (LLVMGetInstructionOpcode(i) != LLVMCall)
		return false;
	f = LLVMGetCalledValue(i);
	return !LLVMIsAFunction(f) || !LLVMIsDeclaration(f);
}

static unsigned
number(LLVMModuleRef m, LLVMBasicBlockRef block, unsigned place)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block), next;
	LLVMValueRef meet = LLVMGetNamedFunction(m, "simt_stop");
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(m));

	while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	stop(m, i, SIMT_BLOCK, place++);
	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == meet) {
			LLVMSetOperand(i, 1, LLVMConstInt(i32, place++,
				false));
		} else if (is_call(i)) {
			stop(m, i, SIMT_ENTER, place++);
			stop(m, next, SIMT_LEAVE, 0);
		}
	}
	return place;
}

static unsigned
function(LLVMModuleRef m, LLVMValueRef fn, unsigned place)
{
	struct order o = { .n = LLVMCountBasicBlocks(fn) };
	unsigned i;

	o.block = calloc(o.n, sizeof *o.block);
	o.number = calloc(3 * o.n, sizeof *o.number);
	o.stack = o.number + o.n;
	o.out = o.stack + o.n;
	o.nout = o.n;
	LLVMGetBasicBlocks(fn, o.block);
	visit(&o, 0);
	for (i = o.nout; i < o.n; i++)
		place = number(m, o.block[o.out[i]], place);
	free(o.block);
	free(o.number);
	return place;
}

unsigned
simt_prepare(LLVMModuleRef m, unsigned place)
{
	LLVMValueRef fn;

	for (fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn))
		if (!LLVMIsDeclaration(fn))
			place = function(m, fn, place);
	return place;
}
