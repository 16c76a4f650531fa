/* address_build.c - the second half of address.c: builds the pointers. */
#include "address.h"

static LLVMValueRef build(struct rewrite *, LLVMValueRef v, unsigned space);

static LLVMTypeRef
pointer_type(struct rewrite *w, unsigned space)
{
	return LLVMPointerTypeInContext(w->c, space);
}

/* the first instruction of b that is not a phi */
static LLVMValueRef
behind_phis(LLVMBasicBlockRef b)
{
	LLVMValueRef i;

	for (i = LLVMGetFirstInstruction(b); LLVMIsAPHINode(i);
	i = LLVMGetNextInstruction(i))
		;
	return i;
}

/* the builder goes to the first place where v can be used */
static void
behind(struct rewrite *w, LLVMValueRef v)
{
	LLVMValueRef i;

	if (LLVMIsAPHINode(v))
		i = behind_phis(LLVMGetInstructionParent(v));
	else if (LLVMIsAInstruction(v))
		i = LLVMGetNextInstruction(v);
	else
		i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->fn));
	LLVMPositionBuilderBefore(w->b, i);
}

static LLVMValueRef
in_space(struct rewrite *w, LLVMValueRef p, unsigned space)
{
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == space)
		return p;
	return LLVMBuildAddrSpaceCast(w->b, p, pointer_type(w, space), "");
}

/* does p point into the parameter block of the kernel? */
static bool
is_parameter(struct rewrite *w, LLVMValueRef p)
{
	while (LLVMIsAGetElementPtrInst(p))
		p = LLVMGetOperand(p, 0);
	return LLVMGetLinkage(w->fn) == LLVMExternalLinkage
		&& LLVMIsAArgument(p);
}

/* v, a parameter of the kernel, loaded as a pointer: what the host passes is
 * in .global if it is an address at all */
static LLVMValueRef
parameter(struct rewrite *w, LLVMValueRef v)
{
	LLVMValueRef p;
	unsigned kind;

	p = LLVMBuildLoad2(w->b, pointer_type(w, w->global),
		LLVMGetOperand(v, 0), "");
	LLVMSetAlignment(p, LLVMGetAlignment(v));
	kind = LLVMGetMDKindIDInContext(w->c, "invariant.load", 14);
	LLVMSetMetadata(p, kind, LLVMGetMetadata(v, kind));
	return p;
}

static LLVMValueRef
leaf(struct rewrite *w, LLVMValueRef v, unsigned space)
{
	behind(w, v);
	if (LLVMIsALoadInst(v) && is_parameter(w, LLVMGetOperand(v, 0)))
		return in_space(w, parameter(w, v), space);
	return LLVMBuildIntToPtr(w->b, v, pointer_type(w, space), "");
}

/* Is n a sum of two loaded values, of which either may be the address?  Then
 * we must not take the one that is a parameter for a pointer to .global: the
 * other may point elsewhere. */
static bool
is_doubtful(struct rewrite *w, const struct node *n, enum address_class c)
{
	const struct node *l, *r;

	l = address_node(w, LLVMGetOperand(n->v, 0));
	r = address_node(w, LLVMGetOperand(n->v, 1));
	return !l->no[c] && !r->no[c] && l->strength[c] == 1
		&& r->strength[c] == 1;
}

/* the operand of n, an addition, that is the address: 0 or 1 */
static unsigned
base(struct rewrite *w, const struct node *n, enum address_class c)
{
	const struct node *l, *r;

	l = address_node(w, LLVMGetOperand(n->v, 0));
	r = address_node(w, LLVMGetOperand(n->v, 1));
	if (l->no[c] || r->no[c])
		return l->no[c];
	return r->strength[c] > l->strength[c];
}

/* n, an addition or a subtraction, with the address as pointer p */
static LLVMValueRef
sum(struct rewrite *w, const struct node *n, LLVMValueRef p)
{
	LLVMValueRef off;
	enum address_class c;

	c = address_class(LLVMGetPointerAddressSpace(LLVMTypeOf(p)));
	off = LLVMGetOperand(n->v, n->kind == NODE_SUB ? 1
		: 1 - base(w, n, c));
	LLVMPositionBuilderBefore(w->b, n->v);
	if (n->kind == NODE_SUB)
		off = LLVMBuildNeg(w->b, off, "");
	return LLVMBuildGEP2(w->b, LLVMInt8TypeInContext(w->c), p, &off, 1,
		"");
}

static LLVMValueRef
choice(struct rewrite *w, const struct node *n, unsigned space)
{
	LLVMValueRef a, b;

	a = build(w, LLVMGetOperand(n->v, 1), space);
	b = build(w, LLVMGetOperand(n->v, 2), space);
	LLVMPositionBuilderBefore(w->b, n->v);
	return LLVMBuildSelect(w->b, LLVMGetOperand(n->v, 0), a, b, "");
}

/* the phi comes first: what flows into it may be made of it */
static LLVMValueRef
phi(struct rewrite *w, struct node *n, unsigned space)
{
	LLVMBasicBlockRef from;
	LLVMValueRef p, v;
	unsigned k;

	LLVMPositionBuilderBefore(w->b, n->v);
	p = LLVMBuildPhi(w->b, pointer_type(w, space), "");
	n->pointer[space] = p;
	for (k = 0; k < LLVMCountIncoming(n->v); k++) {
		from = LLVMGetIncomingBlock(n->v, k);
		v = build(w, LLVMGetIncomingValue(n->v, k), space);
		LLVMAddIncoming(p, &v, &from, 1);
	}
	return p;
}

/* the node whose pointer n's is computed from, alone; 0: there is none */
static struct node *
below(struct rewrite *w, const struct node *n, unsigned space)
{
	enum address_class c;

	c = address_class(space);
	if (!n->strength[c])
		return 0;
	switch (n->kind) {
	case NODE_ADD:
		if (space == GENERIC_SPACE && is_doubtful(w, n, c))
			return 0;
		return address_node(w, LLVMGetOperand(n->v, base(w, n, c)));
	case NODE_SUB:
	case NODE_RESIZE:
		return address_node(w, LLVMGetOperand(n->v, 0));
	default:
		return 0;
	}
}

static LLVMValueRef
make(struct rewrite *w, struct node *n, unsigned space)
{
	struct node *from;

	from = below(w, n, space);
	if (from && n->kind == NODE_RESIZE)
		return from->pointer[space];
	if (from)
		return sum(w, n, from->pointer[space]);
	if (!n->strength[address_class(space)])
		return leaf(w, n->v, space);
	switch (n->kind) {
	case NODE_POINTER:
		behind(w, n->v);
		return in_space(w, LLVMGetOperand(n->v, 0), space);
	case NODE_SELECT:
		return choice(w, n, space);
	case NODE_PHI:
		return phi(w, n, space);
	default:
		return leaf(w, n->v, space);
	}
}

/* Sums of sums go as deep as loops were unrolled: down to what they start
 * from without recursion, and up again.  A phi on the way may come back here
 * and make some of them, or give them other users; hence the outer loop. */
static LLVMValueRef
build(struct rewrite *w, LLVMValueRef v, unsigned space)
{
	struct node *goal, *n, *from, *top;

	goal = address_node(w, v);
	while (!goal->pointer[space]) {
		top = 0;
		for (n = goal; !n->pointer[space]; n = from) {
			n->user = top;
			top = n;
			from = below(w, n, space);
			if (!from)
				break;
		}
		for (n = top; n; n = n->user)
			if (!n->pointer[space])
				n->pointer[space] = make(w, n, space);
	}
	return goal->pointer[space];
}

void
address_access(struct rewrite *w, LLVMValueRef i)
{
	struct node *n;
	LLVMValueRef p;
	unsigned space;

	space = LLVMGetPointerAddressSpace(LLVMTypeOf(i));
	n = address_node(w, LLVMGetOperand(i, 0));
	if (!n || space >= SPACES || n->no[address_class(space)]
	|| !n->strength[address_class(space)])
		return;
	p = build(w, n->v, space);
	if (p == i) /* one of ours: a leaf of a loop's address */
		return;
	LLVMReplaceAllUsesWith(i, p);
	LLVMInstructionEraseFromParent(i);
}

/* was n, computed as an integer, computed again as pointer p?  An inttoptr
 * still needs the integer. */
static bool
is_replaced(const struct node *n, LLVMValueRef p)
{
	return p && n->kind >= NODE_ADD && n->kind != NODE_RESIZE
		&& LLVMIsAInstruction(n->v) && LLVMIsAInstruction(p)
		&& !LLVMIsAIntToPtrInst(p);
}

void
address_uses(struct rewrite *w)
{
	struct node *n;
	LLVMValueRef v;
	unsigned s;

	for (n = w->first; n; n = n->next)
		for (s = 0; s < SPACES; s++)
			if (is_replaced(n, n->pointer[s])) {
				behind(w, n->pointer[s]);
				v = LLVMBuildPtrToInt(w->b, n->pointer[s],
					LLVMTypeOf(n->v), "");
				LLVMReplaceAllUsesWith(n->v, v);
				break;
			}
}
