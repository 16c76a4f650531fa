/* amdgpu_mma.c - v_wmma for the wmma instructions of m16n16k16.
 *
 * PTX leaves the fragments of wmma open, so on processors with v_wmma they
 * are what that takes (wmma.def): one instruction instead of about 180.
 * Sums are in f32, of integers in i32: f16 is converted on the way in and
 * out, so that a result is rounded once as it is where nothing is native.
 *
 * mma has fragments of its own.  To bring those of m16n8k16 to v_wmma and
 * back takes 20 to 28 moves between lanes and as many selections, half of
 * the multiplier idle; spelled out it is 32 moves, half of them within quads
 * and cheap, and 64 v_fma_mix: no more (doc/performance.md).  v_mfma is not
 * used at all: its waves hold two warps, it writes the registers of both,
 * and the other warp may be in another place.
 */
#include "amdgpu.h"
#include <string.h>

static const struct {
	unsigned generation;
	enum type type;
	struct frag frag;
} rows[] = {
#define WMMA_FRAG(generation, operand, type, rows, cols) \
	{ generation, type, \
		{ "m16n16k16", FRAG_##operand, 0, 0, rows, cols } },
#include "wmma.def"
#undef WMMA_FRAG
};

const struct frag *
amdgpu_frag(struct emit *e, const char *shape, enum frag_operand operand,
	enum type t)
{
	unsigned flags = amdgpu_flags(e->o->arch);
	size_t i;

	if (!(flags & WMMA) || strcmp(shape, "m16n16k16"))
		return 0;
	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].generation & flags &&
		    rows[i].frag.operand == operand &&
		    (rows[i].type == T_NONE || rows[i].type == t))
			return &rows[i].frag;
	return 0;
}

/* n registers as a vector of type element */
static LLVMValueRef
vector(struct emit *e, LLVMValueRef *reg, unsigned n, LLVMTypeRef element)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef v = LLVMGetPoison(LLVMVectorType(i32, n));
	unsigned i, bits;

	for (i = 0; i < n; i++)
		v = LLVMBuildInsertElement(e->b, v, reg[i],
			emit_k(e, i32, i), "");
	bits = (unsigned)LLVMSizeOfTypeInBits(e->layout, element);
	return emit_bits(e, v, LLVMVectorType(element, n * 32 / bits));
}

/* a's or b's registers with those of the other half of the wave, the lower
 * half's first; gives how many there are */
static unsigned
complete(struct emit *e, LLVMValueRef *reg, unsigned n)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef is_low, other, own;
	uint8_t src[32];
	unsigned i;

	for (i = 0; i < 32; i++)
		src[i] = (uint8_t)(i ^ 16);
	is_low = LLVMBuildICmp(e->b, LLVMIntULT, e->t->laneid(e),
		emit_k(e, i32, 16), "");
	for (i = 0; i < n; i++) {
		own = reg[i];
		other = e->t->permute(e, own, src);
		reg[i] = LLVMBuildSelect(e->b, is_low, own, other, "");
		reg[n + i] = LLVMBuildSelect(e->b, is_low, other, own, "");
	}
	return 2 * n;
}

/* a or b as the instruction takes it; bf16 as i16 */
static LLVMValueRef
factor(struct emit *e, const struct mma *m, int op, LLVMValueRef *reg)
{
	LLVMValueRef all[FRAG_REGS];
	enum type t = m->type[op];
	unsigned n = m->nreg[op], i;

	for (i = 0; i < n; i++)
		all[i] = reg[i];
	if (t != T_F16 && amdgpu_flags(e->o->arch) & GFX11)
		n = complete(e, all, n);
	return vector(e, all, n, t == T_F16 ? emit_fty(e, t)
		: emit_ity(e, t == T_BF16 ? 16 : 32));
}

/* c as eight f32 or i32 */
static LLVMValueRef
addend(struct emit *e, const struct mma *m, LLVMValueRef *reg)
{
	LLVMTypeRef f32 = emit_fty(e, T_F32);
	enum type t = m->type[FRAG_C];
	LLVMValueRef v;

	v = vector(e, reg, m->nreg[FRAG_C],
		t == T_S32 ? emit_ity(e, 32) : emit_fty(e, t));
	if (t == T_F16)
		v = LLVMBuildFPExt(e->b, v, LLVMVectorType(f32, 8), "");
	return v;
}

static LLVMValueRef
multiply(struct emit *e, const struct mma *m, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	LLVMTypeRef ty[] = { LLVMTypeOf(c), LLVMTypeOf(a) };
	LLVMTypeRef i1 = emit_ity(e, 1);
	LLVMValueRef arg[] = {
		emit_k(e, i1, type_info[m->type[FRAG_A]].kind == 's'), a,
		emit_k(e, i1, type_info[m->type[FRAG_B]].kind == 's'), b,
		c, emit_k(e, i1, 0) };

	if (m->type[FRAG_D] == T_S32)
		return emit_intrinsic(e, "llvm.amdgcn.wmma.i32.16x16x16.iu8",
			ty, 2, arg, 6);
	return emit_intrinsic(e, m->type[FRAG_A] == T_F16
		? "llvm.amdgcn.wmma.f32.16x16x16.f16"
		: "llvm.amdgcn.wmma.f32.16x16x16.bf16", ty, 2,
		(LLVMValueRef[]){ a, b, c }, 3);
}

/* eight f32 or i32 as d's registers */
static void
give(struct emit *e, const struct mma *m, LLVMValueRef v, LLVMValueRef *reg)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	unsigned i, n = m->nreg[FRAG_D];

	if (m->type[FRAG_D] == T_F16)
		v = LLVMBuildFPTrunc(e->b, v,
			LLVMVectorType(emit_fty(e, T_F16), 8), "");
	v = emit_bits(e, v, LLVMVectorType(i32, n));
	for (i = 0; i < n; i++)
		reg[i] = LLVMBuildExtractElement(e->b, v,
			emit_k(e, i32, i), "");
}

/* saturated sums are made apart: what the instruction clamps is not told */
bool
amdgpu_mma(struct emit *e, const struct mma *m,
	LLVMValueRef reg[][FRAG_REGS])
{
	LLVMValueRef a, b, c, d;

	if (!amdgpu_frag(e, m->shape, FRAG_A, m->type[FRAG_A]))
		return false;
	a = factor(e, m, FRAG_A, reg[FRAG_A]);
	b = factor(e, m, FRAG_B, reg[FRAG_B]);
	c = addend(e, m, reg[FRAG_C]);
	if (m->saturate) {
		d = multiply(e, m, a, b, LLVMConstNull(LLVMTypeOf(c)));
		d = emit_call2(e, "llvm.sadd.sat", d, c);
	} else {
		d = multiply(e, m, a, b, c);
	}
	give(e, m, d, reg[FRAG_D]);
	return true;
}
