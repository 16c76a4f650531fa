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

/* v moved as control word ctrl of the DPP instructions says */
static LLVMValueRef
dpp(struct emit *e, LLVMValueRef v, int ctrl)
{
	LLVMTypeRef ty;
	LLVMValueRef arg[] = { LLVMGetPoison(LLVMTypeOf(v)), v, k32(e, ctrl),
		k32(e, 15), k32(e, 15), emit_k(e, emit_ity(e, 1), 1) };

	ty = LLVMTypeOf(v);
	arg[0] = v;
	return emit_intrinsic(e, "llvm.amdgcn.update.dpp", &ty, 1, arg, 6);
}

/* does src repeat src[0..3] in each group of four? */
static bool
is_quad(const uint8_t src[32])
{
	int i;

	for (i = 0; i < 32; i++)
		if (src[i] / 4 != i / 4 || src[i] % 4 != src[i % 4])
			return false;
	return true;
}

/* the k for which src[i] is i ^ k, or -1 */
static int
exclusive_or(const uint8_t src[32])
{
	int i;

	for (i = 1; i < 32; i++)
		if (src[i] != (i ^ src[0]))
			return -1;
	return src[0];
}

enum { DPP_ROW_MIRROR = 0x140, DPP_HALF_MIRROR = 0x141, DPP_XMASK = 0x160 };

/* lanes i ^ k on a processor of generation 9, which has no row_xmask:
 * swizzles go through the LDS unit but need no address */
static LLVMValueRef
swizzle(struct emit *e, LLVMValueRef v, int k)
{
	LLVMValueRef arg[] = { v, k32(e, k << 10 | 31) };

	if (k == 7)
		return dpp(e, v, DPP_HALF_MIRROR);
	if (k == 15)
		return dpp(e, v, DPP_ROW_MIRROR);
	return emit_intrinsic(e, "llvm.amdgcn.ds.swizzle", 0, 0, arg, 2);
}

/* lanes i ^ k for k of 16 and more: rows of 16 exchanged, then within */
static LLVMValueRef
cross_rows(struct emit *e, LLVMValueRef v, int k)
{
	LLVMTypeRef ty;
	LLVMValueRef arg[] = { v, v, k32(e, 0x76543210),
		k32(e, (int32_t)0xfedcba98u), emit_k(e, emit_ity(e, 1), 0),
		emit_k(e, emit_ity(e, 1), 0) };

	ty = LLVMTypeOf(v);
	v = emit_intrinsic(e, "llvm.amdgcn.permlanex16", &ty, 1, arg, 6);
	return k == 16 ? v : dpp(e, v, DPP_XMASK + k - 16);
}

LLVMValueRef
amdgpu_permute(struct emit *e, LLVMValueRef v, const uint8_t src[32])
{
	int k;

	if (is_quad(src))
		return dpp(e, v, src[0] | src[1] << 2 | src[2] << 4
			| src[3] << 6);
	k = exclusive_or(src);
	if (k < 0)
		return 0;
	if (is_wave64(e))
		return swizzle(e, v, k);
	return k < 16 ? dpp(e, v, DPP_XMASK + k) : cross_rows(e, v, k);
}
