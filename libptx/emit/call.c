/* call.c - functions: their types, parameters and results, and calls.
 *
 * A parameter is passed as a value: a register as its integer, a .param
 * variable as an integer of its size, or as an array of integers where it is
 * a structure, or by address where that is large.  Before them comes the
 * address of struct launch.  Inside, each .param variable is an alloca that
 * SROA dissolves.
 */
#include "emit_int.h"
#include "arith.h"

#include <stdlib.h>
#include <string.h>

enum { IN_REGISTERS = 64 }; /* bytes of a structure that is passed as value */

/* is s, a parameter, passed by address?  Nothing writes a parameter, so the
 * caller's variable serves */
static bool
by_address(const struct sym *s)
{
	return s->kind == SYM_VAR && s->u.var->size > IN_REGISTERS;
}

/* how s, a parameter or a result, is passed as a value */
static LLVMTypeRef
passed(struct emit *e, const struct sym *s)
{
	const struct var *v;

	if (s->kind == SYM_REG)
		return emit_tty(e, s->type);
	v = s->u.var;
	if (!v->ndim && v->size <= 16)
		return emit_ity(e, (unsigned)v->size * 8);
	if (v->size % 4 == 0 && v->align >= 4)
		return LLVMArrayType2(emit_ity(e, 32), v->size / 4);
	return LLVMArrayType2(emit_ity(e, 8), v->size);
}

/* what f returns: its results and, last, whether the thread has ended */
static LLVMTypeRef
returned(struct emit *e, const struct func *f, bool exits)
{
	LLVMTypeRef ty[256];
	const struct sym *s;
	unsigned n;

	for (n = 0, s = f->ret; s && n < 255; s = s->next)
		ty[n++] = passed(e, s);
	if (exits)
		ty[n++] = emit_ity(e, 1);
	if (!n)
		return LLVMVoidTypeInContext(e->c);
	return n == 1 ? ty[0] : LLVMStructTypeInContext(e->c, ty, n, false);
}

/* a function that is called through a pointer may exit if any may */
static bool
exits(struct emit *e, const struct func *f)
{
	return f->has_body ? unit_exits(e->u, f) : e->u->any_exits;
}

static LLVMTypeRef
signature(struct emit *e, const struct func *f)
{
	LLVMTypeRef *ty, fnty;
	const struct sym *s;
	unsigned n;

	if (f->entry) {
		LLVMTypeRef block = LLVMPointerTypeInContext(e->c,
			e->t->space[CONST]);

		return LLVMFunctionType(LLVMVoidTypeInContext(e->c), &block,
			1, false);
	}
	ty = calloc(sym_count(f->param) + 1, sizeof *ty);
	ty[0] = LLVMPointerTypeInContext(e->c, e->t->space[CONST]);
	for (n = 1, s = f->param; s; s = s->next)
		ty[n++] = by_address(s) ? LLVMPointerTypeInContext(e->c,
			e->t->space[LOCAL]) : passed(e, s);
	fnty = LLVMFunctionType(returned(e, f, exits(e, f)), ty, n, false);
	free(ty);
	return fnty;
}

/* is the parameter list open: .param .b8 x[]? */
static bool
is_variadic(const struct func *f)
{
	const struct sym *s;

	for (s = f->param; s; s = s->next)
		if (s->kind == SYM_VAR && !s->u.var->size)
			return true;
	return false;
}

bool
emit_spoils_scalars(const struct emit *e)
{
	return e->t->spoils_scalars && e->t->spoils_scalars(e->o->arch);
}

/* the launch block's address is the same in all threads: a scalar register,
 * if it may be; 0: it is an argument as others */
static LLVMAttributeRef
inreg(struct emit *e)
{
	if (emit_spoils_scalars(e))
		return 0;
	return LLVMCreateEnumAttribute(e->c,
		LLVMGetEnumAttributeKindForName("inreg", 5), 0);
}

/* of NVIDIA's device runtime, cudadevrt */
static bool
launches_kernels(const char *name)
{
	return !strncmp(name, "__cudaCDP", 9) ||
		!strncmp(name, "cudaLaunchDevice", 16) ||
		!strncmp(name, "cudaGetParameterBuffer", 22);
}

LLVMValueRef
emit_declare(struct emit *e, const struct func *f)
{
	LLVMValueRef fn;

	if (f->def)
		f = f->def;
	fn = LLVMGetNamedFunction(e->m, f->sym->name->text);
	if (fn)
		return fn;
	if (!f->has_body || (!f->entry && is_variadic(f))) {
		emit_refuse(e, f->has_body
			? "\"%s\" takes any number of arguments"
			: launches_kernels(f->sym->name->text)
			? "\"%s\": kernels that launch kernels are not "
				"supported"
			: "\"%s\" is not defined", f->sym->name->text);
		return 0;
	}
	fn = LLVMAddFunction(e->m, f->sym->name->text, signature(e, f));
	emit_flag(e, fn, "nounwind");
	emit_flag(e, fn, "convergent");
	if (!unit_recurses(e->u, f))
		emit_flag(e, fn, "norecurse");
	if (!f->entry) {
		LLVMSetLinkage(fn, LLVMInternalLinkage);
		if (inreg(e))
			LLVMAddAttributeAtIndex(fn, 1, inreg(e));
	}
	e->t->function(e, fn, f);
	return fn;
}

static void
enter(struct emit *e, const struct sym *s, LLVMValueRef v)
{
	if (s->kind == SYM_REG)
		LLVMBuildStore(e->b, v, emit_reg(e, s));
	else if (by_address(s))
		e->var[s->id] = v;
	else
		LLVMBuildStore(e->b, v, emit_sym(e, s));
}

void
emit_params(struct emit *e, const struct func *f)
{
	const struct sym *s;
	unsigned n;

	if (f->entry)
		return;
	for (n = 1, s = f->param; s; s = s->next)
		enter(e, s, LLVMGetParam(e->fn, n++));
}

/* the value of s, a result of the function or an argument to be passed */
static LLVMValueRef
current(struct emit *e, const struct sym *s, LLVMTypeRef ty)
{
	return LLVMBuildLoad2(e->b, ty,
		s->kind == SYM_REG ? emit_reg(e, s) : emit_sym(e, s), "");
}

/* ends the function; ended: the thread ends with it */
static void
finish(struct emit *e, bool ended)
{
	LLVMTypeRef ty;
	LLVMValueRef all, v;
	const struct sym *s;
	unsigned n, count;
	bool flag;

	flag = exits(e, e->f);
	ty = LLVMGetReturnType(LLVMGlobalGetValueType(e->fn));
	count = sym_count(e->f->ret) + flag;
	if (!count) {
		LLVMBuildRetVoid(e->b);
		return;
	}
	all = LLVMGetPoison(ty);
	for (n = 0, s = e->f->ret; n < count; n++, s = s ? s->next : 0) {
		v = s ? current(e, s, passed(e, s))
			: emit_k(e, emit_ity(e, 1), ended);
		all = count == 1 ? v
			: LLVMBuildInsertValue(e->b, all, v, n, "");
	}
	LLVMBuildRet(e->b, all);
}

void
emit_return(struct emit *e)
{
	if (e->f->entry)
		emit_leave(e);
	else
		finish(e, false);
}

void
emit_leave(struct emit *e)
{
	if (e->f->entry)
		emit_barrier_end(e);
	else
		finish(e, true);
}

/* the parts of a call instruction */
struct call {
	const struct opnd *ret, *callee, *arg; /* ret, arg: lists, or 0 */
	const struct func *f;                  /* whose type it has */
	bool service;                          /* f is from service.c */
};

static const struct func *
prototype(const struct opnd *o)
{
	const struct sym *s;

	s = o->u.sym;
	if (s->kind != SYM_TARGETS)
		return s->u.func;
	return s->u.at->u.targets->list.u.list[0].u.sym->u.func;
}

static void
take_apart(struct call *c, const struct insn *i)
{
	unsigned k;

	k = 0;
	if (i->u.opnd[k].kind == OP_LIST)
		c->ret = &i->u.opnd[k++];
	c->callee = &i->u.opnd[k++];
	if (k < i->nopnd && i->u.opnd[k].kind == OP_LIST)
		c->arg = &i->u.opnd[k++];
	if (c->callee->u.sym->kind == SYM_FUNC)
		c->f = c->callee->u.sym->u.func;
	else if (k < i->nopnd)
		c->f = prototype(&i->u.opnd[k]);
	if (c->f && c->f->def)
		c->f = c->f->def;
}

/* a call of a function that the host serves goes to our definition of it */
static void
serve(struct emit *e, struct call *c)
{
	const struct func *f;

	if (c->f->has_body || c->callee->u.sym->kind != SYM_FUNC)
		return;
	f = emit_service(e, c->f);
	if (!f)
		return;
	c->f = f;
	c->service = true;
}

static LLVMValueRef
argument(struct emit *e, const struct opnd *o, const struct sym *s)
{
	if (o->kind == OP_SYM && o->u.sym->kind == SYM_VAR)
		return by_address(s) ? emit_sym(e, o->u.sym)
			: current(e, o->u.sym, passed(e, s));
	return emit_read(e, o, s->type);
}

static void
result(struct emit *e, const struct opnd *o, const struct sym *s,
	LLVMValueRef v)
{
	if (o->kind == OP_SYM && o->u.sym->kind == SYM_VAR)
		LLVMBuildStore(e->b, v, emit_sym(e, o->u.sym));
	else
		emit_write(e, o, s->type, v);
}

/* a thread that ended in the callee ends here too */
static void
ended(struct emit *e, LLVMValueRef flag)
{
	LLVMBasicBlockRef end, on;

	end = emit_block(e, "");
	on = emit_block(e, "");
	LLVMBuildCondBr(e->b, flag, end, on);
	LLVMPositionBuilderAtEnd(e->b, end);
	emit_leave(e);
	LLVMPositionBuilderAtEnd(e->b, on);
}

static void
results(struct emit *e, const struct call *c, LLVMValueRef v)
{
	const struct sym *s;
	unsigned k, n;
	bool flag;

	flag = exits(e, c->f);
	n = sym_count(c->f->ret);
	if (flag)
		ended(e, n ? LLVMBuildExtractValue(e->b, v, n, "") : v);
	for (k = 0, s = c->f->ret; s && c->ret && k < c->ret->n; k++) {
		result(e, &c->ret->u.list[k], s, n + flag == 1 ? v
			: LLVMBuildExtractValue(e->b, v, k, ""));
		s = s->next;
	}
}

/* the function to be called: a symbol, or an address in a register */
static LLVMValueRef
callee(struct emit *e, const struct call *c)
{
	if (c->callee->u.sym->kind == SYM_FUNC)
		return emit_declare(e, c->f);
	return LLVMBuildIntToPtr(e->b, emit_read(e, c->callee, T_U64),
		LLVMPointerTypeInContext(e->c, 0), "");
}

static LLVMValueRef
build(struct emit *e, const struct call *c, LLVMValueRef fn)
{
	LLVMValueRef *arg, v;
	const struct sym *s;
	unsigned n, k, count;

	count = sym_count(c->f->param) + 1;
	arg = calloc(count, sizeof *arg);
	n = 0;
	s = c->f->param;
	arg[n++] = e->launch;
	if (c->service) {
		arg[n++] = emit_service_address(e);
		s = s->next;
	}
	for (k = 0; s; s = s->next)
		arg[n++] = argument(e, &c->arg->u.list[k++], s);
	v = LLVMBuildCall2(e->b, signature(e, c->f), fn, arg, count, "");
	if (inreg(e))
		LLVMAddCallSiteAttribute(v, 1, inreg(e));
	LLVMAddCallSiteAttribute(v, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(e->c, LLVMGetEnumAttributeKindForName(
			"convergent", 10), 0));
	free(arg);
	return v;
}

/* cudaGraphSetConditional(handle, value) of NVIDIA's device runtime: a handle
 * is the address of a word, and the graph looks at it */
static bool
sets_condition(const struct call *c)
{
	return !c->f->has_body && c->callee->u.sym->kind == SYM_FUNC
		&& c->arg && c->arg->n == 2 && sym_count(c->f->param) == 2
		&& !strcmp(c->f->sym->name->text, "cudaGraphSetConditional");
}

static void
set_condition(struct emit *e, const struct call *c)
{
	const struct sym *s = c->f->param;
	LLVMValueRef handle, value;

	handle = argument(e, &c->arg->u.list[0], s);
	value = argument(e, &c->arg->u.list[1], s->next);
	LLVMBuildStore(e->b, emit_resize(e, value, 32, false),
		LLVMBuildIntToPtr(e->b, emit_resize(e, handle, 64, false),
			LLVMPointerTypeInContext(e->c, e->t->space[GLOBAL]),
			""));
}

void
emit_call(struct emit *e, const struct insn *i, int with)
{
	struct call c = { 0 };
	LLVMValueRef fn;

	(void)with;
	take_apart(&c, i);
	if (!c.f) {
		emit_refuse(e, "a call through a register needs a prototype");
		return;
	}
	if (sets_condition(&c)) {
		set_condition(e, &c);
		return;
	}
	serve(e, &c);
	if (sym_count(c.f->param) != (c.arg ? c.arg->n : 0) + c.service) {
		emit_refuse(e, "the number of arguments differs");
		return;
	}
	fn = callee(e, &c);
	if (fn)
		results(e, &c, build(e, &c, fn));
}
