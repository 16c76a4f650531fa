/* link_write.c - the merged module as text that parses.
 *
 * Variables come first, then functions, then what debuggers read, each in
 * the order of the command line.  PTX wants a name declared before it is
 * used: a function that is mentioned before its turn gets a forward
 * declaration, a variable that an initialiser mentions too early an extern
 * one.  Where modules meet, .file numbers are shifted and DWARF sections
 * dropped: their labels clash, and line tables are made from .loc alone.
 */
#include "link.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	struct link *l;
	struct ptx out;     /* only its header and items are used */
	struct module *m;   /* being written */
};

static struct item *
append(struct writer *w, enum item_kind kind)
{
	struct item *i;

	i = NEW(&w->l->x->arena, struct item);
	i->kind = kind;
	*w->out.item_last = i;
	w->out.item_last = &i->next;
	return i;
}

static void
put_var(struct writer *w, const struct sym *s, unsigned linkage)
{
	struct sym *copy;
	struct var *v;

	copy = NEW(&w->l->x->arena, struct sym);
	*copy = *s;
	copy->next = 0;
	copy->linkage = linkage;
	append(w, ITEM_VAR)->sym = copy;
	if (!(linkage & LINK_EXTERN))
		return;
	v = NEW(&w->l->x->arena, struct var);
	*v = *s->u.var;
	v->has_init = false;
	copy->u.var = v;
}

/* f as spelled once for all modules; its body only if it is to stand here */
static void
put_func(struct writer *w, const struct sym *s, bool body)
{
	struct func *f;

	f = NEW(&w->l->x->arena, struct func);
	*f = *s->u.func;
	f->linkage = f->has_body ? s->linkage & ~LINK_EXTERN : s->linkage;
	f->has_body = body;
	append(w, ITEM_FUNC)->func = f;
}

/* something to be written mentions s */
static void
need(void *arg, struct sym *s)
{
	struct writer *w = arg;

	s = link_meaning(w->l, s);
	if (!s || s->mark & (MARK_DECLARED | MARK_WRITTEN))
		return;
	s->mark |= MARK_DECLARED;
	if (s->kind == SYM_VAR)
		put_var(w, s, LINK_EXTERN);
	else
		put_func(w, s, false);
}

/* is it the one that stays, of all symbols of that name? */
static bool
stays(const struct writer *w, struct sym *s)
{
	return link_meaning(w->l, s) == s && !(s->mark & MARK_WRITTEN);
}

static void
write_var(struct writer *w, struct sym *s, bool defined)
{
	if (!stays(w, s))
		return;
	if (!defined) {
		if (!(s->mark & MARK_DECLARED))
			put_var(w, s, s->linkage);
	} else {
		link_var_refs(s->u.var, need, w);
		put_var(w, s, s->linkage & ~LINK_EXTERN);
	}
	s->mark |= MARK_WRITTEN;
}

static void
write_func(struct writer *w, struct sym *s)
{
	if (!(s->mark & MARK_LIVE) || !stays(w, s))
		return;
	link_func_refs(s->u.func, need, w);
	put_func(w, s, true);
	s->mark |= MARK_WRITTEN;
}

static void
write_alias(struct writer *w, const struct item *from)
{
	struct item *i;

	if (!(from->sym->mark & MARK_LIVE) || !stays(w, from->sym))
		return;
	need(w, from->sym);
	need(w, from->target);
	i = append(w, ITEM_ALIAS);
	i->sym = from->sym;
	i->target = from->target;
	from->sym->mark |= MARK_WRITTEN;
}

/* .file and .loc */

/* "…N…" with base added to the first number */
static const char *
shift(struct arena *a, const char *s, size_t len, uint32_t base)
{
	size_t head = 0;
	char *end;
	unsigned long n;

	while (head < len && !isdigit((unsigned char)s[head]))
		head++;
	n = strtoul(s + head, &end, 10);
	return arena_printf(a, "%.*s%lu%.*s", (int)head, s, n + base,
		(int)(s + len - end), end);
}

static void
shift_locs(struct writer *w, struct func *f)
{
	struct insn *i;

	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_LOC)
			i->u.text = shift(&w->l->x->arena, i->u.text,
				strcspn(i->u.text, ","), w->m->file_base);
}

/* each module's .file numbers begin where those of the one before end */
static void
number_files(struct link *l)
{
	const struct item *i;
	struct module *m;
	uint32_t base = 0, top = 0, n;

	for (m = l->module; m; m = m->next) {
		m->file_base = base;
		for (i = m->x.item; i; i = i->next) {
			if (i->kind != ITEM_FILE)
				continue;
			n = strtoul(i->text + strcspn(i->text, "0123456789"),
				0, 10);
			if (base + n > top)
				top = base + n;
		}
		base = top;
	}
}

static void
write_text(struct writer *w, const struct item *from)
{
	append(w, from->kind)->text = from->text;
}

/* files, and sections if no other module has any */
static void
write_debug(struct writer *w)
{
	bool alone = w->l->nmodule == 1;
	const struct item *i;

	for (i = w->m->x.item; i; i = i->next)
		if (i->kind == ITEM_FILE)
			append(w, ITEM_FILE)->text = shift(
				&w->l->x->arena, i->text, strlen(i->text),
				w->m->file_base);
		else if (alone && (i->kind == ITEM_SECTION ||
		    i->kind == ITEM_LOC))
			write_text(w, i);
}

/* the header */

static unsigned
sm_of(const char *target)
{
	return strtoul(target + strcspn(target, "0123456789"), 0, 10);
}

/* a newer target takes what an older one can */
static bool
is_newer(const char *a, const char *b)
{
	return !b || sm_of(a) > sm_of(b) ||
		(sm_of(a) == sm_of(b) && strcspn(a, ",") > strcspn(b, ","));
}

static bool
has_option(const char *target, const char *option)
{
	return strstr(target, option);
}

/* options that change what the whole module means must be the same */
static void
check_options(struct link *l, const struct ptx *a, const struct ptx *b)
{
	static const char *const option[] = {
		"texmode_independent", "map_f64_to_f32",
	};
	size_t k;

	for (k = 0; k < sizeof option / sizeof *option; k++)
		if (has_option(a->target, option[k]) !=
		    has_option(b->target, option[k]))
			diag(l->x, ERROR, (struct loc){0}, "Conflicting "
				".target option '%s' of '%s' and '%s'",
				option[k], a->file, b->file);
}

/* without "debug", which wants the sections that were dropped */
static const char *
without_debug(struct arena *a, const char *target)
{
	const char *at = strstr(target, "debug"), *tail;

	if (!at)
		return target;
	tail = at + strlen("debug");
	while (at > target && strchr(", \t", at[-1]))
		at--;
	return arena_printf(a, "%.*s%s", (int)(at - target), target, tail);
}

static void
header(struct writer *w)
{
	struct link *l = w->l;
	const struct module *m;
	const struct ptx *x;

	for (m = l->module; m; m = m->next) {
		x = &m->x;
		if (x->version > w->out.version)
			w->out.version = x->version;
		if (x->address_size)
			w->out.address_size = x->address_size;
		if (is_newer(x->target, w->out.target))
			w->out.target = x->target;
		check_options(l, &l->module->x, x);
	}
	if (!l->nmodule)
		w->out.version = 80;
	else if (l->nmodule > 1)
		w->out.target = without_debug(&l->x->arena, w->out.target);
}

/* the whole */

static void
write_data(struct writer *w)
{
	struct link_walk at = { .item = w->m->x.item };
	const struct item *i;
	struct sym *s;

	for (i = w->m->x.item; i; i = i->next)
		if (i->kind == ITEM_PRAGMA)
			write_text(w, i);
	while ((s = link_walk(&at)))
		if (s->kind == SYM_VAR)
			write_var(w, s, at.defined);
}

static void
write_code(struct writer *w)
{
	const struct item *i;

	for (i = w->m->x.item; i; i = i->next) {
		if (i->kind != ITEM_FUNC || !i->func->has_body)
			continue;
		if (w->l->nmodule > 1)
			shift_locs(w, i->func);
		write_func(w, i->func->sym);
	}
}

/* after all functions, since an alias is of something defined */
static void
write_aliases(struct writer *w)
{
	const struct item *i;

	for (i = w->m->x.item; i; i = i->next)
		if (i->kind == ITEM_ALIAS)
			write_alias(w, i);
}

static struct bytes
print(struct writer *w)
{
	struct bytes b = {0};
	char *text = 0;
	FILE *f;

	f = open_memstream(&text, &b.n);
	if (!f)
		abort();
	ptx_print(&w->out, f);
	if (fclose(f))
		abort();
	b.p = (unsigned char *)text;
	return b;
}

struct bytes
link_write(struct link *l)
{
	struct writer w = { .l = l };

	if (l->x->nerror)
		return (struct bytes){0};
	w.out.item_last = &w.out.item;
	header(&w);
	number_files(l);
	for (w.m = l->module; w.m; w.m = w.m->next)
		write_data(&w);
	for (w.m = l->module; w.m; w.m = w.m->next)
		write_code(&w);
	for (w.m = l->module; w.m; w.m = w.m->next)
		write_aliases(&w);
	for (w.m = l->module; w.m; w.m = w.m->next)
		write_debug(&w);
	return l->x->nerror ? (struct bytes){0} : print(&w);
}
