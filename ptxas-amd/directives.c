/* directives.c - options that stand for something in the PTX.
 *
 * -maxntid, -minnctapersm and -maxrregcount act as .maxntid, .minnctapersm
 * and .maxnreg do in a kernel that has none of its own; -e makes the other
 * kernels mere declarations.  What comes after sees PTX alone.
 */
#include "ptxas.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_REGS = 24, MAX_REGS = 255 }; /* of a thread, as ptxas has them */

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
set_kernels(struct ptx *x, const struct options *o, const struct attr *a)
{
	struct func *f;

	for (f = x->func; f; f = f->next)
		if (f->entry && f->has_body)
			set_attr(x, f, opt(o, OPT_OVERRIDE)->given, a);
}

/* the number that -maxrregcount gives; 0: none */
static long
register_limit(const struct options *o)
{
	const char *s = opt(o, OPT_MAXRREGCOUNT)->text;
	char *end;
	long n;

	if (!s || !strcmp(s, "archmax"))
		return 0;
	if (!strcmp(s, "archmin"))
		return MIN_REGS;
	n = strtol(s, &end, 10);
	if (end == s || *end) {
		report_fatal(o->report, "Invalid value '%s' for option "
			"'maxrregcount'", s);
		return 0;
	}
	if (n < 0 || n > MAX_REGS) {
		report_warning(o->report, "Too big maxrregcount value "
			"specified %ld, will be ignored", n);
		return 0;
	}
	if (n && n < MIN_REGS) {
		report_warning(o->report, "For profile %s adjusting per thread "
			"register count of %ld to lower bound of %d", o->arch,
			n, MIN_REGS);
		return MIN_REGS;
	}
	return n;
}

static void
limit_block(struct ptx *x, const struct options *o)
{
	const struct option_value *v = opt(o, OPT_MAXNTID);
	struct attr a = { .name = "maxntid", .n = 3, .v = { 1, 1, 1 } };
	size_t i;

	if (v->n > 3) {
		report_warning(o->report, "Too many values specified for "
			"option '-maxntid', option will be ignored");
		return;
	}
	for (i = 0; i < v->n; i++)
		a.v[i] = atol(v->list[i]);
	if (v->n && a.v[0] > 0 && a.v[1] > 0 && a.v[2] > 0)
		set_kernels(x, o, &a);
}

static void
limit_blocks(struct ptx *x, const struct options *o)
{
	struct attr a = { .name = "minnctapersm", .n = 1 };

	a.v[0] = opt(o, OPT_MINNCTAPERSM)->num;
	if (a.v[0] > 0)
		set_kernels(x, o, &a);
}

static void
limit_kernels(struct ptx *x, const struct options *o)
{
	struct attr a = { .name = "maxnreg", .n = 1 };

	a.v[0] = register_limit(o);
	if (a.v[0]) {
		set_kernels(x, o, &a);
		return;
	}
	limit_block(x, o);
	limit_blocks(x, o);
}

static bool
is_chosen(const struct option_value *chosen, const char *name)
{
	size_t i;

	for (i = 0; i < chosen->n; i++)
		if (!strcmp(chosen->list[i], name))
			return true;
	return false;
}

/* is there a kernel of each name? */
static void
check_entries(struct ptx *x, const struct options *o)
{
	const struct option_value *v = opt(o, OPT_ENTRY);
	const struct func *f;
	size_t i;

	for (i = 0; i < v->n; i++) {
		f = ptx_func(x, v->list[i]);
		if (!f)
			report_fatal(o->report, "Unknown function %s",
				v->list[i]);
		else if (!f->entry)
			report_error(o->report, "Entry function '%s' not found",
				v->list[i]);
	}
}

static void
choose_entries(struct ptx *x, const struct options *o)
{
	const struct option_value *v = opt(o, OPT_ENTRY);
	struct func *f;

	check_entries(x, o);
	for (f = x->func; f && v->n; f = f->next)
		if (f->entry && !is_chosen(v, f->sym->name->text)) {
			f->has_body = false;
			f->first = 0;
			f->last = &f->first;
		}
}

static bool
any_given(const struct options *o)
{
	return opt(o, OPT_MAXNTID)->given || opt(o, OPT_ENTRY)->given ||
		opt(o, OPT_MINNCTAPERSM)->given ||
		opt(o, OPT_MAXRREGCOUNT)->given;
}

/* the linker and the runtime see PTX alone, too */
static void
spell_out(struct ptx *x, struct options *o)
{
	char *text = 0;
	size_t size;
	FILE *f;

	f = open_memstream(&text, &size);
	if (!f)
		abort();
	ptx_print(x, f);
	if (fclose(f))
		abort();
	o->input.text = arena_printf(&x->arena, "%s", text);
	o->input.size = size;
	free(text);
}

void
directives_apply(struct ptx *x, struct options *o)
{
	if (o->report->failed)
		return;
	limit_kernels(x, o);
	choose_entries(x, o);
	if ((o->compile_only || o->mode == MODE_PORTABLE) && any_given(o))
		spell_out(x, o);
}
