/* widen_dispatch.c - lanes that may wait for each other run in turns.
 *
 * The mask of lanes that are pending at a block stands in memory, and each
 * block goes back to a hub that runs the first block where lanes are pending,
 * counted from start.  After some rounds of a loop that spins start is what
 * follows, so that all lanes but those that spin get on, and other warps.
 *
 * Lanes that come to a .sync operation (ptx.gather) run on when all its
 * members that live have come to one, or when no other lane can run.
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
	LLVMValueRef released;  /* lanes that may pass the gather they are at */
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
	LLVMValueRef slot = widen_slot(w, w->i32, "");

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
	h->released = state(w, zero);
	h->stuck = state(w, zero);
	h->alive = state(w, widen_bits(w, w->came));
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

/* lanes at gathers that were not let go: bits here, and those elsewhere */
static LLVMValueRef
parked(struct widen *w, LLVMValueRef bits)
{
	unsigned k;

	for (k = 0; k < w->nblock; k++)
		if (w->block[k].gather && w->block[k].reached)
			bits = LLVMBuildOr(w->b, bits, load(w, place(w,
				widen_k32(w, k))), "");
	return LLVMBuildAnd(w->b, bits, LLVMBuildNot(w->b,
		load(w, w->hub->released), ""), "");
}

static LLVMValueRef
is_zero(struct widen *w, LLVMValueRef v)
{
	return LLVMBuildICmp(w->b, LLVMIntEQ, v, widen_k32(w, 0), "");
}

/* the lanes of bits go on from the gather at b, or back to wait */
static void
gather(struct widen *w, struct widen_block *b, LLVMValueRef bits)
{
	LLVMBasicBlockRef stay = widen_new_block(w, "stay");
	LLVMBasicBlockRef pass = widen_new_block(w, "pass");
	struct widen_hub *h = w->hub;
	LLVMValueRef members, here, missing, free_, stuck, p, ok, all;

	w->mask = widen_unbits(w, bits);
	members = widen_extract(w, widen_wide(w, LLVMGetOperand(b->gather, 0),
		0), widen_first(w));
	here = parked(w, bits);
	missing = LLVMBuildAnd(w->b, members, load(w, h->alive), "");
	missing = LLVMBuildAnd(w->b, missing, LLVMBuildNot(w->b, here, ""),
		"");
	all = is_zero(w, missing);
	free_ = LLVMBuildAnd(w->b, bits, LLVMBuildNot(w->b,
		load(w, h->released), ""), "");
	stuck = LLVMBuildAdd(w->b, load(w, h->stuck), widen_k32(w, 1), "");
	ok = LLVMBuildOr(w->b, all, is_zero(w, free_), "");
	ok = LLVMBuildOr(w->b, ok, LLVMBuildICmp(w->b, LLVMIntUGT, stuck,
		widen_k32(w, 2 * h->ngather + 2), ""), "");
	LLVMBuildCondBr(w->b, ok, pass, stay);
	LLVMPositionBuilderAtEnd(w->b, stay);
	LLVMBuildStore(w->b, stuck, h->stuck);
	LLVMBuildStore(w->b, widen_k32(w, b->order + 1), h->start);
	p = place(w, widen_k32(w, b->order));
	LLVMBuildStore(w->b, LLVMBuildOr(w->b, bits, load(w, p), ""), p);
	LLVMBuildBr(w->b, h->block);
	LLVMPositionBuilderAtEnd(w->b, pass);
	LLVMBuildStore(w->b, widen_k32(w, 0), h->stuck);
	here = LLVMBuildAnd(w->b, here, members, "");
	here = LLVMBuildSelect(w->b, all, here, widen_k32(w, 0), "");
	here = LLVMBuildOr(w->b, here, load(w, h->released), "");
	LLVMBuildStore(w->b, LLVMBuildAnd(w->b, here,
		LLVMBuildNot(w->b, bits, ""), ""), h->released);
}

LLVMValueRef
widen_arrivals(struct widen *w, struct widen_block *b)
{
	LLVMValueRef p = place(w, widen_k32(w, b->order)), bits;

	bits = load(w, p);
	LLVMBuildStore(w->b, widen_k32(w, 0), p);
	if (b->gather)
		gather(w, b, bits);
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
