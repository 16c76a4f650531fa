/* graph_plan.c - a graph as steps: what comes before what, in which order, and
 * in which of several queues.
 *
 * A step goes on in the queue of a step that it comes behind, if it is the
 * first to do so; else in a queue of its own while there are not too many.
 * Between queues there are marks, but none that an earlier one makes needless.
 */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* nodes to steps */

static unsigned
count(CUgraph g)
{
	unsigned all = 0;
	CUgraphNode n;

	for (n = g->first; n; n = n->next)
		all += 1 + (n->work.kind == CU_GRAPH_NODE_TYPE_GRAPH ?
			count(n->work.child) : 0);
	return all;
}

/* what comes behind a node has to wait for; of a child: its last nodes.
 * out 0: just how many */
static unsigned
exits(CUgraphNode n, unsigned *out)
{
	unsigned all = 0;
	CUgraphNode c;

	if (n->work.kind == CU_GRAPH_NODE_TYPE_GRAPH)
		for (c = n->work.child->first; c; c = c->next)
			if (!c->out.n)
				all += exits(c, out ? out + all : 0);
	if (all)
		return all;
	if (out)
		*out = (unsigned)n->index;
	return 1;
}

static CUresult
set_before(struct step *s, CUgraphNode n, int enter)
{
	unsigned all = !n->in.n && enter != NONE;
	size_t k;

	for (k = 0; k < n->in.n; k++)
		all += exits(n->in.at[k].node, 0);
	if (!all)
		return CUDA_SUCCESS;
	s->before = malloc(all * sizeof *s->before);
	if (!s->before)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (!n->in.n)
		s->before[s->nbefore++] = (unsigned)enter;
	for (k = 0; k < n->in.n; k++)
		s->nbefore += exits(n->in.at[k].node,
			s->before + s->nbefore);
	return CUDA_SUCCESS;
}

static CUresult
flatten(struct plan *p, CUgraph g, int enter)
{
	CUresult err = CUDA_SUCCESS;
	struct step *s;
	CUgraphNode n;

	for (n = g->first; n && !err; n = n->next) {
		n->index = p->n;
		s = &p->step[p->n++];
		s->node = n;
		s->id = n->id;
		s->work.kind = n->work.kind;
		if (n->work.kind == CU_GRAPH_NODE_TYPE_GRAPH)
			err = flatten(p, n->work.child, (int)n->index);
		s->end = p->n;
	}
	for (n = g->first; n && !err; n = n->next)
		err = set_before(&p->step[n->index], n, enter);
	return err;
}

CUresult
plan_flatten(struct plan *p, CUgraph g)
{
	CUresult err;

	*p = (struct plan){ 0 };
	p->step = calloc(count(g) + 1u, sizeof *p->step);
	if (!p->step)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = flatten(p, g, NONE);
	if (err)
		plan_free(p);
	return err;
}

void
plan_free(struct plan *p)
{
	unsigned k, b;

	for (k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		for (b = 0; s->body && b < s->work.condition.n; b++)
			plan_free(&s->body[b]);
		if (s->made)
			work_drop(&s->work);
		free(s->body);
		free(s->before);
		free(s->wait);
	}
	free(p->step);
	free(p->order);
	*p = (struct plan){ 0 };
}

/* steps to an order */

/* what comes behind each step, one list behind the other */
struct behind {
	unsigned *first;         /* n + 1 */
	unsigned *step;
	unsigned *left;          /* steps that one still waits for */
};

static bool
make_behind(const struct plan *p, struct behind *b)
{
	unsigned k, i, all = 0;

	for (k = 0; k < p->n; k++)
		all += p->step[k].nbefore;
	b->first = calloc(2 * (size_t)p->n + 2 + all, sizeof *b->first);
	if (!b->first)
		return false;
	b->left = b->first + p->n + 2;
	b->step = b->left + p->n;
	for (k = 0; k < p->n; k++) {
		b->left[k] = p->step[k].nbefore;
		for (i = 0; i < p->step[k].nbefore; i++)
			b->first[p->step[k].before[i] + 2]++;
	}
	for (k = 2; k < p->n + 2; k++)
		b->first[k] += b->first[k - 1];
	for (k = 0; k < p->n; k++)
		for (i = 0; i < p->step[k].nbefore; i++)
			b->step[b->first[p->step[k].before[i] + 1]++] = k;
	return true;
}

/* a step of a cycle is one that never gets its turn, and whose turn does not
 * hang on others of its kind alone; any of them will do */
static CUresult
make_order(struct plan *p, CUgraphNode *bad)
{
	unsigned k, i, n = 0;
	struct behind b;

	p->order = malloc((p->n + 1u) * sizeof *p->order);
	if (!p->order || !make_behind(p, &b))
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (k = 0; k < p->n; k++)
		if (!b.left[k])
			p->order[n++] = k;
	for (k = 0; k < n; k++)
		for (i = b.first[p->order[k]]; i < b.first[p->order[k] + 1];
		     i++)
			if (!--b.left[b.step[i]])
				p->order[n++] = b.step[i];
	for (k = p->n; n < p->n && k-- > 0;)
		if (b.left[k]) {
			*bad = p->step[k].node;
			break;
		}
	free(b.first);
	return n < p->n ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* an order to queues */

struct lanes {
	struct plan *plan;
	unsigned most;
	int tail[MAX_LANES];     /* the last step of each */
	unsigned length[MAX_LANES];
	unsigned *place;         /* of a step, in the order */
	/* up to where in the order lane a has waited for lane b */
	unsigned seen[MAX_LANES][MAX_LANES];
};

static bool
takes(const struct lanes *l, unsigned lane, const struct step *s)
{
	return !s->work.context || s->work.context == l->plan->lane[lane];
}

/* a lane that the step only continues */
static int
continued(const struct lanes *l, const struct step *s)
{
	unsigned i, lane;

	for (i = 0; i < s->nbefore; i++) {
		lane = l->plan->step[s->before[i]].lane;
		if (l->tail[lane] == (int)s->before[i] && takes(l, lane, s))
			return (int)lane;
	}
	return NONE;
}

static int
new_lane(struct lanes *l, const struct step *s)
{
	struct plan *p = l->plan;

	if (l->tail[0] == NONE && takes(l, 0, s))
		return 0;
	if (p->nlane >= l->most)
		return NONE;
	p->lane[p->nlane] = s->work.context ? s->work.context : p->lane[0];
	l->tail[p->nlane] = NONE;
	return (int)p->nlane++;
}

/* the shortest that will do; there may be none for a context of its own */
static int
shared_lane(const struct lanes *l, const struct step *s)
{
	int best = NONE;
	unsigned k;

	for (k = 0; k < l->plan->nlane; k++)
		if (takes(l, k, s) && (best == NONE ||
		    l->length[k] < l->length[best]))
			best = (int)k;
	return best;
}

static int
choose(struct lanes *l, const struct step *s)
{
	int lane = continued(l, s);

	if (lane == NONE)
		lane = new_lane(l, s);
	if (lane == NONE)
		lane = shared_lane(l, s);
	if (lane == NONE) {
		l->most = MAX_LANES;
		lane = new_lane(l, s);
	}
	return lane;
}

static CUresult
set_waits(struct lanes *l, struct step *s)
{
	unsigned i, from, *seen;

	if (!s->nbefore)
		return CUDA_SUCCESS;
	s->wait = malloc(s->nbefore * sizeof *s->wait);
	if (!s->wait)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < s->nbefore; i++) {
		struct step *b = &l->plan->step[s->before[i]];

		from = l->place[s->before[i]] + 1;
		seen = &l->seen[s->lane][b->lane];
		if (b->lane == s->lane || *seen >= from)
			continue;
		*seen = from;
		b->marks = true;
		s->wait[s->nwait++] = s->before[i];
	}
	return CUDA_SUCCESS;
}

static CUresult
assign(struct lanes *l)
{
	struct plan *p = l->plan;
	CUresult err = CUDA_SUCCESS;
	unsigned k;
	int lane;

	for (k = 0; k < p->n; k++)
		l->place[p->order[k]] = k;
	for (k = 0; k < p->n && !err; k++) {
		struct step *s = &p->step[p->order[k]];

		lane = choose(l, s);
		if (lane == NONE)
			return CUDA_ERROR_NOT_SUPPORTED;
		s->lane = (unsigned)lane;
		l->tail[lane] = (int)p->order[k];
		l->length[lane]++;
		err = set_waits(l, s);
	}
	return err;
}

/* as many queues as can run at once are enough */
static CUresult
make_lanes(struct plan *p, CUcontext c)
{
	unsigned units = c ? c->device->info.units : 2;
	struct lanes *l = calloc(1, sizeof *l);
	CUresult err = CUDA_ERROR_OUT_OF_MEMORY;

	if (!l)
		return err;
	l->plan = p;
	l->most = units < 2 ? 2 : units < MAX_LANES ? units : MAX_LANES;
	if (p->conditional)
		l->most = 1;
	l->place = calloc(p->n + 1u, sizeof *l->place);
	l->tail[0] = NONE;
	p->lane[0] = c;
	p->nlane = 1;
	if (l->place)
		err = assign(l);
	if (!err && p->conditional && p->nlane > 1)
		err = CUDA_ERROR_NOT_SUPPORTED;
	free(l->place);
	free(l);
	return err;
}

/* all of it */

static CUresult make_works(struct plan *, CUcontext, CUgraphNode *bad);

/* what may be in the body of a condition */
static bool
is_body(const struct plan *p, CUgraphNode *bad)
{
	unsigned k;

	for (k = 0; k < p->n; k++)
		switch (p->step[k].work.kind) {
		case CU_GRAPH_NODE_TYPE_KERNEL:
		case CU_GRAPH_NODE_TYPE_MEMCPY:
		case CU_GRAPH_NODE_TYPE_MEMSET:
		case CU_GRAPH_NODE_TYPE_GRAPH:
		case CU_GRAPH_NODE_TYPE_EMPTY:
		case CU_GRAPH_NODE_TYPE_CONDITIONAL:
			break;
		default:
			*bad = p->step[k].node;
			return false;
		}
	return true;
}

static CUresult
make_bodies(struct step *s, CUcontext c, CUgraphNode *bad)
{
	const struct condition_work *w = &s->node->work.condition;
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	s->body = calloc(w->n, sizeof *s->body);
	if (!s->body)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (k = 0; k < w->n && !err; k++) {
		err = plan_flatten(&s->body[k], w->body[k]);
		if (!err && !is_body(&s->body[k], bad))
			err = CUDA_ERROR_INVALID_VALUE;
		if (!err)
			err = make_order(&s->body[k], bad);
		if (!err) {
			err = make_works(&s->body[k], c, bad);
			s->body[k].conditional = true;
		}
		if (!err)
			err = make_lanes(&s->body[k], c);
	}
	return err;
}

static CUresult
make_works(struct plan *p, CUcontext c, CUgraphNode *bad)
{
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	for (k = 0; k < p->n && !err; k++) {
		struct step *s = &p->step[k];

		if (s->work.kind == CU_GRAPH_NODE_TYPE_GRAPH)
			continue;
		err = work_copy(&s->work, &s->node->work);
		s->made = !err;
		if (!err && s->work.kind == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
			p->conditional = true;
			err = make_bodies(s, c, bad);
		}
	}
	return err;
}

CUresult
plan_make(struct plan *p, CUgraph g, CUcontext c, CUgraphNode *bad)
{
	CUresult err = plan_flatten(p, g);

	*bad = 0;
	if (!err)
		err = make_order(p, bad);
	if (!err)
		err = make_works(p, c, bad);
	if (!err)
		err = make_lanes(p, c);
	if (err)
		plan_free(p);
	return err;
}

struct step *
plan_find(struct plan *p, CUgraphNode n)
{
	struct step *s, *in;
	unsigned k, b;

	/* nobody's node has changed place: the common case */
	if (n->index < p->n && p->step[n->index].id == n->id)
		return &p->step[n->index];
	for (k = 0; k < p->n; k++) {
		s = &p->step[k];
		if (s->id == n->id)
			return s;
		for (b = 0; s->body && b < s->work.condition.n; b++) {
			in = plan_find(&s->body[b], n);
			if (in)
				return in;
		}
	}
	return 0;
}
