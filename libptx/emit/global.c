/* global.c - variables: of the module, of functions, parameters.
 *
 * Variables in .global and .const have one definition, in the unit that
 * u->data marks, and protected visibility everywhere: the runtime finds them
 * by name, code reaches them relative to the program counter.  They have no
 * "constant" in LLVM's sense: the host may write .const before a launch.
 * Those in .shared belong to the unit that uses them.
 */
#include "emit_int.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef
bytes(struct emit *e, uint64_t n)
{
	return LLVMArrayType2(LLVMInt8TypeInContext(e->c), n);
}

static unsigned
alignment(const struct sym *s)
{
	unsigned natural;

	if (s->u.var->align)
		return s->u.var->align;
	natural = type_info[s->type].bits / 8;
	if (s->vec)
		natural *= s->vec;
	return natural ? natural : 1;
}

/* a name for s that no other variable of the module has */
static const char *
unique(const struct sym *s, char *buf, size_t size)
{
	if (!s->depth)
		return s->name->text;
	snprintf(buf, size, "%s.%u.%u", s->name->text, s->loc.line,
		s->loc.col);
	return buf;
}

/* do the eight relocations from r on put together one whole address? */
static bool
is_bytewise(const struct reloc *r, size_t n)
{
	unsigned k;

	if (n < 8)
		return false;
	for (k = 0; k < 8; k++)
		if (r[k].sym != r->sym || r[k].add != r->add
		|| r[k].bytes != 1 || r[k].shift != 8 * k
		|| r[k].offset != r->offset + k)
			return false;
	return true;
}

/* how many relocations from r on make one address of 8 bytes; 0: we cannot */
static size_t
whole(struct emit *e, const struct sym *s, const struct reloc *r, size_t n)
{
	if (r->bytes == 8 && !r->shift)
		return 1;
	if (is_bytewise(r, n))
		return 8;
	emit_refuse(e, "\"%s\" is initialised with a part of an address",
		s->name->text);
	return 0;
}

/* bytes from to end of v's initial value */
static LLVMValueRef
data(struct emit *e, const struct var *v, uint64_t from, uint64_t end)
{
	if (end > v->ndata || from == end)
		return LLVMConstNull(bytes(e, end - from));
	return LLVMConstStringInContext2(e->c, (const char *)v->data + from,
		end - from, true);
}

static LLVMValueRef
relocated(struct emit *e, const struct reloc *r)
{
	LLVMTypeRef i64;
	LLVMValueRef p;

	i64 = LLVMInt64TypeInContext(e->c);
	if (r->sym->space == SHARED && r->sym->kind == SYM_VAR) {
		emit_refuse(e, "the address of \"%s\" is not known before "
			"the launch", r->sym->name->text);
		return LLVMConstNull(i64);
	}
	p = emit_sym(e, r->sym);
	if (!p)
		return LLVMConstNull(i64);
	return LLVMConstAdd(LLVMConstPtrToInt(p, i64),
		LLVMConstInt(i64, (uint64_t)r->add, true));
}

/* the types, and if value is not 0 the values, of what s is made of: bytes
 * and addresses in turn */
static unsigned
parts(struct emit *e, const struct sym *s, LLVMTypeRef *ty,
	LLVMValueRef *value)
{
	const struct var *v;
	const struct reloc *r;
	uint64_t at, end;
	unsigned n;
	size_t step;

	v = s->u.var;
	at = 0;
	n = 0;
	for (r = v->reloc; r < v->reloc + v->nreloc; r += step) {
		step = whole(e, s, r, (size_t)(v->reloc + v->nreloc - r));
		if (!step)
			break;
		ty[n] = bytes(e, r->offset - at);
		if (value)
			value[n] = data(e, v, at, r->offset);
		ty[++n] = LLVMInt64TypeInContext(e->c);
		if (value)
			value[n] = relocated(e, r);
		n++;
		at = r->offset + 8;
	}
	end = v->ndata > at ? v->ndata : at;
	ty[n] = bytes(e, end - at);
	if (value)
		value[n] = data(e, v, at, end);
	ty[++n] = bytes(e, v->size - end);
	if (value)
		value[n] = LLVMConstNull(ty[n]);
	return n + 1;
}

static LLVMTypeRef
define_type(struct emit *e, const struct sym *s)
{
	LLVMTypeRef *ty, all;
	unsigned n;

	ty = calloc(2 * s->u.var->nreloc + 2, sizeof *ty);
	n = parts(e, s, ty, 0);
	all = LLVMStructTypeInContext(e->c, ty, n, true);
	free(ty);
	return all;
}

static void
initialise(struct emit *e, const struct sym *s, LLVMValueRef g)
{
	LLVMTypeRef *ty;
	LLVMValueRef *value;
	unsigned n;

	ty = calloc(2 * s->u.var->nreloc + 2, sizeof *ty);
	value = calloc(2 * s->u.var->nreloc + 2, sizeof *value);
	n = parts(e, s, ty, value);
	if (!e->refused)
		LLVMSetInitializer(g, LLVMConstStructInContext(e->c, value, n,
			true));
	free(ty);
	free(value);
}

static LLVMValueRef
add(struct emit *e, const struct sym *s, LLVMTypeRef ty)
{
	LLVMValueRef g;
	char buf[1200];

	g = LLVMAddGlobalInAddressSpace(e->m, ty, unique(s, buf, sizeof buf),
		e->t->space[s->space]);
	LLVMSetAlignment(g, alignment(s));
	return g;
}

/* As LLVM lays out shared memory in any case: said early, its passes join
 * accesses of neighbours.  An array without size is for what a launch adds. */
static unsigned
shared_alignment(const struct sym *s)
{
	uint64_t size = s->u.var->size;
	unsigned least = !size || size > 8 ? 16 : size > 4 ? 8 : size > 2 ? 4
		: (unsigned)size;

	return alignment(s) < least ? least : alignment(s);
}

static LLVMValueRef
shared(struct emit *e, const struct sym *s)
{
	LLVMValueRef g;

	if (s->linkage & LINK_EXTERN && s->u.var->size) {
		emit_refuse(e, "\"%s\" is not defined", s->name->text);
		return 0;
	}
	g = add(e, s, bytes(e, s->u.var->size));
	LLVMSetAlignment(g, shared_alignment(s));
	if (s->linkage & LINK_EXTERN)
		return g;
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetInitializer(g, LLVMGetPoison(LLVMGlobalGetValueType(g)));
	return g;
}

/* The address of a variable that is in another image, from a word that its
 * loader fills in.  LLVM must not know its value, nor put it among zeros,
 * which the file does not hold. */
static LLVMValueRef
of_other_image(struct emit *e, const struct sym *s)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(e->c);
	LLVMTypeRef p = LLVMPointerTypeInContext(e->c, e->t->space[s->space]);
	LLVMValueRef g, v;
	char buf[1200], name[1300];

	snprintf(name, sizeof name, EMIT_AT "%s", unique(s, buf, sizeof buf));
	g = LLVMGetNamedGlobal(e->m, name);
	if (!g) {
		g = LLVMAddGlobalInAddressSpace(e->m, p, name,
			e->t->space[GLOBAL]);
		LLVMSetInitializer(g, LLVMConstIntToPtr(LLVMConstInt(i64, ~0u,
			false), p));
		LLVMSetExternallyInitialized(g, true);
		LLVMSetVisibility(g, LLVMProtectedVisibility);
		LLVMSetAlignment(g, 8);
	}
	v = LLVMBuildLoad2(e->b, p, g, s->name->text);
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(e->c, "invariant.load",
		14), LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, 0,
		0)));
	return v;
}

/* a table of the functions in library.c, which come with each image */
static bool
is_ours(const struct sym *s)
{
	return !strncmp(s->name->text, "__ptxamd_", 9);
}

/* a variable of the module, declared where it is not yet */
static LLVMValueRef
of_module(struct emit *e, const struct sym *s)
{
	LLVMValueRef g;
	char buf[1200];

	g = LLVMGetNamedGlobal(e->m, unique(s, buf, sizeof buf));
	if (g)
		return g;
	if (s->space == SHARED)
		return shared(e, s);
	if (s->linkage & LINK_EXTERN) {
		emit_refuse(e, "\"%s\" is not defined", s->name->text);
		return 0;
	}
	if (e->o->apart && !is_ours(s))
		return of_other_image(e, s);
	g = add(e, s, bytes(e, s->u.var->size));
	if (!e->t->far_data)
		LLVMSetVisibility(g, LLVMProtectedVisibility);
	return g;
}

/* a thread's private memory, which LLVM counts in a word of its own */
enum { MAX_LOCAL = 256 << 10 };

static LLVMValueRef
local(struct emit *e, const struct sym *s)
{
	if (s->u.var->size > MAX_LOCAL) {
		emit_refuse(e, "\"%s\" has %llu bytes, a thread at most %d",
			s->name->text, (unsigned long long)s->u.var->size,
			MAX_LOCAL);
		return 0;
	}
	if (!e->var[s->id]) {
		e->var[s->id] = emit_alloca(e, bytes(e, s->u.var->size),
			s->name->text);
		LLVMSetAlignment(e->var[s->id], alignment(s));
	}
	return e->var[s->id];
}

static LLVMValueRef
kernel_param(struct emit *e, const struct sym *s)
{
	LLVMValueRef off;

	off = emit_k(e, LLVMInt64TypeInContext(e->c),
		(int64_t)s->u.var->offset);
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c),
		LLVMGetParam(e->fn, 0), &off, 1, "");
}

/* .param variables for calls stand in the same scope as the kernel's own */
bool
emit_is_kernel_param(struct emit *e, const struct sym *s)
{
	const struct sym *p;

	for (p = e->f->entry ? e->f->param : 0; p; p = p->next)
		if (p == s)
			return true;
	return false;
}

LLVMValueRef
emit_sym(struct emit *e, const struct sym *s)
{
	if (s->kind == SYM_FUNC)
		return emit_declare(e, s->u.func);
	switch (s->space) {
	case GLOBAL:
	case CONST:
	case SHARED:
		return of_module(e, s);
	case PARAM:
		if (emit_is_kernel_param(e, s))
			return kernel_param(e, s);
		return local(e, s);
	case LOCAL:
		if (s->depth)
			return local(e, s);
		/* fallthrough */
	default:
		emit_refuse(e, "\"%s\" is a .%s variable of the module",
			s->name->text, space_name[s->space]);
		return 0;
	}
}

void
emit_globals(struct emit *e, const struct unit *u)
{
	LLVMValueRef g;
	char buf[1200];
	size_t i;

	if (!u->data)
		return;
	for (i = 0; i < u->nvar && !e->refused; i++) {
		e->global = u->var[i];
		g = add(e, u->var[i], define_type(e, u->var[i]));
		LLVMSetVisibility(g, LLVMProtectedVisibility);
	}
	for (i = 0; i < u->nvar && !e->refused; i++) {
		e->global = u->var[i];
		g = LLVMGetNamedGlobal(e->m, unique(u->var[i], buf,
			sizeof buf));
		initialise(e, u->var[i], g);
	}
}

void
emit_constant(struct emit *e, const struct sym *s, LLVMValueRef g)
{
	LLVMSetVisibility(g, LLVMDefaultVisibility);
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetGlobalConstant(g, true);
	LLVMSetInitializer(g, data(e, s->u.var, 0, s->u.var->size));
}
