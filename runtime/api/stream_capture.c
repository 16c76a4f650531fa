/* stream_capture.c - the API of captures. */
#include "capture.h"
#include <stdlib.h>
#include <string.h>

/* first: what the first node comes behind; g 0: the capture makes one */
static CUresult
begin(CUstream s, CUgraph g, const struct edges *first,
	CUstreamCaptureMode mode)
{
	CUgraph own = g ? g : graph_new();
	struct capture *c = 0;
	CUresult err = CUDA_SUCCESS;

	if (!own)
		return CUDA_ERROR_OUT_OF_MEMORY;
	capture_lock();
	if (atomic_load(&s->capture))
		err = CUDA_ERROR_ILLEGAL_STATE;
	else if (!(c = capture_begin(s, own, mode, first)))
		err = CUDA_ERROR_OUT_OF_MEMORY;
	else
		c->given = g != 0;
	capture_unlock();
	if (err && !g)
		graph_free(own);
	return err;
}

static CUresult
find(CUstream h, CUstreamCaptureMode mode, CUstream *s)
{
	CUresult err;

	if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, s);
	if (!err && (*s)->kind == STREAM_LEGACY)
		err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	return err;
}

CUresult
cuStreamBeginCapture_v2(CUstream h, CUstreamCaptureMode mode)
{
	static const struct edges none;
	CUstream s;
	CUresult err = find(h, mode, &s);

	return err ? err : begin(s, 0, &none, mode);
}

CUresult
cuStreamBeginCapture(CUstream h)
{
	return cuStreamBeginCapture_v2(h, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult
cuStreamBeginCaptureToGraph(CUstream h, CUgraph g, const CUgraphNode *node,
	const CUgraphEdgeData *data, size_t n, CUstreamCaptureMode mode)
{
	struct edges first;
	CUstream s;
	CUresult err = find(h, mode, &s);

	if (err)
		return err;
	if (!handle_is(HANDLE_GRAPH, g) || g->captured)
		return CUDA_ERROR_INVALID_VALUE;
	err = edges_read(&first, g, node, data, n);
	if (!err)
		err = begin(s, g, &first, mode);
	edges_free(&first);
	return err;
}

/* may s end it, and what came of it?  over: it is no more */
static CUresult
finish(struct capture *c, CUstream s, bool *over)
{
	*over = true;
	if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED
		&& c->thread != &rt_thread)
		return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
	if (c->origin != s) {
		*over = false;
		capture_invalidate(c);
		return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
	}
	if (c->invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	return capture_joined(c) ? CUDA_SUCCESS :
		CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

CUresult
cuStreamEndCapture(CUstream h, CUgraph *out)
{
	CUgraph g = 0, waste = 0;
	struct capture *c;
	bool over, given = false;
	CUstream s;
	CUresult err;

	if (out)
		*out = 0;
	err = stream_find(h, &s);
	if (err)
		return err;
	capture_lock();
	c = atomic_load(&s->capture);
	err = c ? finish(c, s, &over) : CUDA_ERROR_ILLEGAL_STATE;
	if (c)
		given = c->given;
	if (!err)
		g = c->graph;
	else if (c && over && !c->given)
		waste = c->graph;
	if (c && over)
		capture_end(c);
	capture_unlock();
	if (waste)
		graph_free(waste);
	if (err)
		return err;
	if (out) {
		*out = g;
		return CUDA_SUCCESS;
	}
	if (given)
		return CUDA_SUCCESS; /* the program has it */
	graph_free(g);
	return CUDA_ERROR_INVALID_VALUE;
}

/* questions; the legacy stream would have to look at all others */

static CUresult
find_asked(CUstream h, CUstream *s)
{
	CUresult err = stream_find(h, s);

	if (!err && (*s)->kind == STREAM_LEGACY
		&& capture_blocking((*s)->context))
		err = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
	return err;
}

/* the nodes that the next one comes behind, as arrays */
static CUresult
show(CUstream s, const CUgraphNode **node, const CUgraphEdgeData **data)
{
	static const CUgraphEdgeData plain;
	const struct edges *l = &s->frontier;
	size_t k, all = l->n * (sizeof(CUgraphNode) + sizeof plain);
	CUgraphEdgeData *d;
	CUgraphNode *n;

	n = realloc(s->shown, all + 1);
	if (!n)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->shown = n;
	d = (CUgraphEdgeData *)(void *)(n + l->n);
	for (k = 0; k < l->n; k++) {
		n[k] = l->at[k].node;
		d[k] = l->at[k].data;
		if (!data && memcmp(&d[k], &plain, sizeof plain) != 0)
			return CUDA_ERROR_LOSSY_QUERY;
	}
	if (node)
		*node = n;
	if (data)
		*data = d;
	return CUDA_SUCCESS;
}

CUresult
cuStreamGetCaptureInfo_v3(CUstream h, CUstreamCaptureStatus *out, uint64_t *id,
	CUgraph *graph, const CUgraphNode **node, const CUgraphEdgeData **data,
	size_t *n)
{
	struct capture *c;
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = find_asked(h, &s);
	if (err)
		return err;
	capture_lock();
	c = atomic_load(&s->capture);
	*out = !c ? CU_STREAM_CAPTURE_STATUS_NONE : c->invalid ?
		CU_STREAM_CAPTURE_STATUS_INVALIDATED :
		CU_STREAM_CAPTURE_STATUS_ACTIVE;
	if (c && !c->invalid) {
		if (id)
			*id = c->id;
		if (graph)
			*graph = c->graph;
		if (n)
			*n = s->frontier.n;
		if (node || data)
			err = show(s, node, data);
	}
	capture_unlock();
	return err;
}

CUresult
cuStreamGetCaptureInfo_v2(CUstream h, CUstreamCaptureStatus *out, uint64_t *id,
	CUgraph *graph, const CUgraphNode **node, size_t *n)
{
	return cuStreamGetCaptureInfo_v3(h, out, id, graph, node, 0, n);
}

CUresult
cuStreamGetCaptureInfo(CUstream h, CUstreamCaptureStatus *out, uint64_t *id)
{
	return cuStreamGetCaptureInfo_v3(h, out, id, 0, 0, 0, 0);
}

CUresult
cuStreamIsCapturing(CUstream h, CUstreamCaptureStatus *out)
{
	return cuStreamGetCaptureInfo_v3(h, out, 0, 0, 0, 0, 0);
}

static CUresult
update(struct capture *c, CUstream s, const struct edges *by, unsigned flags)
{
	CUresult err = CUDA_SUCCESS;
	size_t k;

	(void)c;
	if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		s->frontier.n = 0;
	for (k = 0; k < by->n && !err; k++)
		if (!edges_find(&s->frontier, by->at[k].node))
			err = edges_add(&s->frontier, by->at[k].node,
				by->at[k].data);
	return err;
}

CUresult
cuStreamUpdateCaptureDependencies_v2(CUstream h, CUgraphNode *node,
	const CUgraphEdgeData *data, size_t n, unsigned flags)
{
	struct edges by = { 0 };
	struct capture *c;
	CUstream s;
	CUresult err = stream_find(h, &s);

	if (err)
		return err;
	if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		return CUDA_ERROR_INVALID_VALUE;
	capture_lock();
	c = atomic_load(&s->capture);
	if (!c)
		err = CUDA_ERROR_ILLEGAL_STATE;
	else if (c->invalid)
		err = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else
		err = edges_read(&by, c->graph, node, data, n);
	if (!err)
		err = update(c, s, &by, flags);
	capture_unlock();
	edges_free(&by);
	return err;
}

CUresult
cuStreamUpdateCaptureDependencies(CUstream h, CUgraphNode *node, size_t n,
	unsigned flags)
{
	return cuStreamUpdateCaptureDependencies_v2(h, node, 0, n, flags);
}

CUresult
cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = capture_exchange(*mode);
	return CUDA_SUCCESS;
}
