/* widen_sreg.c - special registers: where a thread lies in warp, block, grid.
 *
 * What the shape of the block tells makes %tid a number for the warp plus one
 * for the lane: see struct host_shape.  Where it tells too little, %tid is
 * computed by lane.
 */
#include "target_host.h"
#include "widen.h"

/* the component that a call of ptx.tid or ptx.ctaid asks for */
static unsigned
component(LLVMValueRef insn)
{
	return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(insn, 0));
}

struct shape
shape_laneid(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)w, (void)insn, (void)part;
	return (struct shape){ .seg = 1, .zeros = 31, .stride = 1 };
}

void
widen_laneid(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef zero = widen_k32(w, 0);

	widen_set_runs(w, insn, 0, shape_laneid(w, insn, 0), &zero);
}

/* a run is a row of threads in x */
static struct shape
tid_in_rows(uint8_t seg, unsigned comp)
{
	struct shape s = { .seg = seg };

	if (comp == 0) {
		s.stride = 1;
		s.zeros = seg == 1 ? 5 : 31;
	}
	return s;
}

struct shape
shape_tid(struct widen *w, LLVMValueRef insn, unsigned part)
{
	unsigned seg;

	(void)part;
	if (w->form.form == HOST_ROWS)
		return tid_in_rows(1, component(insn));
	seg = (unsigned)LANES >> w->form.log2x;
	if (w->form.form == HOST_SHORT && seg <= RUNS)
		return tid_in_rows((uint8_t)seg, component(insn));
	return VARYING;
}

/* launch->ntid[k] */
static LLVMValueRef
ntid(struct widen *w, unsigned k)
{
	LLVMValueRef at, v, off;

	off = widen_k64(w, offsetof(struct launch, ntid) + 4 * k);
	at = LLVMBuildGEP2(w->b, w->i8, WARP_FIELD(w, launch, w->ptr), &off, 1,
		"");
	v = LLVMBuildLoad2(w->b, w->i32, at, "");
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(w->c, "invariant.load", 14),
		LLVMMetadataAsValue(w->c, LLVMMDNodeInContext2(w->c, 0, 0)));
	return v;
}

/* comp of the block's thread number flat, a scalar */
static LLVMValueRef
tid_of(struct widen *w, LLVMValueRef flat, unsigned comp)
{
	if (comp > 0)
		flat = LLVMBuildUDiv(w->b, flat, ntid(w, 0), "");
	if (comp > 1)
		flat = LLVMBuildUDiv(w->b, flat, ntid(w, 1), "");
	return comp == 2 ? flat : LLVMBuildURem(w->b, flat, ntid(w, comp), "");
}

static void
tid_by_runs(struct widen *w, LLVMValueRef insn, struct shape s)
{
	LLVMValueRef first, run[RUNS];
	unsigned r;

	first = LLVMBuildMul(w->b, WARP_FIELD(w, warp, w->i32),
		widen_k32(w, LANES), "");
	for (r = 0; r < s.seg; r++)
		run[r] = tid_of(w, LLVMBuildAdd(w->b, first,
			widen_k32(w, r * LANES / s.seg), ""),
			component(insn));
	widen_set_runs(w, insn, 0, s, run);
}

/* a / b in all lanes, of numbers below 2048: the half keeps the quotient away
 * from whole numbers by more than it is wrong */
static LLVMValueRef
quotient(struct widen *w, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef f32 = LLVMFloatTypeInContext(w->c);
	LLVMTypeRef wide = widen_wide_type(f32);

	a = LLVMBuildUIToFP(w->b, a, wide, "");
	a = LLVMBuildFAdd(w->b, a, widen_splat(w, LLVMConstReal(f32, 0.5)), "");
	b = LLVMBuildUIToFP(w->b, b, f32, "");
	a = LLVMBuildFDiv(w->b, a, widen_splat(w, b), "");
	return LLVMBuildFPToUI(w->b, a, widen_wide_type(w->i32), "");
}

static void
tid_by_lane(struct widen *w, LLVMValueRef insn)
{
	unsigned k, comp = component(insn);
	LLVMValueRef flat, q;

	flat = LLVMBuildMul(w->b, WARP_FIELD(w, warp, w->i32),
		widen_k32(w, LANES), "");
	flat = LLVMBuildAdd(w->b, widen_splat(w, flat),
		widen_steps(w, w->i32, 1), "");
	for (k = 0; k < comp; k++)
		flat = quotient(w, flat, ntid(w, k));
	if (comp < 2) {
		q = quotient(w, flat, ntid(w, comp));
		q = LLVMBuildMul(w->b, q, widen_splat(w, ntid(w, comp)), "");
		flat = LLVMBuildSub(w->b, flat, q, "");
	}
	widen_set_wide(w, insn, 0, flat);
}

void
widen_tid(struct widen *w, LLVMValueRef insn)
{
	struct shape s = shape_tid(w, insn, 0);

	if (s.seg)
		tid_by_runs(w, insn, s);
	else
		tid_by_lane(w, insn);
}

void
widen_ctaid(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, widen_field(w, offsetof(struct warp,
		ctaid) + 4 * component(insn), w->i32));
}

void
widen_warpid(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, WARP_FIELD(w, warp, w->i32));
}

void
widen_smid(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, WARP_FIELD(w, smid, w->i32));
}

void
widen_time(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, widen_device(w, offsetof(struct host_calls,
		time), LLVMFunctionType(w->i64, &w->ptr, 1, false), 0, 0,
		false));
}

void
widen_clock(struct widen *w, LLVMValueRef insn)
{
	widen_set_scalar(w, insn, 0, widen_intrinsic(w,
		"llvm.readcyclecounter", 0, 0, 0, 0));
}

/* is the generic address in size bytes from base? all i64 scalars but at,
 * which is <32 x i64> */
static LLVMValueRef
inside(struct widen *w, LLVMValueRef at, LLVMValueRef base, LLVMValueRef size)
{
	at = LLVMBuildSub(w->b, at, widen_splat(w, base), "");
	return LLVMBuildICmp(w->b, LLVMIntULT, at, widen_splat(w, size), "");
}

static LLVMValueRef
address(struct widen *w, LLVMValueRef insn)
{
	return LLVMBuildPtrToInt(w->b, widen_wide(w, LLVMGetOperand(insn, 0),
		0), widen_wide_type(w->i64), "");
}

void
widen_in_shared(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef off, size;

	off = widen_k64(w, offsetof(struct launch, shared_total));
	size = LLVMBuildLoad2(w->b, w->i32, LLVMBuildGEP2(w->b, w->i8,
		WARP_FIELD(w, launch, w->ptr), &off, 1, ""), "");
	widen_set_wide(w, insn, 0, inside(w, address(w, insn),
		LLVMBuildPtrToInt(w->b, WARP_FIELD(w, shared, w->ptr), w->i64,
			""),
		LLVMBuildZExt(w->b, size, w->i64, "")));
}

void
widen_in_local(struct widen *w, LLVMValueRef insn)
{
	widen_set_wide(w, insn, 0, inside(w, address(w, insn),
		WARP_FIELD(w, local, w->i64),
		WARP_FIELD(w, local_size, w->i64)));
}
