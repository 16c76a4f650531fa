/* unit.c - which functions are compiled together, in one LLVM module.
 *
 * A kernel and what it calls make a unit: functions are internal to it, are
 * inlined freely, and LLVM counts registers exactly.  Kernels that take the
 * address of a function, or call one, share one unit with every function
 * whose address is taken, since LLVM bounds the registers of an indirect call
 * by the functions of the module.  Variables are defined in that unit or, if
 * there are more and it is not there, in one of their own.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* what one walk over a function finds */
struct facts {
	const struct func *f;
	struct callee { struct callee *next; struct facts *to; } *call;
	bool taken;         /* its address is */
	bool takes;         /* it takes one, or calls through one */
	bool indirect;      /* it calls through one */
	bool exits;         /* calling it may end the thread */
	bool ends;          /* no recursion in it, nor in what it calls */
	bool shared;        /* a kernel that goes to the shared unit */
	bool placed;        /* a kernel that has its unit */
	unsigned seen;      /* by the walk of this number */
};

struct walk {
	const struct ptx *x;
	struct arena *a;
	struct facts *facts; /* sorted by f, unless there are few */
	size_t n;
	bool few;           /* only those that one kernel reaches */
	bool too_many;      /* … which is not enough */
	bool any_exits;     /* … some function whose address is taken */
	const struct func **exits, **loops, **kernel, **func;
	size_t nexits, nloops, nkernel, nfunc;
	unsigned round;     /* number of the walk */
	struct unit *unit;
	size_t nunit;
};

static int
by_func(const void *a, const void *b)
{
	const struct facts *p = a, *q = b;

	return (p->f > q->f) - (p->f < q->f);
}

enum { FEW = 64 };

/* a function that was not met before joins */
static struct facts *
find_few(struct walk *w, const struct func *f)
{
	size_t k;

	for (k = 0; k < w->n; k++)
		if (w->facts[k].f == f)
			return &w->facts[k];
	w->too_many |= k == FEW;
	if (!f->has_body || k == FEW)
		return 0;
	w->facts[k].f = f;
	w->n++;
	return &w->facts[k];
}

static struct facts *
find(struct walk *w, const struct func *f)
{
	struct facts key = { .f = f->def ? f->def : f };

	if (w->few)
		return find_few(w, key.f);
	return bsearch(&key, w->facts, w->n, sizeof key, by_func);
}

static void
add_call(struct walk *w, struct facts *from, const struct func *f)
{
	struct callee *c;
	struct facts *to;

	to = find(w, f);
	if (!to)
		return;
	c = NEW(w->a, struct callee);
	c->to = to;
	c->next = from->call;
	from->call = c;
}

static void
take(struct walk *w, struct facts *from, const struct func *f)
{
	struct facts *to;

	to = find(w, f);
	if (to)
		to->taken = true;
	if (from)
		from->takes = true;
}

/* functions that operand o names: their addresses are taken */
static void
scan_opnd(struct walk *w, struct facts *from, const struct opnd *o)
{
	uint32_t k;

	if (o->kind == OP_SYM && o->u.sym->kind == SYM_FUNC)
		take(w, from, o->u.sym->u.func);
	if (o->kind >= OP_ADDR)
		for (k = 0; k < o->n; k++)
			scan_opnd(w, from, &o->u.list[k]);
}

static void
scan_call(struct walk *w, struct facts *from, const struct insn *i)
{
	const struct sym *s;

	s = i->u.opnd[i->u.opnd[0].kind == OP_LIST].u.sym;
	if (s->kind == SYM_FUNC)
		add_call(w, from, s->u.func);
	else
		from->takes = from->indirect = true;
}

static void
scan(struct walk *w, struct facts *from)
{
	const struct insn *i;
	unsigned k;

	for (i = from->f->first; i; i = i->next) {
		if (i->kind != STMT_INSN)
			continue;
		if (i->op->flags & CALL) {
			scan_call(w, from, i);
			continue;
		}
		if (i->op->id == INSN_EXIT)
			from->exits = true;
		for (k = 0; k < i->nopnd; k++)
			scan_opnd(w, from, &i->u.opnd[k]);
	}
}

/* every function with a body, and what it does */
static void
gather(struct walk *w)
{
	const struct func *f;
	size_t n;

	for (n = 0, f = w->x->func; f; f = f->next)
		n += f->has_body;
	w->facts = NEWN(w->a, n + 1, struct facts);
	for (f = w->x->func; f; f = f->next)
		if (f->has_body)
			w->facts[w->n++].f = f;
	qsort(w->facts, w->n, sizeof *w->facts, by_func);
	for (n = 0; n < w->n; n++)
		scan(w, &w->facts[n]);
}

/* the functions that a kernel reaches, without a look at the others, which may
 * be thousands; false: that does not do, as addresses of functions are taken */
static bool
gather_few(struct walk *w, const struct func *kernel)
{
	size_t n;

	w->few = true;
	w->facts = NEWN(w->a, FEW, struct facts);
	find(w, kernel);
	for (n = 0; n < w->n && !w->too_many; n++) {
		scan(w, &w->facts[n]);
		w->too_many |= w->facts[n].takes;
	}
	return !w->too_many;
}

static bool
spreads(struct walk *w, struct facts *f)
{
	const struct callee *c;

	if (f->exits)
		return false;
	f->exits = w->any_exits && (f->indirect || f->taken);
	for (c = f->call; c; c = c->next)
		f->exits |= c->to->exits;
	return f->exits;
}

/* exit spreads from callees to callers, and to all that share a pointer */
static void
spread(struct walk *w)
{
	bool more;
	size_t n;

	do {
		more = false;
		for (n = 0; n < w->n; n++) {
			more |= spreads(w, &w->facts[n]);
			if (w->facts[n].taken && w->facts[n].exits
			&& !w->any_exits)
				more = w->any_exits = true;
		}
	} while (more);
}

/* variables that the code or the host may name */
static void
add_vars(struct unit *u, struct sym *s)
{
	for (; s; s = s->next)
		if (s->kind == SYM_VAR && !(s->linkage & LINK_EXTERN)
		&& (s->space == GLOBAL || s->space == CONST))
			u->var[u->nvar++] = s;
}

static size_t
count_vars(const struct ptx *x)
{
	const struct item *i;
	const struct func *f;
	const struct insn *d;
	const struct sym *s;
	size_t n;

	n = 0;
	for (i = x->item; i; i = i->next)
		if (i->kind == ITEM_VAR)
			for (s = i->sym; s; s = s->next)
				n++;
	for (f = x->func; f; f = f->next)
		for (d = f->first; d; d = d->next)
			if (d->kind == STMT_DECL)
				for (s = d->u.sym; s; s = s->next)
					n++;
	return n;
}

static void
define_vars(struct walk *w, struct unit *u)
{
	const struct item *i;
	const struct func *f;
	const struct insn *d;

	u->data = true;
	u->var = NEWN(w->a, count_vars(w->x) + 1, struct sym *);
	for (i = w->x->item; i; i = i->next)
		if (i->kind == ITEM_VAR)
			add_vars(u, i->sym);
	for (f = w->x->func; f; f = f->next)
		for (d = f->first; d; d = d->next)
			if (d->kind == STMT_DECL)
				add_vars(u, d->u.sym);
}

/* functions whose address an initialiser of the list s holds */
static void
scan_init(struct walk *w, const struct sym *s)
{
	size_t k;

	for (; s; s = s->next)
		for (k = 0; s->kind == SYM_VAR && k < s->u.var->nreloc; k++)
			if (s->u.var->reloc[k].sym->kind == SYM_FUNC)
				take(w, 0, s->u.var->reloc[k].sym->u.func);
}

static void
scan_inits(struct walk *w)
{
	const struct item *i;
	const struct func *f;
	const struct insn *d;

	for (i = w->x->item; i; i = i->next)
		if (i->kind == ITEM_VAR)
			scan_init(w, i->sym);
	for (f = w->x->func; f; f = f->next)
		for (d = f->first; d; d = d->next)
			if (d->kind == STMT_DECL)
				scan_init(w, d->u.sym);
}

/* f and all it calls go to the lists of w */
static void
reach(struct walk *w, struct facts *f)
{
	const struct callee *c;

	if (f->seen == w->round)
		return;
	f->seen = w->round;
	if (f->f->entry)
		w->kernel[w->nkernel++] = f->f;
	else
		w->func[w->nfunc++] = f->f;
	for (c = f->call; c; c = c->next)
		reach(w, c->to);
}

/* does f, or what it calls, deal with addresses of functions? */
static bool
is_shared(struct walk *w, struct facts *f)
{
	const struct callee *c;

	if (f->seen == w->round)
		return false;
	f->seen = w->round;
	if (f->takes)
		return true;
	for (c = f->call; c; c = c->next)
		if (is_shared(w, c->to))
			return true;
	return false;
}

static const struct func **
copy(struct walk *w, const struct func **from, size_t n)
{
	const struct func **to;

	to = NEWN(w->a, n + 1, const struct func *);
	memcpy(to, from, n * sizeof *to);
	return to;
}

/* a unit of what reach() has gathered */
static struct unit *
add_unit(struct walk *w)
{
	struct unit *u;
	size_t i;

	u = &w->unit[w->nunit++];
	u->kernel = copy(w, w->kernel, w->nkernel);
	u->nkernel = w->nkernel;
	u->func = copy(w, w->func, w->nfunc);
	u->nfunc = w->nfunc;
	u->exits = w->exits;
	u->nexits = w->nexits;
	u->any_exits = w->any_exits;
	u->loops = w->loops;
	u->nloops = w->nloops;
	w->nkernel = w->nfunc = 0;
	w->round++;
	for (i = 0; i < u->nkernel; i++)
		find(w, u->kernel[i])->placed = true;
	return u;
}

/* the unit of all that deals with addresses of functions; 0: nothing does */
static struct unit *
shared_unit(struct walk *w)
{
	const struct func *f;
	size_t n;

	for (f = w->x->func; f; f = f->next) {
		w->round++;
		if (f->entry && f->has_body && is_shared(w, find(w, f)))
			find(w, f)->shared = true;
	}
	w->round++;
	for (f = w->x->func; f; f = f->next)
		if (f->has_body && (find(w, f)->shared || find(w, f)->taken))
			reach(w, find(w, f));
	n = w->nkernel + w->nfunc;
	return n ? add_unit(w) : 0;
}

/* the functions that may end the thread, sorted as the facts are */
static void
list_exits(struct walk *w)
{
	size_t n;

	w->exits = NEWN(w->a, w->n + 1, const struct func *);
	for (n = 0; n < w->n; n++)
		if (w->facts[n].exits)
			w->exits[w->nexits++] = w->facts[n].f;
}

static bool
ends(const struct facts *f)
{
	const struct callee *c;

	if (f->indirect)
		return false;
	for (c = f->call; c; c = c->next)
		if (!c->to->ends)
			return false;
	return true;
}

/* the functions that may call themselves, sorted as the facts are: all but
 * those whose callees are known to end */
static void
list_loops(struct walk *w)
{
	bool more;
	size_t n;

	do {
		more = false;
		for (n = 0; n < w->n; n++)
			if (!w->facts[n].ends && ends(&w->facts[n]))
				w->facts[n].ends = more = true;
	} while (more);
	w->loops = NEWN(w->a, w->n + 1, const struct func *);
	for (n = 0; n < w->n; n++)
		if (!w->facts[n].ends)
			w->loops[w->nloops++] = w->facts[n].f;
}

static void
conclude(struct walk *w)
{
	spread(w);
	list_exits(w);
	list_loops(w);
	w->kernel = NEWN(w->a, w->n + 1, const struct func *);
	w->func = NEWN(w->a, w->n + 1, const struct func *);
	w->unit = NEWN(w->a, w->n + 2, struct unit);
	w->round = 1;
}

static void
prepare(struct walk *w)
{
	gather(w);
	scan_inits(w);
	conclude(w);
}

struct unit *
unit_split(const struct ptx *x, struct arena *a, size_t *n)
{
	struct walk w = { .x = x, .a = a };
	struct unit *data;
	const struct func *f;

	prepare(&w);
	data = shared_unit(&w);
	for (f = x->func; f; f = f->next)
		if (f->entry && f->has_body && !find(&w, f)->placed) {
			reach(&w, find(&w, f));
			add_unit(&w);
		}
	if (!data)
		data = w.nunit == 1 ? w.unit : add_unit(&w);
	define_vars(&w, data);
	*n = w.nunit;
	return w.unit;
}

/* all whose addresses are taken go to the lists of w */
static void
reach_taken(struct walk *w)
{
	size_t n;

	for (n = 0; n < w->n; n++)
		if (w->facts[n].taken)
			reach(w, &w->facts[n]);
}

static int
by_address(const void *a, const void *b)
{
	const struct func *const *p = a, *const *q = b;

	return (*p > *q) - (*p < *q);
}

static void
prepare_kernel(struct walk *w, const struct func *kernel)
{
	if (!gather_few(w, kernel)) {
		*w = (struct walk){ .x = w->x, .a = w->a };
		prepare(w);
		return;
	}
	conclude(w);
	qsort(w->exits, w->nexits, sizeof *w->exits, by_address);
	qsort(w->loops, w->nloops, sizeof *w->loops, by_address);
}

struct unit *
unit_kernel(const struct ptx *x, struct arena *a, const struct func *kernel)
{
	struct walk w = { .x = x, .a = a };
	bool addresses;

	prepare_kernel(&w, kernel);
	addresses = is_shared(&w, find(&w, kernel));
	w.round++;
	reach(&w, find(&w, kernel));
	if (addresses)
		reach_taken(&w);
	return add_unit(&w);
}

struct unit *
unit_data(const struct ptx *x, struct arena *a)
{
	struct walk w = { .x = x, .a = a };
	struct unit *u;
	size_t n;

	prepare(&w);
	for (n = 0; n < w.n; n++)
		w.facts[n].taken = false;
	scan_inits(&w);
	reach_taken(&w);
	u = add_unit(&w);
	define_vars(&w, u);
	return u;
}

static bool
holds(const struct func **list, size_t n, const struct func *f)
{
	return n && bsearch(&f, list, n, sizeof f, by_address);
}

bool
unit_exits(const struct unit *u, const struct func *f)
{
	return holds(u->exits, u->nexits, f);
}

bool
unit_recurses(const struct unit *u, const struct func *f)
{
	return holds(u->loops, u->nloops, f);
}
