/* verify_call.c - calls against the callee's signature; lists of targets. */
#include "verify_int.h"
#include <string.h>

static uint64_t
size_of(const struct sym *p)
{
	uint64_t n;

	if (p->kind == SYM_VAR && p->u.var && p->u.var->size)
		return p->u.var->size;
	n = type_info[p->type].bits / 8;
	return p->vec ? n * p->vec : n;
}

/* does argument a fit the formal parameter p? */
static bool
fits_param(const struct opnd *a, const struct sym *p)
{
	const struct sym *y;

	if (a->kind == OP_INT)
		return type_info[p->type].kind != 'f';
	if (a->kind == OP_FLT)
		return strchr("fb", type_info[p->type].kind);
	y = a->kind == OP_SYM ? a->u.sym : 0;
	if (a->sel || a->flags & (OPF_NOT | OPF_NEG))
		return false;
	if (a->kind == OP_SINK || !y)
		return true;
	if (y->kind == SYM_VAR)
		return y->space == PARAM && size_of(y) == size_of(p);
	if (y->kind != SYM_REG)
		return false;
	if (p->type == T_PRED || y->type == T_PRED)
		return p->type == y->type;
	return size_of(y) == size_of(p);
}

static void
check_list(const struct check *c, const struct opnd *list,
	const struct sym *p)
{
	uint32_t k;

	if ((int)(list ? list->n : 0) != (int)sym_count(p)) {
		check_fail(c, "call has wrong number of parameters: %u, "
			"expected %d", list ? list->n : 0, (int)sym_count(p));
		return;
	}
	for (k = 0; p; p = p->next, k++)
		if (!fits_param(&list->u.list[k], p))
			check_fail(c, "type of argument %u does not match "
				"formal parameter '%s'", k + 1,
				p->name ? p->name->text : "_");
}

/* the prototype of an indirect call; 0: a list of targets, or reported */
static const struct func *
prototype(const struct check *c)
{
	const struct opnd *o;

	o = check_operand(c, "proto");
	if (!o) {
		check_fail(c, "indirect call needs a prototype or a list of "
			"targets");
		return 0;
	}
	if (!o->u.sym || o->u.sym->kind != SYM_PROTO)
		return 0;
	return o->u.sym->u.func;
}

void
check_call(const struct check *c)
{
	const struct opnd *o;
	const struct func *f;

	o = check_operand(c, "func");
	if (!o->u.sym)
		return;
	if (o->u.sym->kind == SYM_REG)
		f = prototype(c);
	else
		f = o->u.sym->u.func;
	if (!f)
		return;
	if (f->entry) {
		check_fail(c, "illegal call target '%s', device function "
			"expected", o->u.sym->name->text);
		return;
	}
	if (check_operand(c, "ret") || o->u.sym->kind == SYM_REG)
		check_list(c, check_operand(c, "ret"), f->ret);
	check_list(c, check_operand(c, "args"), f->param);
}

void
check_targets(const struct check *c)
{
	const struct targets *t;
	const struct opnd *o;
	uint32_t k;

	t = c->i->u.targets;
	for (k = 0; k < t->list.n; k++) {
		o = &t->list.u.list[k];
		if (o->kind != OP_SYM || (o->u.sym
		&& o->u.sym->kind != (t->call ? SYM_FUNC : SYM_LABEL)))
			diag(c->x, ERROR, c->i->loc, "%s expected in list of "
				"targets", t->call ? "function" : "label");
	}
}
