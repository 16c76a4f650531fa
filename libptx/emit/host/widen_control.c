/* widen_control.c - how blocks end: lanes go on, together or apart.
 *
 * Lanes go over an edge by being pending at its end, which is then the next
 * block or one that comes later.  A block that may find no lanes pending has
 * a guard before it, which then goes on to the next place where some may be.
 */
#include "widen_int.h"

#include <stdlib.h>
#include <string.h>

LLVMBasicBlockRef
widen_body(struct widen *w, struct widen_block *b)
{
	if (b->order == w->nblock)
		return w->out;
	if (!b->body)
		b->body = widen_new_block(w, LLVMGetBasicBlockName(b->from));
	return b->body;
}

/* the slot of the lanes that are to be run at b */
static LLVMValueRef
pending(struct widen *w, struct widen_block *b)
{
	LLVMBasicBlockRef here;

	if (b->pending)
		return b->pending;
	here = LLVMGetInsertBlock(w->b);
	b->pending = widen_slot(w, w->mask_type, "");
	LLVMPositionBuilderAtEnd(w->b, w->entry);
	LLVMBuildStore(w->b, LLVMConstNull(w->mask_type), b->pending);
	LLVMPositionBuilderAtEnd(w->b, here);
	return b->pending;
}

/* where to go to run b, if lanes are there */
static LLVMBasicBlockRef
guard(struct widen *w, struct widen_block *b)
{
	LLVMBasicBlockRef here, no;
	LLVMValueRef mask;

	if (b->order == w->nblock || widen_is_empty(w, b->elsewhere))
		return widen_body(w, b);
	if (b->guard)
		return b->guard;
	here = LLVMGetInsertBlock(w->b);
	b->guard = widen_new_block(w, "");
	no = guard(w, widen_next(w, b->elsewhere));
	LLVMPositionBuilderAtEnd(w->b, b->guard);
	mask = LLVMBuildLoad2(w->b, w->mask_type, pending(w, b), "");
	LLVMBuildCondBr(w->b, widen_any(w, mask), widen_body(w, b), no);
	LLVMPositionBuilderAtEnd(w->b, here);
	return b->guard;
}

void
widen_begin(struct widen *w, struct widen_block *b)
{
	w->at = b;
	LLVMPositionBuilderAtEnd(w->b, widen_body(w, b));
	w->whole = !w->dispatched && widen_is_empty(w, b->elsewhere);
	w->full = w->whole && w->kernel && w->form.full;
	w->mask = w->came;
	if (w->whole)
		return;
	if (w->dispatched) {
		w->mask = widen_arrivals(w, b);
		return;
	}
	w->mask = LLVMBuildLoad2(w->b, w->mask_type, pending(w, b), "");
	LLVMBuildStore(w->b, LLVMConstNull(w->mask_type), pending(w, b));
}

/* lanes of mask are pending at s */
static void
send(struct widen *w, struct widen_block *s, LLVMValueRef mask)
{
	LLVMValueRef p;

	if (w->dispatched) {
		widen_arrive(w, s, mask);
		return;
	}
	if (s->order == w->nblock || widen_is_empty(w, s->elsewhere))
		return;
	p = pending(w, s);
	if (widen_has(w->at->elsewhere, s))
		mask = LLVMBuildOr(w->b, mask, LLVMBuildLoad2(w->b,
			w->mask_type, p, ""), "");
	LLVMBuildStore(w->b, mask, p);
}

/* on to the next block of what is pending, with s (or 0), where lanes are
 * for certain if sure */
static void
go_on(struct widen *w, struct widen_block *const *s, unsigned n, bool sure)
{
	struct widen_block *next = widen_next(w, w->at->elsewhere);
	unsigned i;

	for (i = 0; i < n; i++)
		if (!next || s[i]->order < next->order)
			next = s[i];
	if (!next)
		LLVMBuildUnreachable(w->b);
	else if (sure && n && next == s[0])
		LLVMBuildBr(w->b, widen_body(w, next));
	else
		LLVMBuildBr(w->b, guard(w, next));
}

/* a phi's new value on its way */
struct move {
	struct widen_part *part;
	LLVMValueRef mask;          /* 0: in all lanes */
	struct widen_forms forms;
};

static LLVMValueRef
incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	unsigned i;

	for (i = 0; LLVMGetIncomingBlock(phi, i) != from; i++)
		;
	return LLVMGetIncomingValue(phi, i);
}

static unsigned
count_moves(struct widen *w, struct widen_block *s)
{
	LLVMValueRef phi;
	unsigned n = 0;

	if (s->order == w->nblock)
		return 0;
	for (phi = LLVMGetFirstInstruction(s->from); LLVMIsAPHINode(phi);
	phi = LLVMGetNextInstruction(phi))
		n += widen_value(w, phi)->nparts;
	return n;
}

/* what the phis of s get from here, where lanes of mask go there */
static struct move *
read_moves(struct widen *w, struct widen_block *s, LLVMValueRef mask,
	struct move *m)
{
	LLVMValueRef phi, v;
	struct widen_value *to;
	unsigned i;

	if (s->order == w->nblock)
		return m;
	for (phi = LLVMGetFirstInstruction(s->from); LLVMIsAPHINode(phi);
	phi = LLVMGetNextInstruction(phi)) {
		to = widen_value(w, phi);
		v = incoming(phi, w->at->from);
		for (i = 0; i < to->nparts; i++, m++) {
			m->part = &to->part[i];
			m->mask = s->merged ? mask : 0;
			widen_get(w, v, i, to->part[i].shape, &m->forms);
		}
	}
	return m;
}

/* the lanes of mask[k] go to s[k], n of them */
static void
move(struct widen *w, struct widen_block *const *s, const LLVMValueRef *mask,
	unsigned n)
{
	struct move *m, *end;
	unsigned k, count;

	for (count = k = 0; k < n; k++)
		count += count_moves(w, s[k]);
	end = m = calloc(count + 1, sizeof *m);
	for (k = 0; k < n; k++)
		end = read_moves(w, s[k], mask[k], end);
	for (k = 0; k < count; k++)
		widen_store(w, m[k].part, &m[k].forms, m[k].mask);
	free(m);
	for (k = 0; k < n; k++)
		send(w, s[k], mask[k]);
	for (k = 0; k < n; k++)
		if (s[k]->spins && s[k]->order <= w->at->order)
			widen_round(w);
}

/* all lanes here go to s */
static void
go(struct widen *w, struct widen_block *s)
{
	move(w, &s, &w->mask, 1);
	if (w->dispatched)
		widen_dispatch(w);
	else
		go_on(w, &s, 1, true);
}

/* a block for the edge to s */
static LLVMBasicBlockRef
edge(struct widen *w, struct widen_block *s)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
	LLVMBasicBlockRef e = widen_new_block(w, "");

	LLVMPositionBuilderAtEnd(w->b, e);
	go(w, s);
	LLVMPositionBuilderAtEnd(w->b, here);
	return e;
}

static struct widen_block *
successor(struct widen *w, LLVMValueRef end, unsigned i)
{
	return widen_block(w, LLVMGetSuccessor(end, i));
}

/* all lanes go the same way */
static void
branch(struct widen *w, LLVMValueRef end)
{
	unsigned i, n = LLVMGetNumSuccessors(end);
	LLVMValueRef v, s;

	if (w->at->nsucc == 1) {
		go(w, w->at->succ[0]);
		return;
	}
	v = widen_scalar(w, LLVMIsABranchInst(end) ? LLVMGetCondition(end)
		: LLVMGetOperand(end, 0), 0);
	if (LLVMIsABranchInst(end)) {
		LLVMBuildCondBr(w->b, v, edge(w, successor(w, end, 0)),
			edge(w, successor(w, end, 1)));
		return;
	}
	s = LLVMBuildSwitch(w->b, v, edge(w, successor(w, end, 0)), n - 1);
	for (i = 1; i < n; i++)
		LLVMAddCase(s, LLVMGetOperand(end, 2 * i),
			edge(w, successor(w, end, i)));
}

/* the lanes of w->mask that take way k of end, which cond tells: a branch's
 * condition, or what is switched on.  other: those that no case has taken. */
static LLVMValueRef
takers(struct widen *w, LLVMValueRef end, unsigned k, LLVMValueRef cond,
	LLVMValueRef *other)
{
	LLVMValueRef p, m;

	if (LLVMIsABranchInst(end))
		p = k ? LLVMBuildNot(w->b, cond, "") : cond;
	else if (k)
		p = LLVMBuildICmp(w->b, LLVMIntEQ, cond, widen_splat(w,
			LLVMGetOperand(end, 2 * k)), "");
	else
		return *other;
	m = widen_and(w, w->mask, p);
	*other = LLVMBuildAnd(w->b, *other, LLVMBuildNot(w->b, m, ""), "");
	return m;
}

/* lanes go different ways */
static void
part(struct widen *w, LLVMValueRef end)
{
	unsigned i, k, n = LLVMGetNumSuccessors(end);
	LLVMValueRef *mask, cond, other = w->mask, m;

	mask = calloc(n, sizeof(LLVMValueRef));
	cond = widen_wide(w, LLVMIsABranchInst(end) ? LLVMGetCondition(end)
		: LLVMGetOperand(end, 0), 0);
	cond = LLVMBuildFreeze(w->b, cond, "");
	for (i = n; i-- > 0;) {
		m = takers(w, end, i, cond, &other);
		for (k = 0; w->at->succ[k] != successor(w, end, i); k++)
			;
		mask[k] = mask[k] ? LLVMBuildOr(w->b, mask[k], m, "") : m;
	}
	move(w, w->at->succ, mask, w->at->nsucc);
	if (w->dispatched)
		widen_dispatch(w);
	else
		go_on(w, w->at->succ, w->at->nsucc, false);
	free(mask);
}

/* the lanes here leave the function */
static void
finish(struct widen *w, LLVMValueRef end)
{
	bool masked = w->dispatched || !w->whole;
	LLVMValueRef v, old;
	unsigned i, n;

	n = LLVMGetNumOperands(end) ? widen_parts(w,
		LLVMTypeOf(LLVMGetOperand(end, 0))) : 0;
	for (i = 0; i < n; i++) {
		v = widen_wide(w, LLVMGetOperand(end, 0), i);
		old = masked ? LLVMBuildLoad2(w->b, LLVMTypeOf(v),
			w->result[i], "") : 0;
		if (masked)
			v = LLVMBuildSelect(w->b, w->mask, v, old, "");
		LLVMBuildStore(w->b, v, w->result[i]);
	}
	go(w, w->at->succ[0]);
}

void
widen_end(struct widen *w)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(w->at->from);

	if (LLVMGetInstructionOpcode(end) == LLVMRet)
		finish(w, end);
	else if (!w->at->nsucc && w->dispatched)
		widen_dispatch(w);
	else if (!w->at->nsucc)
		go_on(w, 0, 0, false);
	else if (w->at->divergent)
		part(w, end);
	else
		branch(w, end);
}
