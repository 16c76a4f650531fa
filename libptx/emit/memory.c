/* memory.c - ld, st and their relatives (PTX 9.7.9.8 and on).
 *
 * Addresses are aligned to the access, as PTX demands.  Weak accesses are
 * plain; .volatile, .relaxed, .acquire, .release and .mmio become atomic
 * ones where LLVM has them for the width and volatile ones with fences for
 * vectors, which PTX lets the machine split but programs hope it does not.
 */
#include "emit_int.h"

#include <string.h>

/* one ld or st, taken apart */
struct ldst {
	enum space space;
	enum type type;
	unsigned n;              /* elements */
	const struct opnd *reg;  /* n of them */
	const struct opnd *addr;
	LLVMAtomicOrdering order;
	const char *scope;       /* PTX's: "gpu" */
	bool is_volatile, nontemporal, invariant;
};

/* the last row whose word is spelled decides */
static const struct {
	const char *word;
	LLVMAtomicOrdering order;
	bool is_volatile;
} sems[] = {
	{ "relaxed",  LLVMAtomicOrderingMonotonic, false },
	{ "acquire",  LLVMAtomicOrderingAcquire,   false },
	{ "release",  LLVMAtomicOrderingRelease,   false },
	{ "volatile", LLVMAtomicOrderingNotAtomic, true },
	{ "mmio",     LLVMAtomicOrderingMonotonic, true },
};

enum space
emit_space(const struct insn *i)
{
	const char *w;
	size_t n;
	int s;

	w = insn_word(i, "space");
	for (s = CONST; !w && s < NSPACE; s++)
		if (insn_has(i, space_name[s]))
			return (enum space)s; /* a word of the form itself */
	n = w ? strcspn(w, ":") : 0;
	for (s = CONST; s < NSPACE; s++)
		if (strlen(space_name[s]) == n
		&& !memcmp(space_name[s], w, n))
			return (enum space)s;
	return GENERIC;
}

static void
order(struct ldst *a, const struct insn *i)
{
	size_t k;

	for (k = 0; k < sizeof sems / sizeof *sems; k++)
		if (insn_has(i, sems[k].word)) {
			a->order = sems[k].order;
			a->is_volatile = sems[k].is_volatile;
		}
	a->scope = insn_word(i, "scope");
	if (!a->scope)
		a->scope = "sys";
}

static void
take_apart(struct ldst *a, const struct insn *i, bool store)
{
	const char *cop;

	memset(a, 0, sizeof *a);
	a->order = LLVMAtomicOrderingNotAtomic;
	a->space = emit_space(i);
	a->type = insn_type(i, 0);
	a->reg = &i->u.opnd[store];
	a->addr = &i->u.opnd[!store];
	a->n = 1;
	if (a->reg->kind == OP_VEC) {
		a->n = a->reg->n;
		a->reg = a->reg->u.list;
	}
	order(a, i);
	cop = insn_word(i, "cop");
	a->nontemporal = cop && (!strcmp(cop, "cs") || !strcmp(cop, "lu"));
	a->invariant = !store && a->order == LLVMAtomicOrderingNotAtomic
		&& !a->is_volatile
		&& (a->space == CONST || insn_has(i, "nc")
		|| (a->space == PARAM));
}

static void
metadata(struct emit *e, LLVMValueRef v, const char *kind, LLVMMetadataRef m)
{
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(e->c, kind,
		(unsigned)strlen(kind)), LLVMMetadataAsValue(e->c, m));
}

void
emit_invariant(struct emit *e, LLVMValueRef v)
{
	metadata(e, v, "invariant.load", LLVMMDNodeInContext2(e->c, 0, 0));
}

static void
mark(struct emit *e, const struct ldst *a, LLVMValueRef v)
{
	LLVMMetadataRef one;

	if (a->is_volatile)
		LLVMSetVolatile(v, true);
	if (a->nontemporal) {
		one = LLVMValueAsMetadata(LLVMConstInt(
			LLVMInt32TypeInContext(e->c), 1, false));
		metadata(e, v, "nontemporal",
			LLVMMDNodeInContext2(e->c, &one, 1));
	}
	if (a->order != LLVMAtomicOrderingNotAtomic) {
		LLVMSetOrdering(v, a->order);
		emit_syncscope(v, e->t->syncscope(a->scope));
	}
}

/* vectors and what is wider than 64 bits have no atomic access in LLVM */
static bool
is_split(const struct ldst *a)
{
	return a->order != LLVMAtomicOrderingNotAtomic
		&& (a->n > 1 || type_info[a->type].bits > 64);
}

static LLVMTypeRef
memory_type(struct emit *e, const struct ldst *a)
{
	LLVMTypeRef ty;

	ty = LLVMIntTypeInContext(e->c, type_info[a->type].bits);
	return a->n > 1 ? LLVMVectorType(ty, a->n) : ty;
}

static unsigned
width(const struct ldst *a)
{
	return a->n * type_info[a->type].bits / 8;
}

/* does an address in .param lie in the kernel's parameters? */
static bool
of_kernel(struct emit *e, const struct opnd *addr)
{
	const struct opnd *base = addr->kind == OP_ADDR ? addr->u.list : addr;

	return base->kind == OP_SYM && emit_is_kernel_param(e, base->u.sym);
}

/* A kernel's parameters are read where it begins, once, together: they are
 * there and do not change, so that costs at most registers. */
static LLVMValueRef
load(struct emit *e, const struct ldst *a)
{
	LLVMBasicBlockRef here;
	LLVMValueRef v;
	bool early;

	here = LLVMGetInsertBlock(e->b);
	early = a->space == PARAM && of_kernel(e, a->addr);
	if (early)
		LLVMPositionBuilderAtEnd(e->b, LLVMGetEntryBasicBlock(e->fn));
	v = LLVMBuildLoad2(e->b, memory_type(e, a),
		emit_addr(e, a->addr, a->space), "");
	LLVMSetAlignment(v, width(a));
	mark(e, a, v);
	if (a->invariant && (a->space != PARAM || of_kernel(e, a->addr)))
		emit_invariant(e, v);
	if (early)
		LLVMPositionBuilderAtEnd(e->b, here);
	return v;
}

/* the k-th element of v, all of what was loaded */
static LLVMValueRef
part(struct emit *e, const struct ldst *a, LLVMValueRef v, unsigned k)
{
	if (a->n == 1)
		return v;
	return LLVMBuildExtractElement(e->b, v,
		LLVMConstInt(LLVMInt32TypeInContext(e->c), k, false), "");
}

void
emit_ld(struct emit *e, const struct insn *i, int with)
{
	struct ldst a;
	LLVMAtomicOrdering after;
	LLVMValueRef v;
	unsigned k;

	(void)with;
	take_apart(&a, i, false);
	after = a.order;
	if (is_split(&a)) {
		a.order = LLVMAtomicOrderingNotAtomic;
		a.is_volatile = true;
	}
	v = load(e, &a);
	if (a.order != after && after == LLVMAtomicOrderingAcquire)
		e->t->fence(e, after, a.scope);
	for (k = 0; k < a.n; k++)
		emit_write(e, &a.reg[k], a.type, part(e, &a, v, k));
}

void
emit_st(struct emit *e, const struct insn *i, int with)
{
	struct ldst a;
	LLVMValueRef v, p;
	unsigned k;

	(void)with;
	take_apart(&a, i, true);
	if (is_split(&a)) {
		if (a.order == LLVMAtomicOrderingRelease)
			e->t->fence(e, a.order, a.scope);
		a.order = LLVMAtomicOrderingNotAtomic;
		a.is_volatile = true;
	}
	p = emit_addr(e, a.addr, a.space);
	v = a.n > 1 ? LLVMGetPoison(memory_type(e, &a)) : 0;
	for (k = 0; k < a.n; k++)
		v = a.n == 1 ? emit_read(e, a.reg, a.type)
			: LLVMBuildInsertElement(e->b, v,
				emit_read(e, &a.reg[k], a.type), LLVMConstInt(
				LLVMInt32TypeInContext(e->c), k, false), "");
	v = LLVMBuildStore(e->b, v, p);
	LLVMSetAlignment(v, width(&a));
	mark(e, &a, v);
}
