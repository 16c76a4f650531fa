/* program_pointers.c - does a program deal with addresses of functions?
 *
 * A call through a pointer gets registers for the functions that are compiled
 * with it.  So a program that takes an address, or calls one, is compiled as a
 * whole for AMD GPUs.
 */
#include "program_int.h"

static bool
is_function(const struct opnd *o)
{
	uint32_t k;

	if (o->kind == OP_SYM)
		return o->u.sym->kind == SYM_FUNC;
	if (o->kind >= OP_ADDR)
		for (k = 0; k < o->n; k++)
			if (is_function(&o->u.list[k]))
				return true;
	return false;
}

/* a call of a function by its name is none */
static bool
in_insn(const struct insn *i)
{
	const struct opnd *o = i->u.opnd;
	unsigned k;

	if (i->op->flags & CALL)
		return !is_function(&o[o[0].kind == OP_LIST]);
	for (k = 0; k < i->nopnd; k++)
		if (is_function(&o[k]))
			return true;
	return false;
}

static bool
in_value(const struct sym *s)
{
	size_t k;

	for (; s; s = s->next)
		for (k = 0; s->kind == SYM_VAR && k < s->u.var->nreloc; k++)
			if (s->u.var->reloc[k].sym->kind == SYM_FUNC)
				return true;
	return false;
}

bool
program_has_pointers(const struct ptx *x)
{
	const struct item *v;
	const struct func *f;
	const struct insn *i;

	for (v = x->item; v; v = v->next)
		if (v->kind == ITEM_VAR && in_value(v->sym))
			return true;
	for (f = x->func; f; f = f->next)
		for (i = f->first; i; i = i->next)
			if (i->kind == STMT_INSN ? in_insn(i) :
			    i->kind == STMT_DECL && in_value(i->u.sym))
				return true;
	return false;
}
