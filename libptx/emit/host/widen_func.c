/* widen_func.c - one function, block by block.
 *
 * The entry block holds allocas and what is the same all the time; then come
 * the blocks in the order in which they are run.
 */
#include "widen_int.h"

#include <stddef.h>

static void
instruction(struct widen *w, LLVMValueRef i)
{
	const struct widen_row *row;

	if (LLVMIsAPHINode(i)) {
		widen_load_phi(w, widen_value(w, i));
		return;
	}
	row = widen_row(w, i);
	if (row)
		row->how(w, i);
}

static void
block(struct widen *w, struct widen_block *b)
{
	LLVMValueRef i, end = LLVMGetBasicBlockTerminator(b->from);

	widen_begin(w, b);
	for (i = LLVMGetFirstInstruction(b->from); i != end && !w->refused;
	i = LLVMGetNextInstruction(i))
		instruction(w, i);
	if (!w->refused)
		widen_end(w);
}

/* parameter k of the vector function is a part of parameter n of the scalar
 * one; the first two are the warp and the mask, its own first is found in the
 * warp */
static void
parameters(struct widen *w)
{
	unsigned n, i, k = 2, count = LLVMCountParams(w->from);
	struct widen_value *v;

	for (n = 0; n < count; n++) {
		v = widen_value(w, LLVMGetParam(w->from, n));
		for (i = 0; i < v->nparts; i++) {
			v->part[i].known = true;
			v->part[i].shape = n ? VARYING : UNIFORM;
			v->part[i].shape.zeros = n ? 0 : w->kernel ? 4 : 3;
			if (n)
				v->part[i].wide = LLVMGetParam(w->to, k++);
			else if (w->kernel)
				v->part[i].run[0] = WARP_FIELD(w, param,
					w->ptr);
			else
				v->part[i].run[0] = WARP_FIELD(w, launch,
					w->ptr);
		}
	}
}

static LLVMValueRef
came(struct widen *w)
{
	if (!w->kernel)
		return widen_unbits(w, LLVMGetParam(w->to, 1));
	if (w->form.full)
		return LLVMConstAllOnes(w->mask_type);
	return widen_unbits(w, WARP_FIELD(w, lanes, w->i32));
}

/* room for what the function returns, and its last block */
static void
results(struct widen *w)
{
	LLVMTypeRef ty = LLVMGetReturnType(LLVMGlobalGetValueType(w->from));
	unsigned i, n = widen_parts(w, ty);
	LLVMValueRef v, all;

	w->result = NEWN(&w->value->a, n + 1, LLVMValueRef);
	for (i = 0; i < n; i++)
		w->result[i] = widen_slot(w, widen_wide_type(
			widen_part_type(w, ty, i)), "");
	w->out = widen_new_block(w, "out");
	LLVMPositionBuilderAtEnd(w->b, w->out);
	if (!n) {
		LLVMBuildRetVoid(w->b);
		return;
	}
	all = LLVMGetPoison(LLVMGetReturnType(LLVMGlobalGetValueType(w->to)));
	for (i = 0; i < n; i++) {
		v = LLVMBuildLoad2(w->b, widen_wide_type(
			widen_part_type(w, ty, i)), w->result[i], "");
		all = n == 1 ? v
			: LLVMBuildInsertValue(w->b, all, v, i, "");
	}
	LLVMBuildRet(w->b, all);
}

static void
begin(struct widen *w, LLVMValueRef fn, LLVMValueRef to)
{
	unsigned i;

	w->from = fn;
	w->to = to;
	w->misaligned = 0;
	w->rounds = 0;
	w->kernel = LLVMGetLinkage(fn) == LLVMExternalLinkage;
	for (i = 0; i < sizeof w->field / sizeof *w->field; i++)
		w->field[i].v = 0;
	w->warp = LLVMGetParam(to, 0);
	w->entry = LLVMAppendBasicBlockInContext(w->c, to, "entry");
	LLVMPositionBuilderAtEnd(w->b, w->entry);
}

/* the entry block goes on to the first one */
static void
start(struct widen *w)
{
	if (w->dispatched)
		widen_dispatch(w);
	else
		LLVMBuildBr(w->b, widen_body(w, &w->block[0]));
}

/* everything that is known before anything is built */
static void
analyse(struct widen *w, bool dispatched)
{
	w->dispatched = dispatched;
	if (dispatched)
		widen_split_gathers(w->from);
	widen_map_free(w);
	widen_order(w);
	parameters(w);
	widen_analyse(w);
}

void
widen_function(struct widen *w, LLVMValueRef fn, LLVMValueRef to)
{
	unsigned i;

	begin(w, fn, to);
	analyse(w, false);
	if (!w->refused && widen_lanes_wait(w)) {
		analyse(w, true);
		widen_lanes_wait(w); /* marks loops */
	}
	w->came = came(w);
	results(w);
	if (w->dispatched)
		widen_dispatcher(w);
	for (i = 0; i < w->nblock && !w->refused; i++)
		if (w->block[i].reached)
			block(w, &w->block[i]);
	LLVMPositionBuilderAtEnd(w->b, w->entry);
	if (!w->refused)
		start(w);
	widen_map_free(w);
}
