/* scalar.c - one thread on this CPU as a target: what tests execute.
 *
 * Proves the arithmetic of the emitter without a GPU.  Every space is the
 * process's memory.  A kernel is void k(void *block): the parameter block,
 * struct launch behind it, and behind that six uint32_t, %tid.x, .y, .z and
 * %ctaid.x, .y, .z; the caller runs the threads one by one.  What needs a
 * second thread is refused.  The processor is whatever LLVM calls by the name
 * given as -arch.
 */
#include "emit_int.h"
#include "launch.h"
#include <stdlib.h>
#include <string.h>

static bool
has_arch(const char *arch)
{
	(void)arch;
	return false; /* tests alone ask for it, by address */
}

static const char *
features(const char *arch)
{
	(void)arch;
	return "";
}

static void
function(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	(void)f;
	emit_flag(e, fn, "nounwind");
}

static LLVMValueRef
zero(struct emit *e, unsigned bits)
{
	return emit_k(e, emit_ity(e, bits), 0);
}

static LLVMValueRef
alone(struct emit *e)
{
	emit_refuse(e, "needs more than one thread");
	return zero(e, 32);
}

static LLVMValueRef
word(struct emit *e, int index)
{
	LLVMValueRef at;

	at = emit_k(e, LLVMInt64TypeInContext(e->c),
		(int64_t)sizeof(struct launch) + 4 * index);
	at = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), e->launch,
		&at, 1, "");
	return LLVMBuildLoad2(e->b, emit_ity(e, 32), at, "");
}

static LLVMValueRef
sreg(struct emit *e, enum sreg s, int comp)
{
	switch (s) {
	case SREG_TID:   return word(e, comp);
	case SREG_CTAID: return word(e, 3 + comp);
	default:         return 0;
	}
}

static LLVMValueRef
shuffle(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	(void)v;
	(void)src;
	return alone(e);
}

static LLVMValueRef
permute(struct emit *e, LLVMValueRef v, const uint8_t src[32])
{
	(void)e;
	(void)v;
	(void)src;
	return 0;
}

static LLVMValueRef
ballot(struct emit *e, LLVMValueRef p)
{
	(void)p;
	return alone(e);
}

/* one address space: an address does not say whose it is */
static LLVMValueRef
within(struct emit *e, LLVMValueRef p, enum space space)
{
	(void)e;
	(void)p;
	(void)space;
	return 0;
}

static LLVMValueRef
atomic_add(struct emit *e, const struct atomic *a, enum type t,
	enum space space, LLVMValueRef v, bool *flush)
{
	(void)e;
	(void)a;
	(void)t;
	(void)space;
	(void)v;
	(void)flush;
	return 0;
}

static void
meet(struct emit *e)
{
	alone(e);
}

static void
fence(struct emit *e, LLVMAtomicOrdering o, const char *scope)
{
	(void)scope;
	LLVMBuildFence(e->b, o, false, "");
}

static const char *
syncscope(const char *scope)
{
	(void)scope;
	return "";
}

/* LLVM's functions on double, which are the C library's */
static const char *const library[][2] = {
	{ "sin", "llvm.sin" }, { "cos", "llvm.cos" },
	{ "lg2", "llvm.log2" }, { "ex2", "llvm.exp2" },
};

static LLVMValueRef
approx(struct emit *e, const char *op, LLVMValueRef v)
{
	LLVMTypeRef f32, f64;
	size_t k;

	f32 = LLVMTypeOf(v);
	f64 = LLVMDoubleTypeInContext(e->c);
	v = LLVMBuildFPExt(e->b, v, f64, "");
	for (k = 0; k < sizeof library / sizeof *library; k++)
		if (!strcmp(op, library[k][0]))
			v = emit_call1(e, library[k][1], v);
	if (!strcmp(op, "rsqrt") || !strcmp(op, "sqrt"))
		v = emit_call1(e, "llvm.sqrt", v);
	if (!strcmp(op, "rsqrt") || !strcmp(op, "rcp"))
		v = LLVMBuildFDiv(e->b, emit_kf(e, f64, 1), v, "");
	return LLVMBuildFPTrunc(e->b, v, f32, "");
}

static const struct frag *
frag(struct emit *e, const char *shape, enum frag_operand operand,
	enum type t)
{
	(void)e;
	(void)shape;
	(void)operand;
	(void)t;
	return 0;
}

static bool
mma(struct emit *e, const struct mma *m, LLVMValueRef reg[][FRAG_REGS])
{
	(void)e;
	(void)m;
	(void)reg;
	return false;
}

static void
trap(struct emit *e)
{
	emit_intrinsic(e, "llvm.trap", 0, 0, 0, 0);
}

static void
sleep_(struct emit *e, LLVMValueRef nanoseconds)
{
	(void)e;
	(void)nanoseconds;
}

const struct target target_scalar = {
	.name = "scalar", .triple = "x86_64-pc-linux-gnu", .lanes = 1,
	.has_arch = has_arch, .features = features, .function = function,
	.sreg = sreg, .shuffle = shuffle, .broadcast = shuffle,
	.permute = permute, .ballot = ballot, .laneid = alone,
	.within = within, .converge = meet, .barrier = meet, .fence = fence,
	.syncscope = syncscope, .atomic_add = atomic_add,
	.approx = approx, .frag = frag, .mma = mma, .trap = trap,
	.sleep = sleep_,
};
