/* amdgpu_lane.c - lanes of a warp: their numbers, votes, shuffles.
 *
 * A warp is a wave of 32 lanes, or half of a wave of 64.
 */
#include "amdgpu.h"

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static bool
is_wave64(struct emit *e)
{
	return amdgpu_flags(e->o->arch) & WAVE64;
}

/* this thread's lane in its wave */
static LLVMValueRef
wave_lane(struct emit *e)
{
	LLVMValueRef arg[] = { k32(e, -1), k32(e, 0) };

	arg[1] = emit_intrinsic(e, "llvm.amdgcn.mbcnt.lo", 0, 0, arg, 2);
	if (is_wave64(e))
		arg[1] = emit_intrinsic(e, "llvm.amdgcn.mbcnt.hi", 0, 0, arg,
			2);
	return arg[1];
}

LLVMValueRef
amdgpu_laneid(struct emit *e)
{
	return LLVMBuildAnd(e->b, wave_lane(e), k32(e, 31), "");
}

/* 32 for threads of the upper warp of a wave, else 0 */
static LLVMValueRef
upper(struct emit *e)
{
	return LLVMBuildAnd(e->b, wave_lane(e), k32(e, 32), "");
}

LLVMValueRef
amdgpu_ballot(struct emit *e, LLVMValueRef p)
{
	LLVMTypeRef ty;
	LLVMValueRef all, low, high, is_low;

	ty = emit_ity(e, is_wave64(e) ? 64 : 32);
	all = emit_intrinsic(e, "llvm.amdgcn.ballot", &ty, 1, &p, 1);
	if (!is_wave64(e))
		return all;
	low = LLVMBuildTrunc(e->b, all, emit_ity(e, 32), "");
	high = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, all,
		emit_k(e, ty, 32), ""), emit_ity(e, 32), "");
	is_low = LLVMBuildICmp(e->b, LLVMIntEQ, upper(e), k32(e, 0), "");
	return LLVMBuildSelect(e->b, is_low, low, high, "");
}

LLVMValueRef
amdgpu_shuffle(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	LLVMValueRef arg[2];

	if (is_wave64(e))
		src = LLVMBuildOr(e->b, src, upper(e), "");
	arg[0] = LLVMBuildShl(e->b, src, k32(e, 2), "");
	arg[1] = v;
	return emit_intrinsic(e, "llvm.amdgcn.ds.bpermute", 0, 0, arg, 2);
}

/* two warps of a wave may ask for different lanes */
LLVMValueRef
amdgpu_broadcast(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	LLVMTypeRef ty;
	LLVMValueRef arg[] = { v, src };

	if (is_wave64(e))
		return amdgpu_shuffle(e, v, src);
	ty = emit_ity(e, 32);
	return emit_intrinsic(e, "llvm.amdgcn.readlane", &ty, 1, arg, 2);
}

LLVMValueRef
amdgpu_first(struct emit *e, LLVMValueRef v)
{
	LLVMTypeRef ty = LLVMTypeOf(v);

	return emit_intrinsic(e, "llvm.amdgcn.readfirstlane", &ty, 1, &v, 1);
}

/* how many lanes below this one of its wave are here */
static LLVMValueRef
rank(struct emit *e)
{
	LLVMTypeRef ty;
	LLVMValueRef all, arg[2];

	ty = emit_ity(e, is_wave64(e) ? 64 : 32);
	all = emit_k(e, emit_ity(e, 1), 1);
	all = emit_intrinsic(e, "llvm.amdgcn.ballot", &ty, 1, &all, 1);
	arg[0] = LLVMBuildTrunc(e->b, all, emit_ity(e, 32), "");
	arg[1] = k32(e, 0);
	arg[1] = emit_intrinsic(e, "llvm.amdgcn.mbcnt.lo", 0, 0, arg, 2);
	if (!is_wave64(e))
		return arg[1];
	arg[0] = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, all,
		emit_k(e, ty, 32), ""), emit_ity(e, 32), "");
	return emit_intrinsic(e, "llvm.amdgcn.mbcnt.hi", 0, 0, arg, 2);
}

/* the number of this thread in its block, and of threads in the block */
static LLVMValueRef
flat(struct emit *e, LLVMValueRef *n)
{
	LLVMValueRef id, size;
	int k;

	id = emit_sreg(e, SREG_TID, 2);
	*n = emit_sreg(e, SREG_NTID, 2);
	for (k = 1; k >= 0; k--) {
		size = emit_sreg(e, SREG_NTID, k);
		id = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, id, size, ""),
			emit_sreg(e, SREG_TID, k), "");
		*n = LLVMBuildMul(e->b, *n, size, "");
	}
	return id;
}

/* a wave of 64 lanes holds two warps, but for the last one of a block with an
 * odd number of them */
LLVMValueRef
amdgpu_leads(struct emit *e, LLVMValueRef *warps)
{
	LLVMValueRef id, n, odd;

	*warps = k32(e, 1);
	if (is_wave64(e)) {
		id = LLVMBuildOr(e->b, flat(e, &n), k32(e, 63), "");
		id = LLVMBuildSub(e->b, id, k32(e, 31), "");
		odd = LLVMBuildICmp(e->b, LLVMIntUGE, id, n, "");
		*warps = LLVMBuildSelect(e->b, odd, *warps, k32(e, 2), "");
	}
	return LLVMBuildICmp(e->b, LLVMIntEQ, rank(e), k32(e, 0), "");
}
