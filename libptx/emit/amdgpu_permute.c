/* amdgpu_permute.c - fixed exchanges between lanes, as one instruction.
 *
 * DPP reads a neighbour as part of the instruction that uses it, permlane16
 * moves within and between rows of 16 lanes, ds_swizzle moves within 32 lanes
 * without an address.  What a lane that is not here holds may be read: PTX
 * leaves it undefined.  Encodings: "DPP_CTRL enumeration" and DS_SWIZZLE_B32
 * of AMD's instruction set manuals.
 */
#include "amdgpu.h"

enum {
	ROW_ROR = 0x120, ROW_MIRROR = 0x140,
	ROW_HALF_MIRROR = 0x141, ROW_XMASK = 0x160,
};

/* a word for an operand that is a literal in the instruction */
static LLVMValueRef
k32(struct emit *e, unsigned v)
{
	return LLVMConstInt(LLVMInt32TypeInContext(e->c), v, false);
}

static LLVMValueRef
k1(struct emit *e, unsigned v)
{
	return LLVMConstInt(LLVMInt1TypeInContext(e->c), v, false);
}

static LLVMValueRef
dpp(struct emit *e, LLVMValueRef v, unsigned ctrl)
{
	LLVMTypeRef ty;
	LLVMValueRef arg[] = { 0, v, k32(e, ctrl), k32(e, 15), k32(e, 15),
		k1(e, 1) };

	ty = LLVMTypeOf(v);
	arg[0] = LLVMGetPoison(ty);
	return emit_intrinsic(e, "llvm.amdgcn.update.dpp", &ty, 1, arg, 6);
}

static LLVMValueRef
swizzle(struct emit *e, LLVMValueRef v, unsigned and, unsigned or,
	unsigned xor)
{
	LLVMValueRef arg[] = { v, k32(e, xor << 10 | or << 5 | and) };

	return emit_intrinsic(e, "llvm.amdgcn.ds.swizzle", 0, 0, arg, 2);
}

/* name: permlane16 or permlanex16 */
static LLVMValueRef
permlane(struct emit *e, const char *name, LLVMValueRef v,
	const uint8_t src[32])
{
	LLVMTypeRef ty;
	unsigned lane, sel[2] = { 0, 0 };

	ty = LLVMTypeOf(v);
	for (lane = 0; lane < 16; lane++)
		sel[lane / 8] |= (unsigned)(src[lane] & 15) << lane % 8 * 4;
	return emit_intrinsic(e, name, &ty, 1, (LLVMValueRef[]){
		LLVMGetPoison(ty), v, k32(e, sel[0]), k32(e, sel[1]),
		k1(e, 0), k1(e, 1) }, 6);
}

/* do both rows of 16 do the same, each lane taking from its own row (flip 0)
 * or the other one (16)? */
static bool
by_row(const uint8_t src[32], unsigned flip)
{
	unsigned lane;

	for (lane = 0; lane < 32; lane++)
		if ((src[lane] & 15) != (src[lane & 15] & 15)
		|| (src[lane] & 16) != ((lane & 16) ^ flip))
			return false;
	return true;
}

static bool
is_same(const uint8_t src[32])
{
	unsigned lane;

	for (lane = 1; lane < 32; lane++)
		if (src[lane] != src[0])
			return false;
	return true;
}

/* lane ^ k in every lane? */
static bool
is_xor(const uint8_t src[32], unsigned k)
{
	unsigned lane;

	for (lane = 0; lane < 32; lane++)
		if (src[lane] != (lane ^ k))
			return false;
	return true;
}

/* the same within each group of four? then *ctrl */
static bool
is_quad(const uint8_t src[32], unsigned *ctrl)
{
	unsigned lane;

	for (lane = 0; lane < 32; lane++)
		if (src[lane] != ((lane & ~3u) | (src[lane & 3] & 3)))
			return false;
	*ctrl = src[0] | src[1] << 2 | src[2] << 4 | src[3] << 6;
	return true;
}

static bool
is_dpp(const struct emit *e, const uint8_t src[32], unsigned *ctrl)
{
	unsigned k;

	if (is_quad(src, ctrl))
		return true;
	k = src[0];
	if (!is_xor(src, k))
		return false;
	if (!(amdgpu_flags(e->o->arch) & GFX9)) {
		*ctrl = ROW_XMASK | k;
		return k < 16;
	}
	*ctrl = k == 7 ? ROW_HALF_MIRROR : k == 8 ? ROW_ROR | 8 : ROW_MIRROR;
	return k == 7 || k == 8 || k == 15;
}

/* is src[lane] = ((lane & and) | or) ^ xor? */
static bool
is_swizzle(const uint8_t src[32], unsigned m[3])
{
	unsigned lane, bit;

	m[0] = m[1] = m[2] = 0;
	for (bit = 1; bit < 32; bit *= 2)
		if ((src[0] ^ src[bit]) & bit) {
			m[0] |= bit;
			m[2] |= src[0] & bit;
		} else {
			m[1] |= src[0] & bit;
		}
	for (lane = 0; lane < 32; lane++)
		if (src[lane] != (((lane & m[0]) | m[1]) ^ m[2]))
			return false;
	return true;
}

LLVMValueRef
amdgpu_permute(struct emit *e, LLVMValueRef v, const uint8_t src[32])
{
	unsigned ctrl, m[3];

	if (is_xor(src, 0))
		return v;
	if (is_same(src) && !(amdgpu_flags(e->o->arch) & WAVE64))
		return amdgpu_broadcast(e, v, k32(e, src[0]));
	if (is_dpp(e, src, &ctrl))
		return dpp(e, v, ctrl);
	if (!(amdgpu_flags(e->o->arch) & GFX9) && by_row(src, 0))
		return permlane(e, "llvm.amdgcn.permlane16", v, src);
	if (!(amdgpu_flags(e->o->arch) & GFX9) && by_row(src, 16))
		return permlane(e, "llvm.amdgcn.permlanex16", v, src);
	if (is_swizzle(src, m))
		return swizzle(e, v, m[0], m[1], m[2]);
	return 0;
}
