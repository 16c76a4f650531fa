/* parse_init.c - initialisers (PTX 5.4.4), straight into the variable's bytes.
 *
 * Tables of real modules are large: a value takes its place as soon as it is
 * read.  Addresses leave a relocation.
 */
#include "parse.h"

/* bytes of one scalar of the variable */
static uint64_t
width(const struct initialiser *in)
{
	return type_info[in->sym->type].bits / 8u;
}

static void
fail(struct parser *p, struct loc loc, const char *text)
{
	if (!p->init.bad)
		diag(p->x, ERROR, loc, "%s", text);
	p->init.bad = true;
}

void
init_begin(struct parser *p)
{
	struct initialiser *in = &p->init;
	const struct var *v;
	uint64_t n;
	unsigned k;

	*in = (struct initialiser){0};
	for (in->sym = p->decl.first; in->sym->next; in->sym = in->sym->next)
		;
	v = in->sym->u.var;
	if (in->sym->kind != SYM_VAR || !width(in) || (in->sym->space != GLOBAL
	&& in->sym->space != CONST)) {
		fail(p, in->sym->loc, "only .global and .const variables are "
			"initialised");
		return;
	}
	in->sym->u.var->has_init = true;
	in->ndim = v->ndim + (in->sym->vec != 0);
	for (k = in->ndim, n = 1; k--; in->span[k] = n)
		n *= k == v->ndim ? in->sym->vec : v->dim[k];
	in->open = v->ndim && !v->dim[0];
	in->limit = in->open ? UINT64_MAX : n;
}

void
init_open(struct parser *p, struct loc loc)
{
	struct initialiser *in = &p->init;

	if (in->depth >= in->ndim) {
		fail(p, loc, in->ndim ? "initial value type mismatch: more "
			"braces than dimensions" : "initial value type "
			"mismatch: a list for a scalar");
		in->depth++;
		return;
	}
	if (in->depth && in->at >= in->end[in->depth - 1])
		fail(p, loc, "greater number of elements in array "
			"initializer");
	in->end[in->depth] = in->depth || !in->open
		? in->at + in->span[in->depth] : UINT64_MAX;
	in->depth++;
}

void
init_close(struct parser *p)
{
	struct initialiser *in = &p->init;

	if (--in->depth < in->ndim && in->end[in->depth] != UINT64_MAX)
		in->at = in->end[in->depth];
}

static void
reserve(struct parser *p, struct var *v, uint64_t need)
{
	uint8_t *more;
	uint64_t cap;

	if (need <= p->init.cap)
		return;
	cap = p->init.open ? 2 * p->init.cap + 64 : v->size;
	if (cap < need)
		cap = need;
	more = NEWN(&p->x->arena, cap, uint8_t);
	if (p->init.cap)
		memcpy(more, v->data, p->init.cap);
	v->data = more;
	p->init.cap = cap;
}

static void
add_reloc(struct parser *p, struct var *v, uint64_t offset,
	const struct opnd *o)
{
	struct reloc *more, *r;

	if (!(v->nreloc & (v->nreloc - 1))) {  /* full at powers of two */
		more = NEWN(&p->x->arena, 2 * v->nreloc + 1, struct reloc);
		if (v->nreloc)
			memcpy(more, v->reloc, v->nreloc * sizeof *more);
		v->reloc = more;
	}
	r = &v->reloc[v->nreloc++];
	r->offset = offset;
	r->sym = o->u.sym;
	r->add = o->off;
	r->generic = o->flags & OPF_GENERIC;
	r->shift = (uint8_t)(o->sel ? 8 * (o->sel - 1) : 0);
	r->bytes = (uint8_t)(o->sel ? 1 : width(&p->init));
}

/* the bits of a number for an element of the type; false: wrong kind */
static bool
value_bits(const struct opnd *o, enum type type, uint64_t *bits)
{
	char kind;
	float f;
	uint32_t w;

	kind = type_info[type].kind;
	if (o->kind == OP_INT) {
		*bits = (uint64_t)o->u.i;
		return kind != 'f';
	}
	if (o->kind != OP_FLT || kind == 'u' || kind == 's')
		return false;
	if (type == T_F64 || (kind == 'b' && !(o->flags & OPF_F32))) {
		memcpy(bits, &o->u.f, sizeof *bits);
		return true;
	}
	if (o->flags & OPF_F32) {
		*bits = (uint64_t)o->off;
		return true;
	}
	f = (float)o->u.f;
	memcpy(&w, &f, sizeof w);
	*bits = w;
	return type == T_F32;
}

void
init_value(struct parser *p, struct loc loc)
{
	struct initialiser *in = &p->init;
	struct var *v;
	struct opnd *o;
	uint64_t n, k, bits;

	o = opnd_pop(p, 1);
	while (o->kind == OP_LIST && o->n == 1)
		o = o->u.list;
	if (in->bad)
		return;
	v = in->sym->u.var;
	n = width(in);
	if (in->depth != in->ndim) {
		fail(p, loc, "initial value type mismatch: expected a list in "
			"braces");
		return;
	}
	if (in->at >= in->limit || (in->depth
	&& in->at >= in->end[in->depth - 1])) {
		fail(p, loc, "greater number of elements in array "
			"initializer");
		return;
	}
	reserve(p, v, (in->at + 1) * n);
	bits = 0;
	if (o->kind == OP_SYM) {
		if (o->flags & UNRESOLVED)
			o->u.sym = ((struct name *)o->u.sym)->sym;
		if (!o->u.sym)
			fail(p, loc, "unknown symbol in an initialiser");
		else
			add_reloc(p, v, in->at * n, o);
	} else if (!value_bits(o, in->sym->type, &bits)) {
		fail(p, loc, "initial value type mismatch");
	}
	for (k = 0; k < n && k < 8; k++)
		v->data[in->at * n + k] = (uint8_t)(bits >> 8 * k);
	in->at++;
	v->ndata = in->at * n;
}

void
init_end(struct parser *p)
{
	struct initialiser *in = &p->init;
	struct var *v;
	uint64_t n;

	if (in->bad || !in->open)
		return;
	v = in->sym->u.var;
	n = in->ndim > 1 ? in->span[1] : 1;
	v->dim[0] = (in->at + n - 1) / n;
	v->size = v->dim[0] * n * width(in);
}
