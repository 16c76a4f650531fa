/* capture.c - captures: what becomes of calls while streams are captured. */
#include "capture.h"
#include <stdlib.h>
#include <string.h>

atomic_uint capture_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct capture *all;
static unsigned long long last_id;
static _Thread_local CUstreamCaptureMode thread_mode;

void
capture_lock(void)
{
	pthread_mutex_lock(&lock);
}

void
capture_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

CUstreamCaptureMode
capture_exchange(CUstreamCaptureMode mode)
{
	CUstreamCaptureMode was = thread_mode;

	thread_mode = mode;
	return was;
}

/* streams come and go */

static atomic_uint *
count_of(CUstream s)
{
	return &((struct streams *)s->context->streams)->captured;
}

static bool
is_blocking(CUstream s)
{
	return !(s->flags & CU_STREAM_NON_BLOCKING);
}

static CUresult
join(struct capture *c, CUstream s, const struct edges *first)
{
	CUresult err = edges_copy(&s->frontier, first);

	if (err)
		return err;
	s->joined = c->streams;
	c->streams = s;
	if (is_blocking(s))
		atomic_fetch_add(count_of(s), 1);
	atomic_store_explicit(&s->capture, c, memory_order_release);
	return CUDA_SUCCESS;
}

static void
leave(struct capture *c, CUstream s)
{
	CUstream *at;

	for (at = &c->streams; *at != s; at = &(*at)->joined)
		;
	*at = s->joined;
	if (is_blocking(s))
		atomic_fetch_sub(count_of(s), 1);
	edges_free(&s->frontier);
	atomic_store_explicit(&s->capture, 0, memory_order_release);
}

struct capture *
capture_begin(CUstream s, CUgraph g, CUstreamCaptureMode mode,
	const struct edges *first)
{
	struct capture *c = calloc(1, sizeof *c);

	if (!c)
		return 0;
	c->id = ++last_id;
	c->graph = g;
	c->mode = mode;
	c->thread = &rt_thread;
	c->origin = s;
	if (join(c, s, first)) {
		free(c);
		return 0;
	}
	g->captured = true;
	c->next = all;
	all = c;
	atomic_fetch_add(&capture_count, 1);
	return c;
}

void
capture_end(struct capture *c)
{
	struct capture **at;

	while (c->streams)
		leave(c, c->streams);
	for (at = &all; *at != c; at = &(*at)->next)
		;
	*at = c->next;
	atomic_fetch_sub(&capture_count, 1);
	if (c->graph)
		c->graph->captured = false;
	free(c);
}

/* the nodes are of no use to anyone; a program's graph keeps them */
void
capture_invalidate(struct capture *c)
{
	CUstream s;

	c->invalid = true;
	for (s = c->streams; s; s = s->joined)
		edges_free(&s->frontier);
}

static struct capture *
find(unsigned long long id)
{
	struct capture *c;

	for (c = all; c && c->id != id; c = c->next)
		;
	return c;
}

void
capture_leave(CUstream s)
{
	struct capture *c;

	if (!atomic_load(&s->capture))
		return;
	capture_lock();
	c = atomic_load(&s->capture);
	if (c && c->origin == s) {
		c->graph->captured = false;
		if (!c->given)
			graph_free(c->graph);
		c->graph = 0;
		capture_end(c);
	} else if (c) {
		leave(c, s);
	}
	capture_unlock();
}

/* nodes */

/* takes the work, also where it fails */
static CUresult
add(CUstream s, struct work *w, CUgraphNode *out)
{
	static const CUgraphEdgeData plain;
	struct capture *c;
	CUgraphNode n;
	CUresult err = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;

	capture_lock();
	c = atomic_load(&s->capture);
	if (!c || c->invalid) {
		work_drop(w);
	} else {
		err = graph_add(c->graph, w, &s->frontier, &n);
		s->frontier.n = 0;
		if (!err)
			err = edges_add(&s->frontier, n, plain);
		if (err)
			capture_invalidate(c);
		else if (out)
			*out = n;
	}
	capture_unlock();
	return err;
}

CUresult
capture_kernel(CUstream s, CUfunction f, const struct launch_shape *shape,
	const struct dev_launch *l)
{
	struct work w;
	CUresult err = kernel_work(&w, f, 0, shape, l->param, l->param_size);

	return err ? err : add(s, &w, 0);
}

CUresult
capture_copy(CUstream s, const struct copy *copy)
{
	struct work w;

	copy_work(&w, s->context, copy);
	return add(s, &w, 0);
}

CUresult
capture_fill(CUstream s, const struct fill *fill)
{
	struct work w = { .kind = CU_GRAPH_NODE_TYPE_MEMSET,
		.context = s->context, .fill = *fill };

	return add(s, &w, 0);
}

CUresult
capture_node(CUstream s, CUgraphNodeParams *p, CUgraphNode *out)
{
	struct capture *c;
	struct work w;
	CUresult err = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;

	capture_lock();
	c = atomic_load(&s->capture);
	if (c && !c->invalid)
		err = work_make(&w, c->graph, p);
	capture_unlock();
	return err ? err : add(s, &w, out);
}

/* events */

CUresult
capture_record(CUstream s, struct capture_point *p)
{
	struct capture *c;
	CUresult err = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;

	capture_lock();
	c = atomic_load(&s->capture);
	if (c && !c->invalid) {
		edges_free(&p->at);
		err = edges_copy(&p->at, &s->frontier);
		p->capture = c->id;
	}
	capture_unlock();
	return err;
}

/* both are captured: s comes behind the point, too */
static CUresult
meet(CUstream s, const struct edges *at)
{
	CUresult err = CUDA_SUCCESS;
	size_t k;

	for (k = 0; k < at->n && !err; k++)
		if (!edges_find(&s->frontier, at->at[k].node))
			err = edges_add(&s->frontier, at->at[k].node,
				at->at[k].data);
	return err;
}

static CUresult
wait_for(CUstream s, struct capture *c, const struct edges *at)
{
	struct capture *own = atomic_load(&s->capture);

	if (!c || c->invalid)
		return CUDA_ERROR_INVALID_VALUE;
	if (s->kind == STREAM_LEGACY) {
		capture_invalidate(c);
		return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
	}
	if (!own)
		return join(c, s, at);
	if (own->invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (own == c)
		return meet(s, at);
	capture_invalidate(own);
	capture_invalidate(c);
	return CUDA_ERROR_STREAM_CAPTURE_MERGE;
}

CUresult
capture_wait(CUstream s, const struct capture_point *p)
{
	CUresult err;

	capture_lock();
	err = wait_for(s, find(p->capture), &p->at);
	capture_unlock();
	return err;
}

CUresult
capture_wait_outside(CUstream s)
{
	CUresult err = capture_refuse(s);

	return err == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED ?
		CUDA_ERROR_STREAM_CAPTURE_ISOLATION : err;
}

CUresult
capture_event_asked(const struct capture_point *p)
{
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct capture *c;

	capture_lock();
	c = find(p->capture);
	if (c && !c->invalid) {
		capture_invalidate(c);
		err = CUDA_ERROR_CAPTURED_EVENT;
	}
	capture_unlock();
	return err;
}

/* is the work of n in front of something that is marked? */
static void
mark_before(CUgraphNode n, CUgraphNode *stack)
{
	size_t depth = 0, k;

	if (n->index)
		return;
	n->index = 1;
	stack[depth++] = n;
	while (depth) {
		n = stack[--depth];
		for (k = 0; k < n->in.n; k++)
			if (!n->in.at[k].node->index) {
				n->in.at[k].node->index = 1;
				stack[depth++] = n->in.at[k].node;
			}
	}
}

bool
capture_joined(struct capture *c)
{
	CUgraphNode n, *stack = malloc((c->graph->n + 1) * sizeof *stack);
	bool all_joined = true;
	CUstream s;
	size_t k;

	if (!stack)
		return false;
	for (n = c->graph->first; n; n = n->next)
		n->index = 0;
	for (k = 0; k < c->origin->frontier.n; k++)
		mark_before(c->origin->frontier.at[k].node, stack);
	for (s = c->streams; s; s = s->joined)
		for (k = 0; k < s->frontier.n; k++)
			if (!s->frontier.at[k].node->index)
				all_joined = false;
	free(stack);
	return all_joined;
}

/* what must not be done */

CUresult
capture_refuse(CUstream s)
{
	CUresult err = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	struct capture *c;

	capture_lock();
	c = atomic_load(&s->capture);
	if (c && !c->invalid) {
		capture_invalidate(c);
		err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	}
	capture_unlock();
	return err;
}

/* invalidates the captures that have a stream in the context; false: none */
static bool
invalidate_in(CUcontext context, bool blocking)
{
	struct capture *c;
	bool any = false;
	CUstream s;

	capture_lock();
	for (c = all; c; c = c->next)
		for (s = c->streams; s; s = s->joined)
			if (s->context == context
				&& (!blocking || is_blocking(s))) {
				capture_invalidate(c);
				any = true;
				break;
			}
	capture_unlock();
	return any;
}

bool
capture_blocking(CUcontext context)
{
	struct streams *l = context->streams;

	return l && atomic_load(&l->captured);
}

CUresult
capture_implicit(CUcontext context)
{
	return capture_blocking(context) && invalidate_in(context, true) ?
		CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

CUresult
capture_context(CUcontext context)
{
	return atomic_load(&capture_count) && invalidate_in(context, false) ?
		CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

/* a capture forbids its own thread what it may have to wait for, and others
 * if it is global; a thread may say that it does not care for these */
static bool
forbids(const struct capture *c)
{
	if (c->mode == CU_STREAM_CAPTURE_MODE_RELAXED
		|| thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
		return false;
	return c->thread == &rt_thread
		|| (c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL
		&& thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult
capture_forbids(void)
{
	CUresult err = CUDA_SUCCESS;
	struct capture *c;

	if (!atomic_load_explicit(&capture_count, memory_order_relaxed))
		return CUDA_SUCCESS;
	capture_lock();
	for (c = all; c; c = c->next)
		if (forbids(c)) {
			capture_invalidate(c);
			err = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
		}
	capture_unlock();
	return err;
}
