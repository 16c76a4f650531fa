/* link_live.c - what kernels and variables need; the rest is dropped.
 *
 * A name that only dead code refers to need not be defined: nvlink says
 * so too, and archives rely on it.  Kernels are what the host launches and
 * variables what it reads and writes, so both are kept.
 */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static bool
is_shared_name(const struct sym *s)
{
	return s && !s->depth && (s->kind == SYM_FUNC || s->kind == SYM_VAR);
}

static void
operand_refs(const struct opnd *o, size_t n, link_ref_fn *fn, void *arg)
{
	for (; n--; o++)
		if (o->kind == OP_SYM && is_shared_name(o->u.sym))
			fn(arg, o->u.sym);
		else if (o->kind >= OP_ADDR)
			operand_refs(o->u.list, o->n, fn, arg);
}

void
link_var_refs(const struct var *v, link_ref_fn *fn, void *arg)
{
	size_t k;

	for (k = 0; k < v->nreloc; k++)
		if (is_shared_name(v->reloc[k].sym))
			fn(arg, v->reloc[k].sym);
}

void
link_func_refs(const struct func *f, link_ref_fn *fn, void *arg)
{
	const struct insn *i;
	const struct sym *s;

	for (i = f->first; i; i = i->next) {
		if (i->kind == STMT_INSN)
			operand_refs(i->u.opnd, i->nopnd, fn, arg);
		else if (i->kind == STMT_TARGETS && i->u.targets->call)
			operand_refs(&i->u.targets->list, 1, fn, arg);
		else if (i->kind == STMT_DECL)
			for (s = i->u.sym; s; s = s->next)
				if (s->kind == SYM_VAR)
					link_var_refs(s->u.var, fn, arg);
	}
}

/* functions that are live and have not been looked into */
struct todo {
	struct link *l;
	struct sym **sym;
	size_t n, cap;
};

static void
push(struct todo *t, struct sym *s)
{
	if (s->mark & MARK_LIVE)
		return;
	s->mark |= MARK_LIVE;
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 64;
		t->sym = realloc(t->sym, t->cap * sizeof *t->sym);
		if (!t->sym)
			abort();
	}
	t->sym[t->n++] = s;
}

static void
reach(void *arg, struct sym *s)
{
	struct todo *t = arg;
	struct sym *def = link_meaning(t->l, s);
	struct global *g;

	if (!link_is_local(s) && (g = globals_find(&t->l->globals, s->name)))
		g->wanted = true;
	if (def && def->kind == SYM_FUNC)
		push(t, def);
}

static void
follow(struct todo *t)
{
	const struct global *g;
	struct sym *s;

	while (t->n) {
		s = t->sym[--t->n];
		link_func_refs(s->u.func, reach, t);
		g = globals_find(&t->l->globals, s->name);
		if (g && g->def == s && g->alias)
			reach(t, g->alias);
	}
}

static bool
is_named(const struct sym *s, const char *const *part, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (strstr(s->name->text, part[k]))
			return true;
	return !n;
}

static void
root(struct todo *t, const struct link_walk *w, struct sym *s,
	const char *const *kernel, size_t n)
{
	if (!w->defined || link_meaning(t->l, s) != s)
		return;
	if (s->kind == SYM_VAR)
		link_var_refs(s->u.var, reach, t);
	else if (t->l->partial || (s->u.func->entry && is_named(s, kernel, n)))
		push(t, s);
}

bool
link_is_built_in(const char *name)
{
	static const char *const known[] = {
		"vprintf", "malloc", "free", "__assertfail",
		"cudaGraphSetConditional",
	};
	size_t k;

	for (k = 0; k < sizeof known / sizeof *known; k++)
		if (!strcmp(name, known[k]))
			return true;
	return false;
}

/* what NVIDIA's libcudadevrt.a defines, by the beginnings of the names */
static bool
is_device_runtime(const char *name)
{
	return !strncmp(name, "__cudaCDP", 9) ||
		!strncmp(name, "cudaCG", 6) || !strncmp(name, "cudaCDP", 7) ||
		!strncmp(name, "cudaGetParameterBuffer", 22) ||
		!strncmp(name, "cudaLaunchDevice", 16);
}

/* … which may be open: what needs it is refused when it is compiled */
static bool
stays_open(const struct link *l, const char *name)
{
	return l->no_device_runtime && (is_device_runtime(name) ||
		!strncmp(name, "cuda", 4));
}

/* the device runtime calls NVIDIA's driver, so that nothing of it can run */
void
link_drop_device_runtime(struct link *l)
{
	struct link_walk w;
	struct module **at, *m;
	struct sym *s;

	l->no_device_runtime = true;
	for (at = &l->module; (m = *at); ) {
		for (w = (struct link_walk){ .item = m->x.item };
		    (s = link_walk(&w)); )
			if (w.defined && !strcmp(s->name->text,
			    "__cudaCDP2LaunchDeviceV2"))
				break;
		if (!s) {
			at = &m->next;
			continue;
		}
		*at = m->next;
		l->nmodule--;
		ptx_free(&m->x);
	}
	l->last = at;
}

static bool
is_missing(const struct link *l, const struct sym *s, const struct module *m)
{
	const struct global *g = globals_find(&l->globals, s->name);

	return g && g->wanted && !g->def && g->decl == s && g->decl_in == m
		&& !(s->space == SHARED && !s->u.var->size)
		&& !link_is_built_in(s->name->text)
		&& !stays_open(l, s->name->text);
}

static void
report(struct link *l, const struct sym *s, const char *file)
{
	static const struct loc nowhere;

	l->nundefined++;
	diag(l->x, ERROR, nowhere, "Undefined reference to '%s' in '%s'%s%s%s",
		s->name->text, file, l->target ? " (target: " : "",
		l->target ? l->target : "", l->target ? ")" : "");
	if (is_device_runtime(s->name->text))
		diag(l->x, NOTE, nowhere, "'%s' belongs to cudadevrt: launches "
			"from device code are not supported", s->name->text);
}

void
link_live(struct link *l, const char *const *kernel, size_t n)
{
	struct todo t = { .l = l };
	struct link_walk w;
	struct module *m;
	struct sym *s;

	for (m = l->module; m && !l->x->nerror; m = m->next)
		for (w = (struct link_walk){ .item = m->x.item };
		    (s = link_walk(&w)); )
			root(&t, &w, s, kernel, n);
	follow(&t);
	free(t.sym);
	for (m = l->module; m && !l->partial; m = m->next)
		for (w = (struct link_walk){ .item = m->x.item };
		    (s = link_walk(&w)); )
			if (is_missing(l, s, m)) {
				report(l, s, m->x.file);
				globals_at(&l->globals, s->name)->wanted =
					false;
			}
}
