/* texture_call.c - calls of the functions of texture*.ptx.
 *
 * Small ones are inlined.  A large one, NAME, is there once: NAME.each takes
 * one handle after another of those that the threads here have, mostly one,
 * and has NAME inlined for the threads that have it.  So a descriptor is read
 * by scalar loads, and what depends on it alone is a scalar branch.
 */
#include "texture_int.h"
#include "texture.h"

#include <stdio.h>
#include <string.h>

/* as texture*.ptx has them */
#define AT(member, offset) \
	_Static_assert(__builtin_offsetof(struct texture, member) == offset, \
		"texture*.ptx")

AT(format, 0);
AT(channels, 4);
AT(texel, 8);
AT(flags, 12);
AT(filter, 16);
AT(mip_filter, 20);
AT(levels, 24);
AT(layers, 28);
AT(address, 32);
AT(border, 48);
AT(bias, 64);
AT(min_lod, 68);
AT(max_lod, 72);
AT(data_type, 80);
AT(order, 84);
AT(level, 112);

static const char *const lines[] = {
#include "emit/texture.inc"
#include "emit/texture_axis.inc"
#include "emit/texture_lod.inc"
#include "emit/texture_grad.inc"
#include "emit/texture_texel.inc"
#include "emit/texture_float.inc"
#include "emit/texture_result.inc"
#include "emit/texture_cube.inc"
#include "emit/texture_sample.inc"
#include "emit/texture_gather.inc"
#include "emit/texture_surface.inc"
};

enum { NLINES = sizeof lines / sizeof *lines, MAX_ARGS = 32 };

LLVMValueRef
texture_handle(struct emit *e, const struct opnd *o)
{
	LLVMValueRef v, p;

	if (o->kind != OP_SYM || o->u.sym->kind != SYM_VAR)
		return emit_read(e, o, T_U64);
	p = emit_sym(e, o->u.sym);
	if (!p)
		return emit_k(e, emit_ity(e, 64), 0);
	v = LLVMBuildLoad2(e->b, emit_ity(e, 64), p, "");
	LLVMSetAlignment(v, 8);
	emit_invariant(e, v);
	return v;
}

LLVMValueRef
texture_coord(struct emit *e, const struct opnd *o, uint32_t k)
{
	if (o->kind == OP_VEC && k < o->n)
		return emit_read(e, &o->u.list[k], T_B32);
	if (o->kind != OP_VEC && !k)
		return emit_read(e, o, T_B32);
	return emit_k(e, emit_ity(e, 32), 0);
}

const struct texture_geometry *
texture_geometry(struct emit *e, const struct insn *i)
{
	static const struct texture_geometry row[] = {
		{ "1d",    0, 15, 15, 15 }, { "2d",  0, 1, 15, 15 },
		{ "3d",    0, 1, 2, 15 },   { "a1d", 1, 15, 15, 0 },
		{ "a2d",   1, 2, 15, 0 },   { "cube", 0, 1, 2, 15 },
		{ "acube", 1, 2, 3, 0 },
	};
	const char *geom = insn_word(i, "geom");
	size_t k;

	for (k = 0; k < sizeof row / sizeof *row; k++)
		if (!strcmp(row[k].word, geom))
			return &row[k];
	emit_refuse(e, "textures of several samples are not translated");
	return 0;
}

/* the library's function of this name; its body comes later */
static LLVMValueRef
declare(struct emit *e, const char *name)
{
	const struct func *f;

	if (!e->textures)
		e->textures = library_parse(e, "texture.ptx", lines, NLINES);
	f = library_func(e->textures, name);
	if (!f) {
		emit_refuse(e, "there is no %s", name);
		return 0;
	}
	return emit_declare(e, f);
}

/* fn(launch, arg…) */
static LLVMValueRef
call(struct emit *e, LLVMValueRef fn, LLVMValueRef launch, LLVMValueRef arg[],
	unsigned n)
{
	LLVMTypeRef ty = LLVMGlobalGetValueType(fn);
	LLVMValueRef all[MAX_ARGS], v;
	unsigned k = LLVMGetEnumAttributeKindForName("inreg", 5);

	all[0] = launch;
	memcpy(all + 1, arg, n * sizeof *arg);
	v = LLVMBuildCall2(e->b, ty, fn, all, n + 1, "");
	if (LLVMGetEnumAttributeAtIndex(fn, 1, k))
		LLVMAddCallSiteAttribute(v, 1, LLVMCreateEnumAttribute(e->c,
			k, 0));
	return v;
}

LLVMValueRef
texture_inline(struct emit *e, const char *name, LLVMValueRef arg[],
	unsigned n)
{
	LLVMValueRef fn = declare(e, name);

	return fn ? call(e, fn, e->launch, arg, n)
		: LLVMGetUndef(emit_ity(e, 32));
}

/* i1: has this thread the handle that t is?  LLVM must not conclude that they
 * are one value */
static LLVMValueRef
has(struct emit *e, LLVMValueRef handle, LLVMValueRef t)
{
	LLVMValueRef v = LLVMBuildICmp(e->b, LLVMIntEQ, handle, t, "");

	if (!e->t->hide)
		return v;
	v = e->t->hide(e, LLVMBuildZExt(e->b, v, emit_ity(e, 32), ""));
	return LLVMBuildTrunc(e->b, v, emit_ity(e, 1), "");
}

/* the body of each: calls fn, of the same type */
static void
loop(struct emit *e, LLVMValueRef each, LLVMValueRef fn)
{
	LLVMTypeRef ty = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
	unsigned k, n = LLVMCountParams(each) - 1;
	LLVMBasicBlockRef head, body, next, out;
	LLVMValueRef arg[MAX_ARGS], slot, mine;

	head = emit_block(e, "");
	body = emit_block(e, "");
	next = emit_block(e, "");
	out = emit_block(e, "");
	slot = emit_alloca(e, ty, "");
	LLVMBuildBr(e->b, head);
	LLVMPositionBuilderAtEnd(e->b, head);
	for (k = 0; k < n; k++)
		arg[k] = LLVMGetParam(each, k + 1);
	arg[0] = e->t->first(e, arg[0]);
	mine = has(e, LLVMGetParam(each, 1), arg[0]);
	LLVMBuildCondBr(e->b, mine, body, next);
	LLVMPositionBuilderAtEnd(e->b, body);
	LLVMBuildStore(e->b, call(e, fn, LLVMGetParam(each, 0), arg, n),
		slot);
	LLVMBuildBr(e->b, next);
	LLVMPositionBuilderAtEnd(e->b, next);
	e->t->converge(e); /* keeps the call in the loop */
	LLVMBuildCondBr(e->b, mine, out, head);
	LLVMPositionBuilderAtEnd(e->b, out);
	LLVMBuildRet(e->b, LLVMBuildLoad2(e->b, ty, slot, ""));
}

/* builds the body aside: the caller stands in the middle of a function */
static void
fill(struct emit *e, LLVMValueRef each, LLVMValueRef fn)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->b);
	LLVMValueRef outer = e->fn;

	LLVMSetCurrentDebugLocation2(e->b, 0);
	e->fn = each;
	LLVMPositionBuilderAtEnd(e->b, emit_block(e, "entry"));
	loop(e, each, fn);
	e->fn = outer;
	LLVMPositionBuilderAtEnd(e->b, here);
	LLVMSetCurrentDebugLocation2(e->b, place);
}

LLVMValueRef
texture_call(struct emit *e, const char *name, LLVMValueRef arg[], unsigned n)
{
	static const char *const flags[] = {
		"nounwind", "convergent", "norecurse", "noinline",
	};
	LLVMValueRef fn = declare(e, name), each;
	unsigned k, inreg = LLVMGetEnumAttributeKindForName("inreg", 5);
	char buf[64];

	if (!fn)
		return LLVMGetUndef(emit_ity(e, 32));
	snprintf(buf, sizeof buf, "%s.each", name);
	each = LLVMGetNamedFunction(e->m, buf);
	if (!each) {
		each = LLVMAddFunction(e->m, buf, LLVMGlobalGetValueType(fn));
		LLVMSetLinkage(each, LLVMInternalLinkage);
		for (k = 0; k < sizeof flags / sizeof *flags; k++)
			emit_flag(e, each, flags[k]);
		if (LLVMGetEnumAttributeAtIndex(fn, 1, inreg))
			LLVMAddAttributeAtIndex(each, 1,
				LLVMCreateEnumAttribute(e->c, inreg, 0));
		e->t->function(e, each, 0);
		fill(e, each, fn);
	}
	return call(e, each, e->launch, arg, n);
}

/* Functions call others: round until nothing is missing. */
void
emit_textures(struct emit *e)
{
	const struct func *f;
	LLVMValueRef fn;
	bool more;

	do {
		more = false;
		f = e->textures ? library_first(e->textures) : 0;
		for (; f && !e->refused; f = f->next) {
			fn = LLVMGetNamedFunction(e->m, f->sym->name->text);
			if (!fn || !LLVMIsDeclaration(fn))
				continue;
			emit_function(e, f);
			emit_flag(e, fn, "alwaysinline");
			more = true;
		}
	} while (more && !e->refused);
	if (e->textures)
		library_define(e, e->textures);
}
