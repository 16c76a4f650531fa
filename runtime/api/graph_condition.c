/* graph_condition.c - conditional nodes: bodies that run if, while or by which
 * value a word of memory has.
 *
 * The word is memory of the host that kernels see; its address is the handle
 * that they give to cudaGraphSetConditional.  What comes next is known only
 * when the word is, so a launch of a graph with conditions returns when the
 * last of them is decided.
 */
#include "graph.h"
#include <stdlib.h>

struct condition {
	struct condition *next;  /* of the graph */
	atomic_uint holds;       /* of the graph, of nodes and steps */
	CUcontext context;
	CUgraph graph;           /* 0: gone */
	volatile unsigned *word;
	uint64_t handle;
	unsigned value;          /* before each launch, if it resets */
	bool resets;
	bool used;               /* by a node */
};

static void
let_go(struct condition *c)
{
	struct region r;

	if (atomic_fetch_sub(&c->holds, 1) > 1)
		return;
	if (atomic_load(&c->context->alive)
		&& region_take(c->handle, 1u << REGION_HOST, &r))
		memory_release(&r);
	free(c);
}

void
conditions_free(struct condition *l)
{
	struct condition *next;

	for (; l; l = next) {
		next = l->next;
		l->graph = 0;
		let_go(l);
	}
}

bool
conditions_used(const struct condition *l)
{
	while (l && l->used)
		l = l->next;
	return !l;
}

static CUresult
make_word(struct condition *c)
{
	struct region r = { .size = 64, .kind = REGION_HOST,
		.context = c->context, .device = c->context->device };
	const struct device *d = c->context->device;
	void *host;
	CUresult err;

	err = d->ops->host_alloc(d->dev, r.size, CU_MEMHOSTALLOC_DEVICEMAP,
		&host, &r.addr);
	if (err)
		return err;
	r.host = (uintptr_t)host;
	err = region_add(&r);
	if (err) {
		memory_release(&r);
		return err;
	}
	c->word = host;
	c->handle = r.addr;
	*c->word = c->value;
	return CUDA_SUCCESS;
}

CUresult
cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph g,
	CUcontext context, unsigned value, unsigned flags)
{
	struct condition *c;
	CUresult err;

	if (!out || !handle_is(HANDLE_GRAPH, g)
		|| flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	c = calloc(1, sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_init(&c->holds, 1);
	c->context = context;
	c->graph = g;
	c->value = value;
	c->resets = flags & CU_GRAPH_COND_ASSIGN_DEFAULT;
	err = make_word(c);
	if (err) {
		free(c);
		return err;
	}
	c->next = g->conditions;
	g->conditions = c;
	*out = c->handle;
	return CUDA_SUCCESS;
}

/* the work of nodes */

static bool
is_size(const CUDA_CONDITIONAL_NODE_PARAMS *p)
{
	switch (p->type) {
	case CU_GRAPH_COND_TYPE_IF:
		return p->size == 1 || p->size == 2;
	case CU_GRAPH_COND_TYPE_WHILE:
		return p->size == 1;
	case CU_GRAPH_COND_TYPE_SWITCH:
		return p->size && p->size <= 1u << 16;
	}
	return false;
}

static void
drop(struct work *w)
{
	struct condition_work *c = &w->condition;
	unsigned k;

	for (k = 0; c->body && k < c->n; k++)
		if (c->body[k])
			graph_free(c->body[k]);
	if (c->body)
		c->condition->used = false;
	free(c->body);
	let_go(c->condition);
}

static CUresult
make(struct work *w, CUgraph g, CUgraphNodeParams *params)
{
	CUDA_CONDITIONAL_NODE_PARAMS *p = &params->conditional;
	struct condition *c;
	unsigned k;

	for (c = g->conditions; c && c->handle != p->handle; c = c->next)
		;
	if (!c || c->used || !is_size(p) || (p->ctx && p->ctx != c->context))
		return CUDA_ERROR_INVALID_VALUE;
	w->context = c->context;
	w->condition.condition = c;
	w->condition.type = p->type;
	w->condition.n = p->size;
	w->condition.body = calloc(p->size, sizeof *w->condition.body);
	if (!w->condition.body)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_fetch_add(&c->holds, 1);
	c->used = true;
	for (k = 0; k < p->size; k++)
		if (!(w->condition.body[k] = graph_new())) {
			drop(w);
			return CUDA_ERROR_OUT_OF_MEMORY;
		}
	p->phGraph_out = w->condition.body;
	return CUDA_SUCCESS;
}

static void
get(struct work *w, CUgraphNodeParams *p)
{
	const struct condition_work *c = &w->condition;

	p->conditional = (CUDA_CONDITIONAL_NODE_PARAMS){ c->condition->handle,
		c->type, c->n, c->body, w->context };
}

/* for a step, which has plans for bodies */
static CUresult
copy(struct work *w)
{
	w->condition.body = 0;
	atomic_fetch_add(&w->condition.condition->holds, 1);
	return CUDA_SUCCESS;
}

static CUgraphExecUpdateResult
change(const struct work *is, const struct work *want)
{
	(void)is;
	(void)want;
	return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
}

const struct work_kind work_conditional = {
	"conditional", make, get, copy, drop, 0, change
};

/* launches */

static void
reset(struct plan *p)
{
	unsigned k, b;

	for (k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];
		struct condition *c = s->work.condition.condition;

		if (s->work.kind != CU_GRAPH_NODE_TYPE_CONDITIONAL)
			continue;
		if (c->resets)
			*c->word = c->value;
		for (b = 0; b < s->work.condition.n; b++)
			reset(&s->body[b]);
	}
}

static CUresult run(struct plan *, const struct dev_ops *, struct queue *);

static CUresult
run_bodies(struct step *s, const struct dev_ops *ops, struct queue *q)
{
	const struct condition_work *w = &s->work.condition;
	CUresult err = ops->sync(q);
	unsigned v;

	if (err)
		return err;
	v = *w->condition->word;
	switch (w->type) {
	case CU_GRAPH_COND_TYPE_IF:
		if (v)
			return run(&s->body[0], ops, q);
		return w->n > 1 ? run(&s->body[1], ops, q) : CUDA_SUCCESS;
	case CU_GRAPH_COND_TYPE_WHILE:
		while (!err && *w->condition->word) {
			err = run(&s->body[0], ops, q);
			if (!err)
				err = ops->sync(q);
		}
		return err;
	case CU_GRAPH_COND_TYPE_SWITCH:
		return v < w->n ? run(&s->body[v], ops, q) : CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static CUresult
run(struct plan *p, const struct dev_ops *ops, struct queue *q)
{
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	for (k = 0; k < p->n && !err; k++) {
		struct step *s = &p->step[p->order[k]];
		const struct work_kind *kind = work_kind(s->work.kind);

		if (s->work.kind == CU_GRAPH_NODE_TYPE_CONDITIONAL)
			err = run_bodies(s, ops, q);
		else if (!s->off && kind->run)
			err = kind->run(&s->work, q);
	}
	return err;
}

CUresult
exec_run_conditional(CUgraphExec e, CUcontext c, struct queue *q)
{
	const struct dev_ops *ops = c->device->ops;
	CUresult err;

	if (c != e->context)
		return CUDA_ERROR_INVALID_CONTEXT;
	err = ops->sync(q);
	if (err)
		return err;
	reset(&e->plan);
	return run(&e->plan, ops, q);
}
