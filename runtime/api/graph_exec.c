/* graph_exec.c - graphs made executable, their flags, steps turned off. */
#include "graph.h"
#include "stream.h"
#include <stdlib.h>

/* what a context does first decides where the graph is at home */
static CUcontext
home_of(CUgraph g)
{
	CUgraphNode n;
	CUcontext c;

	for (n = g->first; n; n = n->next) {
		c = n->work.kind == CU_GRAPH_NODE_TYPE_GRAPH ?
			home_of(n->work.child) : n->work.context;
		if (c)
			return c;
	}
	return 0;
}

static bool
has_memory(CUgraph g)
{
	return graph_has(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		|| graph_has(g, CU_GRAPH_NODE_TYPE_MEM_FREE);
}

static void
free_exec(CUgraphExec e)
{
	plan_free(&e->plan);
	objects_drop(e->objects);
	pthread_mutex_destroy(&e->lock);
	handle_free(HANDLE_EXEC, e);
}

static CUresult
make(CUgraphExec e, CUgraph g, CUgraphNode *bad)
{
	CUcontext c = home_of(g);
	CUresult err;

	e->context = c ? c : context_current();
	if (e->context)
		e->context_id = e->context->id;
	e->graph = g->id;
	e->memory = has_memory(g);
	err = plan_make(&e->plan, g, e->context, bad);
	if (!err && !conditions_used(g->conditions))
		err = CUDA_ERROR_INVALID_VALUE;
	if (!err)
		err = objects_copy(&e->objects, g->objects);
	if (!err && (e->memory || e->plan.conditional)) {
		e->single = g;
		g->exec = e;
	}
	return err;
}

static CUresult
instantiate(CUgraphExec *out, CUgraph g, uint64_t flags, CUgraphNode *bad)
{
	CUgraphExec e;
	CUresult err;

	*bad = 0;
	if (!out || !handle_is(HANDLE_GRAPH, g) || g->owner)
		return CUDA_ERROR_INVALID_VALUE;
	err = capture_forbids();
	if (err)
		return err;
	if (g->exec)
		return CUDA_ERROR_NOT_SUPPORTED;
	e = handle_new(HANDLE_EXEC, sizeof *e);
	if (!e)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_init(&e->lock, 0);
	e->flags = flags;
	err = make(e, g, bad);
	if (err)
		free_exec(e);
	else
		*out = e;
	return err;
}

CUresult
cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph g,
	unsigned long long flags)
{
	CUgraphNode bad;

	if (flags & ~(unsigned long long)(
	    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
	    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY |
	    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH))
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
		return CUDA_ERROR_NOT_SUPPORTED;
	return instantiate(out, g, flags, &bad);
}

CUresult
cuGraphInstantiate_v2(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log,
	size_t size)
{
	CUgraphNode n;
	CUresult err = instantiate(out, g, 0, &n);

	if (bad)
		*bad = n;
	if (log && size)
		*log = 0;
	return err;
}

CUresult
cuGraphInstantiate(CUgraphExec *out, CUgraph g, CUgraphNode *bad, char *log,
	size_t size)
{
	return cuGraphInstantiate_v2(out, g, bad, log, size);
}

/* the steps are where the device finds them: there is nothing to upload */
CUresult
cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph g,
	CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
	CUgraphNode bad = 0;
	CUresult err;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) {
		p->result_out =
			CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (p->flags & ~(uint64_t)0xf)
		err = CUDA_ERROR_INVALID_VALUE;
	else
		err = instantiate(out, g, p->flags & ~(uint64_t)
			CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, &bad);
	p->hErrNode_out = bad;
	p->result_out = !err ? CUDA_GRAPH_INSTANTIATE_SUCCESS :
		bad ? CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE :
		CUDA_GRAPH_INSTANTIATE_ERROR;
	if (err == CUDA_ERROR_INVALID_VALUE && !bad
		&& handle_is(HANDLE_GRAPH, g)
		&& !conditions_used(g->conditions))
		p->result_out =
			CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
	return err;
}

CUresult
cuGraphExecGetFlags(CUgraphExec e, uint64_t *out)
{
	if (!handle_is(HANDLE_EXEC, e) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = e->flags;
	return CUDA_SUCCESS;
}

/* what a launch that goes on may still use: its memory is waited for, other
 * objects are let go when it is done */
static void
finish(CUgraphExec e)
{
	const struct dev_ops *ops = e->context->device->ops;
	struct queue *q;

	if (!e->last)
		return;
	if (ops->query(e->last) == CUDA_ERROR_NOT_READY) {
		if (e->memory || e->plan.conditional) {
			ops->reached(e->last);
		} else if (e->objects && !queue_take(e->context, &q)) {
			if (!ops->wait(q, e->last) && !ops->call(q,
			    objects_drop_later, e->objects))
				e->objects = 0;
			queue_give(e->context, e->context_id, q);
		}
	}
	ops->unmark(e->last);
}

CUresult
cuGraphExecDestroy(CUgraphExec e)
{
	CUresult err;
	unsigned k;

	if (!handle_is(HANDLE_EXEC, e))
		return CUDA_ERROR_INVALID_VALUE;
	err = capture_forbids();
	if (err)
		return err;
	if (e->context)
		finish(e);
	for (k = 0; k < MAX_LANES; k++)
		if (e->queue[k])
			queue_give(e->plan.lane[k], e->lane_id[k],
				e->queue[k]);
	if (e->single && handle_is(HANDLE_GRAPH, e->single)
		&& e->single->exec == e)
		e->single->exec = 0;
	free_exec(e);
	return CUDA_SUCCESS;
}

/* steps turned off */

static CUresult
find_switch(CUgraphExec e, CUgraphNode n, struct step **out)
{
	struct step *s;

	if (!handle_is(HANDLE_EXEC, e) || !handle_is(HANDLE_NODE, n))
		return CUDA_ERROR_INVALID_VALUE;
	*out = s = plan_find(&e->plan, n);
	if (!s || (s->work.kind != CU_GRAPH_NODE_TYPE_KERNEL
		&& s->work.kind != CU_GRAPH_NODE_TYPE_MEMSET
		&& s->work.kind != CU_GRAPH_NODE_TYPE_MEMCPY))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult
cuGraphNodeSetEnabled(CUgraphExec e, CUgraphNode n, unsigned on)
{
	struct step *s;
	CUresult err = find_switch(e, n, &s);

	if (!err)
		s->off = !on;
	return err;
}

CUresult
cuGraphNodeGetEnabled(CUgraphExec e, CUgraphNode n, unsigned *out)
{
	struct step *s;
	CUresult err = out ? find_switch(e, n, &s) : CUDA_ERROR_INVALID_VALUE;

	if (!err)
		*out = !s->off;
	return err;
}
