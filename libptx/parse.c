/* parse.c - drive the lexer and the parser; statements and module items.
 *
 * The grammar (grammar/gram.y) calls a function here or in parse_*.c for
 * every rule that means something.
 */
#include "parse.h"
#include "gram.h"
#include <stdlib.h>

void
parse_reset(struct parser *p)
{
	p->nstack = 0;
	p->unresolved = p->guarded = false;
	p->linkage = 0;
	if (p->proto) {
		p->func = p->outer;
		p->proto = 0;
	}
	if (p->func && p->func->sym && !p->func->has_body
	&& p->func->sym->u.func == p->func && p->depth == 1)
		p->func->has_body = true;  /* its header was broken */
}

static const char *
keep(struct parser *p, struct token t)
{
	char *s;

	s = NEWN(&p->x->arena, (size_t)t.len + 1, char);
	memcpy(s, t.text, t.len);
	return s;
}

void
parse_version(struct parser *p, struct token t)
{
	unsigned long major, minor;
	char *end;

	if (p->x->version)
		diag(p->x, ERROR, t.loc, "a second '.version' directive");
	major = strtoul(t.text, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, 0, 10) : 0;
	if (major > 99 || minor > 9)
		diag(p->x, ERROR, t.loc, "unsupported .version '%.*s'",
			(int)t.len, t.text);
	else
		p->x->version = (int)(10 * major + minor);
}

void
parse_target(struct parser *p, struct token t)
{
	const char *s = keep(p, t);

	p->x->target = s;
	s += strncmp(s, "compute_", 8) ? 0 : 8;
	s += strncmp(s, "sm_", 3) ? 0 : 3;
	if (s == p->x->target || *s < '0' || *s > '9')
		diag(p->x, ERROR, t.loc, "target architecture not defined: "
			"expected 'sm_' and a number first in '.target'");
}

void
parse_address_size(struct parser *p, struct token t)
{
	p->x->address_size = atoi(t.text);
	if (p->x->address_size == 32)
		diag(p->x, ERROR, t.loc, "32-bit compilation is not supported");
	else if (p->x->address_size != 64)
		diag(p->x, ERROR, t.loc, "'.address_size' is 64, not %.*s",
			(int)t.len, t.text);
}

struct item *
parse_item(struct parser *p, enum item_kind kind, struct loc loc)
{
	struct item *i;

	i = NEW(&p->x->arena, struct item);
	i->kind = kind;
	i->loc = loc;
	*p->x->item_last = i;
	p->x->item_last = &i->next;
	return i;
}

struct insn *
parse_stmt(struct parser *p, enum stmt kind, struct loc loc)
{
	struct insn *i;

	i = NEW(&p->x->arena, struct insn);
	i->kind = (uint8_t)kind;
	i->loc = loc;
	if (!p->func) {
		diag(p->x, ERROR, loc, "a statement outside of a function");
		return i;
	}
	*p->func->last = i;
	p->func->last = &i->next;
	return i;
}

void
parse_text_item(struct parser *p, enum item_kind kind, struct token first,
	struct token last)
{
	parse_item(p, kind, first.loc)->text
		= keep(p, token_join(first, last));
}

/* .loc and .pragma stand in functions and, rarely, between them */
void
parse_text_stmt(struct parser *p, enum stmt kind, struct token first,
	struct token last)
{
	if (!p->func)
		parse_text_item(p, kind == STMT_LOC ? ITEM_LOC : ITEM_PRAGMA,
			first, last);
	else
		parse_stmt(p, kind, first.loc)->u.text
			= keep(p, token_join(first, last));
}

static struct sym *
function(struct parser *p, struct token t)
{
	struct sym *y;

	y = intern(p, t)->sym;
	if (y && y->kind == SYM_FUNC)
		return y;
	diag(p->x, ERROR, t.loc, "unknown function '%.*s'", (int)t.len,
		t.text);
	return 0;
}

/* to call an alias is to call what it stands for */
void
parse_alias(struct parser *p, struct token t, struct token target)
{
	struct func *f;
	struct item *i;

	i = parse_item(p, ITEM_ALIAS, t.loc);
	i->sym = function(p, t);
	i->target = function(p, target);
	if (!i->sym || !i->target)
		return;
	f = i->target->u.func;
	if (f->has_body && !i->sym->u.func->has_body)
		i->sym->u.func->def = f;
}

void
parse_open(struct parser *p, struct loc loc)
{
	if (!p->func) {
		diag(p->x, ERROR, loc, "'{' outside of a function");
		return;
	}
	parse_stmt(p, STMT_OPEN, loc);
	scope_open(p);
}

void
parse_close(struct parser *p, struct loc loc)
{
	if (!p->func)
		diag(p->x, ERROR, loc, "'}' without '{'");
	else if (p->depth == 1)
		func_close(p, loc);
	else {
		scope_close(p);
		parse_stmt(p, STMT_CLOSE, loc);
	}
}

void
parse_label(struct parser *p, struct token t)
{
	struct insn *i;
	struct sym *y;

	i = parse_stmt(p, STMT_LABEL, t.loc);
	if (!p->func)
		return;
	y = scope_bind(p, p->scope, intern(p, t), t.loc, SYM_LABEL);
	y->u.at = i;
	y->id = p->func->nlabel++;
	i->u.sym = y;
}

/* label: .branchtargets a, b; the statement before the label itself */
void
parse_targets(struct parser *p, struct token label, struct token kind, int n)
{
	struct targets *t;
	struct insn *i;

	t = NEW(&p->x->arena, struct targets);
	t->call = kind.text[1] == 'c';
	t->sym = scope_bind(p, p->scope, intern(p, label), label.loc,
		SYM_TARGETS);
	i = parse_stmt(p, STMT_TARGETS, label.loc);
	t->sym->u.at = i;
	i->u.targets = t;
	t->list = (struct opnd){ .kind = OP_VEC, .n = (uint32_t)n };
	t->list.u.list = opnd_keep(p, n);
	scope_refer(p, &t->list, 1, label.loc);
	p->unresolved = false;
}

static void
take_guard(struct parser *p, struct insn *i)
{
	i->guard = intern(p, p->guard)->sym;
	i->guard_not = p->guard_not;
	p->guarded = false;
	if (!i->guard)
		diag(p->x, ERROR, p->guard.loc, "unknown symbol '%.*s'",
			(int)p->guard.len, p->guard.text);
	else if (i->guard->kind != SYM_REG || i->guard->type != T_PRED)
		diag(p->x, ERROR, p->guard.loc, "guard '%.*s' is no "
			"predicate register", (int)p->guard.len,
			p->guard.text);
	else
		return;
	i->guard = 0;
}

/* (4) as an operand is a constant; lists belong to calls */
static void
unwrap(struct opnd *o, int n)
{
	for (; n--; o++)
		while (o->kind == OP_LIST && o->n == 1
		&& (o->u.list->kind == OP_INT || o->u.list->kind == OP_FLT))
			*o = *o->u.list;
}

void
parse_insn(struct parser *p, struct token t, int n)
{
	struct insn *i;
	struct name *name;
	struct op *op;

	name = intern(p, t);
	op = insn_ops(p->x, name, t.loc);
	i = parse_stmt(p, STMT_INSN, t.loc);
	if (n > UINT8_MAX)
		diag(p->x, ERROR, t.loc, "%d operands of one instruction", n);
	i->nopnd = (uint8_t)n;
	i->u.opnd = opnd_keep(p, n);
	if (p->guarded)
		take_guard(p, i);
	if (op && !(op->flags & CALL))
		unwrap(i->u.opnd, i->nopnd);
	if (p->unresolved)
		scope_refer(p, i->u.opnd, n, t.loc);
	p->unresolved = false;
	if (op)
		i->op = insn_match(p->x, op, i);
}

static void
check_end(struct parser *p)
{
	struct loc loc;

	loc = (struct loc){ p->lineno, (uint32_t)(p->at - p->line) + 1 };
	if (p->at < p->x->text + p->x->size)
		diag(p->x, ERROR, loc, "unexpected NUL byte");
	if (p->func && !p->x->nerror)
		diag(p->x, ERROR, loc, "unexpected end of file in '%s', "
			"expected '}'", p->func->sym->name->text);
	if (!p->x->target && !p->x->nerror)
		diag(p->x, ERROR, loc, "missing %s directive", p->x->version
			? ".target" : ".version");
}

void
ptx_parse(struct ptx *x, const char *file, const char *text, size_t size)
{
	struct parser p = {0};
	struct token t;
	void *lemon;
	int kind;

	x->file = file;
	x->text = text;
	x->size = size;
	x->func_last = &x->func;
	x->item_last = &x->item;
	p.x = x;
	p.at = p.line = text;
	p.lineno = 1;
	scope_open(&p);
	scope_predefine(&p);
	lemon = ParseAlloc(malloc);
	do {
		t = (struct token){0};
		kind = lex(&p, &t);
		if (!p.started && kind && kind != VERSION && !x->nerror)
			diag(x, ERROR, t.loc, "missing .version directive at "
				"start of file");
		p.started |= kind == VERSION;
		Parse(lemon, kind, t, &p);
	} while (kind);
	check_end(&p);
	while (p.depth)
		scope_close(&p);
	ParseFree(lemon, free);
	free(p.stack);
}

unsigned
sym_count(const struct sym *y)
{
	unsigned n;

	for (n = 0; y; y = y->next)
		n++;
	return n;
}

struct func *
ptx_func(const struct ptx *x, const char *name)
{
	struct func *f;

	for (f = x->func; f; f = f->next)
		if (!strcmp(f->sym->name->text, name))
			return f->sym->u.func;
	return 0;
}

const struct attr *
func_attr(const struct func *f, const char *name)
{
	const struct attr *a;

	for (a = f->attr; a; a = a->next)
		if (!strcmp(a->name, name))
			return a;
	return 0;
}

void
ptx_free(struct ptx *x)
{
	arena_free(&x->arena);
	*x = (struct ptx){0};
}
