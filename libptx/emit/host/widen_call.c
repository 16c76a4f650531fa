/* widen_call.c - calls of functions that were not inlined: those that recurse
 * and those that are called by address.
 *
 * The vector form of f is f.lanes, which takes the warp, the lanes that call
 * (i32) and every part of every parameter but the first as a vector.
 */
#include "widen_int.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 256 };

/* the vector form of a function type */
LLVMTypeRef
widen_signature(struct widen *w, LLVMTypeRef from)
{
	LLVMTypeRef param[MAX_PARTS], ty[MAX_PARTS], ret;
	unsigned n, i, k, count = LLVMCountParamTypes(from);

	LLVMGetParamTypes(from, param);
	ty[0] = w->ptr;
	ty[1] = w->i32;
	for (n = 2, k = 1; k < count; k++)
		for (i = 0; i < widen_parts(w, param[k]) && n < MAX_PARTS; i++)
			ty[n++] = widen_wide_type(widen_part_type(w,
				param[k], i));
	from = LLVMGetReturnType(from);
	k = widen_parts(w, from);
	for (i = 0; i < k && i < MAX_PARTS; i++)
		param[i] = widen_wide_type(widen_part_type(w, from, i));
	ret = k == 0 ? LLVMVoidTypeInContext(w->c) : k == 1 ? param[0]
		: LLVMStructTypeInContext(w->c, param, k, false);
	return LLVMFunctionType(ret, ty, n, false);
}

/* a frame of many pages touches each, so that none steps over the guard */
void
widen_attributes(struct widen *w, LLVMValueRef fn)
{
	unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(w->c, nounwind, 0));
	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(w->c, "probe-stack", 11,
			"inline-asm", 10));
}

LLVMValueRef
widen_named(struct widen *w, LLVMValueRef fn, const char *suffix,
	LLVMTypeRef type)
{
	struct arena a = { 0 };
	const char *name;
	LLVMValueRef to;
	size_t n;

	name = arena_printf(&a, "%s.%s", LLVMGetValueName2(fn, &n), suffix);
	to = LLVMGetNamedFunction(w->m, name);
	if (!to) {
		to = LLVMAddFunction(w->m, name, type);
		LLVMSetLinkage(to, LLVMInternalLinkage);
		widen_attributes(w, to);
	}
	arena_free(&a);
	return to;
}

LLVMValueRef
widen_declare(struct widen *w, LLVMValueRef fn)
{
	return widen_named(w, fn, "lanes",
		widen_signature(w, LLVMGlobalGetValueType(fn)));
}

static LLVMValueRef
part_of(struct widen *w, LLVMValueRef v, unsigned n, unsigned i)
{
	return n == 1 ? v : LLVMBuildExtractValue(w->b, v, i, "");
}

/* the arguments from the third on */
static unsigned
arguments(struct widen *w, LLVMValueRef insn, LLVMValueRef arg[])
{
	unsigned n, k, i, count = LLVMGetNumArgOperands(insn);
	LLVMValueRef v;

	for (n = 2, k = 1; k < count; k++) {
		v = LLVMGetOperand(insn, k);
		for (i = 0; i < widen_parts(w, LLVMTypeOf(v)); i++) {
			if (n == MAX_PARTS) {
				widen_refuse(w, insn, "many arguments");
				return n;
			}
			arg[n++] = widen_wide(w, v, i);
		}
	}
	arg[0] = w->warp;
	return n;
}

/* calls fn, the same in all lanes of bits */
static LLVMValueRef
build(struct widen *w, LLVMValueRef insn, LLVMValueRef fn, LLVMValueRef bits,
	LLVMValueRef arg[], unsigned n)
{
	arg[1] = bits;
	return LLVMBuildCall2(w->b, widen_signature(w,
		LLVMGetCalledFunctionType(insn)), fn, arg, n, "");
}

/* a call through an address that is nothing ends the kernel */
static void
check(struct widen *w, LLVMValueRef fn, LLVMValueRef lane)
{
	LLVMTypeRef ty[] = { w->ptr, w->i32, w->i32 };
	LLVMValueRef arg[] = { widen_k32(w, HOST_BAD_CALL), lane };
	struct widen_if i;

	widen_if(w, &i, LLVMBuildIsNull(w->b, fn, ""));
	widen_device(w, offsetof(struct host_calls, fault), LLVMFunctionType(
		LLVMVoidTypeInContext(w->c), ty, 3, false), arg, 2, false);
	widen_endif(w, &i);
}

/* each address that lanes have is called once, with those lanes */
static void
call_each(struct widen *w, LLVMValueRef insn, LLVMValueRef arg[], unsigned n)
{
	LLVMValueRef fns = widen_wide(w, LLVMGetCalledValue(insn), 0), fn;
	unsigned i, parts = widen_parts(w, LLVMTypeOf(insn));
	LLVMValueRef slot[MAX_PARTS], left, bits, same, v, old, first;
	LLVMBasicBlockRef head, body, after;
	LLVMValueRef cttz[2];

	for (i = 0; i < parts && i < MAX_PARTS; i++)
		slot[i] = widen_slot(w, widen_wide_type(widen_part_type(w,
			LLVMTypeOf(insn), i)), "");
	left = widen_slot(w, w->i32, "");
	LLVMBuildStore(w->b, widen_bits(w, w->mask), left);
	head = widen_new_block(w, "");
	body = widen_new_block(w, "");
	after = widen_new_block(w, "");
	LLVMBuildBr(w->b, head);
	LLVMPositionBuilderAtEnd(w->b, head);
	bits = LLVMBuildLoad2(w->b, w->i32, left, "");
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, bits,
		widen_k32(w, 0), ""), body, after);
	LLVMPositionBuilderAtEnd(w->b, body);
	cttz[0] = bits;
	cttz[1] = LLVMConstInt(w->i1, 1, false);
	first = widen_intrinsic(w, "llvm.cttz", &w->i32, 1, cttz, 2);
	fn = widen_extract(w, fns, first);
	check(w, fn, first);
	same = LLVMBuildICmp(w->b, LLVMIntEQ, fns, widen_splat(w, fn), "");
	same = widen_and(w, widen_unbits(w, bits),
		LLVMBuildFreeze(w->b, same, ""));
	v = build(w, insn, fn, widen_bits(w, same), arg, n);
	for (i = 0; i < parts; i++) {
		old = LLVMBuildLoad2(w->b, widen_wide_type(widen_part_type(w,
			LLVMTypeOf(insn), i)), slot[i], "");
		LLVMBuildStore(w->b, LLVMBuildSelect(w->b, same,
			part_of(w, v, parts, i), old, ""), slot[i]);
	}
	LLVMBuildStore(w->b, LLVMBuildAnd(w->b, bits, LLVMBuildNot(w->b,
		widen_bits(w, same), ""), ""), left);
	LLVMBuildBr(w->b, head);
	LLVMPositionBuilderAtEnd(w->b, after);
	for (i = 0; i < parts; i++)
		widen_set_wide(w, insn, i, LLVMBuildLoad2(w->b,
			widen_wide_type(widen_part_type(w, LLVMTypeOf(insn),
				i)), slot[i], ""));
}

struct shape
shape_call(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)w, (void)insn, (void)part;
	return VARYING;
}

void
widen_call(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef fn = LLVMGetCalledValue(insn), arg[MAX_PARTS], v;
	unsigned i, n = arguments(w, insn, arg);
	unsigned parts = widen_parts(w, LLVMTypeOf(insn));

	if (!LLVMIsAFunction(fn))
		w->flags |= HOST_SWITCHES; /* who knows */
	if (!LLVMIsConstant(fn) && !widen_is_uniform(w, fn, 0)) {
		call_each(w, insn, arg, n);
		return;
	}
	if (LLVMIsAFunction(fn)) {
		fn = widen_declare(w, fn);
	} else {
		fn = widen_scalar(w, fn, 0);
		check(w, fn, widen_first(w));
	}
	v = build(w, insn, fn, widen_bits(w, w->mask), arg, n);
	for (i = 0; i < parts; i++)
		widen_set_wide(w, insn, i, part_of(w, v, parts, i));
}
