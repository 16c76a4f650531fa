/* graph_dot.c - graphs as text for Graphviz. */
#include "graph.h"
#include <stdio.h>

static const char *
name_of(CUgraphNode n)
{
	return work_kind(n->work.kind)->name;
}

/* what a node does, in a line or two of its label */
static void
print_work(FILE *f, const struct work *w)
{
	const struct launch_shape *s = &w->kernel.shape;

	switch (w->kind) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		fprintf(f, "\\n%s\\n(%u,%u,%u) x (%u,%u,%u), %u bytes shared",
			w->kernel.function->name, s->grid[0], s->grid[1],
			s->grid[2], s->block[0], s->block[1], s->block[2],
			s->shared);
		break;
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		fprintf(f, "\\n%#llx to %#llx\\n%zu x %zu x %zu bytes",
			(unsigned long long)w->copy.copy.src.addr,
			(unsigned long long)w->copy.copy.dst.addr,
			w->copy.copy.width, w->copy.copy.height,
			w->copy.copy.depth);
		break;
	case CU_GRAPH_NODE_TYPE_MEMSET:
		fprintf(f, "\\n%#llx: %#x\\n%zu x %zu of %u bytes",
			(unsigned long long)w->fill.addr, w->fill.value,
			w->fill.width, w->fill.height, w->fill.element);
		break;
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		fprintf(f, "\\n%p", (void *)w->event);
		break;
	default:
		break;
	}
}

static void print_graph(FILE *, CUgraph, unsigned flags);

static void
print_bodies(FILE *f, CUgraphNode n, unsigned flags)
{
	const struct work *w = &n->work;
	unsigned k;

	if (w->kind == CU_GRAPH_NODE_TYPE_GRAPH)
		print_graph(f, w->child, flags);
	if (w->kind == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		for (k = 0; k < w->condition.n; k++)
			print_graph(f, w->condition.body[k], flags);
}

static void
print_graph(FILE *f, CUgraph g, unsigned flags)
{
	bool details = flags & ~(unsigned)CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES;
	CUgraphNode n;
	size_t k;

	fprintf(f, "subgraph cluster_%llu {\n\tlabel=\"graph_%llu\"\n",
		g->id, g->id);
	for (n = g->first; n; n = n->next) {
		fprintf(f, "\tnode_%llu [shape=box label=\"%llu: %s", n->id,
			n->id, name_of(n));
		if (flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)
			fprintf(f, "\\n%p", (void *)n);
		if (details)
			print_work(f, &n->work);
		fprintf(f, "\"]\n");
	}
	for (n = g->first; n; n = n->next)
		for (k = 0; k < n->out.n; k++)
			fprintf(f, "\tnode_%llu -> node_%llu\n", n->id,
				n->out.at[k].node->id);
	fprintf(f, "}\n");
	for (n = g->first; n; n = n->next)
		print_bodies(f, n, flags);
}

CUresult
cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned flags)
{
	bool ok;
	FILE *f;

	if (!handle_is(HANDLE_GRAPH, g) || !path)
		return CUDA_ERROR_INVALID_VALUE;
	f = fopen(path, "w");
	if (!f)
		return CUDA_ERROR_OPERATING_SYSTEM;
	fprintf(f, "digraph dot {\n");
	print_graph(f, g, flags);
	fprintf(f, "}\n");
	ok = !ferror(f);
	return fclose(f) == 0 && ok ? CUDA_SUCCESS :
		CUDA_ERROR_OPERATING_SYSTEM;
}
