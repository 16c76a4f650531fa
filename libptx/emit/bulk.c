/* bulk.c - cp.async.bulk and cp.reduce.async.bulk without tensors (PTX
 * 9.7.9.25.4).
 *
 * One thread starts such a copy and here it also does it, 16 bytes at a time,
 * before it goes on.  A cluster is one block, so a multicast has one target.
 */
#include "atom.h"
#include "mbarrier.h"

/* tells the mbarrier, if one is spelled */
static void
done(struct emit *e, const struct insn *i, LLVMValueRef size)
{
	if (insn_has(i, "mbarrier::complete_tx::bytes"))
		emit_mbar_done(e, emit_addr(e, &i->u.opnd[3], SHARED), size);
}

/* with: 'r' from global memory, 'w' to it, 's' within shared memory */
void
emit_bulk(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef to, from, size;

	if (insn_has(i, "cp_mask")) {
		emit_refuse(e, "byte masks are not translated");
		return;
	}
	to = emit_addr(e, &i->u.opnd[0], with == 'w' ? GLOBAL : SHARED);
	from = emit_addr(e, &i->u.opnd[1], with == 'r' ? GLOBAL : SHARED);
	size = emit_read(e, &i->u.opnd[2], T_U32);
	LLVMBuildMemCpy(e->b, to, 16, from, 16, size);
	done(e, i, size);
}

/* one element of a reduction, at offset off */
static void
element(struct emit *e, struct atom a, LLVMValueRef from, LLVMValueRef off)
{
	LLVMTypeRef byte;

	byte = LLVMInt8TypeInContext(e->c);
	from = LLVMBuildGEP2(e->b, byte, from, &off, 1, "");
	a.at.p = LLVMBuildGEP2(e->b, byte, a.at.p, &off, 1, "");
	a.b = LLVMBuildLoad2(e->b, emit_tty(e, a.type), from, "");
	emit_atom_one(e, &a);
}

/* with: 'w' to global memory, 's' within shared memory */
void
emit_bulk_red(struct emit *e, const struct insn *i, int with)
{
	struct atom a = { .type = insn_type(i, 0), .op = emit_atom_op(i),
		.space = with == 'w' ? GLOBAL : SHARED,
		.at = { 0, LLVMAtomicOrderingMonotonic, "gpu" } };
	LLVMBasicBlockRef from[2], rest;
	LLVMValueRef src, size, at, more, next[2];

	a.at.p = emit_addr(e, &i->u.opnd[0], a.space);
	src = emit_addr(e, &i->u.opnd[1], SHARED);
	size = emit_read(e, &i->u.opnd[2], T_U32);
	from[0] = LLVMGetInsertBlock(e->b);
	from[1] = emit_block(e, "bulk");
	rest = emit_block(e, "");
	LLVMBuildBr(e->b, from[1]);
	LLVMPositionBuilderAtEnd(e->b, from[1]);
	at = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	element(e, a, src, at);
	next[0] = emit_k(e, emit_ity(e, 32), 0);
	next[1] = LLVMBuildAdd(e->b, at, emit_k(e, emit_ity(e, 32),
		type_info[a.type].bits / 8), "");
	more = LLVMBuildICmp(e->b, LLVMIntULT, next[1], size, "");
	LLVMBuildCondBr(e->b, more, from[1], rest);
	from[1] = LLVMGetInsertBlock(e->b);
	LLVMAddIncoming(at, next, from, 2);
	LLVMPositionBuilderAtEnd(e->b, rest);
	done(e, i, size);
}
