/* work.c - what nodes do, whatever their kind; nodes of any kind. */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

static const struct work_kind *const kinds[] = {
	[CU_GRAPH_NODE_TYPE_KERNEL] = &work_kernel,
	[CU_GRAPH_NODE_TYPE_MEMCPY] = &work_memcpy,
	[CU_GRAPH_NODE_TYPE_MEMSET] = &work_memset,
	[CU_GRAPH_NODE_TYPE_HOST] = &work_host,
	[CU_GRAPH_NODE_TYPE_GRAPH] = &work_graph,
	[CU_GRAPH_NODE_TYPE_EMPTY] = &work_empty,
	[CU_GRAPH_NODE_TYPE_WAIT_EVENT] = &work_wait_event,
	[CU_GRAPH_NODE_TYPE_EVENT_RECORD] = &work_event_record,
	[CU_GRAPH_NODE_TYPE_MEM_ALLOC] = &work_mem_alloc,
	[CU_GRAPH_NODE_TYPE_MEM_FREE] = &work_mem_free,
	[CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = &work_batch_mem_op,
	[CU_GRAPH_NODE_TYPE_CONDITIONAL] = &work_conditional,
};

const struct work_kind *
work_kind(CUgraphNodeType kind)
{
	return (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : 0;
}

CUresult
work_make(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	const struct work_kind *k = work_kind(p->type);

	memset(w, 0, sizeof *w);
	w->kind = p->type;
	if (p->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL
		|| p->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!k || p->reserved2)
		return CUDA_ERROR_INVALID_VALUE;
	return k->make(w, g, p);
}

CUresult
work_copy(struct work *to, const struct work *from)
{
	const struct work_kind *k = work_kind(from->kind);

	*to = *from;
	return k->copy ? k->copy(to) : CUDA_SUCCESS;
}

void
work_drop(struct work *w)
{
	const struct work_kind *k = work_kind(w->kind);

	if (k->drop)
		k->drop(w);
}

CUresult
work_context(struct work *w, CUcontext c)
{
	w->context = context_of(c);
	return w->context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* nodes */

CUresult
cuGraphAddNode_v2(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	const CUgraphEdgeData *data, size_t n, CUgraphNodeParams *p)
{
	struct edges before;
	struct work w;
	CUresult err;

	if (!out || !handle_is(HANDLE_GRAPH, g) || !p)
		return CUDA_ERROR_INVALID_VALUE;
	err = edges_read(&before, g, node, data, n);
	if (err)
		return err;
	err = work_make(&w, g, p);
	if (!err)
		err = graph_add(g, &w, &before, out);
	edges_free(&before);
	return err;
}

CUresult
cuGraphAddNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node, size_t n,
	CUgraphNodeParams *p)
{
	return cuGraphAddNode_v2(out, g, node, 0, n, p);
}

/* what a node may not become: it is more than what it does */
static bool
is_settable(CUgraphNodeType kind)
{
	return kind != CU_GRAPH_NODE_TYPE_GRAPH
		&& kind != CU_GRAPH_NODE_TYPE_MEM_ALLOC
		&& kind != CU_GRAPH_NODE_TYPE_MEM_FREE
		&& kind != CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

/* a kernel keeps its attributes */
static void
replace(struct work *w, struct work *by)
{
	if (w->kind == CU_GRAPH_NODE_TYPE_KERNEL && !by->kernel.attribute) {
		by->kernel.attribute = w->kernel.attribute;
		by->kernel.launch.cooperative = w->kernel.launch.cooperative;
		w->kernel.attribute = 0;
	}
	work_drop(w);
	*w = *by;
}

CUresult
cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams *p)
{
	struct work w;
	CUresult err;

	if (!handle_is(HANDLE_NODE, n) || !p || p->type != n->work.kind)
		return CUDA_ERROR_INVALID_VALUE;
	if (!is_settable(p->type))
		return CUDA_ERROR_NOT_SUPPORTED;
	err = work_make(&w, n->graph, p);
	if (!err)
		replace(&n->work, &w);
	return err;
}

CUresult
cuGraphExecNodeSetParams(CUgraphExec e, CUgraphNode n, CUgraphNodeParams *p)
{
	const struct work_kind *k;
	struct step *s;
	struct work w;
	CUresult err;

	if (!handle_is(HANDLE_EXEC, e) || !handle_is(HANDLE_NODE, n) || !p)
		return CUDA_ERROR_INVALID_VALUE;
	s = plan_find(&e->plan, n);
	if (!s || p->type != s->work.kind)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->type == CU_GRAPH_NODE_TYPE_GRAPH)
		return cuGraphExecChildGraphNodeSetParams(e, n,
			p->graph.graph);
	if (!is_settable(p->type))
		return CUDA_ERROR_NOT_SUPPORTED;
	err = work_make(&w, n->graph, p);
	if (err)
		return err;
	if (p->type == CU_GRAPH_NODE_TYPE_KERNEL)
		w.kernel.launch.cooperative =
			s->work.kernel.launch.cooperative;
	k = work_kind(p->type);
	if (k->change && k->change(&s->work, &w)) {
		work_drop(&w);
		return CUDA_ERROR_INVALID_VALUE;
	}
	replace(&s->work, &w);
	return CUDA_SUCCESS;
}

CUresult
cuGraphNodeGetType(CUgraphNode n, CUgraphNodeType *out)
{
	if (!handle_is(HANDLE_NODE, n) || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = n->work.kind;
	return CUDA_SUCCESS;
}
