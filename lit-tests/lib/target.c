/* target.c - this CPU as a target whose threads meet in simt_stop(). */
#include "simt.h"

#include <string.h>

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* one of our functions, which take n i32 and give one */
static LLVMValueRef
ours(struct emit *e, const char *name, unsigned n)
{
	LLVMTypeRef i32 = emit_ity(e, 32), p[] = { i32, i32, i32, i32 };
	LLVMValueRef fn = LLVMGetNamedFunction(e->m, name);

	if (fn)
		return fn;
	fn = LLVMAddFunction(e->m, name, LLVMFunctionType(i32, p, n, false));
	emit_flag(e, fn, "convergent");
	emit_flag(e, fn, "nounwind");
	return fn;
}

static LLVMValueRef
call(struct emit *e, const char *name, LLVMValueRef *arg, unsigned n)
{
	LLVMValueRef fn = ours(e, name, n);

	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, arg, n,
		"");
}

static LLVMValueRef
stop(struct emit *e, enum simt_stop kind, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef arg[] = { k32(e, kind), k32(e, 0), a, b };

	return call(e, "simt_stop", arg, 4);
}

static bool
has_arch(const char *arch)
{
	(void)arch;
	return true;
}

static const char *
features(const char *arch)
{
	(void)arch;
	return "";
}

/* every module knows simt_stop, for simt_prepare() */
static void
function(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	(void)f;
	emit_flag(e, fn, "convergent");
	ours(e, "simt_stop", 4);
}

static LLVMValueRef
sreg(struct emit *e, enum sreg s, int comp)
{
	LLVMValueRef arg[] = { k32(e, s), k32(e, comp) };

	if (s == SREG_TID || s == SREG_CTAID)
		return call(e, "simt_sreg", arg, 2);
	if (s == SREG_WARPID)
		return 0;
	if (type_info[sreg_info[s].type].bits == 64)
		return emit_intrinsic(e, "llvm.readcyclecounter", 0, 0, 0, 0);
	return k32(e, 0);
}

static LLVMValueRef
laneid(struct emit *e)
{
	LLVMValueRef arg[] = { k32(e, SREG_LANEID), k32(e, 0) };

	return call(e, "simt_sreg", arg, 2);
}

static LLVMValueRef
shuffle(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	return stop(e, SIMT_SHUFFLE, v, src);
}

/* each thread runs alone */
static LLVMValueRef
first(struct emit *e, LLVMValueRef v)
{
	(void)e;
	return v;
}

static LLVMValueRef
permute(struct emit *e, LLVMValueRef v, const uint8_t src[32])
{
	(void)e, (void)v, (void)src;
	return 0;
}

static LLVMValueRef
ballot(struct emit *e, LLVMValueRef p)
{
	p = LLVMBuildZExt(e->b, p, emit_ity(e, 32), "");
	return stop(e, SIMT_BALLOT, p, k32(e, 0));
}

static LLVMValueRef
in_range(struct emit *e, LLVMValueRef p, uint64_t from, uint64_t size)
{
	LLVMTypeRef i64 = emit_ity(e, 64);

	p = LLVMBuildPtrToInt(e->b, p, i64, "");
	p = LLVMBuildSub(e->b, p, emit_k(e, i64, (int64_t)from), "");
	return LLVMBuildICmp(e->b, LLVMIntULT, p,
		emit_k(e, i64, (int64_t)size), "");
}

static LLVMValueRef
within(struct emit *e, LLVMValueRef p, enum space space)
{
	LLVMValueRef is_shared, is_local;

	is_shared = in_range(e, p, SIMT_SHARED, SIMT_SHARED_SIZE);
	is_local = in_range(e, p, SIMT_STACKS, SIMT_STACKS_SIZE);
	if (space == SHARED)
		return is_shared;
	if (space == LOCAL)
		return is_local;
	if (space != GLOBAL)
		return 0;
	return LLVMBuildNot(e->b, LLVMBuildOr(e->b, is_shared, is_local, ""),
		"");
}

/* a warp runs alone */
static LLVMValueRef
leads(struct emit *e, LLVMValueRef *warps)
{
	LLVMValueRef here = ballot(e, emit_k(e, emit_ity(e, 1), 1));
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef arg[] = { here, emit_k(e, emit_ity(e, 1), 1) };

	*warps = k32(e, 1);
	return LLVMBuildICmp(e->b, LLVMIntEQ, laneid(e),
		emit_intrinsic(e, "llvm.cttz", &i32, 1, arg, 2), "");
}

static void
converge(struct emit *e)
{
	stop(e, SIMT_CONVERGE, k32(e, 0), k32(e, 0));
}

static void
barrier(struct emit *e)
{
	stop(e, SIMT_BARRIER, k32(e, 0), k32(e, 0));
}

static void
fence(struct emit *e, LLVMAtomicOrdering order, const char *scope)
{
	(void)scope;
	LLVMBuildFence(e->b, order, false, "");
}

static const char *
syncscope(const char *scope)
{
	(void)scope;
	return "";
}

static LLVMValueRef
atomic_add(struct emit *e, const struct atomic *a, enum type t,
	enum space space, LLVMValueRef v, bool *flush)
{
	(void)e, (void)a, (void)t, (void)space, (void)v, (void)flush;
	return 0;
}

static LLVMValueRef
approx(struct emit *e, const char *op, LLVMValueRef v)
{
	static const struct {
		const char *op, *intrinsic;
		bool inverse;
	} row[] = {
		{ "rcp",   0,           true },
		{ "rsqrt", "llvm.sqrt", true },
		{ "sqrt",  "llvm.sqrt", false },
		{ "sin",   "llvm.sin",  false },
		{ "cos",   "llvm.cos",  false },
		{ "lg2",   "llvm.log2", false },
		{ "ex2",   "llvm.exp2", false },
	};
	size_t i;

	for (i = 0; strcmp(row[i].op, op); i++)
		;
	if (row[i].intrinsic)
		v = emit_call1(e, row[i].intrinsic, v);
	if (row[i].inverse)
		v = LLVMBuildFDiv(e->b, emit_kf(e, LLVMTypeOf(v), 1), v, "");
	return v;
}

static LLVMValueRef
dot(struct emit *e, unsigned bits, bool asigned, bool bsigned,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	(void)e, (void)bits, (void)asigned, (void)bsigned;
	(void)a, (void)b, (void)c;
	return 0;
}

static const struct frag *
frag(struct emit *e, const char *shape, enum frag_operand operand,
	enum type t)
{
	(void)e, (void)shape, (void)operand, (void)t;
	return 0;
}

static bool
mma(struct emit *e, const struct mma *m, LLVMValueRef reg[][FRAG_REGS])
{
	(void)e, (void)m, (void)reg;
	return false;
}

static void
trap(struct emit *e)
{
	stop(e, SIMT_TRAP, k32(e, 0), k32(e, 0));
}

static void
nap(struct emit *e, LLVMValueRef nanoseconds)
{
	(void)e, (void)nanoseconds;
}

/* LLVM's saturating conversion serves */
static LLVMValueRef
to_int(struct emit *e, LLVMValueRef v, bool is_signed)
{
	(void)e, (void)v, (void)is_signed;
	return 0;
}

const struct target simt_target = {
	.name = "cpu",
#if defined __aarch64__
	.triple = "aarch64-unknown-linux-gnu",
#else
	.triple = "x86_64-unknown-linux-gnu",
#endif
	.space = { [SHARED] = SIMT_SHARED_AS },
	.lanes = 1,
	.has_arch = has_arch,
	.features = features,
	.function = function,
	.sreg = sreg,
	.to_int = to_int,
	.shuffle = shuffle,
	.broadcast = shuffle,
	.first = first,
	.permute = permute,
	.ballot = ballot,
	.laneid = laneid,
	.within = within,
	.leads = leads,
	.converge = converge,
	.barrier = barrier,
	.fence = fence,
	.syncscope = syncscope,
	.atomic_add = atomic_add,
	.approx = approx,
	.dot = dot,
	.frag = frag,
	.mma = mma,
	.trap = trap,
	.sleep = nap,
};
