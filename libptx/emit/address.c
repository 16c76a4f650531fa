/* address.c - integers that are addresses become pointers.
 *
 * PTX computes addresses with integers.  LLVM knows much about pointers and
 * nothing about an integer that was one: which object it is in, that two
 * loads are neighbours, that a local array need not be in memory.  So trees
 * of add, sub, phi and select between what an address comes from (a variable,
 * a parameter, a value loaded) and an access are built again as pointers.
 *
 * Runs after SROA.  What is not recognised stays an integer, and right.
 * Pointers come in classes whose bits are the same: the flat ones (generic,
 * global, constant), and those of 32 bits, each an address space of its own.
 */
#include "address.h"

#include <stdlib.h>

static size_t
hash(const struct rewrite *w, LLVMValueRef v)
{
	return ((uintptr_t)v >> 4) * 0x9e3779b97f4a7c15u & (w->cap - 1);
}

static struct node *
find(const struct rewrite *w, LLVMValueRef v)
{
	size_t i;

	for (i = hash(w, v); w->slot[i]; i = (i + 1) & (w->cap - 1))
		if (w->slot[i]->v == v)
			return w->slot[i];
	return 0;
}

static void
put(struct rewrite *w, struct node *n)
{
	size_t i;

	for (i = hash(w, n->v); w->slot[i]; i = (i + 1) & (w->cap - 1))
		;
	w->slot[i] = n;
}

static void
grow(struct rewrite *w)
{
	struct node *n;

	free(w->slot);
	w->cap *= 2;
	w->slot = calloc(w->cap, sizeof *w->slot);
	for (n = w->first; n; n = n->next)
		put(w, n);
}

/* the opcode of an instruction or a constant expression; 0: neither */
static int
opcode(LLVMValueRef v)
{
	if (LLVMIsAInstruction(v))
		return (int)LLVMGetInstructionOpcode(v);
	return LLVMIsAConstantExpr(v) ? (int)LLVMGetConstOpcode(v) : 0;
}

/* is v as wide as a flat pointer? */
static bool
is_wide(LLVMValueRef v)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 64;
}

/* a zext or trunc that keeps an address of 32 bits whole */
static bool
keeps_address(LLVMValueRef v)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(v)) >= 32
		&& LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) >= 32;
}

static enum node_kind
kind_of(LLVMValueRef v)
{
	if (LLVMIsAConstantInt(v) || LLVMIsUndef(v))
		return NODE_NUMBER;
	switch (opcode(v)) {
	case LLVMPtrToInt:
		return NODE_POINTER;
	case LLVMAdd:
		return NODE_ADD;
	case LLVMSub:
		return NODE_SUB;
	case LLVMPHI:
		return NODE_PHI;
	case LLVMSelect:
		return NODE_SELECT;
	case LLVMZExt:
	case LLVMTrunc:
		return keeps_address(v) ? NODE_RESIZE : NODE_OTHER;
	case 0:
		return LLVMIsAArgument(v) && is_wide(v) ? NODE_VALUE
			: NODE_OTHER;
	case LLVMLoad:
	case LLVMCall:
	case LLVMExtractValue:
	case LLVMExtractElement:
		return is_wide(v) ? NODE_VALUE : NODE_OTHER;
	default:
		return NODE_OTHER;
	}
}

static struct node *
node(struct rewrite *w, LLVMValueRef v)
{
	struct node *n;

	n = find(w, v);
	if (n)
		return n;
	if (2 * w->n++ >= w->cap)
		grow(w);
	n = NEW(&w->a, struct node);
	n->v = v;
	n->kind = kind_of(v);
	n->prev = w->last;
	*(w->last ? &w->last->next : &w->first) = n;
	w->last = n;
	put(w, n);
	return n;
}

/* the operands of n that may be addresses: from first on, count of them */
static unsigned
operands(const struct node *n, unsigned *first)
{
	*first = n->kind == NODE_SELECT;
	switch (n->kind) {
	case NODE_ADD:
		return 2;
	case NODE_SUB:
	case NODE_RESIZE:
		return 1;
	case NODE_SELECT:
		return 2;
	case NODE_PHI:
		return LLVMCountIncoming(n->v);
	default:
		return 0;
	}
}

static struct node *
operand(struct rewrite *w, const struct node *n, unsigned k)
{
	return node(w, n->kind == NODE_PHI ? LLVMGetIncomingValue(n->v, k)
		: LLVMGetOperand(n->v, k));
}

/* makes the nodes of all that those there are made of */
static void
collect(struct rewrite *w)
{
	struct node *n;
	unsigned k, first, count;

	for (n = w->first; n; n = n->next) {
		if (!LLVMIsAInstruction(n->v))
			continue;
		count = operands(n, &first);
		for (k = first; k < first + count; k++)
			operand(w, n, k);
	}
}

enum address_class
address_class(unsigned space)
{
	return space == 3 ? CLASS_SHARED : space == 5 ? CLASS_LOCAL
		: CLASS_FLAT;
}

/* what no pointer of class c can be made of, if the operands can */
static bool
is_hopeless(struct rewrite *w, const struct node *n, enum address_class c)
{
	unsigned k, first, count;
	bool all;

	switch (n->kind) {
	case NODE_OTHER:
		return true;
	case NODE_NUMBER:
		return false;
	case NODE_VALUE:
		return c != CLASS_FLAT;
	case NODE_POINTER:
		return address_class(LLVMGetPointerAddressSpace(LLVMTypeOf(
			LLVMGetOperand(n->v, 0)))) != c
			|| (c == CLASS_FLAT && !is_wide(n->v));
	case NODE_SUB:
		if (kind_of(LLVMGetOperand(n->v, 1)) > NODE_NUMBER)
			return true;
		break;
	case NODE_RESIZE:
		if (c == CLASS_FLAT)
			return true;
		break;
	default:
		break;
	}
	if (!LLVMIsAInstruction(n->v))
		return true;
	all = true;
	count = operands(n, &first);
	for (k = first; k < first + count; k++)
		if (operand(w, n, k)->no[c] && n->kind != NODE_ADD)
			return true;
		else
			all &= operand(w, n, k)->no[c];
	return all && count;
}

/* how sure we are that n is an address: 2 a variable's, 1 a loaded value */
static unsigned
strength(struct rewrite *w, const struct node *n, enum address_class c)
{
	unsigned k, first, count, most;

	if (n->kind == NODE_POINTER)
		return 2;
	if (n->kind == NODE_VALUE)
		return 1;
	most = 0;
	count = operands(n, &first);
	if (LLVMIsAInstruction(n->v))
		for (k = first; k < first + count; k++)
			if (!operand(w, n, k)->no[c]
			&& operand(w, n, k)->strength[c] > most)
				most = operand(w, n, k)->strength[c];
	return most;
}

/* The greatest set of what may be addresses, then how sure we are of each.
 * What a value is made of comes behind it: from the end, few rounds do. */
static void
judge(struct rewrite *w, enum address_class c)
{
	struct node *n;
	unsigned s;
	bool more;

	do {
		more = false;
		for (n = w->last; n; n = n->prev)
			if (!n->no[c] && is_hopeless(w, n, c))
				n->no[c] = more = true;
	} while (more);
	do {
		more = false;
		for (n = w->last; n; n = n->prev) {
			s = n->no[c] ? 0 : strength(w, n, c);
			more |= s != n->strength[c];
			n->strength[c] = (uint8_t)s;
		}
	} while (more);
}

/* accesses by integer: their addresses are where the search starts, the last
 * one first */
static void
roots(struct rewrite *w)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetLastBasicBlock(w->fn); b;
	b = LLVMGetPreviousBasicBlock(b))
		for (i = LLVMGetLastInstruction(b); i;
		i = LLVMGetPreviousInstruction(i))
			if (LLVMGetInstructionOpcode(i) == LLVMIntToPtr)
				node(w, LLVMGetOperand(i, 0));
}

static void
rewrite_accesses(struct rewrite *w)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;

	for (b = LLVMGetFirstBasicBlock(w->fn); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (LLVMGetInstructionOpcode(i) == LLVMIntToPtr)
				address_access(w, i);
		}
}

static void
function(struct rewrite *w)
{
	w->cap = 256;
	w->n = 0;
	w->slot = calloc(w->cap, sizeof *w->slot);
	w->first = w->last = 0;
	roots(w);
	collect(w);
	judge(w, CLASS_FLAT);
	judge(w, CLASS_SHARED);
	judge(w, CLASS_LOCAL);
	rewrite_accesses(w);
	address_uses(w);
	free(w->slot);
	arena_free(&w->a);
	w->a = (struct arena){ 0 };
}

struct node *
address_node(struct rewrite *w, LLVMValueRef v)
{
	return find(w, v);
}

void
emit_addresses(LLVMModuleRef m, const struct emit_options *o)
{
	struct rewrite w = { 0 };

	w.c = LLVMGetModuleContext(m);
	w.b = LLVMCreateBuilderInContext(w.c);
	w.global = o->target->space[GLOBAL];
	for (w.fn = LLVMGetFirstFunction(m); w.fn;
	w.fn = LLVMGetNextFunction(w.fn))
		if (!LLVMIsDeclaration(w.fn))
			function(&w);
	LLVMDisposeBuilder(w.b);
}
