/* flatten.c - one scope for each function, its declarations on top.
 *
 * Later passes may then move any instruction anywhere.  A symbol of an inner
 * scope keeps its name unless the function or the module has another one of
 * that name; then it gets a suffix $1, $2, …  Of an inner family %r<8>, the
 * registers in use are declared one by one.  Needs and keeps nothing.
 */
#include "pass.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { BODY = 1 }; /* depth of what a function's outer scope declares */

struct bound {
	struct bound *next;
	struct name *name;
	struct sym *was;
};

struct flatten {
	struct ptx *x;
	struct arena *a;
	struct bound *bound; /* names that mean something of this function */
	struct insn *decl, **decl_last; /* statements, sorted into two lists */
	struct insn *code, **code_last;
	unsigned suffix;
	bool changed;
};

static void
bind(struct flatten *l, struct sym *s)
{
	struct bound *b;

	if (s->name->sym == s)
		return;
	b = NEW(l->a, struct bound);
	*b = (struct bound){ l->bound, s->name, s->name->sym };
	l->bound = b;
	s->name->sym = s;
}

static void
unbind(struct flatten *l)
{
	for (; l->bound; l->bound = l->bound->next)
		l->bound->name->sym = l->bound->was;
}

/* would a declaration of n clash with another, or with a family's member? */
static bool
is_taken(struct flatten *l, const struct name *n)
{
	const struct name *family;
	const char *digits;
	size_t len;

	if (n->sym)
		return true;
	for (len = n->len; len && isdigit((unsigned char)n->text[len - 1]);)
		len--;
	digits = n->text + len;
	if (!len || !*digits || (*digits == '0' && digits[1]))
		return false;
	family = name_intern(&l->x->names, &l->x->arena, n->text, len);
	return family->sym && family->sym->kind == SYM_FAMILY &&
		strtoul(digits, 0, 10) < family->sym->u.count;
}

/* makes s a symbol of the outer scope; suffixes are counted up through the
 * function, so that a name used in a thousand scopes costs no more */
static void
settle(struct flatten *l, struct sym *s)
{
	struct name *n;
	const char *text;

	for (n = s->name; is_taken(l, n);) {
		text = arena_printf(l->a, "%s$%u", s->name->text, ++l->suffix);
		n = name_intern(&l->x->names, &l->x->arena, text, strlen(text));
	}
	s->name = n;
	s->depth = BODY;
	bind(l, s);
	l->changed = true;
}

static void
append(struct insn ***last, struct insn *i)
{
	i->next = 0;
	**last = i;
	*last = &i->next;
}

static void
settle_member(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct flatten *l = arg;
	struct insn *decl;

	(void)o;
	(void)access;
	if (s->kind != SYM_REG || s->depth <= BODY)
		return;
	settle(l, s);
	decl = NEW(&l->x->arena, struct insn);
	decl->kind = STMT_DECL;
	decl->loc = s->loc;
	decl->u.sym = s;
	s->next = 0;
	append(&l->decl_last, decl);
}

/* families go, since their members are declared where they are met */
static void
settle_list(struct flatten *l, struct sym **at)
{
	while (*at)
		if ((*at)->depth <= BODY) {
			at = &(*at)->next;
		} else if ((*at)->kind == SYM_FAMILY) {
			*at = (*at)->next;
		} else {
			settle(l, *at);
			at = &(*at)->next;
		}
}

static void
settle_label(struct flatten *l, struct sym *s)
{
	if (s->depth > BODY)
		settle(l, s);
}

static void
bind_outer(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	(void)o;
	(void)access;
	if (s->kind == SYM_REG && s->depth == BODY)
		bind(arg, s);
}

/* what the outer scope declares, before any inner symbol is looked at */
static void
bind_function(struct flatten *l, const struct func *f)
{
	struct sym *s;
	struct insn *i;

	for (s = f->ret; s; s = s->next)
		bind(l, s);
	for (s = f->param; s; s = s->next)
		bind(l, s);
	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_INSN) {
			insn_regs(i, bind_outer, l);
		} else if (i->kind == STMT_DECL) {
			for (s = i->u.sym; s; s = s->next)
				if (s->depth == BODY)
					bind(l, s);
		} else if (i->kind == STMT_LABEL || i->kind == STMT_PROTO) {
			if (i->u.sym->depth == BODY)
				bind(l, i->u.sym);
		} else if (i->kind == STMT_TARGETS) {
			if (i->u.targets->sym->depth == BODY)
				bind(l, i->u.targets->sym);
		}
}

static void
sort_decl(struct flatten *l, struct insn *i)
{
	settle_list(l, &i->u.sym);
	if (!i->u.sym)
		return;
	append(&l->decl_last, i);
	if (l->code)
		l->changed = true;
}

static void
sort_code(struct flatten *l, struct insn *i)
{
	if (i->kind == STMT_LABEL || i->kind == STMT_PROTO)
		settle_label(l, i->u.sym);
	else if (i->kind == STMT_TARGETS)
		settle_label(l, i->u.targets->sym);
	else if (i->kind == STMT_INSN)
		insn_regs(i, settle_member, l);
	append(&l->code_last, i);
}

bool
pass_flatten(struct work *w)
{
	struct flatten l = { .x = w->x, .a = w->a };
	struct insn *i, *next;

	bind_function(&l, w->f);
	l.decl_last = &l.decl;
	l.code_last = &l.code;
	for (i = w->f->first; i; i = next) {
		next = i->next;
		if (i->kind == STMT_OPEN || i->kind == STMT_CLOSE)
			l.changed = true;
		else if (i->kind == STMT_DECL)
			sort_decl(&l, i);
		else
			sort_code(&l, i);
	}
	*l.decl_last = l.code;
	w->f->first = l.decl ? l.decl : l.code;
	w->f->last = l.code ? l.code_last : l.decl_last;
	unbind(&l);
	return l.changed;
}
