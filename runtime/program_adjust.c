/* program_adjust.c - what a loader adds to a module's PTX.
 *
 * JIT options that stand for directives become these, in kernels that have
 * none of their own.  A variable that is declared and nowhere defined is one
 * of the module, as the driver has it.
 */
#include "program_int.h"
#include <string.h>

static void
set_attr(struct ptx *x, struct func *f, bool override, const struct attr *a)
{
	struct attr **p, *copy;

	if (!strcmp(a->name, "maxntid") && func_attr(f, "reqntid"))
		return;
	for (p = &f->attr; *p && strcmp((*p)->name, a->name); p = &(*p)->next)
		;
	if (*p && !override)
		return;
	copy = NEW(&x->arena, struct attr);
	*copy = *a;
	copy->next = *p ? (*p)->next : 0;
	*p = copy;
}

static void
set_kernels(struct ptx *x, bool override, const char *name, unsigned value,
	int n)
{
	struct attr a = { .name = name, .n = n, .v = { value, 1, 1 } };
	struct func *f;

	for (f = x->func; f; f = f->next)
		if (value && f->entry && f->has_body)
			set_attr(x, f, override, &a);
}

static void
settle_externs(struct ptx *x)
{
	struct link_walk w = { .item = x->item };
	struct sym *s;

	while ((s = link_walk(&w)))
		if (s->kind == SYM_VAR && s->space != SHARED &&
		    s->u.var->size)
			s->linkage &= ~LINK_EXTERN;
}

void
program_adjust(struct ptx *x, const struct program *o)
{
	if (x->nerror)
		return;
	set_kernels(x, o->override, "maxnreg", o->max_registers, 1);
	set_kernels(x, o->override, "maxntid", o->max_threads, 3);
	set_kernels(x, o->override, "minnctapersm", o->min_blocks, 1);
	settle_externs(x);
}
