/* approx64.c - rcp.approx.ftz.f64 and rsqrt.approx.f64 (PTX 9.7.3.14, .17).
 *
 * The reciprocal leaves LLVM free to take the machine's estimate and refine
 * it, which goes wrong for zero and infinity alone.  The root starts from the
 * f32 estimate of the number scaled by a power of four into [1, 4) and takes
 * one step of Newton's, which gives 40 bits.  With .ftz the hardware reads and
 * writes upper words alone: a NaN whose payload lies below is an infinity.
 */
#include "arith.h"
#include <math.h>

enum { EXPONENT = 52, BIAS = 1023 };

static LLVMValueRef
mul(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFMul(e->b, a, b, "");
}

static LLVMValueRef
k(struct emit *e, LLVMValueRef like, double v)
{
	return emit_kflike(e, like, v);
}

static LLVMValueRef
is(struct emit *e, LLVMValueRef v, double what)
{
	return emit_fcmp(e, LLVMRealOEQ, v, k(e, v, what));
}

static LLVMValueRef
upper_word(struct emit *e, const struct insn *i, LLVMValueRef v)
{
	if (!insn_has(i, "ftz"))
		return v;
	v = emit_int(e, v);
	v = LLVMBuildAnd(e->b, v,
		emit_klike(e, v, (int64_t)0xffffffff00000000), "");
	return emit_flt(e, v);
}

void
emit_rcp_approx_f64(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef x, v, size, signed_inf, signed_zero;

	(void)with;
	x = upper_word(e, i, emit_operand(e, i, 1, T_F64));
	v = LLVMBuildFDiv(e->b, k(e, x, 1), x, "");
	if (LLVMIsAInstruction(v))
		LLVMSetFastMathFlags(v, LLVMFastMathApproxFunc);
	size = emit_call1(e, "llvm.fabs", x);
	signed_inf = emit_call2(e, "llvm.copysign", k(e, x, HUGE_VAL), x);
	signed_zero = emit_call2(e, "llvm.copysign", k(e, x, 0), x);
	v = emit_select(e, is(e, size, 0), signed_inf, v);
	v = emit_select(e, is(e, size, HUGE_VAL), signed_zero, v);
	emit_result(e, i, T_F64, upper_word(e, i, v));
}

/* 1 / sqrt(m) for m in [1, 4) */
static LLVMValueRef
newton(struct emit *e, LLVMValueRef m)
{
	LLVMValueRef y, h, r;

	y = LLVMBuildFPTrunc(e->b, m, emit_flike(e, m, 32), "");
	y = emit_wide(e, e->t->approx(e, "rsqrt", y), 64);
	h = mul(e, mul(e, m, k(e, m, -0.5)), y);
	r = emit_call3(e, "llvm.fma", h, y, k(e, m, 0.5));
	return emit_call3(e, "llvm.fma", y, r, y);
}

/* 1 / sqrt(x) for a positive normal x: x is m * 4^n */
static LLVMValueRef
normal(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef bits, exp, n, m, scale;

	bits = emit_int(e, x);
	exp = LLVMBuildSub(e->b, LLVMBuildLShr(e->b, bits,
		emit_klike(e, bits, EXPONENT), ""),
		emit_klike(e, bits, BIAS), "");
	n = LLVMBuildAShr(e->b, exp, emit_klike(e, bits, 1), "");
	m = LLVMBuildShl(e->b, n, emit_klike(e, bits, EXPONENT + 1), "");
	m = LLVMBuildSub(e->b, bits, m, "");
	scale = LLVMBuildSub(e->b, emit_klike(e, bits, BIAS), n, "");
	scale = LLVMBuildShl(e->b, scale, emit_klike(e, bits, EXPONENT), "");
	return mul(e, newton(e, emit_flt(e, m)), emit_flt(e, scale));
}

void
emit_rsqrt_f64(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef x, tiny, up, v;

	(void)with;
	x = upper_word(e, i, emit_operand(e, i, 1, T_F64));
	tiny = emit_fcmp(e, LLVMRealOLT, x, k(e, x, 0x1p-1022));
	up = emit_select(e, tiny, k(e, x, 0x1p54), k(e, x, 1));
	v = normal(e, mul(e, x, up));
	v = mul(e, v, emit_select(e, tiny, k(e, x, 0x1p27), k(e, x, 1)));
	v = emit_select(e, is(e, x, 0), emit_call2(e, "llvm.copysign",
		k(e, x, HUGE_VAL), x), v);
	v = emit_select(e, is(e, x, HUGE_VAL), k(e, x, 0), v);
	v = emit_select(e, emit_fcmp(e, LLVMRealUGE, x, k(e, x, 0)), v,
		k(e, x, NAN));
	v = emit_select(e, emit_isnan(e, x), x, v);
	emit_result(e, i, T_F64, upper_word(e, i, v));
}
