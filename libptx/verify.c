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

const struct opnd *
check_operand(const struct check *c, const char *name)
{
	int k;

	for (k = 0; k < c->i->nopnd; k++)
		if (!strcmp(c->i->op->opnd[k].name, name))
			return &c->i->u.opnd[k];
	return 0;
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

/* marks the labels that stand in f; every one that is used has to */
static bool *
find_labels(struct arena *a, const struct func *f)
{
	const struct insn *i;
	bool *here;

	here = NEWN(a, f->nlabel + 1, bool);
	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_LABEL && i->u.sym->id < f->nlabel)
			here[i->u.sym->id] = true;
	return here;
}

static void
check_label(const struct check *c, const struct opnd *o)
{
	const struct sym *y;

	y = o->kind == OP_SYM ? o->u.sym : 0;
	if (y && y->kind == SYM_LABEL
	&& (y->id >= c->f->nlabel || !c->label[y->id]))
		check_fail(c, "label '%s' does not stand in '%s'",
			y->name->text, c->f->sym->name->text);
}

static void
check_labels(const struct check *c)
{
	const struct opnd *list;
	uint32_t k;

	if (c->i->kind == STMT_INSN && c->i->op->id == INSN_BRA)
		check_label(c, &c->i->u.opnd[0]);
	if (c->i->kind != STMT_TARGETS || c->i->u.targets->call)
		return;
	list = c->i->u.targets->list.u.list;
	for (k = 0; k < c->i->u.targets->list.n; k++)
		check_label(c, &list[k]);
}

static void
verify_func(struct ptx *x, const struct func *f)
{
	struct arena a = {0};
	struct check c = { .x = x, .f = f };

	c.label = find_labels(&a, f);
	for (c.i = f->first; c.i; c.i = c.i->next)
		if (c.i->kind == STMT_INSN && c.i->op) {
			check_insn(&c);
			check_labels(&c);
		} else if (c.i->kind == STMT_TARGETS) {
			check_targets(&c);
			check_labels(&c);
		} else if (c.i->kind == STMT_DECL) {
			check_decl(x, c.i->u.sym);
		} else if (c.i->kind == STMT_PROTO) {
			check_header(x, c.i->u.sym->u.func);
		}
	arena_free(&a);
}

void
ptx_verify(struct ptx *x)
{
	const struct func *f;

	check_items(x);
	for (f = x->func; f; f = f->next)
		if (f->has_body)
			verify_func(x, f);
}
