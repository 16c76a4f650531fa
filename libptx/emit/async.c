/* async.c - cp.async: copies to shared memory that the thread waits for later
 * (PTX 9.7.9.25.3).
 *
 * They are done at once, by ordinary accesses, so that committing a group
 * and waiting for one is no work.  The source is aligned to the size of the
 * copy: what a shorter source leaves out may be read, it never lies in
 * another page.
 */
#include "mbarrier.h"

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* words, of which only the first n bytes count, with zeros for the others */
static LLVMValueRef
first(struct emit *e, LLVMValueRef words, LLVMValueRef n)
{
	LLVMValueRef have, mask, v;
	unsigned k, nword;

	nword = LLVMGetVectorSize(LLVMTypeOf(words));
	for (k = 0; k < nword; k++) {
		have = emit_call2(e, "llvm.usub.sat", n, k32(e, 4 * k));
		mask = LLVMBuildShl(e->b, k32(e, 1), LLVMBuildShl(e->b, have,
			k32(e, 3), ""), "");
		mask = LLVMBuildSub(e->b, mask, k32(e, 1), "");
		mask = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntUGE,
			have, k32(e, 4), ""), k32(e, -1), mask, "");
		v = LLVMBuildExtractElement(e->b, words, k32(e, k), "");
		words = LLVMBuildInsertElement(e->b, words,
			LLVMBuildAnd(e->b, v, mask, ""), k32(e, k), "");
	}
	return words;
}

static LLVMValueRef
load(struct emit *e, const struct opnd *from, unsigned size)
{
	LLVMValueRef v;

	v = LLVMBuildLoad2(e->b, LLVMVectorType(LLVMInt32TypeInContext(e->c),
		size / 4), emit_addr(e, from, GLOBAL), "");
	LLVMSetAlignment(v, size);
	return v;
}

/* the source where it is read at all, cut to n bytes if n is not 0 */
static LLVMValueRef
load_if(struct emit *e, LLVMValueRef cond, const struct opnd *from,
	unsigned size, LLVMValueRef n)
{
	LLVMBasicBlockRef block[2], rest;
	LLVMValueRef v[2], d;

	block[0] = LLVMGetInsertBlock(e->b);
	block[1] = emit_block(e, "copy");
	rest = emit_block(e, "");
	LLVMBuildCondBr(e->b, cond, block[1], rest);
	LLVMPositionBuilderAtEnd(e->b, block[1]);
	v[1] = load(e, from, size);
	if (n)
		v[1] = first(e, v[1], n);
	v[0] = LLVMConstNull(LLVMTypeOf(v[1]));
	LLVMBuildBr(e->b, rest);
	LLVMPositionBuilderAtEnd(e->b, rest);
	d = LLVMBuildPhi(e->b, LLVMTypeOf(v[1]), "");
	LLVMAddIncoming(d, v, block, 2);
	return d;
}

/* with: 'n' the fourth operand is the size of the source, 'p' it says not to
 * read; a cache policy may stand last */
void
emit_cp_async(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *o;
	LLVMValueRef v, n, store;
	unsigned size, nopnd;

	o = i->u.opnd;
	size = (unsigned)o[2].u.i;
	nopnd = i->nopnd - insn_has(i, "L2::cache_hint");
	if (nopnd < 4) {
		v = load(e, &o[1], size);
	} else if (with == 'p') {
		n = emit_read(e, &o[3], T_PRED);
		v = load_if(e, LLVMBuildNot(e->b, n, ""), &o[1], size, 0);
	} else {
		n = emit_read(e, &o[3], T_U32);
		v = load_if(e, LLVMBuildICmp(e->b, LLVMIntNE, n, k32(e, 0),
			""), &o[1], size, n);
	}
	store = LLVMBuildStore(e->b, v, emit_addr(e, &o[0], SHARED));
	LLVMSetAlignment(store, size);
}

/* the arrival that .noinc leaves out of the count; without it nothing is
 * left to count, since the copies are done */
void
emit_cp_mbar(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	if (insn_has(i, "noinc"))
		emit_mbar_come(e, emit_addr(e, &i->u.opnd[0], SHARED));
}
