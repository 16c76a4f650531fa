/* externs.c - what a whole program must not leave open.
 *
 * Without -c every function that a kernel can reach has to be defined.  An
 * external variable is not missing: ptxas makes it one of the module.
 */
#include "ptxas.h"
#include "link.h"
#include <stdlib.h>

/* functions that are reached, in the order of being found */
struct todo {
	const struct options *o;
	struct func **func;
	size_t n, cap;
};

static void
push(struct todo *t, struct func *f)
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 64;
		t->func = realloc(t->func, t->cap * sizeof *t->func);
		if (!t->func)
			abort();
	}
	t->func[t->n++] = f;
}

static void
reach_function(struct todo *t, struct sym *s)
{
	struct func *f = s->u.func->def ? s->u.func->def : s->u.func;

	if (f->has_body)
		push(t, f);
	else if (!f->entry && !link_is_built_in(s->name->text) &&
	    !opt(t->o, OPT_KEEP_GOING)->given)
		report_fatal(t->o->report, "Unresolved extern function '%s'",
			s->name->text);
}

static void
reach_variable(struct todo *t, struct sym *s)
{
	if (!(s->linkage & LINK_EXTERN) || s->space == SHARED ||
	    !s->u.var->size)
		return;
	report_warning(t->o->report, "Unresolved extern variable '%s' in whole "
		"program compilation, ignoring extern qualifier",
		s->name->text);
	s->linkage &= ~LINK_EXTERN;
}

static void
reach(void *arg, struct sym *s)
{
	struct todo *t = arg;

	if (s->mark & MARK_LIVE)
		return;
	s->mark |= MARK_LIVE;
	if (s->kind == SYM_FUNC)
		reach_function(t, s);
	else
		reach_variable(t, s);
}

/* the other name of a function counts as its definition */
static void
reach_aliases(struct todo *t, const struct ptx *x)
{
	const struct item *i;

	for (i = x->item; i; i = i->next)
		if (i->kind == ITEM_ALIAS) {
			i->sym->mark |= MARK_LIVE;
			reach(t, i->target);
		}
}

void
externs_check(struct ptx *x, const struct options *o)
{
	struct todo t = { .o = o };
	struct func *f;
	size_t k;

	if (o->report->failed || o->compile_only || o->mode == MODE_CHECK)
		return;
	reach_aliases(&t, x);
	for (f = x->func; f; f = f->next)
		if (f->entry && f->has_body)
			push(&t, f);
	for (k = 0; k < t.n; k++)
		link_func_refs(t.func[k], reach, &t);
	free(t.func);
}
