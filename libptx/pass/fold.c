/* fold.c - constant folding, algebraic identities, copies, known guards.
 *
 * Registers that are written once, before every read, are values.  One walk
 * in reverse postorder meets a value before its uses; what it learns of it
 * (a constant, or a copy of another one) it puts in the place of these.
 * What each operation computes stands in grammar/sem.def; floating point is
 * left alone.  A guard that turns out to be known changes the control flow,
 * and may make other registers values: then the walk is repeated.
 * Needs and keeps as in pass.def; dead moves are left to dce.
 */
#include "form.h"
#include "pass.h"
#include <string.h>

struct fact {
	struct sym *copy;   /* the value is that of this one, or … */
	bool is_const;
	uint64_t bits;
};

struct fold {
	struct ptx *x;
	const struct reg_uses *uses;
	struct fact *fact;  /* by register */
	bool changed, again;
};

static unsigned
width(const struct sym *s)
{
	return type_info[s->type].bits;
}

static int64_t
extend(uint64_t v, unsigned bits)
{
	if (bits == 1)
		return v & 1;
	return bits < 64 ? (int64_t)(v << (64 - bits)) >> (64 - bits)
		: (int64_t)v;
}

static bool
is_plain(const struct opnd *o)
{
	return o->kind == OP_SYM && o->u.sym->kind == SYM_REG && !o->comp &&
		!o->sel && !(o->flags & OPF_NEG) && !o->off;
}

/* the bits that operand o is known to hold */
static bool
known(const struct fold *l, const struct opnd *o, uint64_t *bits)
{
	const struct fact *t;

	*bits = 0;
	if (o->kind == OP_INT) {
		*bits = (uint64_t)o->u.i;
		return true;
	}
	if (!is_plain(o))
		return false;
	t = &l->fact[o->u.sym->id];
	*bits = t->bits ^ (o->flags & OPF_NOT ? 1 : 0);
	return t->is_const;
}

/* may a stand wherever d does?  Untyped .b registers also take floats. */
static bool
may_replace(const struct sym *a, const struct sym *d)
{
	if (a->type == d->type)
		return true;
	return width(a) == width(d) && strchr("bus", type_info[a->type].kind) &&
		strchr("us", type_info[d->type].kind);
}

static void
use_copy(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct fold *l = arg;

	if (!o || s->kind != SYM_REG || access != ACCESS_READ ||
	    !l->fact[s->id].copy)
		return;
	o->u.sym = l->fact[s->id].copy;
	l->changed = true;
}

/* a guard that always or never holds */
static void
fold_guard(struct fold *l, struct insn *i)
{
	struct fact *t;

	t = &l->fact[i->guard->id];
	if (t->copy) {
		i->guard = t->copy;
		l->changed = true;
	}
	if (!t->is_const)
		return;
	if ((t->bits & 1) == i->guard_not)
		insn_kill(i);
	i->guard = 0;
	l->changed = l->again = true;
}

/* lane numbers, masks, names and counts of barriers; not what is moved */
static bool
is_control(const struct insn *i, int k)
{
	const char *name;

	name = i->op->name->text;
	if (!(i->op->flags & CONVERGENT))
		return false;
	if (!strncmp(name, "bar", 3) || !strncmp(name, "elect", 5))
		return true;
	return k > 1 && (!strncmp(name, "shfl", 4) || !strncmp(name, "vote", 4)
		|| !strncmp(name, "match", 5) || !strncmp(name, "redux", 5));
}

/* may operand k be a literal, for our tables as for other assemblers? */
static bool
takes_literal(const struct insn *i, int k)
{
	const struct op_opnd *want;

	want = &i->op->opnd[k];
	if (!sem_knows(i) && i->op->id != INSN_MOV && i->op->id != INSN_ST &&
	    !is_control(i, k))
		return false;
	return want->shape == SHAPE_SCALAR && want->access == ACCESS_READ &&
		strchr("bus", type_info[want->type].kind) &&
		type_info[want->type].bits <= 64;
}

static void
use_constants(struct fold *l, struct insn *i)
{
	const struct op_opnd *want;
	struct opnd *o;
	uint64_t bits;
	int k;

	for (k = 0; k < i->nopnd; k++) {
		o = &i->u.opnd[k];
		want = &i->op->opnd[k];
		if (!is_plain(o) || !takes_literal(i, k) || !known(l, o, &bits))
			continue;
		*o = (struct opnd){ .kind = OP_INT };
		o->u.i = extend(bits, type_info[want->type].bits);
		l->changed = true;
	}
}

/* the spelling that moves any bits into d */
static const char *
move_to(const struct sym *d)
{
	switch (width(d)) {
	case 1:  return "mov.pred";
	case 16: return "mov.b16";
	case 32: return "mov.b32";
	case 64: return "mov.b64";
	}
	return 0;
}

static void
become_const(struct fold *l, struct insn *i, uint64_t bits)
{
	struct opnd o[2] = { i->u.opnd[0] };
	const struct type_info *t;
	const char *spelling;

	spelling = move_to(o[0].u.sym);
	if (!spelling)
		return;
	t = &type_info[i->op->opnd[0].type];
	if (t->kind == 's')
		bits = (uint64_t)extend(bits, t->bits);
	o[1].kind = OP_INT;
	o[1].u.i = extend(bits, width(o[0].u.sym));
	insn_become(l->x, i, spelling, o, 2);
	l->changed = true;
}

static void
become_move(struct fold *l, struct insn *i, int from)
{
	struct opnd o[2] = { i->u.opnd[0], i->u.opnd[from] };
	const char *spelling;

	spelling = move_to(o[0].u.sym);
	if (!spelling || o[1].flags & OPF_NOT || o[1].kind == OP_FLT)
		return;
	if (is_plain(&o[1]) && width(o[1].u.sym) != width(o[0].u.sym))
		return;
	insn_become(l->x, i, spelling, o, 2);
	l->changed = true;
}

/* cvt between integers of one size, that of both registers */
static bool
is_copying(const struct insn *i)
{
	unsigned n;

	n = type_info[insn_type(i, 0)].bits;
	return i->op->id == INSN_CVT_INT && !insn_has(i, "sat") &&
		n == type_info[insn_type(i, 1)].bits &&
		n == width(i->u.opnd[0].u.sym) &&
		is_plain(&i->u.opnd[1]) && n == width(i->u.opnd[1].u.sym);
}

static void
simplify(struct fold *l, struct insn *i)
{
	bool is_known[6] = {0}, all;
	uint64_t in[6] = {0}, bits;
	int k, from;

	if (i->op->id == INSN_MOV || i->nopnd < 2 || i->nopnd > 5 ||
	    i->op->flags & IMPURE || !is_plain(&i->u.opnd[0]))
		return;
	all = true;
	for (k = 1; k < i->nopnd; k++)
		all &= is_known[k] = known(l, &i->u.opnd[k], &in[k]);
	from = sem_same(i, in, is_known);
	if (all && sem_knows(i) && sem_compute(i, in, &bits))
		become_const(l, i, bits);
	else if (from)
		become_move(l, i, from);
	else if (is_copying(i))
		become_move(l, i, 1);
}

/* what is known of d after "mov d, a" */
static void
learn(struct fold *l, const struct insn *i)
{
	const struct opnd *o;
	struct fact *t;

	o = i->u.opnd;
	if (i->op->id != INSN_MOV || !is_plain(o) || !l->uses[o->u.sym->id].ssa)
		return;
	t = &l->fact[o->u.sym->id];
	if (width(o->u.sym) <= 64 && known(l, &o[1], &t->bits)) {
		t->is_const = true;
		t->bits = (uint64_t)extend(t->bits, width(o->u.sym));
	} else if (is_plain(&o[1]) && !o[1].flags &&
	    l->uses[o[1].u.sym->id].ssa && may_replace(o[1].u.sym, o->u.sym)) {
		t->copy = o[1].u.sym;
	}
}

static void
fold_block(struct fold *l, const struct block *b)
{
	struct insn *i;

	for (i = b->first; i != b->end; i = i->next) {
		if (i->kind != STMT_INSN)
			continue;
		insn_regs(i, use_copy, l);
		if (i->guard)
			fold_guard(l, i);
		if (insn_is_dead(i))
			continue;
		simplify(l, i);
		use_constants(l, i);
		learn(l, i);
	}
}

bool
pass_fold(struct work *w)
{
	struct fold l = { .x = w->x };
	const struct cfg *g;
	uint32_t k;

	do {
		g = l.again ? cfg_build(w->a, w->f) : w->cfg;
		l.uses = l.again ? uses_build(w->a, w->f, g,
			dom_build(w->a, g)) : w->uses;
		l.again = false;
		l.fact = NEWN(w->a, w->f->nreg + 1, struct fact);
		for (k = 0; k < g->nrpo; k++)
			fold_block(&l, &g->block[g->rpo[k]]);
		func_sweep(w->f);
	} while (l.again);
	return l.changed;
}
