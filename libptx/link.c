/* link.c - who defines what, when modules are made one.
 *
 * A name without linkage belongs to its module and is renamed where another
 * module uses it too.  Of the others there is one definition: a strong one
 * beats a weak or common one, else the first counts; among common ones the
 * largest.  The texts are nvlink's, since build systems look for them.
 */
#include "link.h"
#include <string.h>

/* does the item define what it names? */
static bool
defines(const struct item *i, const struct sym *s)
{
	switch (i->kind) {
	case ITEM_VAR:
		return !(s->linkage & LINK_EXTERN);
	case ITEM_FUNC:
		return i->func->has_body;
	default:
		return i->kind == ITEM_ALIAS;
	}
}

static struct sym *
item_sym(const struct item *i)
{
	if (i->kind == ITEM_FUNC)
		return i->func->sym;
	return i->kind == ITEM_VAR || i->kind == ITEM_ALIAS ? i->sym : 0;
}

struct sym *
link_walk(struct link_walk *w)
{
	struct sym *s;

	while (!w->more && w->item) {
		w->at = w->item;
		w->more = item_sym(w->at);
		w->item = w->at->next;
	}
	s = w->more;
	if (!s)
		return 0;
	w->more = w->at->kind == ITEM_VAR ? s->next : 0;
	w->defined = defines(w->at, s);
	return s;
}

bool
link_is_local(const struct sym *s)
{
	return !s->linkage && (s->kind != SYM_FUNC || s->u.func->has_body);
}

static bool
is_strong(const struct sym *s)
{
	return !(s->linkage & (LINK_WEAK | LINK_COMMON));
}

/* do two declarations agree? */

static bool
is_extern_shared(const struct sym *s)
{
	return s->space == SHARED && s->linkage & LINK_EXTERN;
}

static bool
same_param(const struct sym *a, const struct sym *b)
{
	const struct var *v = a->u.var, *w = b->u.var;

	if (a->kind == SYM_REG || b->kind == SYM_REG)
		return type_info[a->type].bits == type_info[b->type].bits;
	return v->size == w->size && v->align == w->align &&
		!v->ndim == !w->ndim &&
		(type_info[a->type].kind == 'f') ==
		(type_info[b->type].kind == 'f');
}

static bool
same_params(const struct sym *a, const struct sym *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!same_param(a, b))
			return false;
	return !a && !b;
}

static bool
same_prototype(const struct sym *a, const struct sym *b)
{
	const struct func *f = a->u.func, *g = b->u.func;

	return same_params(f->param, g->param) && same_params(f->ret, g->ret);
}

static bool
same_size(const struct sym *a, const struct sym *b)
{
	uint64_t n = a->u.var->size, m = b->u.var->size;

	return n == m || !n || !m || is_extern_shared(a) ||
		((a->linkage | b->linkage) & LINK_COMMON &&
		!((a->linkage | b->linkage) & LINK_EXTERN));
}

static const struct loc nowhere;

static void
complain(struct link *l, const char *fmt, const struct sym *s,
	const char *here, const char *first)
{
	/* each text names fewer or all of the three, in this order */
	diag(l->x, ERROR, nowhere, fmt, s->name->text, here, first);
}

/* s and old have a name in common: are they of one kind? */
static void
check_kind(struct link *l, const struct sym *s, const char *file,
	const struct sym *old, const char *old_in)
{
	if (s->kind != old->kind || s->space != old->space)
		complain(l, "Memory space doesn't match for '%s' in '%s', "
			"first specified in '%s'", s, file, old_in);
	else if (s->kind == SYM_FUNC && s->u.func->entry != old->u.func->entry)
		complain(l, "Function '%s' not declared __global__ in all "
			"source files", s, file, old_in);
	if (s->kind != SYM_VAR || old->kind != SYM_VAR)
		return;
	if (s->u.var->managed != old->u.var->managed)
		complain(l, "Managed attribute doesn't match for '%s' in "
			"'%s', first specified in '%s'", s, file, old_in);
	if (!same_size(s, old))
		complain(l, "Size doesn't match for '%s' in '%s', first "
			"specified in '%s'", s, file, old_in);
}

static void
check_prototype(struct link *l, const struct sym *s, const char *file,
	const struct sym *old, const char *def_in)
{
	if (s->kind != SYM_FUNC || old->kind != SYM_FUNC ||
	    s->u.func->entry != old->u.func->entry || same_prototype(s, old))
		return;
	if (!s->u.func->entry)
		complain(l, "Prototype doesn't match for '%s' in '%s', first "
			"defined in '%s'", s, file, def_in);
	else if (s->linkage & old->linkage & LINK_WEAK)
		complain(l, "Duplicate weak parameter bank for '%s' is not "
			"the same size", s, file, "");
}

/* a common block and an initialised variable share a name */
static bool
is_larger(const struct sym *common, const struct sym *def)
{
	return common->linkage & LINK_COMMON && !(def->linkage & LINK_COMMON)
		&& common->space == def->space
		&& common->u.var->size > def->u.var->size;
}

static void
check_common(struct link *l, const struct global *g, const struct sym *s,
	const char *file)
{
	const char *const text =
		"Common symbol '%s' in file '%s' has larger size than "
		"initialization";

	if (s->kind != SYM_VAR || g->def->kind != SYM_VAR)
		return;
	if (is_larger(s, g->def))
		complain(l, text, s, file, "");
	else if (is_larger(g->def, s))
		complain(l, text, s, g->def_in->x.file, "");
}

/* one block for all that are .common: aligned as any of them asks */
static void
align_common(struct sym *a, struct sym *b)
{
	if (!(a->linkage & b->linkage & LINK_COMMON))
		return;
	if (a->u.var->align < b->u.var->align)
		a->u.var->align = b->u.var->align;
	b->u.var->align = a->u.var->align;
}

/* s takes the place of the definition that g has */
static bool
beats(const struct sym *s, const struct sym *old)
{
	if (s->linkage & LINK_COMMON)
		return old->linkage & LINK_COMMON &&
			s->u.var->size > old->u.var->size;
	return !is_strong(old) &&
		(is_strong(s) || old->linkage & LINK_COMMON);
}

static void
define(struct link *l, struct global *g, struct sym *s,
	const struct module *m, const struct item *at)
{
	if (g->def) {
		if (is_strong(s) && is_strong(g->def)) {
			complain(l, "Multiple definition of '%s' in '%s', "
				"first defined in '%s'", s, m->x.file,
				g->def_in->x.file);
			return;
		}
		check_common(l, g, s, m->x.file);
		if (s->kind == SYM_VAR && g->def->kind == SYM_VAR)
			align_common(s, g->def);
		if (!beats(s, g->def))
			return;
	}
	g->def = s;
	g->def_in = m;
	g->alias = at->kind == ITEM_ALIAS ? at->target : 0;
}

static void
declare(struct global *g, struct sym *s, const struct module *m)
{
	if (!g->decl) {
		g->decl = s;
		g->decl_in = m;
	} else if (is_extern_shared(s) &&
	    s->u.var->align > g->decl->u.var->align) {
		g->decl->u.var->align = s->u.var->align;
	}
}

/* names that all modules see */
static void
enter(struct link *l, const struct module *m, struct sym *s,
	const struct link_walk *w)
{
	struct global *g = globals_at(&l->globals, s->name);
	const struct module *old_in = g->def ? g->def_in : g->decl_in;
	struct sym *old = g->def ? g->def : g->decl;
	bool was_defined = g->def;

	/* the declaration of an alias has been compared */
	if (old_in == m || w->at->kind == ITEM_ALIAS)
		old = 0;
	if (old)
		check_kind(l, s, m->x.file, old, old_in->x.file);
	if (w->defined)
		define(l, g, s, m, w->at);
	else
		declare(g, s, m);
	if (old)
		check_prototype(l, s, m->x.file, old, was_defined || !g->def ?
			old_in->x.file : g->def_in->x.file);
}

/* a spelling that no module uses: stem$N */
static struct name *
fresh(struct link *l, struct ptx *x, const struct name *stem)
{
	struct name *n;
	char *text;
	size_t len;

	do {
		text = arena_printf(&x->arena, "%s$%u", stem->text,
			++l->nrenamed);
		len = x->names.len;
		n = name_intern(&x->names, &x->arena, text, strlen(text));
	} while (x->names.len == len || globals_find(&l->globals, n));
	return n;
}

/* names that one module sees: claim them, or choose others */
static void
settle(struct link *l, struct ptx *x)
{
	struct link_walk w = { .item = x->item };
	struct sym *s;

	while ((s = link_walk(&w))) {
		if (!w.defined || !link_is_local(s))
			continue;
		if (globals_find(&l->globals, s->name))
			s->name = fresh(l, x, s->name);
		globals_at(&l->globals, s->name);
	}
}

void
link_resolve(struct link *l)
{
	struct module *m;
	struct sym *s;

	for (m = l->module; m && !l->x->nerror; m = m->next) {
		struct link_walk w = { .item = m->x.item };

		while ((s = link_walk(&w)))
			if (!link_is_local(s))
				enter(l, m, s, &w);
	}
	for (m = l->module; m && !l->x->nerror; m = m->next)
		settle(l, &m->x);
}

struct sym *
link_meaning(const struct link *l, struct sym *s)
{
	struct global *g;

	if (link_is_local(s))
		return s;
	g = globals_find(&l->globals, s->name);
	return !g ? 0 : g->def ? g->def : g->decl;
}
