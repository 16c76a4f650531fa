/* work_host.c - nodes that call, record or wait for an event, or do nothing
 * themselves. */
#include "graph.h"
#include "event.h"
#include "stream.h"

static CUresult
make_call(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	(void)g;
	w->call = p->host;
	return p->host.fn ? work_context(w, 0) : CUDA_ERROR_INVALID_VALUE;
}

static void
get_call(struct work *w, CUgraphNodeParams *p)
{
	p->host = w->call;
}

static CUresult
run_call(struct work *w, struct queue *q)
{
	return host_call(w->context, q, w->call.fn, w->call.userData);
}

const struct work_kind work_host = {
	"host", make_call, get_call, 0, 0, run_call, 0
};

/* events */

static CUresult
make_event(struct work *w, CUevent e)
{
	w->event = e;
	w->context = handle_is(HANDLE_EVENT, e) ? event_context(e) : 0;
	return w->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
make_record(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	(void)g;
	return make_event(w, p->eventRecord.event);
}

static CUresult
make_wait(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	(void)g;
	return make_event(w, p->eventWait.event);
}

static void
get_record(struct work *w, CUgraphNodeParams *p)
{
	p->eventRecord.event = w->event;
}

static void
get_wait(struct work *w, CUgraphNodeParams *p)
{
	p->eventWait.event = w->event;
}

static CUresult
run_record(struct work *w, struct queue *q)
{
	static const struct past none;

	return handle_is(HANDLE_EVENT, w->event) ?
		event_record(w->event, q, &none) : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult
run_wait(struct work *w, struct queue *q)
{
	return handle_is(HANDLE_EVENT, w->event) ?
		event_wait(w->event, w->context, q, 0) :
		CUDA_ERROR_INVALID_HANDLE;
}

static CUgraphExecUpdateResult
change_event(const struct work *is, const struct work *want)
{
	return is->context == want->context ? CU_GRAPH_EXEC_UPDATE_SUCCESS :
		CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

const struct work_kind work_event_record = {
	"event record", make_record, get_record, 0, 0, run_record, change_event
};
const struct work_kind work_wait_event = {
	"event wait", make_wait, get_wait, 0, 0, run_wait, change_event
};

/* nothing */

static CUresult
make_empty(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	(void)w;
	(void)g;
	(void)p;
	return CUDA_SUCCESS;
}

static void
get_empty(struct work *w, CUgraphNodeParams *p)
{
	(void)w;
	(void)p;
}

const struct work_kind work_empty = {
	"empty", make_empty, get_empty, 0, 0, 0, 0
};

/* child graphs: the steps of their nodes do the work */

/* is g the graph that the node is in, or one around that? */
static bool
is_around(CUgraph g, CUgraph in)
{
	while (in && in != g)
		in = in->owner ? in->owner->graph : 0;
	return in != 0;
}

static CUresult
make_child(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	CUgraph child = p->graph.graph;
	bool moved = p->graph.ownership ==
		CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;

	if (!handle_is(HANDLE_GRAPH, child) || is_around(child, g)
		|| (unsigned)p->graph.ownership >
		CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
		return CUDA_ERROR_INVALID_VALUE;
	if (graph_has(child, CU_GRAPH_NODE_TYPE_CONDITIONAL))
		return CUDA_ERROR_NOT_SUPPORTED;
	if (moved) {
		if (child->owner || child->exec)
			return CUDA_ERROR_INVALID_VALUE;
		w->child = child;
		return CUDA_SUCCESS;
	}
	if (graph_has(child, CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		|| graph_has(child, CU_GRAPH_NODE_TYPE_MEM_FREE))
		return CUDA_ERROR_NOT_SUPPORTED;
	return graph_copy(child, &w->child);
}

static void
get_child(struct work *w, CUgraphNodeParams *p)
{
	p->graph.graph = w->child;
}

/* of a node; a step has none */
static CUresult
copy_child(struct work *w)
{
	return w->child ? graph_copy(w->child, &w->child) : CUDA_SUCCESS;
}

static void
drop_child(struct work *w)
{
	if (w->child)
		graph_free(w->child);
}

const struct work_kind work_graph = {
	"child graph", make_child, get_child, copy_child, drop_child, 0, 0
};
