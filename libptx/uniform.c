/* uniform.c - which values agree across a warp or a block.
 *
 * Every register has one spread, that of all its writes together; it starts
 * from "no write seen" and only goes up.  A branch whose predicate does not
 * agree parts threads, and what they meet with may then differ: diverge.c.
 *
 * A warp has 32 lanes, as PTX has it; on hardware with waves of 64, two of
 * them share a wave.  Values of other kinds than 32 and 64-bit integers are
 * never affine, nor are those that an operation may have wrapped at another
 * width.
 */
#include "form.h"
#include "pass/pass.h"

struct uniform {
	const struct func *f;
	const struct cfg *g;
	struct value *reg;
	struct diverge *diverge;
	bool rows;          /* a warp lies in one row of the block: tid.x */
	bool changed;
	struct value value; /* what the instruction at hand reads or writes */
	enum spread level;   /* to which a branch raises registers */
};

static const struct value varying = { VARYING, 0 };

/* spreads of special registers; the others vary */
static const uint8_t sreg_spread[NSREG] = {
	[SREG_LANEID] = AFFINE, [SREG_WARPID] = UNI_WARP,
	[SREG_NTID] = UNI_BLOCK, [SREG_NWARPID] = UNI_BLOCK,
	[SREG_CTAID] = UNI_BLOCK, [SREG_NCTAID] = UNI_BLOCK,
	[SREG_SMID] = UNI_BLOCK, [SREG_NSMID] = UNI_BLOCK,
	[SREG_GRIDID] = UNI_BLOCK, [SREG_CLUSTERID] = UNI_BLOCK,
	[SREG_NCLUSTERID] = UNI_BLOCK, [SREG_CLUSTER_CTAID] = UNI_BLOCK,
	[SREG_CLUSTER_NCTAID] = UNI_BLOCK, [SREG_CLUSTER_CTARANK] = UNI_BLOCK,
	[SREG_CLUSTER_NCTARANK] = UNI_BLOCK, [SREG_WARP_SZ] = UNI_BLOCK,
	[SREG_TOTAL_SMEM_SIZE] = UNI_BLOCK,
	[SREG_DYNAMIC_SMEM_SIZE] = UNI_BLOCK,
};

/* results that all threads get which take part: everyone that is here, or
 * those whom a member mask names */
static const struct { uint16_t id; bool masked; } votes[] = {
	{ INSN_VOTE, false }, { INSN_VOTE_BALLOT, false },
	{ INSN_ACTIVEMASK, false }, { INSN_BAR_POPC, false },
	{ INSN_BAR_RED, false }, { INSN_BARRIER_POPC, false },
	{ INSN_BARRIER_RED, false }, { INSN_VOTE_SYNC, true },
	{ INSN_BALLOT_SYNC, true }, { INSN_MATCH_ALL, true },
	{ INSN_REDUX, true }, { INSN_REDUX_BIT, true },
	{ INSN_REDUX_F32, true },
};

/* of one value or the other, whichever way was taken */
static struct value
join(struct value a, struct value b)
{
	if (a.spread == UNSEEN)
		return b;
	if (b.spread == UNSEEN)
		return a;
	if (a.spread == AFFINE && b.spread == AFFINE && a.stride == b.stride)
		return a;
	if (a.spread >= AFFINE || b.spread >= AFFINE)
		return varying;
	return a.spread > b.spread ? a : b;
}

/* a + sign * b */
static struct value
sum(struct value a, struct value b, int sign)
{
	struct value v;

	if (a.spread < AFFINE && b.spread < AFFINE)
		return join(a, b);
	if (a.spread == VARYING || b.spread == VARYING)
		return varying;
	v.spread = AFFINE;
	v.stride = (int64_t)((uint64_t)(a.spread == AFFINE ? a.stride : 0) +
		(uint64_t)sign * (uint64_t)(b.spread == AFFINE ? b.stride : 0));
	if (!v.stride)
		v.spread = UNI_WARP;
	return v;
}

static struct value
scaled(struct value a, const struct opnd *by, bool shift)
{
	if (a.spread != AFFINE)
		return a;
	if (by->kind != OP_INT || (shift && (by->u.i < 0 || by->u.i > 31)))
		return varying;
	a.stride = (int64_t)((uint64_t)a.stride * (shift
		? (uint64_t)1 << by->u.i : (uint64_t)by->u.i));
	if (!a.stride)
		a.spread = UNI_WARP;
	return a;
}

static struct value
of_sreg(const struct uniform *u, const struct opnd *o)
{
	enum sreg id;
	struct value v = { 0, 1 };

	id = (enum sreg)o->u.sym->u.sreg->id;
	v.spread = sreg_spread[id];
	if (id >= SREG_ENVREG0 && id <= SREG_ENVREG31)
		v.spread = UNI_BLOCK;
	if (id == SREG_TID && u->rows)
		v.spread = o->comp == 1 ? AFFINE : o->comp ? UNI_WARP : VARYING;
	if (v.spread == UNSEEN)
		v.spread = VARYING;
	return v;
}

static struct value
of_opnd(const struct uniform *u, const struct opnd *o)
{
	const struct sym *y;
	struct value v = { UNI_BLOCK, 0 };

	if (o->kind == OP_INT || o->kind == OP_FLT || o->kind == OP_SINK)
		return v;
	y = o->kind == OP_SYM ? o->u.sym : 0;
	if (!y)
		return varying;
	if (y->kind == SYM_REG)
		return u->reg[y->id];
	if (y->kind == SYM_SREG)
		return of_sreg(u, o);
	/* every thread has its own .local memory, and parameters of calls */
	if (y->kind == SYM_VAR && (y->space == LOCAL ||
	    (y->space == PARAM && !is_kernel_param(u->f, y))))
		return varying;
	return v;
}

/* of what any operation makes of all it reads */
static struct value
of_reads(const struct uniform *u, const struct insn *i)
{
	const struct opnd *o, *part;
	struct value v = { UNI_BLOCK, 0 };

	for (o = i->u.opnd; o < i->u.opnd + i->nopnd; o++) {
		if (!(i->op->opnd[o - i->u.opnd].access & ACCESS_READ))
			continue;
		if (o->kind < OP_ADDR) {
			v = join(v, of_opnd(u, o));
			continue;
		}
		for (part = o->u.list; part < o->u.list + o->n; part++)
			v = join(v, of_opnd(u, part));
	}
	return v.spread == AFFINE ? varying : v;
}

/* at one address there is one value, but for memory that is a thread's own */
static struct value
of_load(const struct uniform *u, const struct insn *i)
{
	struct value v;
	enum space space;

	space = insn_space(i);
	v = of_reads(u, i);
	if (v.spread >= AFFINE || space == GENERIC || space == LOCAL)
		return varying;
	if (space == PARAM)
		return i->u.opnd[1].u.list->kind == OP_SYM &&
			is_kernel_param(u->f, i->u.opnd[1].u.list->u.sym)
			? v : varying;
	if (space != CONST)
		v.spread = UNI_WARP;
	return v;
}

static bool
is_full(const struct insn *i)
{
	const struct opnd *mask;

	mask = &i->u.opnd[i->nopnd - 1];
	return mask->kind == OP_INT && (uint32_t)mask->u.i == UINT32_MAX;
}

static struct value
of_impure(const struct uniform *u, const struct insn *i)
{
	struct value v = { UNI_WARP, 0 };
	size_t k;

	if ((i->op->flags & IMPURE) == LOAD && i->op->id == INSN_LD)
		return of_load(u, i);
	for (k = 0; k < sizeof votes / sizeof *votes; k++)
		if (votes[k].id == i->op->id)
			return !votes[k].masked || is_full(i) ? v : varying;
	return varying;
}

static bool
is_word(const struct insn *i)
{
	const struct type_info *t;

	t = &type_info[insn_type(i, 0)];
	return t->lanes == 1 && t->bits >= 32 && t->kind != 'f';
}

/* of what keeps the distance from lane to lane the same */
static struct value
of_affine(const struct uniform *u, const struct insn *i)
{
	const struct opnd *o;

	o = i->u.opnd;
	if (!is_word(i))
		return varying;
	switch (i->op->id) {
	case INSN_MOV:
		return of_opnd(u, &o[1]);
	case INSN_ADD_INT:
		return sum(of_opnd(u, &o[1]), of_opnd(u, &o[2]), 1);
	case INSN_SUB_INT:
		return sum(of_opnd(u, &o[1]), of_opnd(u, &o[2]), -1);
	case INSN_SHL:
		return scaled(of_opnd(u, &o[1]), &o[2], true);
	case INSN_MUL_INT:
		return insn_is(i, "mode", "lo") ? scaled(of_opnd(u, &o[1]),
			&o[2], false) : varying;
	case INSN_MAD_INT:
		return insn_is(i, "mode", "lo") ? sum(scaled(of_opnd(u, &o[1]),
			&o[2], false), of_opnd(u, &o[3]), 1) : varying;
	}
	return varying;
}

static struct value
of_insn(const struct uniform *u, const struct insn *i)
{
	struct value v;

	if (i->op->flags & IMPURE)
		return of_impure(u, i);
	v = of_reads(u, i);
	return v.spread == VARYING ? of_affine(u, i) : v;
}

static void
raise(struct uniform *u, uint32_t reg, struct value v)
{
	struct value *r;

	r = &u->reg[reg];
	v = join(*r, v);
	if (v.spread != r->spread)
		u->changed = true;
	*r = v;
}

static void
write(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct uniform *u = arg;

	if (s->kind == SYM_REG && access & ACCESS_WRITE)
		raise(u, s->id, o && o->comp && u->value.spread == AFFINE
			? varying : u->value);
}

static void
run(struct uniform *u, const struct insn *i)
{
	struct value guard = { UNI_BLOCK, 0 };

	u->value = of_insn(u, i);
	if (i->guard) /* else the old value stays */
		guard = u->reg[i->guard->id];
	if (guard.spread >= AFFINE)
		u->value = varying;
	else if (guard.spread == UNI_WARP && u->value.spread == UNI_BLOCK)
		u->value.spread = UNI_WARP;
	insn_regs(i, write, u);
}

enum spread
uniform_jump(const struct value *reg, const struct insn *i)
{
	struct uniform u = { .reg = (struct value *)reg };
	struct value v = {0};

	if (i->guard)
		v = reg[i->guard->id];
	if (i->nopnd > 1)
		v = join(v, of_opnd(&u, &i->u.opnd[0]));
	return v.spread == AFFINE ? VARYING : (enum spread)v.spread;
}

static void
part(void *arg, uint32_t reg)
{
	struct uniform *u = arg;
	struct value v = { UNI_WARP, 0 };

	if (u->level == VARYING)
		raise(u, reg, varying);
	else if (u->reg[reg].spread < UNI_WARP)
		raise(u, reg, v);
}

/* b may end in a jump that has come to part more threads than at: done */
static void
branch(struct uniform *u, uint32_t b, uint8_t *done)
{
	const struct insn *i;

	for (i = u->g->block[b].first; i != u->g->block[b].end; i = i->next) {
		if (i->kind != STMT_INSN || !(i->op->flags & TERM))
			continue;
		u->level = uniform_jump(u->reg, i);
		if (u->level <= UNI_BLOCK || u->level <= *done)
			continue;
		*done = (uint8_t)u->level;
		diverge_from(u->diverge, b, part, u);
	}
}

/* do rows of the block, 32 or a multiple of it long, make its warps? */
static bool
has_rows(const struct func *f)
{
	const struct attr *a;

	a = func_attr(f, "reqntid");
	return a && (a->v[0] % 32 == 0 ||
		((a->n < 2 || a->v[1] == 1) && (a->n < 3 || a->v[2] == 1)));
}

struct value *
uniform_build(struct arena *a, const struct func *f, const struct cfg *g,
	const struct dom *dom, const struct reg_uses *uses)
{
	struct uniform u = { .f = f, .g = g, .rows = has_rows(f) };
	const struct insn *i;
	const struct sym *s;
	uint8_t *done;
	uint32_t k, b;

	u.reg = NEWN(a, f->nreg + 1, struct value);
	u.diverge = diverge_build(a, f, g, dom, uses);
	done = NEWN(a, g->n + 1, uint8_t);
	for (s = f->param; s; s = s->next)
		if (s->kind == SYM_REG)
			u.reg[s->id] = varying;
	do {
		u.changed = false;
		for (k = 0; k < g->nrpo; k++) {
			b = g->rpo[k];
			for (i = g->block[b].first; i != g->block[b].end;
			    i = i->next)
				if (i->kind == STMT_INSN)
					run(&u, i);
			branch(&u, b, &done[b]);
		}
	} while (u.changed);
	return u.reg;
}

bool
uniform_same(const struct value *a, const struct value *b, uint32_t n)
{
	uint32_t k;

	for (k = 0; k < n; k++)
		if (a[k].spread != b[k].spread || a[k].stride != b[k].stride)
			return false;
	return true;
}
