/* diverge.c - where threads that part at a branch meet again.
 *
 * From the branch every successor sends its name along; a block that gets two
 * different ones is a join, and sends its own.  At a join, threads come by
 * different ways: a register that was written on one of them, and that is
 * still to be read, may differ.  (Registers that are written once, before
 * every read, cannot: no other write reaches the join.)  Nothing goes beyond
 * the branch's post-dominator, where all have met.
 *
 * If that is outside of a loop, threads leave the loop in different rounds;
 * then all registers that are written in the loop and read behind it differ.
 */
#include "pass/pass.h"
#include <string.h>

struct diverge {
	const struct func *f;
	const struct cfg *g;
	const struct reg_uses *uses;
	struct dom *post;
	struct live *live;
	struct loops *loops;
	struct list def;    /* by block: registers written that leave it */
	uint64_t budget;    /* steps; with 0 left, everything may differ */

	uint32_t round;     /* of this branch: marks what was met */
	uint32_t stop;      /* its post-dominator, or the end */
	uint32_t *seen, *joined, *told; /* rounds; by block, block, register */
	uint32_t *name;     /* by block: the last join on the way there */
	uint32_t *region, nregion; /* blocks met */
	uint32_t *join, njoin;
	uint32_t first, last; /* in reverse postorder, of those met */
};

/* edges from blocks to what they write; without to, only counted */
struct writes {
	struct diverge *d;
	uint32_t n;
	uint32_t *to;
};

static void
note_write(void *arg, struct sym *s, struct opnd *o, enum access access)
{
	struct writes *w = arg;

	(void)o;
	if (s->kind != SYM_REG || !(access & ACCESS_WRITE) ||
	    w->d->live->column[s->id] == NONE)
		return;
	if (w->to)
		w->to[w->n] = s->id;
	w->n++;
}

static void
note_writes(struct writes *w)
{
	const struct cfg *g = w->d->g;
	struct insn *i;
	uint32_t b;

	w->n = 0;
	for (b = 0; b < g->n; b++) {
		w->d->def.at[b] = w->n;
		for (i = g->block[b].first; i != g->block[b].end; i = i->next)
			if (i->kind == STMT_INSN)
				insn_regs(i, note_write, w);
	}
	w->d->def.at[b] = w->n;
}

struct diverge *
diverge_build(struct arena *a, const struct func *f, const struct cfg *g,
	const struct dom *dom, const struct reg_uses *uses)
{
	struct diverge *d;
	struct writes w;

	d = NEW(a, struct diverge);
	d->f = f;
	d->g = g;
	d->uses = uses;
	d->post = postdom_build(a, g);
	d->live = live_build(a, f, g);
	d->loops = loops_build(a, g, dom);
	d->budget = 1000000 + 256 * (uint64_t)g->n;
	d->def.at = NEWN(a, g->n + 1, uint32_t);
	w = (struct writes){ .d = d };
	note_writes(&w);
	w.to = d->def.to = NEWN(a, w.n + 1, uint32_t);
	note_writes(&w);
	d->seen = NEWN(a, g->n + 1, uint32_t);
	d->joined = NEWN(a, g->n + 1, uint32_t);
	d->told = NEWN(a, f->nreg + 1, uint32_t);
	d->name = NEWN(a, g->n + 1, uint32_t);
	d->region = NEWN(a, g->n + 1, uint32_t);
	d->join = NEWN(a, g->n + g->succ.at[g->n] + 1, uint32_t);
	return d;
}

static bool
spend(struct diverge *d, uint64_t steps)
{
	d->budget = d->budget > steps ? d->budget - steps : 0;
	return d->budget;
}

/* name comes to block b; true: b sends something new from now on */
static bool
reach(struct diverge *d, uint32_t b, uint32_t name)
{
	uint32_t order;
	bool renamed;

	order = d->g->block[b].order;
	if (d->seen[b] != d->round) {
		d->seen[b] = d->round;
		d->name[b] = name;
		d->region[d->nregion++] = b;
		d->first = order < d->first ? order : d->first;
		d->last = order > d->last ? order : d->last;
		return true;
	}
	if (d->name[b] == name || d->joined[b] == d->round)
		return false;
	d->joined[b] = d->round;
	d->join[d->njoin++] = b;
	renamed = d->name[b] != b;
	d->name[b] = b;
	return renamed;
}

/* what the blocks met send on, in one round through them; true: some of it
 * went back */
static bool
send(struct diverge *d, uint32_t from)
{
	const struct cfg *g = d->g;
	uint32_t k, b, e, to;
	bool back;

	back = false;
	for (k = d->first; k <= d->last; k++) {
		b = g->rpo[k];
		if (d->seen[b] != d->round || b == d->stop || b == from)
			continue;
		for (e = g->succ.at[b]; e < g->succ.at[b + 1]; e++) {
			to = g->succ.to[e];
			if (reach(d, to, d->name[b]) &&
			    g->block[to].order <= k)
				back = true;
		}
	}
	return spend(d, d->last - d->first + 1) && back;
}

static void
tell(struct diverge *d, uint32_t reg, void (*fn)(void *, uint32_t), void *arg)
{
	if (d->told[reg] != d->round)
		fn(arg, reg);
	d->told[reg] = d->round;
}

/* is reg, written in block b, to be read where one of join begins?  In b
 * itself it is written after that. */
static bool
is_read(struct diverge *d, uint32_t reg, uint32_t b)
{
	uint32_t k;

	spend(d, d->njoin);
	for (k = 0; k < d->njoin; k++)
		if (d->join[k] != b && live_in(d->live, d->join[k], reg))
			return true;
	return false;
}

static void
tell_joins(struct diverge *d, void (*fn)(void *, uint32_t), void *arg)
{
	uint32_t k, e, b, reg;

	for (k = 0; k < d->nregion && d->njoin; k++) {
		b = d->region[k];
		if (b == d->stop)
			continue;
		for (e = d->def.at[b]; e < d->def.at[b + 1]; e++) {
			reg = d->def.to[e];
			if (!d->uses[reg].ssa && d->told[reg] != d->round &&
			    is_read(d, reg, b))
				tell(d, reg, fn, arg);
		}
	}
}

/* where loop k is left, into join, which has been used up */
static void
find_exits(struct diverge *d, uint32_t k)
{
	const struct cfg *g = d->g;
	uint32_t r, e;

	d->njoin = 0;
	for (r = 0; r < d->nregion; r++) {
		if (!in_loop(d->loops, d->region[r], k))
			continue;
		e = g->succ.at[d->region[r]];
		for (; e < g->succ.at[d->region[r] + 1]; e++)
			if (!in_loop(d->loops, g->succ.to[e], k))
				d->join[d->njoin++] = g->succ.to[e];
	}
	spend(d, d->nregion);
}

static void
tell_loop(struct diverge *d, uint32_t k, void (*fn)(void *, uint32_t),
	void *arg)
{
	uint32_t r, e, b;

	find_exits(d, k);
	for (r = 0; r < d->nregion; r++) {
		b = d->region[r];
		if (!in_loop(d->loops, b, k))
			continue;
		for (e = d->def.at[b]; e < d->def.at[b + 1]; e++)
			if (is_read(d, d->def.to[e], b))
				tell(d, d->def.to[e], fn, arg);
	}
}

static void
tell_all(struct diverge *d, void (*fn)(void *, uint32_t), void *arg)
{
	uint32_t reg;

	for (reg = 0; reg < d->f->nreg; reg++)
		if (d->live->column[reg] != NONE)
			tell(d, reg, fn, arg);
}

void
diverge_from(struct diverge *d, uint32_t b, void (*fn)(void *, uint32_t),
	void *arg)
{
	const struct cfg *g = d->g;
	uint32_t e, k;

	d->round++;
	d->nregion = d->njoin = d->last = 0;
	d->first = NONE;
	d->stop = d->post->idom[b];
	for (e = g->succ.at[b]; e < g->succ.at[b + 1]; e++)
		reach(d, g->succ.to[e], g->succ.to[e]);
	while (d->nregion && send(d, b))
		;
	tell_joins(d, fn, arg);
	if (d->seen[b] != d->round)
		d->region[d->nregion++] = b;
	for (k = d->loops->of[b]; k != NONE; k = d->loops->loop[k].outer)
		if (d->stop >= g->n || !in_loop(d->loops, d->stop, k))
			tell_loop(d, k, fn, arg);
	if (!d->budget || d->loops->irreducible)
		tell_all(d, fn, arg);
}
