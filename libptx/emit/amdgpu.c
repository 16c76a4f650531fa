/* amdgpu.c - AMD GPUs as a target: processors, kernels, order of memory.
 *
 * A kernel has one argument, the block of PTX's parameters and struct launch
 * behind it, by reference.  Nothing uses the hidden arguments of the HSA ABI;
 * the attributes amdgpu-no-* say so also where a call through a pointer
 * leaves LLVM in doubt.
 */
#include "amdgpu.h"
#include "launch.h"

#include <stdio.h>
#include <string.h>

static const struct arch {
	const char *name;
	unsigned flags;
} archs[] = {
#define ARCH(name, flags) { name, flags },
#include "amdgpu.def"
#undef ARCH
};

unsigned
amdgpu_flags(const char *arch)
{
	size_t i;

	for (i = 0; i < sizeof archs / sizeof *archs; i++)
		if (!strcmp(archs[i].name, arch))
			return archs[i].flags;
	return 0;
}

static bool
has_arch(const char *arch)
{
	return amdgpu_flags(arch) != 0;
}

static const char *
features(const char *arch)
{
	(void)arch;
	return "";
}

/* In a vector register: of one that all lanes share, as of the operand of
 * llvm.arithmetic.fence, LLVM may want to make a scalar, and cannot. */
LLVMValueRef
amdgpu_hide(struct emit *e, LLVMValueRef v)
{
	LLVMTypeRef ty, fnty;

	ty = LLVMTypeOf(v);
	fnty = LLVMFunctionType(ty, &ty, 1, false);
	return LLVMBuildCall2(e->b, fnty, LLVMGetInlineAsm(fnty, "", 0, "=v,0",
		4, false, false, LLVMInlineAsmDialectATT, false), &v, 1, "");
}

/* threads of a block of f, as many as it demands or at most; 0: it is silent.
 * More than any block has is no bound, but cannot be demanded. */
static int64_t
threads(const struct func *f)
{
	const struct attr *a;
	int64_t n;
	int i;

	a = func_attr(f, "reqntid");
	if (!a)
		a = func_attr(f, "maxntid");
	if (!a)
		return 0;
	for (n = 1, i = 0; i < a->n; i++)
		n *= a->v[i];
	return n > 1024 && !strcmp(a->name, "maxntid") ? 1024 : n;
}

/* the hardware's limit, where f has none */
static void
block_size(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	bool given;
	int64_t n;
	char text[64];

	given = func_attr(f, "reqntid") || func_attr(f, "maxntid");
	n = given ? threads(f) : 1024;
	if (n < 1 || n > 1024) {
		emit_refuse(e, "a block of %lld threads", (long long)n);
		return;
	}
	snprintf(text, sizeof text, "%d,%lld",
		func_attr(f, "reqntid") ? (int)n : 1, (long long)n);
	emit_attr(e, fn, "amdgpu-flat-work-group-size", text);
}

static int64_t
most_waves(unsigned flags)
{
	return flags & UNIFIED ? 8 : flags & GFX9 ? 10 : flags & ROW20 ? 20
		: 16;
}

/* .minnctapersm: blocks at a time on a compute unit, which has two SIMDs, on
 * gfx9 four.  As in ptxas it means nothing without a size of the block. */
static void
resident(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	const struct attr *a = func_attr(f, "minnctapersm");
	unsigned flags = amdgpu_flags(e->o->arch);
	int64_t wave = flags & WAVE64 ? 64 : 32, simds = flags & GFX9 ? 4 : 2;
	int64_t n = threads(f), most = most_waves(flags);
	char text[32];

	if (!a || a->v[0] < 1 || a->v[0] > 1024 || n < 1 || n > 1024)
		return;
	n = (n + wave - 1) / wave * a->v[0];
	n = (n + simds - 1) / simds;
	snprintf(text, sizeof text, "%d", (int)(n < most ? n : most));
	emit_attr(e, fn, "amdgpu-waves-per-eu", text);
}

/* .maxnreg: registers of a thread, which are VGPRs of a lane */
static void
registers(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	const struct attr *a = func_attr(f, "maxnreg");
	char text[32];

	if (!a || a->n < 1 || a->v[0] < 1 || a->v[0] > 255)
		return;
	snprintf(text, sizeof text, "%d", a->v[0] < 24 ? 24 : (int)a->v[0]);
	emit_attr(e, fn, "amdgpu-num-vgpr", text);
}

/* the one argument of a kernel */
static void
argument(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	LLVMTypeRef block;
	uint64_t size;

	size = ((f->param_size + 7) & ~(uint64_t)7) + sizeof(struct launch);
	block = LLVMArrayType2(LLVMInt8TypeInContext(e->c), size);
	LLVMAddAttributeAtIndex(fn, 1, LLVMCreateTypeAttribute(e->c,
		LLVMGetEnumAttributeKindForName("byref", 5), block));
	LLVMAddAttributeAtIndex(fn, 1, LLVMCreateEnumAttribute(e->c,
		LLVMGetEnumAttributeKindForName("align", 5), 16));
	LLVMAddAttributeAtIndex(fn, 1, LLVMCreateEnumAttribute(e->c,
		LLVMGetEnumAttributeKindForName("noalias", 7), 0));
}

static const char *const unused[] = {
	"amdgpu-no-dispatch-ptr", "amdgpu-no-queue-ptr",
	"amdgpu-no-implicitarg-ptr", "amdgpu-no-dispatch-id",
	"amdgpu-no-multigrid-sync-arg", "amdgpu-no-hostcall-ptr",
	"amdgpu-no-heap-ptr", "amdgpu-no-default-queue",
	"amdgpu-no-completion-action",
};

static void
function(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	size_t i;

	for (i = 0; i < sizeof unused / sizeof *unused; i++)
		emit_attr(e, fn, unused[i], "");
	emit_attr(e, fn, "uniform-work-group-size", "true");
	emit_attr(e, fn, "amdgpu-ieee", "false");
	emit_attr(e, fn, "amdgpu-unsafe-fp-atomics", "true");
	if (e->ftz_mode)
		emit_attr(e, fn, "denormal-fp-math-f32",
			"preserve-sign,preserve-sign");
	if (!f || !f->entry)
		return;
	LLVMSetFunctionCallConv(fn, 91); /* AMDGPU_KERNEL */
	LLVMSetVisibility(fn, LLVMProtectedVisibility);
	argument(e, fn, f);
	block_size(e, fn, f);
	resident(e, fn, f);
	registers(e, fn, f);
	emit_cluster(e, f);
}

static const char *
syncscope(const char *scope)
{
	if (!strcmp(scope, "cta") || !strcmp(scope, "cluster"))
		return "workgroup"; /* a cluster is one block here */
	return strcmp(scope, "sys") ? "agent" : "";
}

static void
fence_in(struct emit *e, LLVMAtomicOrdering order, const char *syncscope_name)
{
	emit_syncscope(LLVMBuildFence(e->b, order, false, ""),
		syncscope_name);
}

static void
fence(struct emit *e, LLVMAtomicOrdering order, const char *scope)
{
	fence_in(e, order, syncscope(scope));
}

/* lanes of a wave run in step: only the compiler may reorder */
static void
converge(struct emit *e)
{
	fence_in(e, LLVMAtomicOrderingRelease, "wavefront");
	emit_intrinsic(e, "llvm.amdgcn.wave.barrier", 0, 0, 0, 0);
	fence_in(e, LLVMAtomicOrderingAcquire, "wavefront");
}

static void
barrier(struct emit *e)
{
	fence_in(e, LLVMAtomicOrderingRelease, "workgroup");
	emit_intrinsic(e, "llvm.amdgcn.s.barrier", 0, 0, 0, 0);
	fence_in(e, LLVMAtomicOrderingAcquire, "workgroup");
}

static LLVMValueRef
is(struct emit *e, const char *intrinsic, LLVMValueRef p)
{
	return emit_intrinsic(e, intrinsic, 0, 0, &p, 1);
}

static LLVMValueRef
within(struct emit *e, LLVMValueRef p, enum space space)
{
	LLVMValueRef is_shared, is_local;

	is_shared = space == LOCAL ? 0 : is(e, "llvm.amdgcn.is.shared", p);
	is_local = space == SHARED ? 0 : is(e, "llvm.amdgcn.is.private", p);
	if (space == SHARED)
		return is_shared;
	if (space == LOCAL)
		return is_local;
	if (space != GLOBAL)
		return 0;
	return LLVMBuildNot(e->b, LLVMBuildOr(e->b, is_shared, is_local, ""),
		"");
}

/* PTX's names of estimates; sin and cos take turns, reduced to one */
static const struct {
	const char *op, *intrinsic;
	bool turns;
} approxs[] = {
	{ "rcp",   "llvm.amdgcn.rcp",  false },
	{ "rsqrt", "llvm.amdgcn.rsq",  false },
	{ "sqrt",  "llvm.amdgcn.sqrt", false },
	{ "sin",   "llvm.amdgcn.sin",  true },
	{ "cos",   "llvm.amdgcn.cos",  true },
	{ "lg2",   "llvm.amdgcn.log",  false },
	{ "ex2",   "llvm.amdgcn.exp2", false },
};

/* these have no subnormals whatever the mode (LLVM scales around them) */
static const char *const approx_ftz[] = { "rcp", "rsqrt", "lg2", "ex2", 0 };

static LLVMValueRef
approx(struct emit *e, const char *op, LLVMValueRef v)
{
	size_t i;

	for (i = 0; strcmp(approxs[i].op, op); i++)
		;
	if (approxs[i].turns) {
		v = LLVMBuildFMul(e->b, v, emit_kf(e, LLVMTypeOf(v),
			0.15915494309189535), "");
		v = emit_call1(e, "llvm.amdgcn.fract", v);
	}
	return emit_call1(e, approxs[i].intrinsic, v);
}

static LLVMValueRef
dot(struct emit *e, unsigned bits, bool asigned, bool bsigned,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	LLVMValueRef no = emit_k(e, emit_ity(e, 1), 0);
	LLVMValueRef arg[] = { emit_k(e, emit_ity(e, 1), asigned), a,
		emit_k(e, emit_ity(e, 1), bsigned), b, c, no };
	LLVMValueRef same[] = { a, b, c, no };
	unsigned flags;

	flags = amdgpu_flags(e->o->arch);
	if (flags & SUDOT4)
		return emit_intrinsic(e, bits == 8 ? "llvm.amdgcn.sudot4"
			: "llvm.amdgcn.sudot8", 0, 0, arg, 6);
	if (asigned && bsigned && flags & SDOT4)
		return emit_intrinsic(e, bits == 8 ? "llvm.amdgcn.sdot4"
			: "llvm.amdgcn.sdot8", 0, 0, same, 4);
	if (!asigned && !bsigned && flags & UDOT4)
		return emit_intrinsic(e, bits == 8 ? "llvm.amdgcn.udot4"
			: "llvm.amdgcn.udot8", 0, 0, same, 4);
	return 0;
}

/* v_perm_b32: bytes 0 to 3 are those of its second operand */
static LLVMValueRef
perm(struct emit *e, LLVMValueRef hi, LLVMValueRef lo, LLVMValueRef sel)
{
	LLVMValueRef arg[] = { hi, lo, sel };

	return emit_intrinsic(e, "llvm.amdgcn.perm", 0, 0, arg, 3);
}

static void
trap(struct emit *e)
{
	emit_intrinsic(e, "llvm.trap", 0, 0, 0, 0);
}

/* PTX allows any time from 0 to twice what is asked; s_sleep counts 64
 * clocks, about 32 ns */
static void
nap(struct emit *e, LLVMValueRef nanoseconds)
{
	LLVMValueRef n;
	uint64_t k;

	k = 2;
	if (LLVMIsAConstantInt(nanoseconds))
		k = LLVMConstIntGetZExtValue(nanoseconds) / 32;
	n = emit_k(e, emit_ity(e, 32), k > 100 ? 100 : (int64_t)k);
	emit_intrinsic(e, "llvm.amdgcn.s.sleep", 0, 0, &n, 1);
}

/* Where scratch is reached by a descriptor in s[0:3], LLVM 19 puts inreg
 * arguments over it, and looks for them elsewhere. */
static bool
spoils_scalars(const char *arch)
{
	unsigned flags = amdgpu_flags(arch);

	return flags & GFX10 || (flags & GFX9 && !(flags & MFMA940));
}

static LLVMValueRef
scalar(struct emit *e, LLVMValueRef p)
{
	LLVMValueRef v = LLVMBuildPtrToInt(e->b, p, emit_ity(e, 64), "");

	return LLVMBuildIntToPtr(e->b, amdgpu_first(e, v), LLVMTypeOf(p), "");
}

/* v_cvt_i32_f32 and its like saturate, and make 0 of a NaN.  LLVM's fptosi
 * selects them but is undefined there, and what it knows of v it may use. */
static LLVMValueRef
to_int(struct emit *e, LLVMValueRef v, bool is_signed)
{
	v = amdgpu_hide(e, v);
	v = is_signed ? LLVMBuildFPToSI(e->b, v, emit_ity(e, 32), "")
		: LLVMBuildFPToUI(e->b, v, emit_ity(e, 32), "");
	return LLVMBuildFreeze(e->b, v, "");
}

const struct target target_amdgpu = {
	.name = "amdgpu",
	.triple = "amdgcn-amd-amdhsa",
	.space = {
		[GENERIC] = 0, [GLOBAL] = 1, [SHARED] = 3, [CONST] = 4,
		[LOCAL] = 5, [PARAM] = 4,
	},
	.lanes = 1,
	.orders_zeros = true,
	.fuses_half = true,
	.flushes_f32 = true,
	.refines_f64 = true,
	.has_arch = has_arch,
	.features = features,
	.function = function,
	.sreg = amdgpu_sreg,
	.to_int = to_int,
	.shuffle = amdgpu_shuffle,
	.broadcast = amdgpu_broadcast,
	.first = amdgpu_first,
	.permute = amdgpu_permute,
	.ballot = amdgpu_ballot,
	.laneid = amdgpu_laneid,
	.within = within,
	.leads = amdgpu_leads,
	.converge = converge,
	.barrier = barrier,
	.fence = fence,
	.syncscope = syncscope,
	.atomic_add = amdgpu_atomic_add,
	.approx = approx, .approx_ftz = approx_ftz,
	.dot = dot,
	.perm = perm,
	.frag = amdgpu_frag,
	.mma = amdgpu_mma,
	.spoils_scalars = spoils_scalars,
	.scalar = scalar,
	.hide = amdgpu_hide,
	.trap = trap,
	.sleep = nap,
};
