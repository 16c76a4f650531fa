/* widen_barrier.c - where a warp meets others, waits, or ends in a fault.
 *
 * What asks the device runs only where a lane is here.
 */
#include "target_host.h"
#include "widen_int.h"

/* if no lane may be here, what follows runs only where one is */
static bool
begin(struct widen *w, struct widen_if *c)
{
	bool guarded = !w->full && !w->whole;

	if (guarded)
		widen_if(w, c, widen_any(w, w->mask));
	return guarded;
}

static void
end(struct widen *w, struct widen_if *c, bool guarded)
{
	if (guarded)
		widen_endif(w, c);
}

struct meeting {
	LLVMValueRef insn;
	uint64_t kind;          /* enum host_meeting */
	LLVMValueRef others;    /* i32: lanes at other places that come too */
};

/* those of m->others that brought true */
static LLVMValueRef
true_elsewhere(struct widen *w, const struct meeting *m)
{
	LLVMTypeRef wide = widen_wide_type(w->i32);
	LLVMValueRef v = widen_brought(w, LLVMConstNull(wide));

	v = LLVMBuildICmp(w->b, LLVMIntNE, v, LLVMConstNull(wide), "");
	return LLVMBuildAnd(w->b, m->others, widen_bits(w, v), "");
}

/* the device's call for lanes of one barrier: bits; id, count: i32 */
static LLVMValueRef
come(struct widen *w, const struct meeting *m, LLVMValueRef id,
	LLVMValueRef count, LLVMValueRef lanes, bool partial)
{
	LLVMTypeRef i32 = w->i32, p[] = { w->ptr, i32, i32, i32, i32, i32 };
	LLVMTypeRef none = LLVMVoidTypeInContext(w->c);
	LLVMValueRef arg[5];
	size_t call;

	call = m->kind == HOST_REDUCE ? offsetof(struct host_calls, reduce)
		: m->kind == HOST_ARRIVE ? offsetof(struct host_calls, arrive)
		: offsetof(struct host_calls, barrier);
	arg[0] = LLVMBuildAnd(w->b, id, widen_k32(w, HOST_BARRIERS - 1), "");
	arg[1] = count;
	arg[2] = lanes;
	arg[3] = widen_k32(w, partial); /* a bool passes as an int does */
	if (m->kind != HOST_REDUCE)
		return widen_device(w, call, LLVMFunctionType(none, p, 5,
			false), arg, 4, true);
	arg[4] = widen_bits(w, widen_and(w, w->mask, widen_wide(w,
		LLVMGetOperand(m->insn, 3), 0)));
	arg[4] = LLVMBuildOr(w->b, arg[4], true_elsewhere(w, m), "");
	arg[4] = LLVMBuildAnd(w->b, arg[4], lanes, "");
	return widen_device(w, call, LLVMFunctionType(w->i64, p, 6, false),
		arg, 5, true);
}

static bool
is_uniform(struct widen *w, LLVMValueRef insn)
{
	return widen_is_uniform(w, LLVMGetOperand(insn, 0), 0)
		&& widen_is_uniform(w, LLVMGetOperand(insn, 1), 0);
}

struct shape
shape_barrier(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	return is_uniform(w, insn) ? UNIFORM : VARYING;
}

static LLVMValueRef
come_all(struct widen *w, const struct meeting *m, LLVMValueRef lanes)
{
	return come(w, m, widen_scalar(w, LLVMGetOperand(m->insn, 0), 0),
		widen_scalar(w, LLVMGetOperand(m->insn, 1), 0), lanes, false);
}

/* all lanes come to one barrier */
static void
one(struct widen *w, struct meeting *m)
{
	LLVMValueRef slot = widen_slot(w, w->i64, "barrier"), v;
	struct widen_if c;
	bool guarded;

	LLVMBuildStore(w->b, widen_k64(w, 0), slot);
	guarded = begin(w, &c);
	v = come_all(w, m, widen_bits(w, w->mask));
	if (m->kind == HOST_REDUCE)
		LLVMBuildStore(w->b, v, slot);
	end(w, &c, guarded);
	widen_set_scalar(w, m->insn, 0, LLVMBuildLoad2(w->b, w->i64, slot,
		""));
}

/* the same where other lanes are elsewhere, perhaps at the same barrier: the
 * first to run comes for all, and the others find that done */
static void
one_in_turns(struct widen *w, struct meeting *m)
{
	LLVMValueRef counted = widen_counted(w), mine, fresh, old, v;
	struct widen_if c;

	mine = widen_bits(w, w->mask);
	m->others = widen_company(w, m->insn);
	old = LLVMBuildLoad2(w->b, w->i32, counted, "");
	fresh = LLVMBuildAnd(w->b, mine, LLVMBuildNot(w->b, old, ""), "");
	fresh = LLVMBuildICmp(w->b, LLVMIntNE, fresh, widen_k32(w, 0), "");
	old = LLVMBuildAnd(w->b, old, LLVMBuildNot(w->b, mine, ""), "");
	LLVMBuildStore(w->b, LLVMBuildSelect(w->b, fresh, LLVMBuildOr(w->b,
		old, m->others, ""), old, ""), counted);
	widen_if(w, &c, fresh);
	v = come_all(w, m, LLVMBuildOr(w->b, mine, m->others, ""));
	if (m->kind == HOST_REDUCE)
		LLVMBuildStore(w->b, v, widen_reduced(w));
	widen_endif(w, &c);
	widen_set_scalar(w, m->insn, 0, LLVMBuildLoad2(w->b, w->i64,
		widen_reduced(w), ""));
}

/* a barrier for each that the lanes name, in the order of their first lanes,
 * which come for the others */
static void
several(struct widen *w, struct meeting *m)
{
	LLVMTypeRef wide = widen_wide_type(w->i64);
	LLVMValueRef slot = widen_slot(w, wide, "barrier");
	LLVMValueRef id, count, here, mine, same, k, v;
	struct widen_loop each;
	struct widen_if first;

	LLVMBuildStore(w->b, LLVMConstNull(wide), slot);
	id = widen_wide(w, LLVMGetOperand(m->insn, 0), 0);
	count = widen_wide(w, LLVMGetOperand(m->insn, 1), 0);
	here = widen_bits(w, w->mask);
	widen_each(w, &each, here);
	k = widen_extract(w, id, each.lane);
	same = LLVMBuildICmp(w->b, LLVMIntEQ, id, widen_splat(w, k), "");
	same = widen_and(w, w->mask, same);
	mine = widen_bits(w, same);
	v = LLVMBuildShl(w->b, widen_k32(w, 1), each.lane, "");
	v = LLVMBuildSub(w->b, v, widen_k32(w, 1), "");
	widen_if(w, &first, LLVMBuildICmp(w->b, LLVMIntEQ,
		LLVMBuildAnd(w->b, mine, v, ""), widen_k32(w, 0), ""));
	v = come(w, m, k, widen_extract(w, count, each.lane), mine, true);
	if (m->kind == HOST_REDUCE)
		LLVMBuildStore(w->b, LLVMBuildSelect(w->b, same,
			widen_splat(w, v), LLVMBuildLoad2(w->b, wide, slot,
			""), ""), slot);
	widen_endif(w, &first);
	widen_endeach(w, &each);
	widen_set_wide(w, m->insn, 0, LLVMBuildLoad2(w->b, wide, slot, ""));
}

void
widen_barrier(struct widen *w, LLVMValueRef insn)
{
	struct meeting m = { .insn = insn, .others = widen_k32(w, 0) };

	m.kind = LLVMConstIntGetZExtValue(LLVMGetOperand(insn, 2));
	if (is_uniform(w, insn) && widen_counted(w))
		one_in_turns(w, &m);
	else if (is_uniform(w, insn))
		one(w, &m);
	else
		several(w, &m);
}

/* lanes of a warp run in step, in the order of the code */
void
widen_nothing(struct widen *w, LLVMValueRef insn)
{
	(void)w, (void)insn;
}

void
widen_fault(struct widen *w, LLVMValueRef insn)
{
	LLVMTypeRef p[] = { w->ptr, w->i32, w->i32 };
	LLVMValueRef arg[2];
	struct widen_if c;
	bool guarded = begin(w, &c);

	arg[0] = LLVMGetOperand(insn, 0);
	arg[1] = widen_first(w);
	widen_device(w, offsetof(struct host_calls, fault), LLVMFunctionType(
		LLVMVoidTypeInContext(w->c), p, 3, false), arg, 2, false);
	end(w, &c, guarded);
}

/* as long as the first lane asks for */
void
widen_sleep(struct widen *w, LLVMValueRef insn)
{
	LLVMTypeRef p[] = { w->ptr, w->i32 };
	LLVMValueRef v = LLVMGetOperand(insn, 0);
	struct widen_if c;
	bool guarded = begin(w, &c);

	v = widen_is_uniform(w, v, 0) ? widen_scalar(w, v, 0)
		: widen_extract(w, widen_wide(w, v, 0), widen_first(w));
	widen_device(w, offsetof(struct host_calls, sleep), LLVMFunctionType(
		LLVMVoidTypeInContext(w->c), p, 2, false), &v, 1, true);
	end(w, &c, guarded);
}
