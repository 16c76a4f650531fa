/* widen_build.c - pieces of vector IR. */
#include "widen_int.h"

#include <stdarg.h>
#include <string.h>

LLVMValueRef
widen_k32(struct widen *w, uint32_t v)
{
	return LLVMConstInt(w->i32, v, false);
}

LLVMValueRef
widen_k64(struct widen *w, uint64_t v)
{
	return LLVMConstInt(w->i64, v, false);
}

static LLVMValueRef
splat_constant(LLVMValueRef v)
{
	LLVMValueRef e[LANES];
	unsigned l;

	for (l = 0; l < LANES; l++)
		e[l] = v;
	return LLVMConstVector(e, LANES);
}

LLVMValueRef
widen_splat(struct widen *w, LLVMValueRef v)
{
	LLVMTypeRef ty;

	if (LLVMIsConstant(v))
		return splat_constant(v);
	ty = widen_wide_type(LLVMTypeOf(v));
	v = LLVMBuildInsertElement(w->b, LLVMGetPoison(ty), v, widen_k32(w, 0),
		"");
	return LLVMBuildShuffleVector(w->b, v, LLVMGetPoison(ty),
		splat_constant(widen_k32(w, 0)), "");
}

/* lane l: l % len * step */
static LLVMValueRef
steps(LLVMTypeRef ty, unsigned len, int64_t step)
{
	LLVMValueRef e[LANES];
	unsigned l;

	for (l = 0; l < LANES; l++)
		e[l] = LLVMConstInt(ty, (uint64_t)((int64_t)(l % len) * step),
			true);
	return LLVMConstVector(e, LANES);
}

LLVMValueRef
widen_steps(struct widen *w, LLVMTypeRef ty, int64_t step)
{
	(void)w;
	return steps(ty, LANES, step);
}

/* run k in each of its lanes */
static LLVMValueRef
spread(struct widen *w, unsigned seg, const LLVMValueRef run[])
{
	LLVMValueRef v, e[LANES];
	unsigned k;

	if (seg == 1)
		return widen_splat(w, run[0]);
	v = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(run[0]), seg));
	for (k = 0; k < seg; k++)
		v = LLVMBuildInsertElement(w->b, v, run[k], widen_k32(w, k),
			"");
	for (k = 0; k < LANES; k++)
		e[k] = widen_k32(w, k * seg / LANES);
	return LLVMBuildShuffleVector(w->b, v, LLVMGetPoison(LLVMTypeOf(v)),
		LLVMConstVector(e, LANES), "");
}

LLVMValueRef
widen_expand(struct widen *w, struct shape s, const LLVMValueRef run[])
{
	LLVMValueRef v, by;
	LLVMTypeRef ty = LLVMTypeOf(run[0]);

	if (s.stride && LLVMGetTypeKind(ty) == LLVMPointerTypeKind) {
		by = steps(w->i64, LANES / s.seg, s.stride);
		v = s.seg == 1 ? run[0] : spread(w, s.seg, run);
		return LLVMBuildGEP2(w->b, w->i8, v, &by, 1, "");
	}
	v = spread(w, s.seg, run);
	if (s.stride)
		v = LLVMBuildAdd(w->b, v, steps(ty, LANES / s.seg, s.stride),
			"");
	return v;
}

LLVMValueRef
widen_extract(struct widen *w, LLVMValueRef wide, LLVMValueRef lane)
{
	return LLVMBuildExtractElement(w->b, wide, lane, "");
}

LLVMValueRef
widen_bits(struct widen *w, LLVMValueRef mask)
{
	return LLVMBuildBitCast(w->b, mask, w->i32, "");
}

LLVMValueRef
widen_unbits(struct widen *w, LLVMValueRef bits)
{
	return LLVMBuildBitCast(w->b, bits, w->mask_type, "");
}

LLVMValueRef
widen_any(struct widen *w, LLVMValueRef mask)
{
	return LLVMBuildICmp(w->b, LLVMIntNE, widen_bits(w, mask),
		widen_k32(w, 0), "");
}

LLVMValueRef
widen_all(struct widen *w, LLVMValueRef mask)
{
	return LLVMBuildICmp(w->b, LLVMIntEQ, widen_bits(w, mask),
		widen_k32(w, ~0u), "");
}

LLVMValueRef
widen_and(struct widen *w, LLVMValueRef mask, LLVMValueRef p)
{
	if (LLVMIsConstant(mask) && !LLVMIsNull(mask))
		return p;
	return LLVMBuildSelect(w->b, mask, p,
		LLVMConstNull(w->mask_type), "");
}

LLVMValueRef
widen_first(struct widen *w)
{
	LLVMValueRef arg[] = { widen_bits(w, w->mask),
		LLVMConstInt(w->i1, 0, false) };

	if (w->full)
		return widen_k32(w, 0);
	return LLVMBuildAnd(w->b, widen_intrinsic(w, "llvm.cttz", &w->i32, 1,
		arg, 2), widen_k32(w, LANES - 1), "");
}

LLVMValueRef
widen_safe(struct widen *w, LLVMValueRef v, LLVMValueRef safe)
{
	if (w->full)
		return v;
	return LLVMBuildSelect(w->b, w->mask, v, widen_splat(w, safe), "");
}

LLVMValueRef
widen_intrinsic(struct widen *w, const char *name, LLVMTypeRef *over,
	unsigned nover, LLVMValueRef *arg, unsigned narg)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));

	return LLVMBuildCall2(w->b,
		LLVMIntrinsicGetType(w->c, id, over, nover),
		LLVMGetIntrinsicDeclaration(w->m, id, over, nover), arg, narg,
		"");
}

LLVMValueRef
widen_call1(struct widen *w, const char *name, LLVMValueRef a)
{
	LLVMTypeRef ty = LLVMTypeOf(a);

	return widen_intrinsic(w, name, &ty, 1, &a, 1);
}

LLVMValueRef
widen_call2(struct widen *w, const char *name, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef ty = LLVMTypeOf(a);
	LLVMValueRef arg[] = { a, b };

	return widen_intrinsic(w, name, &ty, 1, arg, 2);
}

LLVMBasicBlockRef
widen_new_block(struct widen *w, const char *name)
{
	return LLVMAppendBasicBlockInContext(w->c, w->to, name);
}

LLVMValueRef
widen_slot(struct widen *w, LLVMTypeRef ty, const char *name)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
	LLVMValueRef first = LLVMGetFirstInstruction(w->entry), v;

	if (first)
		LLVMPositionBuilderBefore(w->b, first);
	else
		LLVMPositionBuilderAtEnd(w->b, w->entry);
	v = LLVMBuildAlloca(w->b, ty, name);
	LLVMPositionBuilderAtEnd(w->b, here);
	return v;
}

LLVMValueRef
widen_shared_pointer(struct widen *w, LLVMValueRef off)
{
	LLVMTypeRef ty = w->i64;

	if (LLVMGetTypeKind(LLVMTypeOf(off)) == LLVMVectorTypeKind)
		ty = widen_wide_type(ty);
	off = LLVMBuildSExt(w->b, off, ty, "");
	return LLVMBuildGEP2(w->b, w->i8, WARP_FIELD(w, shared, w->ptr), &off,
		1, "");
}

LLVMValueRef
widen_shared_offset(struct widen *w, LLVMValueRef p)
{
	LLVMValueRef base = LLVMBuildPtrToInt(w->b, WARP_FIELD(w, shared,
		w->ptr), w->i64, "");
	LLVMTypeRef ty = w->i32;

	if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMVectorTypeKind) {
		base = widen_splat(w, base);
		ty = widen_wide_type(ty);
	}
	p = LLVMBuildPtrToInt(w->b, p, LLVMTypeOf(base), "");
	return LLVMBuildTrunc(w->b, LLVMBuildSub(w->b, p, base, ""), ty, "");
}

/* what is loaded by v does not change while the function runs */
static void
invariant(struct widen *w, LLVMValueRef v)
{
	LLVMMetadataRef none = LLVMMDNodeInContext2(w->c, 0, 0);

	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(w->c, "invariant.load",
		14), LLVMMetadataAsValue(w->c, none));
}

/* the member of *p at byte offset */
static LLVMValueRef
member(struct widen *w, LLVMValueRef p, size_t offset, LLVMTypeRef ty)
{
	LLVMValueRef off = widen_k64(w, offset), v;

	v = LLVMBuildGEP2(w->b, w->i8, p, &off, 1, "");
	v = LLVMBuildLoad2(w->b, ty, v, "");
	invariant(w, v);
	return v;
}

LLVMValueRef
widen_field(struct widen *w, size_t offset, LLVMTypeRef ty)
{
	LLVMBasicBlockRef here;
	LLVMValueRef *f;
	struct widen_field *have = w->field;

	while (have->v && (have->offset != offset || have->ty != ty))
		have++;
	f = &have->v;
	if (*f)
		return *f;
	here = LLVMGetInsertBlock(w->b);
	LLVMPositionBuilderAtEnd(w->b, w->entry);
	*f = member(w, w->warp, offset, ty);
	have->offset = offset;
	have->ty = ty;
	LLVMPositionBuilderAtEnd(w->b, here);
	return *f;
}

LLVMValueRef
widen_device(struct widen *w, size_t offset, LLVMTypeRef fnty,
	LLVMValueRef *arg, unsigned narg, bool switches)
{
	LLVMValueRef call, all[8] = { w->warp };

	if (narg)
		memcpy(all + 1, arg, narg * sizeof *arg);
	call = member(w, WARP_FIELD(w, call, w->ptr), offset, w->ptr);
	if (switches)
		w->flags |= HOST_SWITCHES;
	return LLVMBuildCall2(w->b, fnty, call, all, narg + 1, "");
}

void
widen_if(struct widen *w, struct widen_if *i, LLVMValueRef p)
{
	i->before = LLVMGetInsertBlock(w->b);
	i->then = widen_new_block(w, "");
	i->after = widen_new_block(w, "");
	LLVMBuildCondBr(w->b, p, i->then, i->after);
	LLVMPositionBuilderAtEnd(w->b, i->then);
}

void
widen_endif(struct widen *w, struct widen_if *i)
{
	i->then = LLVMGetInsertBlock(w->b);
	LLVMBuildBr(w->b, i->after);
	LLVMPositionBuilderAtEnd(w->b, i->after);
}

void
widen_each(struct widen *w, struct widen_loop *l, LLVMValueRef bits)
{
	LLVMBasicBlockRef body;
	LLVMValueRef arg[2];

	l->before = LLVMGetInsertBlock(w->b);
	l->head = widen_new_block(w, "");
	body = widen_new_block(w, "");
	l->after = widen_new_block(w, "");
	LLVMBuildBr(w->b, l->head);
	LLVMPositionBuilderAtEnd(w->b, l->head);
	l->left = LLVMBuildPhi(w->b, w->i32, "");
	LLVMAddIncoming(l->left, &bits, &l->before, 1);
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, l->left,
		widen_k32(w, 0), ""), body, l->after);
	LLVMPositionBuilderAtEnd(w->b, body);
	arg[0] = l->left;
	arg[1] = LLVMConstInt(w->i1, 1, false);
	l->lane = widen_intrinsic(w, "llvm.cttz", &w->i32, 1, arg, 2);
}

void
widen_endeach(struct widen *w, struct widen_loop *l)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
	LLVMValueRef left;

	left = LLVMBuildAnd(w->b, l->left, LLVMBuildSub(w->b, l->left,
		widen_k32(w, 1), ""), "");
	LLVMAddIncoming(l->left, &left, &here, 1);
	LLVMBuildBr(w->b, l->head);
	LLVMPositionBuilderAtEnd(w->b, l->after);
}

void
widen_refuse(struct widen *w, LLVMValueRef insn, const char *fmt, ...)
{
	struct loc nowhere = { 0, 0 };
	char why[512], *text;
	va_list ap;
	size_t n;

	if (w->refused)
		return;
	w->refused = true;
	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	text = insn ? LLVMPrintValueToString(insn) : 0;
	diag(w->x, ERROR, nowhere, "\"%s\": %s%s%s",
		LLVMGetValueName2(w->from, &n), why, text ? ":" : "",
		text ? text : "");
	if (text)
		LLVMDisposeMessage(text);
}
