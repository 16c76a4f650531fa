/* parse_decl.c - declarations of registers, variables and parameters. */
#include "parse.h"

enum { MAX_FAMILY = 1 << 20 };

void
decl_linkage(struct parser *p, struct token t)
{
	static const struct { const char *word; uint8_t bit; } row[] = {
		{ ".extern", LINK_EXTERN }, { ".visible", LINK_VISIBLE },
		{ ".weak", LINK_WEAK }, { ".common", LINK_COMMON },
	};
	size_t k;

	for (k = 0; k < sizeof row / sizeof *row; k++)
		if (!strncmp(row[k].word, t.text, t.len))
			p->linkage |= row[k].bit;
}

static enum space
space_of(struct token t)
{
	size_t k, n;

	for (k = REG; k < NSPACE; k++) {
		n = strlen(space_name[k]);
		if (!strncmp(space_name[k], t.text + 1, n)
		&& (t.len == n + 1 || t.text[n + 1] == ':'))
			return (enum space)k;
	}
	return GENERIC;
}

void
decl_begin(struct parser *p, struct token t)
{
	struct sym *first, **last;

	first = p->decl.first;
	last = p->decl.last;
	p->decl = (struct decl){ .loc = t.loc, .space = space_of(t) };
	p->decl.last = &p->decl.first;
	if (p->func && !p->func->has_body && first) {
		p->decl.first = first;  /* the next parameter of a list */
		p->decl.last = last;
	}
}

void
decl_type(struct parser *p, struct token t)
{
	if (p->decl.type)
		diag(p->x, ERROR, t.loc, "a second type '%.*s' in one "
			"declaration", (int)t.len, t.text);
	p->decl.type = type_find(t.text + 1, t.len - 1);
	if (!p->decl.type)
		diag(p->x, ERROR, t.loc, "'%.*s' is no type", (int)t.len,
			t.text);
}

/* the integer that the token spells */
static int64_t
number(struct parser *p, struct token t)
{
	opnd_int(p, t);
	return opnd_pop(p, 1)->u.i;
}

void
decl_align(struct parser *p, struct token t)
{
	int64_t n;

	n = number(p, t);
	if (n <= 0 || n & (n - 1) || n > 1 << 16) {
		diag(p->x, ERROR, t.loc, "alignment %lld is no power of two "
			"up to 65536", (long long)n);
		n = 1;
	}
	*(p->decl.ptr ? &p->decl.ptr_align : &p->decl.align) = (uint32_t)n;
}

void
decl_ptr(struct parser *p, struct token t)
{
	p->decl.ptr = true;
	p->decl.ptr_space = space_of(t);
}

/* .attribute(.managed), .attribute(.unified(a, b)) (PTX 5.4.8) */
void
decl_attr(struct parser *p, struct token t, int n)
{
	struct opnd *o;

	o = opnd_pop(p, n);
	if (t.len == 8 && !memcmp(t.text, ".managed", 8) && !n) {
		p->decl.managed = true;
	} else if (t.len == 8 && !memcmp(t.text, ".unified", 8) && n == 2) {
		p->decl.unified = true;
		p->decl.unified_id[0] = (uint64_t)o[0].u.i;
		p->decl.unified_id[1] = (uint64_t)o[1].u.i;
	} else {
		diag(p->x, ERROR, t.loc, "unknown attribute '%.*s', expected "
			"'.managed' or '.unified(n, n)'", (int)t.len, t.text);
	}
}

/* bytes of one element of the declaration; 0 where it has no size */
static uint64_t
element(const struct decl *d)
{
	return (uint64_t)type_info[d->type].bits / 8 * (d->vec ? d->vec : 1);
}

static uint64_t
times(struct parser *p, struct loc loc, uint64_t a, uint64_t b)
{
	if (b && a > ((uint64_t)1 << 40) / b) {
		diag(p->x, ERROR, loc, "variable is larger than 2^40 bytes");
		return 0;
	}
	return a * b;
}

/* dimensions from the stack, sizes from them */
static void
shape(struct parser *p, struct var *v, struct loc loc, int ndim)
{
	struct opnd *o;
	int k;

	o = opnd_pop(p, ndim);
	if (ndim > MAX_DIM) {
		diag(p->x, ERROR, loc, "more than %d dimensions", MAX_DIM);
		ndim = MAX_DIM;
	}
	v->ndim = (uint32_t)ndim;
	v->dim = NEWN(&p->x->arena, (size_t)ndim, uint64_t);
	v->size = element(&p->decl);
	for (k = 0; k < ndim; k++) {
		if (o[k].kind != OP_INT || o[k].u.i < 0 || (k && !o[k].u.i))
			diag(p->x, ERROR, loc, "dimension %d is no positive "
				"integer", k + 1);
		else
			v->dim[k] = (uint64_t)o[k].u.i;
		v->size = times(p, loc, v->size, v->dim[k]);
	}
}

static void
make_var(struct parser *p, struct sym *y, int ndim)
{
	const struct decl *d = &p->decl;
	struct var *v;

	v = NEW(&p->x->arena, struct var);
	y->u.var = v;
	shape(p, v, y->loc, ndim);
	v->align = d->align ? d->align : (uint32_t)element(d);
	if (!v->align)
		v->align = 1;
	v->ptr = d->ptr;
	v->ptr_space = (uint8_t)d->ptr_space;
	v->ptr_align = d->ptr_align;
	v->managed = d->managed;
	v->unified = d->unified;
	memcpy(v->unified_id, d->unified_id, sizeof v->unified_id);
}

static uint32_t *
counter(struct parser *p, enum space space)
{
	return space == REG ? &p->func->nreg : &p->func->nvar;
}

/* what all symbols of the declaration have in common */
static void
dress(struct parser *p, struct sym *y)
{
	y->type = (uint8_t)p->decl.type;
	y->space = (uint8_t)p->decl.space;
	y->vec = (uint8_t)p->decl.vec;
	y->linkage = p->linkage;
	if (p->func)
		y->id = *counter(p, p->decl.space);
	if (p->func && y->kind != SYM_FAMILY)
		(*counter(p, p->decl.space))++;
}

static void
check(struct parser *p, struct loc loc, int ndim)
{
	if (!p->decl.type)
		diag(p->x, ERROR, loc, "declaration without a type");
	else if (p->decl.space != REG && type_info[p->decl.type].kind == 'p')
		diag(p->x, ERROR, loc, "'.pred' variables are registers, "
			"not '.%s'", space_name[p->decl.space]);
	else if (p->decl.space == REG && ndim)
		diag(p->x, ERROR, loc, "registers have no dimensions");
	if (p->decl.space == REG && !p->func)
		diag(p->x, ERROR, loc, "module-scoped variables in .reg state "
			"space are not allowed");
	if (p->decl.space == PARAM && !p->func)
		diag(p->x, ERROR, loc, "'.param' variables belong to a "
			"function");
}

void
decl_name(struct parser *p, struct token t, int ndim)
{
	struct sym *y;

	check(p, t.loc, ndim);
	if (p->proto) {  /* names in prototypes mean nothing */
		y = NEW(&p->x->arena, struct sym);
		y->name = intern(p, t);
		y->kind = p->decl.space == REG ? SYM_REG : SYM_VAR;
		y->loc = t.loc;
	} else {
		y = scope_bind(p, p->scope, intern(p, t), t.loc,
			p->decl.space == REG ? SYM_REG : SYM_VAR);
		dress(p, y);
	}
	y->type = (uint8_t)p->decl.type;
	y->space = (uint8_t)p->decl.space;
	y->vec = (uint8_t)p->decl.vec;
	if (y->kind == SYM_VAR)
		make_var(p, y, ndim);
	else
		opnd_pop(p, ndim);
	*p->decl.last = y;
	p->decl.last = &y->next;
}

/* %r<8>: the family for printing, and its registers %r0 to %r7 */
void
decl_family(struct parser *p, struct token t, struct token count)
{
	struct sym *y;
	char buf[128];
	int64_t n, k;
	int len;

	check(p, t.loc, 0);
	n = number(p, count);
	if (n < 0 || n > MAX_FAMILY || t.len > 100) {
		diag(p->x, ERROR, count.loc, "'%.*s<%lld>': at most %d of one "
			"name", (int)t.len, t.text, (long long)n, MAX_FAMILY);
		n = 0;
	}
	y = NEW(&p->x->arena, struct sym);
	y->kind = SYM_FAMILY;
	y->name = intern(p, t);
	y->loc = t.loc;
	y->u.count = (uint32_t)n;
	y->depth = p->depth;
	dress(p, y);
	*p->decl.last = y;
	p->decl.last = &y->next;
	for (k = 0; k < n && p->func; k++) {
		len = snprintf(buf, sizeof buf, "%.*s%lld", (int)t.len,
			t.text, (long long)k);
		y = scope_bind(p, p->scope, name_intern(&p->x->names,
			&p->x->arena, buf, (size_t)len), t.loc,
			p->decl.space == REG ? SYM_REG : SYM_VAR);
		dress(p, y);
		if (y->kind == SYM_VAR)
			make_var(p, y, 0);
	}
}

void
decl_end(struct parser *p)
{
	struct insn *i;

	if (p->func) {
		i = parse_stmt(p, STMT_DECL, p->decl.loc);
		i->u.sym = p->decl.first;
	} else {
		parse_item(p, ITEM_VAR, p->decl.loc)->sym = p->decl.first;
	}
	p->linkage = 0;
}
