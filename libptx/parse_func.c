/* parse_func.c - function headers, their bodies' ends, call prototypes.
 *
 * A function's parameters and its body are one scope (PTX 5.4, 11.2).
 */
#include "parse.h"
#include <stdlib.h>

/* directives that may follow a header: name, fewest and most numbers */
static const struct launch_word {
	const char *word;
	int min, max;
} launch_word[] = {
	{ "maxntid", 1, 3 }, { "reqntid", 1, 3 }, { "minnctapersm", 1, 1 },
	{ "maxnctapersm", 1, 1 }, { "maxnreg", 1, 1 }, { "noreturn", 0, 0 },
	{ "explicitcluster", 0, 0 }, { "reqnctapercluster", 1, 3 },
	{ "maxclusterrank", 1, 1 }, { "blocksareclusters", 0, 0 },
	{ "abi_preserve", 1, 1 }, { "abi_preserve_control", 1, 1 },
	{ "unified", 0, 0 },
};

void
func_begin(struct parser *p, bool entry, struct loc loc)
{
	struct func *f;

	if (p->func)
		diag(p->x, ERROR, loc, "a function inside '%s'",
			p->func->sym ? p->func->sym->name->text : "?");
	while (p->depth)
		scope_close(p);
	f = NEW(&p->x->arena, struct func);
	f->loc = loc;
	f->entry = entry;
	f->last = &f->first;
	p->func = f;
	p->attr_last = &f->attr;
	p->decl = (struct decl){0};
	p->decl.last = &p->decl.first;
	scope_open(p);
}

/* a function may be declared often and defined once */
static void
join(struct parser *p, struct func *f, struct func *old)
{
	if (old->entry != f->entry
	|| sym_count(old->param) != sym_count(f->param)
	|| sym_count(old->ret) != sym_count(f->ret)) {
		diag(p->x, ERROR, f->loc, "'%s' does not match its earlier "
			"declaration", f->sym->name->text);
		diag(p->x, NOTE, old->loc, "'%s' is declared here",
			f->sym->name->text);
	}
	f->sym->linkage |= p->linkage;
}

void
func_name(struct parser *p, struct token t)
{
	struct func *f = p->func;
	struct name *n;

	n = intern(p, t);
	f->loc = t.loc;
	f->linkage = p->linkage;
	f->sym = n->sym;
	if (!f->sym || f->sym->depth || f->sym->kind != SYM_FUNC) {
		f->sym = scope_bind(p, p->module, n, t.loc, SYM_FUNC);
		f->sym->linkage = p->linkage;
		f->sym->u.func = f;
	}
	*p->x->func_last = f;
	p->x->func_last = &f->next;
	parse_item(p, ITEM_FUNC, t.loc)->func = f;
}

/* offsets of a parameter block, as nvcc lays it out */
static uint64_t
lay_out(struct sym *y)
{
	uint64_t at;

	for (at = 0; y; y = y->next)
		if (y->kind == SYM_VAR) {
			at = (at + y->u.var->align - 1)
				& -(uint64_t)y->u.var->align;
			y->u.var->offset = at;
			at += y->u.var->size;
		}
	return at;
}

void
func_params(struct parser *p, bool ret)
{
	struct func *f = p->func;

	*(ret ? &f->ret : &f->param) = p->decl.first;
	p->decl.first = 0;
	p->decl.last = &p->decl.first;
	if (!ret)
		f->param_size = lay_out(f->param);
}

static void
add_attr(struct parser *p, const char *name, int n, const char *text)
{
	struct attr *a;
	struct opnd *o;
	int k;

	o = opnd_pop(p, n);
	a = NEW(&p->x->arena, struct attr);
	a->name = name;
	a->text = text;
	a->n = n;
	for (k = 0; k < n && k < 4; k++)
		a->v[k] = o[k].u.i;
	*p->attr_last = a;
	p->attr_last = &a->next;
}

void
func_launch(struct parser *p, struct token t, int n)
{
	const struct launch_word *w, *end;

	end = launch_word + sizeof launch_word / sizeof *launch_word;
	for (w = launch_word; w < end; w++)
		if (strlen(w->word) == t.len - 1
		&& !memcmp(w->word, t.text + 1, t.len - 1))
			break;
	if (w == end || n < w->min || n > w->max) {
		diag(p->x, ERROR, t.loc, w == end ? "unknown directive '%.*s'"
			: "wrong number of values after '%.*s'",
			(int)t.len, t.text);
		opnd_pop(p, n);
		return;
	}
	add_attr(p, w->word, n, 0);
	if (!strcmp(w->word, "noreturn"))
		p->func->noreturn = true;
}

void
func_pragma(struct parser *p, struct token t)
{
	add_attr(p, "pragma", 0,
		arena_printf(&p->x->arena, "%.*s", (int)t.len, t.text));
}

static void
meet(struct parser *p, struct func *f)
{
	struct func *old;

	old = f->sym->u.func;
	if (old == f)
		return;
	join(p, f, old);
	if (f->has_body && old->has_body) {
		diag(p->x, ERROR, f->loc, "duplicate definition of '%s'",
			f->sym->name->text);
		return;
	}
	if (f->has_body) {
		f->sym->u.func = f;
		old->def = f;
	} else {
		f->def = old->has_body ? old : old->def;
	}
}

void
func_open(struct parser *p)
{
	p->func->has_body = true;
	p->linkage = 0;
	meet(p, p->func);
}

void
func_end_decl(struct parser *p)
{
	meet(p, p->func);
	scope_close(p);
	p->func = 0;
	p->linkage = 0;
}

void
func_close(struct parser *p, struct loc loc)
{
	p->func->end = loc;
	scope_close(p);
	p->func = 0;
}

/* label: .callprototype (rets) _ (args); the header goes into a func that
 * is no item, while the enclosing one waits */
void
proto_begin(struct parser *p, struct token label)
{
	struct func *f;

	if (!p->func) {
		diag(p->x, ERROR, label.loc, "'.callprototype' outside of a "
			"function");
		func_begin(p, false, label.loc);
	}
	p->proto = scope_bind(p, p->scope, intern(p, label), label.loc,
		SYM_PROTO);
	f = NEW(&p->x->arena, struct func);
	f->loc = label.loc;
	p->proto->u.func = f;
	p->outer = p->func;
	p->outer_attr = p->attr_last;
	p->func = f;
	p->attr_last = &f->attr;
	p->decl = (struct decl){0};
	p->decl.last = &p->decl.first;
}

void
proto_end(struct parser *p)
{
	struct insn *i;
	struct sym *y;

	y = p->proto;
	p->func = p->outer;
	p->attr_last = p->outer_attr;
	p->proto = 0;
	i = parse_stmt(p, STMT_PROTO, y->loc);
	i->u.sym = y;
}
