/* verify_decl.c - declarations: what has no size, limits of a launch, aliases.
 *
 * A variable without a size belongs to another module, a parameter without one
 * is what a variadic function takes last (PTX 5.4.2, 7.2).
 */
#include "verify_int.h"
#include <string.h>

static bool
incomplete(const struct sym *y)
{
	return y->kind == SYM_VAR && y->type && !y->u.var->size
		&& type_info[y->type].kind != 'o';
}

void
check_decl(struct ptx *x, const struct sym *y)
{
	for (; y; y = y->next)
		if (incomplete(y) && !(y->linkage & LINK_EXTERN))
			diag(x, ERROR, y->loc, "non-external variable '%s' "
				"has incomplete type", y->name->text);
}

void
check_header(struct ptx *x, const struct func *f)
{
	const struct sym *y;

	for (y = f->ret; y; y = y->next)
		if (incomplete(y))
			diag(x, ERROR, y->loc, "output parameter cannot be an "
				"incomplete array");
	for (y = f->param; y; y = y->next)
		if (incomplete(y) && f->entry)
			diag(x, ERROR, y->loc, "parameter to entry function "
				"cannot be an incomplete array");
		else if (incomplete(y) && y->next)
			diag(x, ERROR, y->loc, "only the last input parameter "
				"can be an incomplete array");
}

/* numbers of registers and blocks are at least 1 */
static void
check_launch(struct ptx *x, const struct func *f)
{
	static const char *const positive[] = { "maxnreg", "minnctapersm" };
	const struct attr *a;
	size_t k;

	for (k = 0; k < sizeof positive / sizeof *positive; k++) {
		a = func_attr(f, positive[k]);
		if (a && a->v[0] < 1)
			diag(x, ERROR, f->loc, "positive non-zero value "
				"expected for %s", positive[k]);
	}
	if (func_attr(f, "maxntid") && func_attr(f, "reqntid"))
		diag(x, ERROR, f->loc, "conflicting directives: .maxntid and "
			".reqntid cannot both be specified");
}

static void
check_alias(struct ptx *x, const struct item *i)
{
	if (!i->sym || !i->target)
		return;
	if (i->sym == i->target)
		diag(x, ERROR, i->loc, "cannot alias function '%s' to itself",
			i->sym->name->text);
	else if (i->target->u.func->entry)
		diag(x, ERROR, i->loc, "cannot define alias to entry function "
			"'%s'", i->target->name->text);
	else if (i->sym->u.func->has_body)
		diag(x, ERROR, i->loc, "illegal redefinition of function '%s' "
			"as alias", i->sym->name->text);
}

void
check_items(struct ptx *x)
{
	const struct item *i;

	for (i = x->item; i; i = i->next)
		if (i->kind == ITEM_VAR) {
			check_decl(x, i->sym);
		} else if (i->kind == ITEM_ALIAS) {
			check_alias(x, i);
		} else if (i->kind == ITEM_FUNC) {
			check_header(x, i->func);
			check_launch(x, i->func);
		}
}
