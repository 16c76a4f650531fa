/* widen_dispatch.c - lanes that may wait for each other run in turns.
 *
 * The mask of lanes that are pending at a block stands in memory, and each
 * block goes back to a hub that runs the first block where lanes are pending,
 * counted from start.  After some rounds of a loop that spins start is what
 * follows, so that all lanes but those that spin get on, and other warps.
 *
 * Lanes that come to a .sync operation (ptx.gather) run on when all its
 * members that live have come to one, or when no other lane can run.  They may
 * be at several places, which then run one after the other before any others
 * may meet: each finds there what those at other places have brought.
 */
#include "widen_int.h"

#include <stddef.h>
#include <string.h>

enum { ROUNDS = 64 };           /* of a loop that spins, before others run */

struct widen_hub {
	LLVMBasicBlockRef block;
	LLVMValueRef pending;   /* slot: i32 of each block */
	LLVMValueRef start, rounds;
	LLVMValueRef alive;     /* lanes that have not ended */
	LLVMValueRef waiting;   /* lanes that have come to a gather */
	LLVMValueRef released;  /* … that may pass it */
	LLVMValueRef peers;     /* the lanes that met last */
	LLVMValueRef mail;      /* <32 x i32>: what lanes at gathers bring */
	LLVMValueRef brought;   /* <32 x i32>: … and had when they met */
	LLVMValueRef counted;   /* lanes that were at a barrier with others */
	LLVMValueRef reduced;   /* i64: what that gave */
	LLVMValueRef stuck;     /* gathers in turn that let none pass */
	unsigned ngather;
};

static bool
is_gather(LLVMValueRef i)
{
	size_t n;

	return LLVMIsACallInst(i) && !strcmp(LLVMGetValueName2(
		LLVMGetCalledValue(i), &n), "ptx.gather");
}

void
widen_split_gathers(LLVMValueRef fn)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
		i = LLVMGetFirstInstruction(b);
		if (i && b != LLVMGetEntryBasicBlock(fn))
			i = LLVMGetNextInstruction(i);
		while (i && !is_gather(i))
			i = LLVMGetNextInstruction(i);
		if (i)
			emit_split(i);
	}
}

static LLVMValueRef
load(struct widen *w, LLVMValueRef slot)
{
	return LLVMBuildLoad2(w->b, w->i32, slot, "");
}

/* pending of block k, an i32 */
static LLVMValueRef
place(struct widen *w, LLVMValueRef k)
{
	return LLVMBuildGEP2(w->b, w->i32, w->hub->pending, &k, 1, "");
}

/* a slot that holds v at first */
static LLVMValueRef
state(struct widen *w, LLVMValueRef v)
{
	LLVMValueRef slot = widen_slot(w, LLVMTypeOf(v), "");

	LLVMBuildStore(w->b, v, slot);
	return slot;
}

/* the block to be run, or where all have ended: scans from start, and once
 * more from 0 */
static void
hub(struct widen *w)
{
	LLVMBasicBlockRef scan = widen_new_block(w, "scan");
	LLVMBasicBlockRef test = widen_new_block(w, "test");
	LLVMBasicBlockRef more = widen_new_block(w, "more");
	LLVMBasicBlockRef wrap = widen_new_block(w, "wrap");
	LLVMBasicBlockRef run = widen_new_block(w, "run");
	LLVMValueRef start, at, next, v;
	unsigned k;

	LLVMPositionBuilderAtEnd(w->b, w->hub->block);
	start = load(w, w->hub->start);
	LLVMBuildBr(w->b, scan);
	LLVMPositionBuilderAtEnd(w->b, scan);
	at = LLVMBuildPhi(w->b, w->i32, "");
	LLVMAddIncoming(at, &start, &w->hub->block, 1);
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntULT, at,
		widen_k32(w, w->nblock), ""), test, wrap);
	LLVMPositionBuilderAtEnd(w->b, test);
	v = load(w, place(w, at));
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntEQ, v,
		widen_k32(w, 0), ""), more, run);
	LLVMPositionBuilderAtEnd(w->b, more);
	next = LLVMBuildAdd(w->b, at, widen_k32(w, 1), "");
	LLVMAddIncoming(at, &next, &more, 1);
	LLVMBuildBr(w->b, scan);
	LLVMPositionBuilderAtEnd(w->b, wrap);
	LLVMBuildStore(w->b, widen_k32(w, 0), w->hub->start);
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntEQ, start,
		widen_k32(w, 0), ""), w->out, w->hub->block);
	LLVMPositionBuilderAtEnd(w->b, run);
	v = LLVMBuildSwitch(w->b, at, w->out, w->nblock);
	for (k = 0; k < w->nblock; k++)
		if (w->block[k].reached)
			LLVMAddCase(v, widen_k32(w, k),
				widen_body(w, &w->block[k]));
}

void
widen_dispatcher(struct widen *w)
{
	struct widen_hub *h = NEW(&w->value->a, struct widen_hub);
	LLVMValueRef zero = widen_k32(w, 0), i;
	unsigned k;

	w->hub = h;
	h->block = widen_new_block(w, "hub");
	for (k = 0; k < w->nblock; k++) {
		i = LLVMGetFirstInstruction(w->block[k].from);
		w->block[k].gather = is_gather(i) ? i : 0;
		h->ngather += w->block[k].gather != 0;
	}
	LLVMPositionBuilderAtEnd(w->b, w->entry);
	h->pending = widen_slot(w, LLVMArrayType2(w->i32, w->nblock + 1), "");
	LLVMBuildMemSet(w->b, h->pending, LLVMConstInt(w->i8, 0, false),
		widen_k64(w, 4 * (w->nblock + 1)), 4);
	h->start = state(w, zero);
	h->rounds = state(w, zero);
	h->waiting = state(w, zero);
	h->released = state(w, zero);
	h->stuck = state(w, zero);
	h->alive = state(w, widen_bits(w, w->came));
	h->peers = state(w, zero);
	h->counted = state(w, zero);
	h->reduced = state(w, widen_k64(w, 0));
	h->mail = state(w, LLVMConstNull(widen_wide_type(w->i32)));
	h->brought = state(w, LLVMConstNull(widen_wide_type(w->i32)));
	LLVMBuildStore(w->b, widen_bits(w, w->came), place(w, zero));
	hub(w);
}

void
widen_arrive(struct widen *w, struct widen_block *b, LLVMValueRef mask)
{
	LLVMValueRef bits = widen_bits(w, mask), p;

	if (b->order == w->nblock) {
		bits = LLVMBuildNot(w->b, bits, "");
		LLVMBuildStore(w->b, LLVMBuildAnd(w->b, bits,
			load(w, w->hub->alive), ""), w->hub->alive);
		return;
	}
	p = place(w, widen_k32(w, b->order));
	LLVMBuildStore(w->b, LLVMBuildOr(w->b, bits, load(w, p), ""), p);
}

void
widen_dispatch(struct widen *w)
{
	LLVMBuildBr(w->b, w->hub->block);
}

static LLVMValueRef
is_zero(struct widen *w, LLVMValueRef v)
{
	return LLVMBuildICmp(w->b, LLVMIntEQ, v, widen_k32(w, 0), "");
}

/* a without b, bits both */
static LLVMValueRef
less(struct widen *w, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildAnd(w->b, a, LLVMBuildNot(w->b, b, ""), "");
}

static void
add(struct widen *w, LLVMValueRef slot, LLVMValueRef bits)
{
	LLVMBuildStore(w->b, LLVMBuildOr(w->b, bits, load(w, slot), ""), slot);
}

static LLVMValueRef
load_wide(struct widen *w, LLVMValueRef slot)
{
	return LLVMBuildLoad2(w->b, widen_wide_type(w->i32), slot, "");
}

/* slot becomes v in the lanes of bits */
static void
put(struct widen *w, LLVMValueRef slot, LLVMValueRef bits, LLVMValueRef v)
{
	LLVMBuildStore(w->b, LLVMBuildSelect(w->b, widen_unbits(w, bits), v,
		load_wide(w, slot), ""), slot);
}

/* lanes of bits stay at the gather of b: others run */
static void
stay(struct widen *w, struct widen_block *b, LLVMValueRef bits,
	LLVMValueRef stuck)
{
	LLVMBuildStore(w->b, stuck, w->hub->stuck);
	LLVMBuildStore(w->b, widen_k32(w, b->order + 1), w->hub->start);
	add(w, place(w, widen_k32(w, b->order)), bits);
	LLVMBuildBr(w->b, w->hub->block);
}

/* The lanes that meet where bits, not let go, are at the gather of b: all its
 * members that live; or bits, if there is no other way; else 0.  None meet
 * while lanes of those that met last have yet to run. */
static LLVMValueRef
group(struct widen *w, struct widen_block *b, LLVMValueRef bits,
	LLVMValueRef stuck)
{
	struct widen_hub *h = w->hub;
	LLVMValueRef members, here, all, v;

	members = widen_extract(w, widen_wide(w, LLVMGetOperand(b->gather, 0),
		0), widen_first(w));
	here = less(w, load(w, h->waiting), load(w, h->released));
	all = is_zero(w, less(w, LLVMBuildAnd(w->b, members, load(w, h->alive),
		""), here));
	v = LLVMBuildICmp(w->b, LLVMIntUGT, stuck, widen_k32(w,
		2 * h->ngather + 2), "");
	v = LLVMBuildSelect(w->b, v, bits, widen_k32(w, 0), "");
	v = LLVMBuildSelect(w->b, all, LLVMBuildAnd(w->b, here, members, ""),
		v, "");
	return LLVMBuildSelect(w->b, is_zero(w, load(w, h->released)), v,
		widen_k32(w, 0), "");
}

/* the lanes of bits that go on from the gather at b; the others wait */
static LLVMValueRef
gather(struct widen *w, struct widen_block *b, LLVMValueRef bits)
{
	LLVMBasicBlockRef no = widen_new_block(w, "stay");
	LLVMBasicBlockRef pass = widen_new_block(w, "pass");
	struct widen_hub *h = w->hub;
	LLVMValueRef before, met, stuck, go;

	w->mask = widen_unbits(w, bits);
	before = load(w, h->released);
	add(w, h->waiting, bits);
	put(w, h->mail, less(w, bits, before), widen_wide(w,
		LLVMGetOperand(b->gather, 1), 0));
	stuck = LLVMBuildAdd(w->b, load(w, h->stuck), widen_k32(w, 1), "");
	met = group(w, b, bits, stuck);
	go = LLVMBuildAnd(w->b, bits, LLVMBuildOr(w->b, before, met, ""), "");
	LLVMBuildCondBr(w->b, is_zero(w, go), no, pass);
	LLVMPositionBuilderAtEnd(w->b, no);
	stay(w, b, bits, stuck);
	LLVMPositionBuilderAtEnd(w->b, pass);
	LLVMBuildStore(w->b, widen_k32(w, 0), h->stuck);
	LLVMBuildStore(w->b, less(w, load(w, h->waiting), go), h->waiting);
	add(w, place(w, widen_k32(w, b->order)), less(w, bits, go));
	LLVMBuildStore(w->b, less(w, LLVMBuildOr(w->b, before, met, ""), go),
		h->released);
	put(w, h->brought, met, load_wide(w, h->mail));
	LLVMBuildStore(w->b, LLVMBuildSelect(w->b, is_zero(w, met),
		load(w, h->peers), met, ""), h->peers);
	return go;
}

/* does the lane of the builder run on from a gather with others? */
static bool
met_others(struct widen *w)
{
	return w->dispatched && w->at->gather;
}

LLVMValueRef
widen_peers(struct widen *w)
{
	return met_others(w) ? less(w, load(w, w->hub->peers),
		widen_bits(w, w->mask)) : widen_k32(w, 0);
}

LLVMValueRef
widen_brought(struct widen *w, LLVMValueRef v)
{
	return met_others(w) ? LLVMBuildSelect(w->b, w->mask, v,
		load_wide(w, w->hub->brought), "") : v;
}

/* the barrier behind the gather of b, or 0 */
static LLVMValueRef
barrier_of(const struct widen_block *b)
{
	LLVMValueRef i = b->gather ? LLVMGetNextInstruction(b->gather) : 0;
	const char *name;
	size_t n;

	if (!i || !LLVMIsACallInst(i))
		return 0;
	name = LLVMGetValueName2(LLVMGetCalledValue(i), &n);
	return strcmp(name, "ptx.barrier") ? 0 : i;
}

/* do both come to one barrier, as far as constants tell? */
static bool
same_barrier(LLVMValueRef a, LLVMValueRef b)
{
	unsigned k;

	for (k = 0; k < 3; k++)
		if (LLVMGetOperand(a, k) != LLVMGetOperand(b, k))
			return false;
	return true;
}

LLVMValueRef
widen_company(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef v = widen_k32(w, 0), other;
	unsigned k;

	if (!met_others(w) || barrier_of(w->at) != insn)
		return v;
	for (k = 0; k < w->nblock; k++) {
		other = barrier_of(&w->block[k]);
		if (other && other != insn && same_barrier(other, insn))
			v = LLVMBuildOr(w->b, v, load(w, place(w,
				widen_k32(w, k))), "");
	}
	return LLVMBuildAnd(w->b, v, load(w, w->hub->released), "");
}

LLVMValueRef
widen_counted(struct widen *w)
{
	return w->dispatched ? w->hub->counted : 0;
}

LLVMValueRef
widen_reduced(struct widen *w)
{
	return w->hub->reduced;
}

LLVMValueRef
widen_arrivals(struct widen *w, struct widen_block *b)
{
	LLVMValueRef p = place(w, widen_k32(w, b->order)), bits;

	bits = load(w, p);
	LLVMBuildStore(w->b, widen_k32(w, 0), p);
	if (b->gather)
		bits = gather(w, b, bits);
	else if (w->hub->ngather)
		LLVMBuildStore(w->b, widen_k32(w, 0), w->hub->stuck);
	return widen_unbits(w, bits);
}

/* the device lets other warps run */
static void
yield(struct widen *w)
{
	LLVMTypeRef ty = LLVMFunctionType(LLVMVoidTypeInContext(w->c),
		&w->ptr, 1, false);

	widen_device(w, offsetof(struct host_calls, yield), ty, 0, 0, true);
}

void
widen_round(struct widen *w)
{
	LLVMValueRef n;
	struct widen_if i;

	if (!w->rounds) {
		LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);

		w->rounds = widen_slot(w, w->i32, "");
		LLVMPositionBuilderAtEnd(w->b, w->entry);
		LLVMBuildStore(w->b, widen_k32(w, 0), w->rounds);
		LLVMPositionBuilderAtEnd(w->b, here);
	}
	n = LLVMBuildAdd(w->b, load(w, w->rounds), widen_k32(w, 1), "");
	LLVMBuildStore(w->b, n, w->rounds);
	n = LLVMBuildAnd(w->b, n, widen_k32(w, ROUNDS - 1), "");
	widen_if(w, &i, is_zero(w, n));
	if (w->dispatched)
		LLVMBuildStore(w->b, widen_k32(w, w->at->order + 1),
			w->hub->start);
	yield(w);
	widen_endif(w, &i);
}
