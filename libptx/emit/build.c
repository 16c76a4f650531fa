/* build.c - pieces of LLVM IR that every chapter needs: intrinsics, helper
 * functions, blocks, allocas, and the refusal of what we do not translate.
 */
#include "emit_int.h"

#include <stdarg.h>
#include <string.h>

LLVMValueRef
emit_intrinsic(struct emit *e, const char *name, LLVMTypeRef *ty, unsigned nty,
	LLVMValueRef *arg, unsigned narg)
{
	LLVMTypeRef fnty;
	unsigned id;

	id = LLVMLookupIntrinsicID(name, strlen(name));
	if (!id) {
		emit_refuse(e, "LLVM has no %s", name);
		return LLVMGetUndef(narg ? LLVMTypeOf(arg[0])
			: emit_ity(e, 32));
	}
	fnty = LLVMIntrinsicGetType(e->c, id, ty, nty);
	return LLVMBuildCall2(e->b, fnty,
		LLVMGetIntrinsicDeclaration(e->m, id, ty, nty), arg, narg, "");
}

LLVMValueRef
emit_call1(struct emit *e, const char *name, LLVMValueRef a)
{
	LLVMTypeRef ty;

	ty = LLVMTypeOf(a);
	return emit_intrinsic(e, name, &ty, 1, &a, 1);
}

LLVMValueRef
emit_call2(struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef arg[] = { a, b };
	LLVMTypeRef ty;

	ty = LLVMTypeOf(a);
	return emit_intrinsic(e, name, &ty, 1, arg, 2);
}

LLVMValueRef
emit_call3(struct emit *e, const char *name, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	LLVMValueRef arg[] = { a, b, c };
	LLVMTypeRef ty;

	ty = LLVMTypeOf(a);
	return emit_intrinsic(e, name, &ty, 1, arg, 3);
}

/* builds fn's body aside: the chapter that asked for it stands in the
 * middle of another function */
static void
build_aside(struct emit *e, LLVMValueRef fn,
	void (*build)(struct emit *, LLVMValueRef fn))
{
	LLVMBasicBlockRef here;
	LLVMMetadataRef place;
	LLVMValueRef outer;

	place = LLVMGetCurrentDebugLocation2(e->b);
	LLVMSetCurrentDebugLocation2(e->b, 0);
	here = LLVMGetInsertBlock(e->b);
	outer = e->fn;
	e->fn = fn;
	LLVMPositionBuilderAtEnd(e->b, emit_block(e, "entry"));
	build(e, fn);
	e->fn = outer;
	LLVMPositionBuilderAtEnd(e->b, here);
	LLVMSetCurrentDebugLocation2(e->b, place);
}

LLVMValueRef
emit_helper(struct emit *e, const char *name, LLVMTypeRef fnty,
	void (*build)(struct emit *, LLVMValueRef fn), LLVMValueRef *arg,
	unsigned narg)
{
	LLVMValueRef fn;

	fn = LLVMGetNamedFunction(e->m, name);
	if (!fn) {
		fn = LLVMAddFunction(e->m, name, fnty);
		LLVMSetLinkage(fn, LLVMInternalLinkage);
		emit_flag(e, fn, "nounwind");
		emit_flag(e, fn, "convergent"); /* LLVM drops it if it can */
		emit_flag(e, fn, "norecurse");
		e->t->function(e, fn, 0);
		build_aside(e, fn, build);
	}
	return LLVMBuildCall2(e->b, fnty, fn, arg, narg, "");
}

LLVMBasicBlockRef
emit_block(struct emit *e, const char *name)
{
	return LLVMAppendBasicBlockInContext(e->c, e->fn, name);
}

LLVMValueRef
emit_alloca(struct emit *e, LLVMTypeRef ty, const char *name)
{
	LLVMBasicBlockRef here, entry;
	LLVMMetadataRef place;
	LLVMValueRef first, v;

	place = LLVMGetCurrentDebugLocation2(e->b);
	here = LLVMGetInsertBlock(e->b);
	entry = LLVMGetEntryBasicBlock(e->fn);
	first = LLVMGetFirstInstruction(entry);
	if (first)
		LLVMPositionBuilderBefore(e->b, first);
	else
		LLVMPositionBuilderAtEnd(e->b, entry);
	v = LLVMBuildAlloca(e->b, ty, name);
	LLVMPositionBuilderAtEnd(e->b, here);
	LLVMSetCurrentDebugLocation2(e->b, place);
	return v;
}

void
emit_refuse(struct emit *e, const char *fmt, ...)
{
	char why[512];
	va_list ap;

	if (e->refused)
		return;
	e->refused = true;
	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	if (e->at && e->at->kind == STMT_INSN)
		diag(e->x, ERROR, e->at->loc, "\"%s\" in \"%s\": %s",
			e->at->op->name->text, e->kernel->sym->name->text,
			why);
	else if (e->kernel)
		diag(e->x, ERROR, e->at ? e->at->loc : e->kernel->loc,
			"\"%s\": %s", e->kernel->sym->name->text, why);
	else
		diag(e->x, ERROR, e->global ? e->global->loc :
			(struct loc){ 0, 0 }, "%s", why);
}

void
emit_attr(struct emit *e, LLVMValueRef fn, const char *key, const char *value)
{
	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(e->c, key, strlen(key), value,
			strlen(value)));
}

/* a flag of LLVM itself: "convergent", "nounwind" */
void
emit_flag(struct emit *e, LLVMValueRef fn, const char *flag)
{
	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(e->c, LLVMGetEnumAttributeKindForName(
			flag, strlen(flag)), 0));
}
