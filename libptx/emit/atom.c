/* atom.c - atom and red (PTX 9.7.13.5, 9.7.13.7).
 *
 * Integers have LLVM's atomicrmw and cmpxchg, also through generic addresses.
 * A vector is one operation an element, as PTX has it; two halves that share
 * a word go together.  There is no atomic access of 128 bits on AMD GPUs and
 * a lock would not be one, so b128 is refused.
 */
#include "atom.h"

#include <string.h>

static const struct {
	const char *op;
	char kind;                /* of the type; b: any but float */
	LLVMAtomicRMWBinOp rmw;
} ops[] = {
	{ "and",  'b', LLVMAtomicRMWBinOpAnd },
	{ "or",   'b', LLVMAtomicRMWBinOpOr },
	{ "xor",  'b', LLVMAtomicRMWBinOpXor },
	{ "exch", 'b', LLVMAtomicRMWBinOpXchg },
	{ "add",  'b', LLVMAtomicRMWBinOpAdd },
	{ "inc",  'u', LLVMAtomicRMWBinOpUIncWrap },
	{ "dec",  'u', LLVMAtomicRMWBinOpUDecWrap },
	{ "min",  'u', LLVMAtomicRMWBinOpUMin },
	{ "min",  's', LLVMAtomicRMWBinOpMin },
	{ "max",  'u', LLVMAtomicRMWBinOpUMax },
	{ "max",  's', LLVMAtomicRMWBinOpMax },
};

static LLVMValueRef
same(struct emit *e, const struct atom *a, LLVMValueRef old)
{
	return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, old, a->b,
		""), a->c, old, "");
}

static LLVMValueRef
swap(struct emit *e, const struct atom *a)
{
	if (type_info[a->type].bits < 32)
		return emit_atom_loop(e, a, same);
	return LLVMBuildExtractValue(e->b, emit_cas(e, &a->at, a->b, a->c), 0,
		"");
}

static LLVMValueRef
integer(struct emit *e, const struct atom *a)
{
	char kind;
	size_t k;

	kind = type_info[a->type].kind;
	for (k = 0; k < sizeof ops / sizeof *ops; k++)
		if (!strcmp(ops[k].op, a->op)
		&& (ops[k].kind == 'b' || ops[k].kind == kind))
			return emit_rmw(e, &a->at, ops[k].rmw, a->b);
	emit_refuse(e, "no such atomic operation on this type");
	return a->b;
}

LLVMValueRef
emit_atom_one(struct emit *e, const struct atom *a)
{
	if (type_info[a->type].bits == 128) {
		emit_refuse(e, "no atomic access of 128 bits");
		return a->b;
	}
	if (a->c)
		return swap(e, a);
	if (type_info[a->type].kind == 'f')
		return emit_atom_float(e, a);
	return integer(e, a);
}

static LLVMValueRef
offset(struct emit *e, LLVMValueRef p, unsigned bytes)
{
	LLVMValueRef off;

	off = LLVMConstInt(LLVMInt64TypeInContext(e->c), bytes, false);
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), p, &off, 1,
		"");
}

/* elements k and k + 1 of b, halves, as one pair; the same back to d */
static void
pair(struct emit *e, const struct atom *all, const struct opnd *d,
	const struct opnd *b, uint32_t k)
{
	struct atom a = *all;
	LLVMValueRef lo, hi, by;

	by = emit_k(e, emit_ity(e, 32), 16);
	a.type = all->type == T_F16 ? T_F16X2 : T_BF16X2;
	a.at.p = offset(e, all->at.p, 2 * k);
	lo = LLVMBuildZExt(e->b, emit_read(e, &b->u.list[k], all->type),
		emit_ity(e, 32), "");
	hi = LLVMBuildZExt(e->b, emit_read(e, &b->u.list[k + 1], all->type),
		emit_ity(e, 32), "");
	a.b = LLVMBuildOr(e->b, lo, LLVMBuildShl(e->b, hi, by, ""), "");
	lo = emit_atom_one(e, &a);
	if (!d)
		return;
	hi = LLVMBuildLShr(e->b, lo, by, "");
	emit_write(e, &d->u.list[k], all->type,
		LLVMBuildTrunc(e->b, lo, emit_ity(e, 16), ""));
	emit_write(e, &d->u.list[k + 1], all->type,
		LLVMBuildTrunc(e->b, hi, emit_ity(e, 16), ""));
}

static void
vector(struct emit *e, const struct atom *all, const struct opnd *d,
	const struct opnd *b)
{
	struct atom a = *all;
	uint32_t k;
	unsigned size;

	size = type_info[a.type].bits / 8;
	for (k = 0; k < b->n; k += size == 2 ? 2 : 1) {
		if (size == 2) {
			pair(e, all, d, b, k);
			continue;
		}
		a.at.p = offset(e, all->at.p, size * k);
		a.b = emit_read(e, &b->u.list[k], a.type);
		a.b = emit_atom_one(e, &a);
		if (d)
			emit_write(e, &d->u.list[k], a.type, a.b);
	}
}

const char *
emit_atom_op(const struct insn *i)
{
	size_t k;

	for (k = 0; k < sizeof ops / sizeof *ops; k++)
		if (insn_has(i, ops[k].op))
			return ops[k].op;
	return "cas";
}

/* with: red, which gives nothing back */
void
emit_atom(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *d, *addr;
	struct atom a = { .type = insn_type(i, 0), .space = emit_space(i),
		.op = emit_atom_op(i) };

	d = with ? 0 : &i->u.opnd[0];
	addr = with ? &i->u.opnd[0] : &i->u.opnd[1];
	a.at.p = emit_addr(e, addr, a.space);
	a.at.order = emit_order(i);
	a.at.scope = emit_scope(i);
	if (insn_word(i, "vec")) {
		vector(e, &a, d, addr + 1);
		return;
	}
	a.b = emit_read(e, addr + 1, a.type);
	if (!strcmp(a.op, "cas"))
		a.c = emit_read(e, addr + 2, a.type);
	a.b = emit_atom_one(e, &a);
	if (d)
		emit_write(e, d, a.type, a.b);
}
