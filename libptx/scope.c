/* scope.c - what a name means where the parser stands.
 *
 * A name points to its innermost symbol (name->sym); a symbol remembers what
 * it hides.  Leaving a scope restores that.  Registers and variables must be
 * declared before they are used.  Labels need not: a reference to a name
 * that is unknown, or known only from outside, waits in its scope until the
 * scope ends, since a label may still follow (PTX 5, 6).
 */
#include "parse.h"

void
scope_open(struct parser *p)
{
	struct scope *s;

	s = p->spare;
	if (s)
		p->spare = s->outer;
	else
		s = NEW(&p->x->arena, struct scope);
	*s = (struct scope){ .outer = p->scope };
	p->scope = s;
	if (s->outer)
		p->depth++;
	else
		p->module = s;
}

/* a symbol of that name in s itself */
static struct sym *
declared(struct parser *p, struct scope *s, struct name *n)
{
	struct sym *y;
	uint32_t depth;

	depth = s == p->scope ? p->depth : 0;
	for (y = n->sym; y; y = y->shadow)
		if (y->depth == depth)
			return y;
	return 0;
}

/* extern first, defined later; or the same extern twice */
static bool
may_repeat(const struct sym *old, const struct parser *p, enum sym_kind kind)
{
	return old->kind == SYM_VAR && kind == SYM_VAR && !old->depth
		&& (old->linkage | p->linkage) & (LINK_EXTERN | LINK_COMMON);
}

struct sym *
scope_bind(struct parser *p, struct scope *s, struct name *n,
	struct loc loc, enum sym_kind kind)
{
	struct sym *y, *old;

	old = declared(p, s, n);
	if (old && !may_repeat(old, p, kind)) {
		diag(p->x, ERROR, loc, "duplicate definition of '%s'", n->text);
		if (old->loc.line)
			diag(p->x, NOTE, old->loc, "'%s' is defined here",
				n->text);
	}
	y = NEW(&p->x->arena, struct sym);
	y->name = n;
	y->loc = loc;
	y->kind = (uint8_t)kind;
	y->depth = s == p->scope ? p->depth : 0;
	y->shadow = n->sym;
	y->bound = s->bound;
	s->bound = y;
	n->sym = y;
	return y;
}

/* may a declaration further down change what y's name means here? */
static bool
is_settled(const struct parser *p, const struct sym *y)
{
	return y && (y->depth == p->depth || y->kind == SYM_REG
		|| y->kind == SYM_SREG || y->kind == SYM_VAR);
}

/* the n operands o are in their place: let those wait that must */
void
scope_refer(struct parser *p, struct opnd *o, int n, struct loc loc)
{
	struct ref *r;

	for (; n--; o++) {
		if (o->kind >= OP_ADDR)
			scope_refer(p, o->u.list, (int)o->n, loc);
		if (!(o->flags & UNRESOLVED))
			continue;
		r = NEW(&p->x->arena, struct ref);
		r->name = (struct name *)o->u.sym;
		o->flags &= (uint8_t)~UNRESOLVED;
		o->u.sym = r->name->sym;
		if (is_settled(p, o->u.sym))
			continue;
		r->opnd = o;
		r->loc = loc;
		r->next = p->scope->ref;
		p->scope->ref = r;
	}
}

static void
unknown(struct parser *p, const struct ref *r)
{
	diag(p->x, ERROR, r->loc, "unknown symbol '%s'", r->name->text);
	r->opnd->u.sym = 0;
}

/* what waited in the scope that ends: found, or for the outer one */
static void
resolve(struct parser *p, struct scope *s)
{
	struct ref *r, *next;

	for (r = s->ref; r; r = next) {
		next = r->next;
		r->opnd->u.sym = r->name->sym;
		if (is_settled(p, r->name->sym))
			continue;
		if (p->depth > 1) {
			r->next = s->outer->ref;
			s->outer->ref = r;
		} else if (!r->name->sym)
			unknown(p, r);
	}
}

void
scope_close(struct parser *p)
{
	struct scope *s;
	struct sym *y;

	s = p->scope;
	resolve(p, s);
	for (y = s->bound; y; y = y->bound)
		y->name->sym = y->shadow;
	p->scope = s->outer;
	if (p->scope)
		p->depth--;
	s->outer = p->spare;
	p->spare = s;
}

void
scope_predefine(struct parser *p)
{
	const struct sreg_info *r;
	struct sym *y;
	struct name *n;

	for (r = sreg_info; r < sreg_info + NSREG; r++) {
		n = name_intern(&p->x->names, &p->x->arena, r->name,
			strlen(r->name));
		y = scope_bind(p, p->scope, n, (struct loc){0}, SYM_SREG);
		y->type = r->type;
		y->vec = r->vec;
		y->space = SREG;
		y->u.sreg = r;
	}
}
