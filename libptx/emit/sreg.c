/* sreg.c - special registers (PTX 10).
 *
 * The shape of the launch comes from struct launch, masks of lanes from the
 * target's laneid, clocks and the like from the target.  A cluster has one
 * block here; performance counters and reserved memory are not there: 0.
 */
#include "emit_int.h"
#include "launch.h"

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* the member of struct launch at byte off; nothing writes it meanwhile, and
 * it is read where the function begins */
static LLVMValueRef
member(struct emit *e, size_t off, unsigned bits)
{
	LLVMBasicBlockRef here;
	LLVMTypeRef ty;
	LLVMValueRef at, v;

	here = LLVMGetInsertBlock(e->b);
	LLVMPositionBuilderAtEnd(e->b, LLVMGetEntryBasicBlock(e->fn));
	ty = LLVMIntTypeInContext(e->c, bits);
	at = LLVMConstInt(LLVMInt64TypeInContext(e->c), off, false);
	at = LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), e->launch, &at,
		1, "");
	v = LLVMBuildLoad2(e->b, ty, at, "");
	emit_invariant(e, v);
	LLVMPositionBuilderAtEnd(e->b, here);
	return v;
}

static LLVMValueRef
launch32(struct emit *e, int off, int comp)
{
	return comp > 2 ? k32(e, 0)
		: member(e, (size_t)off + 4 * (size_t)comp, 32);
}

static LLVMValueRef
launch64(struct emit *e, int off, int comp)
{
	(void)comp;
	return member(e, (size_t)off, 64);
}

/* off: of ntid; .reqntid fixes it */
static LLVMValueRef
ntid(struct emit *e, int off, int comp)
{
	const struct attr *a;

	a = e->f->entry ? func_attr(e->f, "reqntid") : 0;
	if (a && comp < 3)
		return k32(e, comp < a->n ? a->v[comp] : 1);
	return launch32(e, off, comp);
}

static LLVMValueRef
constant(struct emit *e, int v, int comp)
{
	(void)comp;
	return k32(e, v);
}

/* v in the three dimensions, 0 in the fourth */
static LLVMValueRef
each(struct emit *e, int v, int comp)
{
	return k32(e, comp < 3 ? v : 0);
}

static LLVMValueRef
constant64(struct emit *e, int v, int comp)
{
	(void)comp;
	return emit_k(e, emit_ity(e, 64), v);
}

static LLVMValueRef
no(struct emit *e, int v, int comp)
{
	(void)comp;
	return emit_k(e, emit_ity(e, 1), v);
}

/* what the target knows, by enum sreg */
static LLVMValueRef
target(struct emit *e, int s, int comp)
{
	return comp > 2 ? k32(e, 0) : e->t->sreg(e, (enum sreg)s, comp);
}

/* half of a 64-bit register: s, or where negative the upper half of -s */
static LLVMValueRef
half(struct emit *e, int s, int comp)
{
	LLVMValueRef v;

	v = target(e, s < 0 ? -s : s, comp);
	if (s < 0)
		v = LLVMBuildLShr(e->b, v, emit_k(e, emit_ity(e, 64), 32), "");
	return LLVMBuildTrunc(e->b, v, emit_ity(e, 32), "");
}

static LLVMValueRef
laneid(struct emit *e, int unused, int comp)
{
	(void)unused;
	(void)comp;
	return e->t->laneid(e);
}

/* ones << laneid: 1 makes lanemask_eq, -1 ge, -2 gt */
static LLVMValueRef
mask(struct emit *e, int ones, int comp)
{
	return LLVMBuildShl(e->b, k32(e, ones), laneid(e, 0, comp), "");
}

/* (ones << laneid) - 1: 1 makes lanemask_lt, 2 le */
static LLVMValueRef
mask_below(struct emit *e, int ones, int comp)
{
	return LLVMBuildSub(e->b, mask(e, ones, comp), k32(e, 1), "");
}

/* this thread's number in its block */
static LLVMValueRef
flat_tid(struct emit *e)
{
	LLVMValueRef v;

	v = target(e, SREG_TID, 2);
	v = LLVMBuildMul(e->b, v, emit_sreg(e, SREG_NTID, 1), "");
	v = LLVMBuildAdd(e->b, v, target(e, SREG_TID, 1), "");
	v = LLVMBuildMul(e->b, v, emit_sreg(e, SREG_NTID, 0), "");
	return LLVMBuildAdd(e->b, v, target(e, SREG_TID, 0), "");
}

static LLVMValueRef
warpid(struct emit *e, int unused, int comp)
{
	LLVMValueRef v;

	(void)unused;
	v = target(e, SREG_WARPID, comp);
	return v ? v : LLVMBuildLShr(e->b, flat_tid(e), k32(e, 5), "");
}

static LLVMValueRef
nwarpid(struct emit *e, int unused, int comp)
{
	LLVMValueRef v;

	(void)unused;
	(void)comp;
	v = emit_sreg(e, SREG_NTID, 0);
	v = LLVMBuildMul(e->b, v, emit_sreg(e, SREG_NTID, 1), "");
	v = LLVMBuildMul(e->b, v, emit_sreg(e, SREG_NTID, 2), "");
	v = LLVMBuildAdd(e->b, v, k32(e, 31), "");
	return LLVMBuildLShr(e->b, v, k32(e, 5), "");
}

static const struct {
	LLVMValueRef (*how)(struct emit *, int with, int comp);
	int with;
} row[NSREG] = {
#define SREG_HOW(id, how, with) [SREG_##id] = { how, (int)(with) },
#include "sreg_how.def"
#undef SREG_HOW
};

LLVMValueRef
emit_sreg(struct emit *e, enum sreg s, int comp)
{
	LLVMValueRef v;

	v = row[s].how ? row[s].how(e, row[s].with, comp) : 0;
	if (v)
		return v;
	emit_refuse(e, "%s has no meaning on %s", sreg_info[s].name,
		e->t->name);
	return emit_k(e, emit_tty(e, sreg_info[s].type), 0);
}

LLVMValueRef
emit_service_address(struct emit *e)
{
	return member(e, offsetof(struct launch, service), 64);
}
