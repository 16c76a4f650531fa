/* verify.c - what must hold after parsing and after every pass.
 *
 * The table says most of it: a row fixes words, shapes and types of the
 * operands.  What no row can say stands in verify_form.c and beside it.
 */
#include "verify_int.h"
#include <stdarg.h>
#include <string.h>

const char *
check_root(const struct check *c, char *buf, size_t cap)
{
	const char *s;

	s = c->i->op->name->text;
	snprintf(buf, cap, "%.*s", (int)strcspn(s, "."), s);
	return buf;
}

void
check_fail(const struct check *c, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	diag(c->x, ERROR, c->i->loc, "%s", text);
}

void
check_mismatch(const struct check *c)
{
	insn_no_match(c->x, c->i->op, c->i);
}

static void
check_guard(const struct check *c)
{
	const struct sym *g;

	g = c->i->guard;
	if (g && (g->kind != SYM_REG || g->type != T_PRED))
		check_fail(c, "predicate expected as guard, not '%s'",
			g->name->text);
}

static void
check_insn(const struct check *c)
{
	const struct op *op;
	int k, before;

	op = c->i->op;
	before = c->x->nerror;
	check_guard(c);
	for (k = 0; k < op->nopnd && c->x->nerror == before; k++)
		check_opnd(c, &c->i->u.opnd[k], &op->opnd[k]);
	if (c->x->nerror == before)
		check_form(c);
}

static void
verify_func(struct ptx *x, const struct func *f)
{
	struct check c = { .x = x, .f = f };

	for (c.i = f->first; c.i; c.i = c.i->next)
		if (c.i->kind == STMT_INSN && c.i->op)
			check_insn(&c);
		else if (c.i->kind == STMT_TARGETS)
			check_targets(&c);
}

void
ptx_verify(struct ptx *x)
{
	const struct func *f;

	for (f = x->func; f; f = f->next)
		if (f->has_body)
			verify_func(x, f);
}
