/* atom_float.c - atomic add, min and max of floats.
 *
 * What NVIDIA's hardware does: f32 in global memory takes subnormals for zero,
 * all else keeps them, and each addition rounds by itself.  Where the target
 * has an instruction that adds so, it is used; where it keeps the subnormals
 * of global f32, a second step mends the rare sum that shows it.  Otherwise,
 * and at .sys scope, where memory of the host may not know float additions,
 * it is a loop.  What the host may touch meanwhile has to be asked for at
 * .sys scope, or be memory that the runtime keeps on the device.
 */
#include "atom.h"
#include "arith.h"

#include <string.h>

/* global f32: PTX flushes */
static bool
flushes(const struct atom *a)
{
	return a->type == T_F32 && a->space == GLOBAL;
}

static LLVMValueRef
flush(struct emit *e, const struct atom *a, LLVMValueRef v)
{
	return flushes(a) ? emit_flush(e, v) : v;
}

/* bits in working form */
static LLVMValueRef
work(struct emit *e, const struct atom *a, LLVMValueRef bits)
{
	unsigned n;

	n = e->lanes * type_info[a->type].lanes;
	if (emit_is_bf16(a->type)) {
		if (n > e->lanes)
			bits = emit_bits(e, bits, LLVMVectorType(
				LLVMInt16TypeInContext(e->c), n));
		return emit_from_bf16(e, bits);
	}
	return flush(e, a, emit_bits(e, bits, emit_fty(e, a->type)));
}

static LLVMValueRef
result(struct emit *e, const struct atom *a, LLVMValueRef v)
{
	if (emit_is_bf16(a->type))
		v = emit_bf16(e, ROUND_RN, v);
	return emit_bits(e, flush(e, a, v), emit_tty(e, a->type));
}

static LLVMValueRef
step(struct emit *e, const struct atom *a, LLVMValueRef old)
{
	LLVMValueRef x, y;

	x = work(e, a, old);
	y = work(e, a, a->b);
	if (!strcmp(a->op, "add"))
		x = emit_fadd(e, ROUND_RN, x, y);
	else if (!strcmp(a->op, "min"))
		x = emit_fmin(e, x, y);
	else
		x = emit_fmax(e, x, y);
	return result(e, a, x);
}

static LLVMValueRef
is_subnormal(struct emit *e, LLVMValueRef f)
{
	enum { SUBNORMAL = 0x90 };
	LLVMValueRef arg[] = { f, LLVMConstInt(LLVMInt32TypeInContext(e->c),
		SUBNORMAL, false) };
	LLVMTypeRef ty;

	ty = LLVMTypeOf(f);
	return emit_intrinsic(e, "llvm.is.fpclass", &ty, 1, arg, 2);
}

/* old and b were added with their subnormals: makes good for it */
static void
mend(struct emit *e, const struct atom *a, LLVMValueRef old, LLVMValueRef b)
{
	struct atomic at = a->at;
	LLVMBasicBlockRef odd, rest;
	LLVMValueRef sum, bits;

	sum = emit_fadd(e, ROUND_RN, old, b);
	odd = emit_block(e, "subnormal");
	rest = emit_block(e, "");
	LLVMBuildCondBr(e->b, LLVMBuildOr(e->b, is_subnormal(e, old),
		is_subnormal(e, sum), ""), odd, rest);
	LLVMPositionBuilderAtEnd(e->b, odd);
	bits = emit_bits(e, old, emit_tty(e, a->type));
	at.order = LLVMAtomicOrderingMonotonic;
	emit_cas(e, &at, emit_bits(e, sum, emit_tty(e, a->type)),
		step(e, a, bits));
	LLVMBuildBr(e->b, rest);
	LLVMPositionBuilderAtEnd(e->b, rest);
}

/* the addition by one instruction; 0: there is none */
static LLVMValueRef
direct(struct emit *e, const struct atom *a)
{
	LLVMValueRef old, b;
	bool flushed;

	if (!strcmp(a->at.scope, "sys"))
		return 0;
	flushed = flushes(a);
	b = emit_bits(e, a->b, emit_fty(e, a->type));
	old = e->t->atomic_add(e, &a->at, a->type, a->space, b, &flushed);
	if (!old)
		return 0;
	if (flushes(a) && !flushed)
		mend(e, a, old, emit_flush(e, b));
	return emit_bits(e, old, emit_tty(e, a->type));
}

static LLVMValueRef
in_space(struct emit *e, const struct atom *all, enum space space)
{
	struct atom a = *all;

	a.space = space;
	a.at.p = LLVMBuildAddrSpaceCast(e->b, a.at.p,
		LLVMPointerTypeInContext(e->c, e->t->space[space]), "");
	return emit_atom_float(e, &a);
}

/* an addition at a generic address: which memory it is matters */
static LLVMValueRef
either(struct emit *e, const struct atom *a)
{
	LLVMBasicBlockRef to[2], done;
	LLVMValueRef d, old[2];

	to[0] = emit_block(e, "shared");
	to[1] = emit_block(e, "global");
	done = emit_block(e, "");
	LLVMBuildCondBr(e->b, e->t->within(e, a->at.p, SHARED), to[0], to[1]);
	LLVMPositionBuilderAtEnd(e->b, to[0]);
	old[0] = in_space(e, a, SHARED);
	LLVMBuildBr(e->b, done);
	to[0] = LLVMGetInsertBlock(e->b);
	LLVMPositionBuilderAtEnd(e->b, to[1]);
	old[1] = in_space(e, a, GLOBAL);
	LLVMBuildBr(e->b, done);
	to[1] = LLVMGetInsertBlock(e->b);
	LLVMPositionBuilderAtEnd(e->b, done);
	d = LLVMBuildPhi(e->b, emit_tty(e, a->type), "");
	LLVMAddIncoming(d, old, to, 2);
	return d;
}

LLVMValueRef
emit_atom_float(struct emit *e, const struct atom *a)
{
	LLVMValueRef old;

	old = 0;
	if (!strcmp(a->op, "add")) {
		if (a->space == GENERIC)
			return either(e, a);
		old = direct(e, a);
	}
	return old ? old : emit_atom_loop(e, a, step);
}
