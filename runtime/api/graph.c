/* graph.c - graphs: made, filled with nodes, cloned, gone. */
#include "graph.h"
#include <stdlib.h>

static atomic_ullong last_id;

static unsigned long long
new_id(void)
{
	return atomic_fetch_add(&last_id, 1) + 1;
}

CUgraph
graph_new(void)
{
	CUgraph g = handle_new(HANDLE_GRAPH, sizeof *g);

	if (!g)
		return 0;
	g->id = new_id();
	g->last = &g->first;
	return g;
}

void
node_free(CUgraphNode n)
{
	CUgraph g = n->graph;

	while (n->in.n)
		edge_remove(n->in.at[n->in.n - 1].node, n);
	while (n->out.n)
		edge_remove(n, n->out.at[n->out.n - 1].node);
	edges_free(&n->in);
	edges_free(&n->out);
	*n->link = n->next;
	if (n->next)
		n->next->link = n->link;
	else
		g->last = n->link;
	g->n--;
	work_drop(&n->work);
	handle_free(HANDLE_NODE, n);
}

/* the newest first: its edges are the last of others' lists */
static void
free_nodes(CUgraph g)
{
	CUgraphNode n;

	for (n = g->first; n; n = n->next)
		n->in.n = n->out.n = 0;
	while (g->first)
		node_free(g->first);
}

void
graph_free(CUgraph g)
{
	free_nodes(g);
	objects_drop(g->objects);
	conditions_free(g->conditions);
	handle_free(HANDLE_GRAPH, g);
}

static void
set_owner(CUgraphNode n)
{
	struct work *w = &n->work;
	unsigned k;

	if (w->kind == CU_GRAPH_NODE_TYPE_GRAPH)
		w->child->owner = n;
	if (w->kind == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		for (k = 0; k < w->condition.n; k++)
			w->condition.body[k]->owner = n;
}

CUresult
graph_add(CUgraph g, struct work *w, const struct edges *before,
	CUgraphNode *out)
{
	CUgraphNode n = handle_new(HANDLE_NODE, sizeof *n);
	CUresult err = CUDA_SUCCESS;
	size_t k;

	if (!n) {
		work_drop(w);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	n->graph = g;
	n->id = new_id();
	n->work = *w;
	n->link = g->last;
	*g->last = n;
	g->last = &n->next;
	g->n++;
	set_owner(n);
	for (k = 0; k < before->n && !err; k++)
		err = edge_add(before->at[k].node, n, before->at[k].data);
	if (err) {
		node_free(n);
		return err;
	}
	*out = n;
	return CUDA_SUCCESS;
}

bool
graph_has(CUgraph g, CUgraphNodeType kind)
{
	CUgraphNode n;

	for (n = g->first; n; n = n->next)
		if (n->work.kind == kind
			|| (n->work.kind == CU_GRAPH_NODE_TYPE_GRAPH
			&& graph_has(n->work.child, kind)))
			return true;
	return false;
}

/* nodes of g stand for those of c that have the same index */
static CUresult
copy_nodes(CUgraph g, CUgraphNode *copy, CUgraph c)
{
	CUgraphNode n;
	struct work w;
	struct edges in;
	CUresult err;
	size_t k, i = 0;

	for (n = g->first; n; n = n->next)
		n->index = i++;
	for (n = g->first; n; n = n->next) {
		err = work_copy(&w, &n->work);
		if (err)
			return err;
		in = (struct edges){ 0 };
		err = graph_add(c, &w, &in, &copy[n->index]);
		if (err)
			return err;
		copy[n->index]->origin = n->id;
	}
	for (n = g->first; n; n = n->next)
		for (k = 0; k < n->in.n; k++) {
			err = edge_add(copy[n->in.at[k].node->index],
				copy[n->index], n->in.at[k].data);
			if (err)
				return err;
		}
	return CUDA_SUCCESS;
}

CUresult
graph_copy(CUgraph g, CUgraph *out)
{
	CUgraphNode *copy = malloc((g->n + 1) * sizeof *copy);
	CUgraph c = copy ? graph_new() : 0;
	CUresult err = CUDA_ERROR_OUT_OF_MEMORY;

	if (c) {
		c->origin = g->id;
		err = copy_nodes(g, copy, c);
		if (!err)
			err = objects_copy(&c->objects, g->objects);
		if (err)
			graph_free(c);
	}
	free(copy);
	if (!err)
		*out = c;
	return err;
}

/* the API */

CUresult
cuGraphCreate(CUgraph *out, unsigned flags)
{
	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*out = graph_new();
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* what belongs to a node, or is being captured, goes with that */
CUresult
cuGraphDestroy(CUgraph g)
{
	if (!handle_is(HANDLE_GRAPH, g) || g->owner)
		return CUDA_ERROR_INVALID_VALUE;
	if (g->captured)
		return CUDA_ERROR_ILLEGAL_STATE;
	graph_free(g);
	return CUDA_SUCCESS;
}

CUresult
cuGraphDestroyNode(CUgraphNode n)
{
	if (!handle_is(HANDLE_NODE, n))
		return CUDA_ERROR_INVALID_VALUE;
	if (n->graph->captured)
		return CUDA_ERROR_ILLEGAL_STATE;
	if (n->work.kind == CU_GRAPH_NODE_TYPE_MEM_ALLOC
		|| n->work.kind == CU_GRAPH_NODE_TYPE_MEM_FREE)
		return CUDA_ERROR_NOT_SUPPORTED;
	node_free(n);
	return CUDA_SUCCESS;
}

/* memory has one place, and a condition one value */
static bool
is_unique(CUgraph g)
{
	return graph_has(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		|| graph_has(g, CU_GRAPH_NODE_TYPE_MEM_FREE)
		|| graph_has(g, CU_GRAPH_NODE_TYPE_CONDITIONAL);
}

CUresult
cuGraphClone(CUgraph *out, CUgraph g)
{
	if (!out || !handle_is(HANDLE_GRAPH, g))
		return CUDA_ERROR_INVALID_VALUE;
	if (is_unique(g))
		return CUDA_ERROR_NOT_SUPPORTED;
	return graph_copy(g, out);
}

CUresult
cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode n, CUgraph clone)
{
	CUgraphNode c;

	if (!out || !handle_is(HANDLE_NODE, n)
		|| !handle_is(HANDLE_GRAPH, clone)
		|| clone->origin != n->graph->id)
		return CUDA_ERROR_INVALID_VALUE;
	for (c = clone->first; c && c->origin != n->id; c = c->next)
		;
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	*out = c;
	return CUDA_SUCCESS;
}
