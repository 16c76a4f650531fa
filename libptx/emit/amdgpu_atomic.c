/* amdgpu_atomic.c - float additions in memory by one instruction.
 *
 * LLVM chooses them in functions marked "amdgpu-unsafe-fp-atomics"; what is
 * unsafe about them stands in the flags of amdgpu.def, and atom_float.c minds
 * it.  LLVM would also add up the lanes of a wave that meet at one address
 * first, which rounds differently from one addition after the other: it
 * leaves addresses alone that it takes for different.
 */
#include "amdgpu.h"

/* the processor's flag that stands for the instruction; 1: all have it */
static unsigned
needs(enum type t, enum space space)
{
	switch (t) {
	case T_F32:    return space == SHARED ? 1 : FADD32;
	case T_F64:    return FADD64;
	case T_F16X2:  return space == SHARED ? FADD16_LDS : FADD16;
	case T_BF16X2: return space == SHARED ? FADD16_LDS : FADDBF;
	default:       return 0;
	}
}

LLVMValueRef
amdgpu_atomic_add(struct emit *e, const struct atomic *a, enum type t,
	enum space space, LLVMValueRef v, bool *flush)
{
	struct atomic at = *a;
	unsigned need, has;

	need = needs(t, space);
	has = amdgpu_flags(e->o->arch) | 1;
	if (!(has & need))
		return 0;
	if (*flush && has & FADD32_SUBN) {
		v = emit_flush(e, v);
		*flush = false;
	}
	at.p = amdgpu_hide(e, a->p);
	return emit_rmw(e, &at, LLVMAtomicRMWBinOpFAdd, v);
}
