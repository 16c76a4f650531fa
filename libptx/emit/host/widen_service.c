/* widen_service.c - what lanes ask of the host: printf, malloc and the like.
 *
 * The device does it for one lane after the other.
 */
#include "target_host.h"
#include "widen.h"
#include "widen_mem.h"

enum { NARG = 4 };

/* an argument for all lanes, or a slot with one for each */
struct argument {
	LLVMValueRef same, slot;
};

static LLVMValueRef
ask(struct widen *w, LLVMValueRef lane, LLVMValueRef function,
	const struct argument *a)
{
	LLVMTypeRef p[3 + NARG] = { w->ptr, w->i32, w->i32 };
	LLVMValueRef arg[2 + NARG] = { lane, function };
	unsigned k;

	for (k = 0; k < NARG; k++) {
		p[3 + k] = w->i64;
		arg[2 + k] = a[k].same ? a[k].same
			: widen_spilt(w, w->i64, a[k].slot, lane);
	}
	return widen_device(w, offsetof(struct host_calls, serve),
		LLVMFunctionType(w->i64, p, 3 + NARG, false), arg, 2 + NARG,
		false);
}

void
widen_service(struct widen *w, LLVMValueRef insn)
{
	struct argument a[NARG] = { { 0, 0 } };
	struct widen_loop each;
	LLVMValueRef v, result;
	unsigned k;

	for (k = 0; k < NARG; k++) {
		v = LLVMGetOperand(insn, 1 + k);
		if (widen_is_uniform(w, v, 0))
			a[k].same = widen_scalar(w, v, 0);
		else
			a[k].slot = widen_spill(w, w->i64,
				widen_wide(w, v, 0));
	}
	result = widen_spill(w, w->i64, 0);
	widen_each(w, &each, widen_bits(w, w->mask));
	v = ask(w, each.lane, LLVMGetOperand(insn, 0), a);
	widen_respill(w, w->i64, result, each.lane, v);
	widen_endeach(w, &each);
	widen_set_wide(w, insn, 0, widen_unspill(w, w->i64, result));
}
