/* approx.c - the estimates of target host against long double.
 *
 *	approx [step]
 *
 * Every step-th float goes through each estimate, compiled alone.  Prints a
 * line an estimate with the largest error, and exits with 1 if that is more
 * than target->approx() allows.
 */
#include "emit/host/target_host.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32 };

/* for a warp */
typedef void function(const float *in, float *out);

static long double
rcp(long double x)
{
	return 1 / x;
}

static long double
rsqrt(long double x)
{
	return 1 / sqrtl(x);
}

static const struct estimate {
	const char *op;
	long double (*exact)(long double);
	long double ulp;           /* or below 0.01: part of the result */
	long double absolute;      /* either may be kept */
	float limit;               /* |x| at most; 0: none */
	bool flushes;
} row[] = {
	{ "rcp",   rcp,   0.5L,  0,        0,          false },
	{ "sqrt",  sqrtl, 0.5L,  0,        0,          false },
	/* 2^-22.8 of the result */
	{ "rsqrt", rsqrt, 0x1p-22L * 0.574350L, 0, 0,  false },
	{ "ex2",   exp2l, 1.0L,  0,        0,          true },
	{ "lg2",   log2l, 1.2L,  0x1p-23L, 0,          true },
	{ "sin",   sinl,  0.0L,  0x1p-22L, 6.2831855f, false },
	{ "cos",   cosl,  0.0L,  0x1p-22L, 6.2831855f, false },
	{ "sin",   sinl,  0.0L,  0x1p-20L, 0x1p10f,    false },
	{ "cos",   cosl,  0.0L,  0x1p-20L, 0x1p10f,    false },
};

static LLVMModuleRef
module(LLVMContextRef c, const char *op)
{
	struct emit_options o = { .target = &target_host, .arch = "host" };
	struct emit e = { .o = &o, .t = &target_host, .c = c, .lanes = LANES };
	LLVMTypeRef wide = LLVMVectorType(LLVMFloatTypeInContext(c), LANES);
	LLVMTypeRef p = LLVMPointerTypeInContext(c, 0);
	LLVMValueRef v;

	e.m = LLVMModuleCreateWithNameInContext(op, c);
	e.b = LLVMCreateBuilderInContext(c);
	e.fn = LLVMAddFunction(e.m, "f", LLVMFunctionType(
		LLVMVoidTypeInContext(c), (LLVMTypeRef[]){ p, p }, 2, false));
	LLVMPositionBuilderAtEnd(e.b, emit_block(&e, ""));
	v = LLVMBuildLoad2(e.b, wide, LLVMGetParam(e.fn, 0), "");
	LLVMSetAlignment(v, 4);
	v = target_host.approx(&e, op, v);
	v = LLVMBuildStore(e.b, v, LLVMGetParam(e.fn, 1));
	LLVMSetAlignment(v, 4);
	LLVMBuildRetVoid(e.b);
	LLVMDisposeBuilder(e.b);
	return e.m;
}

/* the function of op, of this jit */
static function *
compile(LLVMOrcLLJITRef jit, const char *op)
{
	LLVMOrcThreadSafeContextRef c = LLVMOrcCreateNewThreadSafeContext();
	LLVMOrcDefinitionGeneratorRef process;
	LLVMOrcJITDylibRef d = LLVMOrcLLJITGetMainJITDylib(jit);
	LLVMOrcExecutorAddress at = 0;
	union { uintptr_t at; function *f; } code;

	LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process,
		LLVMOrcLLJITGetGlobalPrefix(jit), 0, 0);
	LLVMOrcJITDylibAddGenerator(d, process);
	if (LLVMOrcLLJITAddLLVMIRModule(jit, d,
	    LLVMOrcCreateNewThreadSafeModule(module(
		LLVMOrcThreadSafeContextGetContext(c), op), c)) ||
	    LLVMOrcLLJITLookup(jit, &at, "f"))
		exit(2);
	LLVMOrcDisposeThreadSafeContext(c);
	code.at = (uintptr_t)at;
	return code.f;
}

static float
of_bits(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static bool
is_subnormal(long double x)
{
	return x != 0 && fabsl(x) < 0x1p-126L;
}

/* of a float near x */
static long double
ulp(long double x)
{
	int e;

	frexpl(fabsl(x), &e);
	return ldexpl(1, e < -125 ? -149 : e - 24);
}

/* how far got is from want, in units of what is allowed */
static long double
excess(const struct estimate *r, float x, float got)
{
	long double want, d;

	if (r->flushes && is_subnormal(x))
		x = copysignf(0, x);
	want = r->exact(x);
	if (r->flushes && is_subnormal(want) && got == 0)
		return 0;
	if (fabsl(want) >= 0x1.ffffffp127L)
		want = copysignl(HUGE_VALL, want);
	if (isnan(want) || isinf(want))
		return isnan(want) ? !isnan(got) * 100.0L
			: (got != want) * 100.0L;
	d = fabsl(got - want);
	if (isnan(d) || isinf(d))
		return 100;
	if (d <= r->absolute || !r->ulp)
		return d / (r->absolute ? r->absolute : 1);
	return d / (r->ulp * (r->ulp < 0.01L ? fabsl(want) : ulp(want))
		* 1.000001L);
}

struct worst {
	long double excess;
	float at;
};

/* the floats whose bits are i, i + step … of one warp */
static void
warp(const struct estimate *r, function *f, uint64_t i, uint32_t step,
	struct worst *w)
{
	float in[LANES], out[LANES];
	long double e;
	int l;

	for (l = 0; l < LANES; l++)
		in[l] = of_bits((uint32_t)(i + (uint64_t)l * step));
	f(in, out);
	for (l = 0; l < LANES; l++) {
		if (r->limit && !(fabsf(in[l]) <= r->limit))
			continue;
		e = excess(r, in[l], out[l]);
		if (e > w->excess)
			*w = (struct worst){ e, in[l] };
	}
}

static bool
check(const struct estimate *r, uint32_t step)
{
	struct worst w = { 0, 0 };
	LLVMOrcLLJITRef jit;
	function *f;
	uint64_t i;

	if (LLVMOrcCreateLLJIT(&jit, 0))
		exit(2);
	f = compile(jit, r->op);
	for (i = 0; i <= UINT32_MAX; i += (uint64_t)LANES * step)
		warp(r, f, i, step, &w);
	printf("%-5s %.3Lf of what is allowed, at %a%s\n", r->op, w.excess,
		w.at, w.excess > 1 ? ": wrong" : "");
	LLVMOrcDisposeLLJIT(jit);
	return w.excess <= 1;
}

int
main(int argc, char *argv[])
{
	uint32_t step = argc > 1 ? (uint32_t)atol(argv[1]) : 4099;
	bool ok = true;
	size_t i;

	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	for (i = 0; i < sizeof row / sizeof *row; i++)
		ok &= check(&row[i], step ? step : 1);
	return !ok;
}
