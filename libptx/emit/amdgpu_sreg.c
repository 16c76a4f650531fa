/* amdgpu_sreg.c - special registers that the hardware knows.
 *
 * %clock64 is a count of shader clocks where the processor has one of enough
 * bits (to gfx10, and gfx12), on gfx11 sixteen times the 100 MHz counter.
 * %smid is made of the numbers of engine, array and compute unit: unique,
 * with gaps.
 */
#include "amdgpu.h"

#include <string.h>

static LLVMValueRef
call0(struct emit *e, const char *name)
{
	return emit_intrinsic(e, name, 0, 0, 0, 0);
}

/* v is below limit */
static LLVMValueRef
below(struct emit *e, LLVMValueRef v, int64_t limit)
{
	LLVMTypeRef i32;
	LLVMMetadataRef range[2];

	i32 = LLVMInt32TypeInContext(e->c);
	range[0] = LLVMValueAsMetadata(LLVMConstInt(i32, 0, false));
	range[1] = LLVMValueAsMetadata(LLVMConstInt(i32, (uint64_t)limit,
		false));
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(e->c, "range", 5),
		LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, range,
		2)));
	return v;
}

/* how many threads a block has at most in dimension comp */
static int64_t
extent(struct emit *e, int comp)
{
	const struct attr *a;
	int64_t n, most;
	int i;

	most = comp < 2 ? 1024 : 64;
	if (!e->f || !e->f->entry)
		return most;
	a = func_attr(e->f, "reqntid");
	if (a)
		return comp < a->n ? a->v[comp] : 1;
	a = func_attr(e->f, "maxntid");
	if (!a)
		return most;
	for (n = 1, i = 0; i < a->n; i++)
		n *= a->v[i];
	return n < most ? n : most;
}

static LLVMValueRef
tid(struct emit *e, int comp)
{
	static const char *const name[] = {
		"llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y",
		"llvm.amdgcn.workitem.id.z",
	};
	int64_t n;

	n = extent(e, comp);
	if (n == 1)
		return emit_k(e, emit_ity(e, 32), 0);
	return below(e, call0(e, name[comp]), n);
}

static LLVMValueRef
ctaid(struct emit *e, int comp)
{
	static const char *const name[] = {
		"llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y",
		"llvm.amdgcn.workgroup.id.z",
	};

	return call0(e, name[comp]);
}

static LLVMValueRef
steady(struct emit *e, int64_t times)
{
	return LLVMBuildMul(e->b, call0(e, "llvm.readsteadycounter"),
		emit_k(e, emit_ity(e, 64), times), "");
}

static LLVMValueRef
clock64(struct emit *e)
{
	unsigned flags;

	flags = amdgpu_flags(e->o->arch);
	if (flags & (GFX9 | GFX10))
		return call0(e, "llvm.amdgcn.s.memtime");
	if (flags & GFX11)
		return steady(e, 16);
	return call0(e, "llvm.readcyclecounter");
}

/* n bits from bit off of hardware register id */
static LLVMValueRef
hwreg(struct emit *e, int id, int off, int n)
{
	LLVMValueRef which;

	which = emit_k(e, emit_ity(e, 32), id | off << 6 | (n - 1) << 11);
	return emit_intrinsic(e, "llvm.amdgcn.s.getreg", 0, 0, &which, 1);
}

/* high << by | low */
static LLVMValueRef
join(struct emit *e, LLVMValueRef high, int by, LLVMValueRef low)
{
	high = LLVMBuildShl(e->b, high, emit_k(e, emit_ity(e, 32), by), "");
	return LLVMBuildOr(e->b, high, low, "");
}

enum { HW_ID = 4, XCC_ID = 20, HW_ID1 = 23 };

static LLVMValueRef
smid(struct emit *e)
{
	LLVMValueRef v;
	unsigned flags;

	flags = amdgpu_flags(e->o->arch);
	if (flags & GFX9) {
		v = hwreg(e, HW_ID, 8, 8);
		return flags & XCC ? join(e, hwreg(e, XCC_ID, 0, 4), 8, v) : v;
	}
	v = join(e, hwreg(e, HW_ID1, 16, 1), 4, hwreg(e, HW_ID1, 10, 4));
	return join(e, hwreg(e, HW_ID1, 18, 3), 5, v);
}

LLVMValueRef
amdgpu_sreg(struct emit *e, enum sreg s, int comp)
{
	switch (s) {
	case SREG_TID:
		return tid(e, comp);
	case SREG_CTAID:
		return ctaid(e, comp);
	case SREG_CLOCK64:
		return clock64(e);
	case SREG_GLOBALTIMER:
		return steady(e, 10);
	case SREG_SMID:
		return smid(e);
	default:
		return 0;
	}
}
