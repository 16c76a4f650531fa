/* atom_loop.c - any atomic operation, by compare and swap.
 *
 * Of several lanes that meet at one word each round lets one through, so the
 * loop ends.  16 bits are changed in the aligned word that holds them; PTX
 * does not let it cross the end of a page or of shared memory.
 *
 * What the lanes found is hidden behind the loop: else LLVM may take for a
 * test after it the mask of a test within, which holds the last round's lanes.
 */
#include "atom.h"

/* moves a to the word around its 16 bits; how far up they stand in it */
static LLVMValueRef
align(struct emit *e, struct atomic *a)
{
	LLVMTypeRef i64;
	LLVMValueRef off, back;

	i64 = LLVMInt64TypeInContext(e->c);
	off = LLVMBuildPtrToInt(e->b, a->p, i64, "");
	off = LLVMBuildAnd(e->b, off, LLVMConstInt(i64, 2, false), "");
	back = LLVMBuildNeg(e->b, off, "");
	a->p = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), a->p, &back, 1,
		"");
	off = LLVMBuildTrunc(e->b, off, emit_ity(e, 32), "");
	return LLVMBuildShl(e->b, off, emit_k(e, emit_ity(e, 32), 3), "");
}

/* the 16 bits at shift */
static LLVMValueRef
cut(struct emit *e, LLVMValueRef word, LLVMValueRef shift)
{
	return LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, word, shift, ""),
		emit_ity(e, 16), "");
}

/* word with v in their place */
static LLVMValueRef
paste(struct emit *e, LLVMValueRef word, LLVMValueRef v, LLVMValueRef shift)
{
	LLVMValueRef hole;

	hole = LLVMBuildShl(e->b, emit_k(e, emit_ity(e, 32), 0xffff), shift,
		"");
	word = LLVMBuildAnd(e->b, word, LLVMBuildNot(e->b, hole, ""), "");
	v = LLVMBuildZExt(e->b, v, emit_ity(e, 32), "");
	return LLVMBuildOr(e->b, word, LLVMBuildShl(e->b, v, shift, ""), "");
}

LLVMValueRef
emit_atom_loop(struct emit *e, const struct atom *a,
	LLVMValueRef (*step)(struct emit *, const struct atom *,
		LLVMValueRef old))
{
	struct atomic word = a->at, look;
	LLVMBasicBlockRef from[2], done;
	LLVMValueRef shift, old, was, now, seen[2];
	unsigned bits;

	bits = type_info[a->type].bits;
	shift = bits == 16 ? align(e, &word) : 0;
	look = word;
	look.order = LLVMAtomicOrderingMonotonic;
	seen[0] = emit_atomic_load(e, &look, shift ? 32 : bits);
	from[0] = LLVMGetInsertBlock(e->b);
	from[1] = emit_block(e, "atom");
	done = emit_block(e, "");
	LLVMBuildBr(e->b, from[1]);
	LLVMPositionBuilderAtEnd(e->b, from[1]);
	old = LLVMBuildPhi(e->b, LLVMTypeOf(seen[0]), "");
	was = shift ? cut(e, old, shift) : old;
	now = step(e, a, was);
	if (shift)
		now = paste(e, old, now, shift);
	now = emit_cas(e, &word, old, now);
	seen[1] = LLVMBuildExtractValue(e->b, now, 0, "");
	LLVMBuildCondBr(e->b, LLVMBuildExtractValue(e->b, now, 1, ""), done,
		from[1]);
	LLVMAddIncoming(old, seen, from, 2);
	LLVMPositionBuilderAtEnd(e->b, done);
	if (e->t->hide) {
		old = e->t->hide(e, old);
		was = shift ? cut(e, old, shift) : old;
	}
	return was;
}
