/* amdgpu.h - what the files of target amdgpu share.
 */
#ifndef AMDGPU_H
#define AMDGPU_H

#include "matrix.h"

enum amdgpu_flag {
	GFX9 = 1, GFX10 = 2, GFX11 = 4, GFX12 = 8, /* the generation */
	WAVE64 = 16,        /* a wave has 64 lanes: two warps */
	SDOT4 = 32,         /* v_dot4_i32_i8, v_dot8_i32_i4 */
	UDOT4 = 64,         /* v_dot4_u32_u8, v_dot8_u32_u4 */
	SUDOT4 = 128,       /* v_dot4_i32_iu8: any signs */
	MFMA = 256, MFMA90A = 512, MFMA940 = 1024, /* matrix instructions */
	WMMA = 2048,
	XCC = 4096,         /* the chip is made of several */
	UNIFIED = 8192,     /* AGPRs and VGPRs are one file */
	ROW20 = 1 << 21,    /* 20 waves a SIMD, not 16 */
	BIGFILE = 16384,    /* 1536 VGPRs of 32 lanes a SIMD, not 1024 */
	/* additions in global memory: of f32, which keep subnormals; of f64,
	 * also in LDS; of f16x2, of bf16x2; of both in LDS */
	FADD32 = 1 << 15, FADD32_SUBN = 1 << 16, FADD64 = 1 << 17,
	FADD16 = 1 << 18, FADDBF = 1 << 19, FADD16_LDS = 1 << 20,
	FADD90A = FADD32 | FADD64 | FADD16,
	FADDGFX12 = FADD32 | FADD32_SUBN | FADD16 | FADDBF | FADD16_LDS,
	FADD940 = FADDGFX12 | FADD64,
};

/* amdgpu.c */
unsigned amdgpu_flags(const char *arch); /* 0: no such processor */
/* v, of which LLVM no longer knows anything */
LLVMValueRef amdgpu_hide(struct emit *, LLVMValueRef v);

/* amdgpu_sreg.c */
LLVMValueRef amdgpu_sreg(struct emit *, enum sreg, int comp);

/* amdgpu_lane.c */
LLVMValueRef amdgpu_laneid(struct emit *);
LLVMValueRef amdgpu_ballot(struct emit *, LLVMValueRef p);
LLVMValueRef amdgpu_shuffle(struct emit *, LLVMValueRef, LLVMValueRef src);
LLVMValueRef amdgpu_broadcast(struct emit *, LLVMValueRef, LLVMValueRef src);
LLVMValueRef amdgpu_first(struct emit *, LLVMValueRef v);
LLVMValueRef amdgpu_leads(struct emit *, LLVMValueRef *warps);

/* amdgpu_permute.c */
LLVMValueRef amdgpu_permute(struct emit *, LLVMValueRef,
	const uint8_t src[32]);

/* amdgpu_atomic.c */
LLVMValueRef amdgpu_atomic_add(struct emit *, const struct atomic *,
	enum type, enum space, LLVMValueRef v, bool *flush);

/* amdgpu_mma.c */
const struct frag *amdgpu_frag(struct emit *, const char *shape,
	enum frag_operand, enum type);
bool amdgpu_mma(struct emit *, const struct mma *,
	LLVMValueRef reg[][FRAG_REGS]);

#endif
