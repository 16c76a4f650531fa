/* target_host.c - hooks of this CPU as a target: markers for widening.
 *
 * What needs no other lane is ordinary LLVM IR, which widening takes element
 * by element.  See target_host.h.
 */
#include "target_host.h"
#include "widen.h"
#include "emit/arith.h"

#include <stdio.h>
#include <string.h>

const struct marker_info marker_info[NMARKER] = {
#define MARKER(id, name, type, flags) [MARKER_##id] = { name, type, flags },
#include "marker.def"
#undef MARKER
};

enum marker
marker_of(const char *name)
{
	static const char permute[] = "ptx.permute.";
	int m;

	if (!strncmp(name, permute, sizeof permute - 1))
		return MARKER_PERMUTE;
	for (m = 0; m < NMARKER; m++)
		if (!strcmp(marker_info[m].name, name))
			break;
	return (enum marker)m;
}

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static LLVMTypeRef
letter(struct emit *e, char c)
{
	switch (c) {
	case 'i':
		return emit_ity(e, 32);
	case 'l':
		return emit_ity(e, 64);
	case 'b':
		return emit_ity(e, 1);
	case 'p':
		return LLVMPointerTypeInContext(e->c, 0);
	default:
		return LLVMVoidTypeInContext(e->c);
	}
}

/* flag letters as LLVM's attributes; "memory" of value 0 is none */
static void
set_flags(struct emit *e, LLVMValueRef fn, const char *flags)
{
	static const struct {
		char letter;
		const char *flag;
	} row[] = {
		{ 'c', "convergent" }, { 'n', "memory" },
		{ 'n', "willreturn" }, { 's', "speculatable" },
		{ 'r', "noreturn" },
	};
	size_t i;

	emit_flag(e, fn, "nounwind");
	for (i = 0; i < sizeof row / sizeof *row; i++)
		if (strchr(flags, row[i].letter))
			emit_flag(e, fn, row[i].flag);
}

static LLVMValueRef
declare(struct emit *e, enum marker m, const char *name)
{
	const struct marker_info *info = &marker_info[m];
	LLVMTypeRef p[8];
	LLVMValueRef fn;
	unsigned n;

	fn = LLVMGetNamedFunction(e->m, name);
	if (fn)
		return fn;
	for (n = 0; info->type[n + 1]; n++)
		p[n] = letter(e, info->type[n + 1]);
	fn = LLVMAddFunction(e->m, name, LLVMFunctionType(
		letter(e, info->type[0]), p, n, false));
	set_flags(e, fn, info->flags);
	return fn;
}

static LLVMValueRef
call(struct emit *e, enum marker m, const char *name, LLVMValueRef *arg)
{
	LLVMValueRef fn = declare(e, m, name);

	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, arg,
		(unsigned)strlen(marker_info[m].type) - 1, "");
}

static LLVMValueRef
mark(struct emit *e, enum marker m, LLVMValueRef *arg)
{
	return call(e, m, marker_info[m].name, arg);
}

/* v, a call, gives a number below limit */
static LLVMValueRef
below(struct emit *e, LLVMValueRef v, int64_t limit)
{
	LLVMMetadataRef range[2];

	range[0] = LLVMValueAsMetadata(k32(e, 0));
	range[1] = LLVMValueAsMetadata(k32(e, limit));
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(e->c, "range", 5),
		LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, range,
			2)));
	return v;
}

/* all of the module goes to widening, which sets the attributes of code */
static void
function(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	emit_flag(e, fn, "convergent");
	if (f && f->entry)
		emit_cluster(e, f);
}

static LLVMValueRef
tid(struct emit *e, int comp)
{
	LLVMValueRef k = k32(e, comp);

	return below(e, mark(e, MARKER_TID, &k), comp < 2 ? 1024 : 64);
}

static LLVMValueRef
sreg(struct emit *e, enum sreg s, int comp)
{
	LLVMValueRef k = k32(e, comp);

	switch (s) {
	case SREG_TID:
		return tid(e, comp);
	case SREG_CTAID:
		return mark(e, MARKER_CTAID, &k);
	case SREG_WARPID:
		return below(e, mark(e, MARKER_WARPID, 0), 32);
	case SREG_SMID:
		return mark(e, MARKER_SMID, 0);
	case SREG_CLOCK64:
		return emit_intrinsic(e, "llvm.readcyclecounter", 0, 0, 0, 0);
	case SREG_GLOBALTIMER:
		return mark(e, MARKER_TIME, 0);
	default:
		return 0;
	}
}

static LLVMValueRef
laneid(struct emit *e)
{
	return below(e, mark(e, MARKER_LANEID, 0), HOST_LANES);
}

/* LLVM's saturating conversion serves */
static LLVMValueRef
to_int(struct emit *e, LLVMValueRef v, bool is_signed)
{
	(void)e, (void)v, (void)is_signed;
	return 0;
}

static LLVMValueRef
shuffle(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	LLVMValueRef arg[] = { v, src };

	return mark(e, MARKER_SHUFFLE, arg);
}

static LLVMValueRef
broadcast(struct emit *e, LLVMValueRef v, LLVMValueRef src)
{
	LLVMValueRef arg[] = { v, src };

	return mark(e, MARKER_BROADCAST, arg);
}

/* the name tells the pattern, a letter from 'A' a lane */
static LLVMValueRef
permute(struct emit *e, LLVMValueRef v, const uint8_t src[32])
{
	char name[64];
	size_t n;
	int l;

	strcpy(name, "ptx.permute.");
	n = strlen(name);
	for (l = 0; l < HOST_LANES; l++)
		name[n++] = (char)('A' + src[l]);
	name[n] = 0;
	return call(e, MARKER_PERMUTE, name, &v);
}

static LLVMValueRef
ballot(struct emit *e, LLVMValueRef p)
{
	return mark(e, MARKER_BALLOT, &p);
}

static void
gather(struct emit *e, LLVMValueRef members, LLVMValueRef v)
{
	LLVMValueRef arg[] = { members, v };

	mark(e, MARKER_GATHER, arg);
}

static LLVMValueRef
reduce(struct emit *e, const char *op, LLVMValueRef v, LLVMValueRef members)
{
	LLVMValueRef arg[] = { v, members };
	char name[32];

	gather(e, members, v);
	snprintf(name, sizeof name, "ptx.redux.%s", op);
	return mark(e, marker_of(name), arg);
}

static LLVMValueRef
within(struct emit *e, LLVMValueRef p, enum space space)
{
	LLVMValueRef is_shared, is_local;

	if (space != SHARED && space != LOCAL && space != GLOBAL)
		return 0;
	is_shared = space == LOCAL ? 0 : mark(e, MARKER_IN_SHARED, &p);
	is_local = space == SHARED ? 0 : mark(e, MARKER_IN_LOCAL, &p);
	if (space != GLOBAL)
		return is_shared ? is_shared : is_local;
	return LLVMBuildNot(e->b, LLVMBuildOr(e->b, is_shared, is_local, ""),
		"");
}

/* a warp runs alone */
static LLVMValueRef
leads(struct emit *e, LLVMValueRef *warps)
{
	LLVMValueRef here = ballot(e, emit_k(e, emit_ity(e, 1), 1));

	*warps = k32(e, 1);
	return LLVMBuildICmp(e->b, LLVMIntEQ, laneid(e), emit_call2(e,
		"llvm.cttz", here, emit_k(e, emit_ity(e, 1), 1)), "");
}

/* half of v, from the lower or the upper end, of lane */
static LLVMValueRef
half_of(struct emit *e, LLVMValueRef v, int shift, LLVMValueRef lane)
{
	LLVMValueRef arg[2];

	v = LLVMBuildLShr(e->b, v, emit_k(e, emit_ity(e, 64), shift), "");
	arg[0] = LLVMBuildTrunc(e->b, v, emit_ity(e, 32), "");
	arg[1] = lane;
	v = LLVMBuildZExt(e->b, mark(e, MARKER_BROADCAST, arg),
		emit_ity(e, 64), "");
	return LLVMBuildShl(e->b, v, emit_k(e, emit_ity(e, 64), shift), "");
}

static LLVMValueRef
first(struct emit *e, LLVMValueRef v)
{
	LLVMValueRef yes = emit_k(e, emit_ity(e, 1), 1), lane;

	lane = emit_call2(e, "llvm.cttz", ballot(e, yes), yes);
	return LLVMBuildOr(e->b, half_of(e, v, 0, lane),
		half_of(e, v, 32, lane), "");
}

static void
converge(struct emit *e)
{
	mark(e, MARKER_CONVERGE, 0);
}

/* a warp comes to a barrier once, with all lanes that live */
static LLVMValueRef
meet(struct emit *e, char kind, LLVMValueRef id, LLVMValueRef count,
	LLVMValueRef p)
{
	LLVMValueRef arg[4];

	gather(e, k32(e, -1), p ? emit_resize(e, p, 32, false) : k32(e, 0));
	arg[0] = id;
	arg[1] = count ? count : k32(e, 0);
	arg[2] = k32(e, kind == 'a' ? HOST_ARRIVE : kind == 'r' ? HOST_REDUCE
		: HOST_SYNC);
	arg[3] = p ? p : emit_k(e, emit_ity(e, 1), 0);
	return mark(e, MARKER_BARRIER, arg);
}

static void
barrier(struct emit *e)
{
	meet(e, 's', k32(e, 0), 0, 0);
}

/* the warps of a block take turns on one thread of the CPU */
static const char *
syncscope(const char *scope)
{
	return !strcmp(scope, "cta") || !strcmp(scope, "cluster")
		? "singlethread" : "";
}

static void
fence(struct emit *e, LLVMAtomicOrdering order, const char *scope)
{
	emit_syncscope(LLVMBuildFence(e->b, order, false, ""),
		syncscope(scope));
}

static LLVMValueRef
atomic_add(struct emit *e, const struct atomic *a, enum type t,
	enum space space, LLVMValueRef v, bool *flush)
{
	(void)space;
	if (t != T_F32 && t != T_F64)
		return 0;
	if (*flush)
		v = emit_flush(e, v);
	*flush = false;
	return emit_rmw(e, a, LLVMAtomicRMWBinOpFAdd, v);
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

/* what follows an assertion's message is the assertion */
static void
trap(struct emit *e)
{
	bool asserts = !strcmp(e->f->sym->name->text, "__assertfail");
	LLVMValueRef why = k32(e, asserts ? HOST_ASSERT : HOST_TRAP);

	mark(e, MARKER_FAULT, &why);
}

static LLVMValueRef
service(struct emit *e, unsigned function, LLVMValueRef a[4])
{
	LLVMValueRef arg[] = { k32(e, function), a[0], a[1], a[2], a[3] };

	return mark(e, MARKER_SERVICE, arg);
}

static void
nap(struct emit *e, LLVMValueRef nanoseconds)
{
	mark(e, MARKER_SLEEP, &nanoseconds);
}

static const char *const approx_ftz[] = { "lg2", "ex2", 0 };
static const char *const approx_full[] = { "rcp", "rsqrt", "sqrt", 0 };

const struct target target_host = {
	.name = "host",
#if defined __aarch64__
	.triple = "aarch64-unknown-linux-gnu",
#else
	.triple = "x86_64-unknown-linux-gnu",
#endif
	.space = { [SHARED] = SHARED_AS },
	.lanes = 1,
	.far_data = true,
	.has_arch = host_has_arch,
	.cpu = host_cpu,
	.features = host_features,
	.function = function,
	.sreg = sreg,
	.to_int = to_int,
	.shuffle = shuffle,
	.broadcast = broadcast,
	.first = first,
	.permute = permute,
	.ballot = ballot,
	.reduce = reduce,
	.gather = gather,
	.laneid = laneid,
	.within = within,
	.leads = leads,
	.converge = converge,
	.barrier = barrier,
	.meet = meet,
	.fence = fence,
	.syncscope = syncscope,
	.atomic_add = atomic_add,
	.approx = host_approx, .approx_ftz = approx_ftz,
	.approx_full = approx_full,
	.dot = dot,
	.frag = frag,
	.mma = mma,
	.trap = trap,
	.sleep = nap,
	.service = service,
};
