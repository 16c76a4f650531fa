/* verify_addr.c - addresses and the state spaces of what they name. */
#include "verify_int.h"
#include <string.h>

/* may a variable of space var be named by an instruction on space at? */
static bool
space_agrees(unsigned at, unsigned var, bool generic_param)
{
	if (at == GENERIC)
		return var == GLOBAL || var == SHARED || var == LOCAL
			|| (var == PARAM && generic_param);
	return at == var;
}

static bool
in_list(const struct sym *y, const struct sym *list)
{
	while (list && list != y)
		list = list->next;
	return list;
}

/* parameters of the function itself: its caller writes the one kind and
 * reads the other */
static void
check_direction(const struct check *c, const struct sym *y)
{
	if (c->i->op->flags & STORE && in_list(y, c->f->param))
		check_fail(c, "illegal to write to function input parameter "
			"'%s'", y->name->text);
	else if (c->i->op->flags & LOAD && in_list(y, c->f->ret))
		check_fail(c, "illegal to read function return parameter '%s'",
			y->name->text);
}

static void
check_base(const struct check *c, const struct opnd *o, unsigned space)
{
	const struct sym *y;
	char root[32];
	char kind;

	if (o->kind == OP_INT) {
		if (space != LOCAL && space != SPACE_TENSOR && space != TEX)
			check_fail(c, "immediate addresses allowed only for "
				".local state space");
		return;
	}
	y = o->u.sym;
	if (!y)
		return;
	kind = type_info[y->type].kind;
	if (y->kind == SYM_VAR) {
		if (!space_agrees(space, y->space, false))
			check_fail(c, "state space mismatch between "
				"instruction '%s' and address '%s'",
				check_root(c, root, sizeof root),
				y->name->text);
		else if (y->space == PARAM)
			check_direction(c, y);
	} else if (y->kind != SYM_REG || kind == 'f' || kind == 'p') {
		check_fail(c, "illegal to use symbol '%s' as address operand, "
			"expected a register of integer or bit type",
			y->name->text);
	}
}

/* [tensor, {coordinates}]: one a dimension, five to gather and scatter */
static void
check_tensor(const struct check *c, const struct opnd *o)
{
	const struct opnd *coord;
	const char *dim, *mode;
	unsigned n;

	coord = &o->u.list[1];
	dim = insn_word(c->i, "dim");
	mode = insn_word(c->i, "mode");
	if (!dim)
		return;
	n = mode && strstr(mode, "er4") ? 5 : (unsigned)(*dim - '0');
	if (o->u.list[0].off)
		check_fail(c, "a tensor has no offset");
	if ((coord->kind == OP_VEC ? coord->n : 1) != n)
		check_fail(c, "%u coordinates expected", n);
}

void
check_addr(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct opnd *base;

	base = &o->u.list[0];
	if (o->flags & OPF_UNIFIED && (!(want->flags & OPND_UNIFIED)
	|| (want->space != GENERIC && want->space != GLOBAL)))
		check_fail(c, "'.unified' not allowed for this address");
	if (base->kind != OP_SYM && base->kind != OP_INT)
		check_mismatch(c);
	else if (want->space != TEX)
		check_base(c, base, want->space);
	if (want->space != TEX && o->n == 2)
		check_tensor(c, o);
}
