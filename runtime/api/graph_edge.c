/* graph_edge.c - edges: what has to be done before what.
 *
 * An edge is kept at both ends.  Its data only says when it is over; here it
 * always is when the node before it is done.
 */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

struct edge *
edges_find(const struct edges *l, CUgraphNode n)
{
	size_t k;

	for (k = 0; k < l->n; k++)
		if (l->at[k].node == n)
			return &l->at[k];
	return 0;
}

CUresult
edges_add(struct edges *l, CUgraphNode n, CUgraphEdgeData data)
{
	size_t cap = l->cap ? 2 * l->cap : 2;
	struct edge *p;

	if (l->n == l->cap) {
		p = realloc(l->at, cap * sizeof *p);
		if (!p)
			return CUDA_ERROR_OUT_OF_MEMORY;
		l->at = p;
		l->cap = cap;
	}
	l->at[l->n++] = (struct edge){ n, data };
	return CUDA_SUCCESS;
}

static void
take(struct edges *l, CUgraphNode n)
{
	struct edge *e = edges_find(l, n);

	if (!e)
		return;
	l->n--;
	memmove(e, e + 1, (size_t)(l->at + l->n - e) * sizeof *e);
}

void
edges_free(struct edges *l)
{
	free(l->at);
	*l = (struct edges){ 0 };
}

CUresult
edges_copy(struct edges *to, const struct edges *from)
{
	*to = (struct edges){ 0 };
	if (!from->n)
		return CUDA_SUCCESS;
	to->at = malloc(from->n * sizeof *to->at);
	if (!to->at)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(to->at, from->at, from->n * sizeof *to->at);
	to->n = to->cap = from->n;
	return CUDA_SUCCESS;
}

CUresult
edge_add(CUgraphNode before, CUgraphNode after, CUgraphEdgeData data)
{
	CUresult err = edges_add(&before->out, after, data);

	if (err)
		return err;
	err = edges_add(&after->in, before, data);
	if (err)
		before->out.n--;
	return err;
}

void
edge_remove(CUgraphNode before, CUgraphNode after)
{
	take(&before->out, after);
	take(&after->in, before);
}

/* is that something a kernel can be waited for in? */
static bool
is_data(const CUgraphEdgeData *d, CUgraphNode before)
{
	bool kernel = before->work.kind == CU_GRAPH_NODE_TYPE_KERNEL;

	if (d->to_port || d->from_port > CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER
		|| d->type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
		return false;
	if (d->from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC
		&& d->type != CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
		return false;
	if (d->type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && !d->from_port)
		return false;
	return kernel || (!d->from_port && !d->type);
}

CUresult
edges_read(struct edges *l, CUgraph g, const CUgraphNode *node,
	const CUgraphEdgeData *data, size_t n)
{
	static const CUgraphEdgeData plain;
	CUresult err = CUDA_SUCCESS;
	size_t k;

	*l = (struct edges){ 0 };
	if (n && !node)
		return CUDA_ERROR_INVALID_VALUE;
	for (k = 0; k < n && !err; k++) {
		const CUgraphEdgeData *d = data ? &data[k] : &plain;

		if (!handle_is(HANDLE_NODE, node[k]) || node[k]->graph != g
			|| edges_find(l, node[k]) || !is_data(d, node[k]))
			err = CUDA_ERROR_INVALID_VALUE;
		else
			err = edges_add(l, node[k], *d);
	}
	if (err)
		edges_free(l);
	return err;
}

/* the API */

static bool
is_pair(CUgraph g, CUgraphNode from, CUgraphNode to)
{
	return handle_is(HANDLE_NODE, from) && handle_is(HANDLE_NODE, to)
		&& from != to && from->graph == g && to->graph == g;
}

CUresult
cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode *from,
	const CUgraphNode *to, const CUgraphEdgeData *data, size_t n)
{
	static const CUgraphEdgeData plain;
	CUresult err = CUDA_SUCCESS;
	size_t k;

	if (!handle_is(HANDLE_GRAPH, g) || (n && (!from || !to)))
		return CUDA_ERROR_INVALID_VALUE;
	for (k = 0; k < n && !err; k++) {
		const CUgraphEdgeData *d = data ? &data[k] : &plain;

		if (!is_pair(g, from[k], to[k]) || !is_data(d, from[k])
			|| edges_find(&to[k]->in, from[k]))
			err = CUDA_ERROR_INVALID_VALUE;
		else
			err = edge_add(from[k], to[k], *d);
	}
	/* all of them, or none */
	if (err)
		for (k--; k-- > 0;)
			edge_remove(from[k], to[k]);
	return err;
}

CUresult
cuGraphAddDependencies(CUgraph g, const CUgraphNode *from,
	const CUgraphNode *to, size_t n)
{
	return cuGraphAddDependencies_v2(g, from, to, 0, n);
}

CUresult
cuGraphRemoveDependencies_v2(CUgraph g, const CUgraphNode *from,
	const CUgraphNode *to, const CUgraphEdgeData *data, size_t n)
{
	size_t k;

	(void)data; /* two nodes have one edge at most */
	if (!handle_is(HANDLE_GRAPH, g) || (n && (!from || !to)))
		return CUDA_ERROR_INVALID_VALUE;
	if (graph_has(g, CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		|| graph_has(g, CU_GRAPH_NODE_TYPE_MEM_FREE))
		return CUDA_ERROR_NOT_SUPPORTED;
	for (k = 0; k < n; k++)
		if (!is_pair(g, from[k], to[k])
			|| !edges_find(&to[k]->in, from[k]))
			return CUDA_ERROR_INVALID_VALUE;
	for (k = 0; k < n; k++)
		edge_remove(from[k], to[k]);
	return CUDA_SUCCESS;
}

CUresult
cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from,
	const CUgraphNode *to, size_t n)
{
	return cuGraphRemoveDependencies_v2(g, from, to, 0, n);
}

/* what is handed out: up to *n edges, the rest of the room is cleared */
struct out {
	CUgraphNode *from, *to;
	CUgraphEdgeData *data;
	size_t room, n;
	bool lossy;             /* data that the caller does not see */
};

static void
put(struct out *o, CUgraphNode from, CUgraphNode to, CUgraphEdgeData d)
{
	static const CUgraphEdgeData plain;

	if (o->n < o->room) {
		if (o->from)
			o->from[o->n] = from;
		if (o->to)
			o->to[o->n] = to;
		if (o->data)
			o->data[o->n] = d;
		else if (memcmp(&d, &plain, sizeof d) != 0)
			o->lossy = true;
	}
	o->n++;
}

static CUresult
put_end(struct out *o, size_t *n)
{
	size_t k;

	for (k = o->n; k < o->room; k++) {
		if (o->from)
			o->from[k] = 0;
		if (o->to)
			o->to[k] = 0;
	}
	*n = o->room && o->n > o->room ? o->room : o->n;
	return o->lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

CUresult
cuGraphGetEdges_v2(CUgraph g, CUgraphNode *from, CUgraphNode *to,
	CUgraphEdgeData *data, size_t *n)
{
	struct out o = { from, to, data, 0, 0, false };
	CUgraphNode t;
	size_t k;

	if (!handle_is(HANDLE_GRAPH, g) || !n || !from != !to
		|| (data && !from))
		return CUDA_ERROR_INVALID_VALUE;
	o.room = from ? *n : 0;
	for (t = g->first; t; t = t->next)
		for (k = 0; k < t->in.n; k++)
			put(&o, t->in.at[k].node, t, t->in.at[k].data);
	return put_end(&o, n);
}

CUresult
cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
	return cuGraphGetEdges_v2(g, from, to, 0, n);
}

static CUresult
put_ends(const struct edges *l, CUgraphNode *out, CUgraphEdgeData *data,
	size_t *n)
{
	struct out o = { out, 0, data, 0, 0, false };
	size_t k;

	if (!n || (data && !out))
		return CUDA_ERROR_INVALID_VALUE;
	o.room = out ? *n : 0;
	for (k = 0; k < l->n; k++)
		put(&o, l->at[k].node, 0, l->at[k].data);
	return put_end(&o, n);
}

CUresult
cuGraphNodeGetDependencies_v2(CUgraphNode t, CUgraphNode *out,
	CUgraphEdgeData *data, size_t *n)
{
	if (!handle_is(HANDLE_NODE, t))
		return CUDA_ERROR_INVALID_VALUE;
	return put_ends(&t->in, out, data, n);
}

CUresult
cuGraphNodeGetDependencies(CUgraphNode t, CUgraphNode *out, size_t *n)
{
	return cuGraphNodeGetDependencies_v2(t, out, 0, n);
}

CUresult
cuGraphNodeGetDependentNodes_v2(CUgraphNode t, CUgraphNode *out,
	CUgraphEdgeData *data, size_t *n)
{
	if (!handle_is(HANDLE_NODE, t))
		return CUDA_ERROR_INVALID_VALUE;
	return put_ends(&t->out, out, data, n);
}

CUresult
cuGraphNodeGetDependentNodes(CUgraphNode t, CUgraphNode *out, size_t *n)
{
	return cuGraphNodeGetDependentNodes_v2(t, out, 0, n);
}

CUresult
cuGraphGetNodes(CUgraph g, CUgraphNode *out, size_t *n)
{
	static const CUgraphEdgeData plain;
	struct out o = { out, 0, 0, 0, 0, false };
	CUgraphNode t;

	if (!handle_is(HANDLE_GRAPH, g) || !n)
		return CUDA_ERROR_INVALID_VALUE;
	o.room = out ? *n : 0;
	for (t = g->first; t; t = t->next)
		put(&o, t, 0, plain);
	return put_end(&o, n);
}

CUresult
cuGraphGetRootNodes(CUgraph g, CUgraphNode *out, size_t *n)
{
	static const CUgraphEdgeData plain;
	struct out o = { out, 0, 0, 0, 0, false };
	CUgraphNode t;

	if (!handle_is(HANDLE_GRAPH, g) || !n)
		return CUDA_ERROR_INVALID_VALUE;
	o.room = out ? *n : 0;
	for (t = g->first; t; t = t->next)
		if (!t->in.n)
			put(&o, t, 0, plain);
	return put_end(&o, n);
}
