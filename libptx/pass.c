/* pass.c - run passes by name.
 *
 * Without dumps, all passes up to the next one that takes the whole module
 * run over one function before the next is touched, and share what analyses
 * they keep.  With dumps or checks, each pass runs over all functions first
 * and starts from nothing.  The result is the same, since a pass over a
 * function sees no other one.
 */
#include "pass/pass.h"
#include <stdlib.h>
#include <string.h>

const struct pass passes[] = {
#define PASS(name, needs, keeps, help) \
	{ #name, help, needs, keeps, false, pass_##name },
#define MODULE_PASS(name, help) { #name, help, 0, 0, true, pass_##name },
#include "pass/pass.def"
#undef PASS
#undef MODULE_PASS
	{0}
};

static void
forget(struct work *w, unsigned keeps)
{
	if (!(keeps & CFG))
		w->cfg = 0;
	if (!(keeps & DOM))
		w->dom = 0;
	if (!(keeps & USES))
		w->uses = 0;
	if (!(keeps & UNIFORM))
		w->uniform = 0;
}

static bool
is_flat(const struct func *f)
{
	const struct insn *i;

	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_OPEN)
			return false;
	return true;
}

/* true: the function had inner scopes */
static bool
make_flat(struct work *w)
{
	if (is_flat(w->f))
		return false;
	pass_flatten(w);
	forget(w, 0);
	return true;
}

static void
provide(struct work *w, unsigned needs)
{
	if (needs & UNIFORM)
		needs |= USES;
	if (needs & USES)
		needs |= DOM;
	if (needs & DOM)
		needs |= CFG;
	if (needs & CFG && !w->cfg)
		w->cfg = cfg_build(w->a, w->f);
	if (needs & DOM && !w->dom)
		w->dom = dom_build(w->a, w->cfg);
	if (needs & USES && !w->uses)
		w->uses = uses_build(w->a, w->f, w->cfg, w->dom);
	if (needs & UNIFORM && !w->uniform)
		w->uniform = uniform_build(w->a, w->f, w->cfg, w->dom,
			w->uses);
}

/* is what pass p says it keeps still so? */
static void
check_kept(const struct pass *p, const struct work *w)
{
	struct work now = { .x = w->x, .f = w->f, .a = w->a };
	const char *lost;

	provide(&now, p->keeps);
	lost = 0;
	if (w->cfg && !cfg_same(w->cfg, now.cfg))
		lost = "CFG";
	else if (w->dom && !dom_same(w->dom, now.dom, now.cfg->n))
		lost = "DOM";
	else if (w->uses && !uses_same(w->uses, now.uses, w->f->nreg))
		lost = "USES";
	else if (w->uniform && !uniform_same(w->uniform, now.uniform,
	    w->f->nreg))
		lost = "UNIFORM";
	if (lost)
		diag(w->x, ERROR, w->f->loc, "pass '%s' does not keep %s of "
			"'%s'", p->name, lost, w->f->sym->name->text);
}

static bool
run_func(struct work *w, const struct pass *p)
{
	bool flattened;

	if (w->x->nerror)
		return false;
	flattened = p->needs & FLAT && make_flat(w);
	provide(w, p->needs);
	if (!p->run(w))
		return flattened;
	if (!(p->keeps & CFG))
		func_sweep(w->f);
	forget(w, p->keeps);
	if (w->x->check_passes)
		check_kept(p, w);
	return true;
}

static bool
has_sections(const struct ptx *x)
{
	const struct item *t;

	for (t = x->item; t; t = t->next)
		if (t->kind == ITEM_SECTION)
			return true;
	return false;
}

static bool
run_funcs(struct ptx *x, const struct pass *const *p, size_t n)
{
	struct func *f;
	bool changed, any, debug;
	size_t k;

	any = false;
	debug = has_sections(x);
	for (f = x->func; f; f = f->next) {
		struct arena a = {0};
		struct work w = { .x = x, .f = f, .a = &a, .debug = debug };

		changed = false;
		for (k = 0; k < n && f->has_body; k++)
			changed |= run_func(&w, p[k]);
		if (changed)
			func_number(&a, f);
		arena_free(&a);
		any |= changed;
	}
	return any;
}

static bool
run_module(struct ptx *x, const struct pass *p)
{
	struct arena a = {0};
	struct work w = { .x = x, .a = &a };
	bool changed;

	changed = p->run(&w);
	arena_free(&a);
	return changed;
}

static char *
print(const struct ptx *x, size_t *size)
{
	FILE *f;
	char *text;

	text = 0;
	f = open_memstream(&text, size);
	if (!f)
		abort();
	ptx_print(x, f);
	if (fclose(f))
		abort();
	return text;
}

/* does the text of the module parse back to itself? */
static void
check_text(struct ptx *x, const struct pass *p)
{
	struct ptx again = { .diag = x->diag, .diag_arg = x->diag_arg };
	char *text, *second;
	size_t size, size2;

	text = print(x, &size);
	ptx_parse(&again, p->name, text, size);
	ptx_verify(&again);
	second = print(&again, &size2);
	if (again.nerror || size != size2 || memcmp(text, second, size))
		diag(x, ERROR, (struct loc){0}, "what pass '%s' leaves does "
			"not parse back to itself", p->name);
	free(second);
	ptx_free(&again);
	free(text);
}

/* one pass, with all that is asked for around it */
static void
run_alone(struct ptx *x, const struct pass *p, FILE *dump)
{
	bool changed;

	changed = p->whole ? run_module(x, p) : run_funcs(x, &p, 1);
	if (!changed || x->nerror)
		return;
	ptx_verify(x);
	if (x->check_passes)
		check_text(x, p);
	if (dump) {
		fprintf(dump, "// after %s\n", p->name);
		ptx_print(x, dump);
	}
}

static void
run_together(struct ptx *x, const struct pass *const *p, size_t n)
{
	size_t k;

	while (n && !x->nerror) {
		for (k = 0; k < n && !p[k]->whole; k++)
			;
		if (k)
			run_funcs(x, p, k);
		if (k < n && !x->nerror)
			run_module(x, p[k++]);
		p += k;
		n -= k;
	}
}

static const struct pass *
find(struct ptx *x, const char *name, size_t n)
{
	const struct pass *p;

	for (p = passes; p->name; p++)
		if (!strncmp(p->name, name, n) && !p->name[n])
			return p;
	diag(x, ERROR, (struct loc){0}, "no pass named '%.*s'", (int)n, name);
	return 0;
}

/* appends what the pipeline names to list; without list, counts it */
static size_t
expand(struct ptx *x, const char *pipeline, const struct pass **list)
{
	const struct pass *p;
	size_t n, len;

	n = 0;
	for (; *pipeline; pipeline += len + (pipeline[len] == ',')) {
		len = strcspn(pipeline, ",");
		if (len == strlen("default") &&
		    !strncmp(pipeline, "default", len)) {
			for (p = passes; p->name; p++, n++)
				if (list)
					list[n] = p;
		} else {
			if (list)
				list[n] = find(x, pipeline, len);
			n++;
		}
	}
	return n;
}

void
pass_run(struct ptx *x, const char *pipeline, FILE *dump)
{
	struct arena a = {0};
	const struct pass **list;
	size_t n, k;

	if (!pipeline)
		pipeline = "default";
	n = expand(x, pipeline, 0);
	list = NEWN(&a, n + 1, const struct pass *);
	expand(x, pipeline, list);
	if (!dump && !x->check_passes)
		run_together(x, list, x->nerror ? 0 : n);
	else
		for (k = 0; k < n && !x->nerror; k++)
			run_alone(x, list[k], dump);
	arena_free(&a);
}
