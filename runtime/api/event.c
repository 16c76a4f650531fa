/* event.c - events: places in streams, and the time between them. */
#include "event.h"
#include "capture.h"
#include "ipc.h"
#include "pool.h"
#include <stdlib.h>

/* a mark of the device's, for as long as somebody looks at it */
struct point {
	atomic_uint holds;
	const struct dev_ops *ops;
	struct mark *mark;
	struct past past;      /* what a stream that waits comes after */
};

struct CUevent_st {
	struct owned owned;
	CUcontext context;
	unsigned flags;
	pthread_mutex_t lock;
	atomic_bool gone;      /* somebody destroys it */
	struct point *point;   /* 0: never recorded */
	struct shared_event *shared; /* of CU_EVENT_INTERPROCESS */
	struct capture_point captured; /* … or where in a capture */
};

static void
let_go(struct point *p)
{
	if (!p || atomic_fetch_sub(&p->holds, 1) > 1)
		return;
	p->ops->unmark(p->mark);
	free(p);
}

/* 0: never recorded */
static struct point *
hold(CUevent e)
{
	struct point *p;

	pthread_mutex_lock(&e->lock);
	p = e->point;
	if (p)
		atomic_fetch_add(&p->holds, 1);
	pthread_mutex_unlock(&e->lock);
	return p;
}

static CUresult
fault(CUevent e)
{
	return (CUresult)atomic_load_explicit(&e->context->error,
		memory_order_acquire);
}

static void
destroy(struct owned *o)
{
	CUevent e = (CUevent)(void *)o;

	disown(e->context, &e->owned);
	let_go(e->point);
	e->point = 0;
	shared_event_free(e->shared);
	edges_free(&e->captured.at);
	pthread_mutex_destroy(&e->lock);
	handle_free(HANDLE_EVENT, e);
}

static CUresult
create(CUcontext c, unsigned flags, struct shared_event *shared, CUevent *out)
{
	CUevent e = handle_new(HANDLE_EVENT, sizeof *e);

	if (!e) {
		shared_event_free(shared);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	e->context = c;
	e->flags = flags;
	e->shared = shared;
	e->owned.destroy = destroy;
	pthread_mutex_init(&e->lock, 0);
	own(c, OWNED_EVENT, &e->owned);
	*out = e;
	return CUDA_SUCCESS;
}

CUresult
cuEventCreate(CUevent *out, unsigned flags)
{
	CUcontext c = context_current();
	struct shared_event *shared = 0;

	if (!out || flags & ~(unsigned)(CU_EVENT_BLOCKING_SYNC |
	    CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS))
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & CU_EVENT_INTERPROCESS) {
		if (!(flags & CU_EVENT_DISABLE_TIMING))
			return CUDA_ERROR_INVALID_VALUE;
		if (!shares_events(c->device))
			return CUDA_ERROR_NOT_SUPPORTED;
		shared = shared_event_new(c->device);
		if (!shared)
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	return create(c, flags, shared, out);
}

CUresult
cuIpcGetEventHandle(CUipcEventHandle *out, CUevent e)
{
	if (!out || !e)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_EVENT, e) || !e->shared)
		return CUDA_ERROR_INVALID_HANDLE;
	return shared_event_name(e->shared, out->reserved);
}

CUresult
cuIpcOpenEventHandle(CUevent *out, CUipcEventHandle h)
{
	CUresult err = need_LIVE();
	struct shared_event *shared;
	CUcontext c;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (err)
		return err;
	c = context_current();
	err = shared_event_open(c->device, h.reserved, &shared);
	return err ? err : create(c, CU_EVENT_INTERPROCESS |
		CU_EVENT_DISABLE_TIMING, shared, out);
}

CUresult
cuEventDestroy_v2(CUevent e)
{
	if (!handle_is(HANDLE_EVENT, e) || atomic_exchange(&e->gone, true))
		return CUDA_ERROR_INVALID_HANDLE;
	destroy(&e->owned);
	return CUDA_SUCCESS;
}

CUresult
cuEventDestroy(CUevent e)
{
	return cuEventDestroy_v2(e);
}

CUcontext
event_context(CUevent e)
{
	return e->shared ? 0 : e->context;
}

CUresult
event_record(CUevent e, struct queue *queue, const struct past *past)
{
	const struct dev_ops *ops = e->context->device->ops;
	struct point *p, *old;
	CUresult err;

	p = malloc(sizeof *p);
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	p->ops = ops;
	atomic_init(&p->holds, 1);
	p->past = *past;
	err = ops->mark(queue, !(e->flags & CU_EVENT_DISABLE_TIMING),
		&p->mark);
	if (err) {
		free(p);
		return err;
	}
	pthread_mutex_lock(&e->lock);
	old = e->point;
	e->point = p;
	e->captured.capture = 0;
	pthread_mutex_unlock(&e->lock);
	let_go(old);
	return CUDA_SUCCESS;
}

static CUresult
record(CUevent e, CUstream s)
{
	struct past past = s->past;

	if (e->shared)
		return shared_event_record(e->shared, s);
	if (atomic_load(&s->freed))
		past_add(&past, s->id, atomic_load(&s->freed));
	return event_record(e, s->queue, &past);
}

/* in a capture an event is a place in the graph, or, external, a node */
static CUresult
record_captured(CUevent e, CUstream s, unsigned flags)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD };

	p.eventRecord.event = e;
	return flags ? capture_node(s, &p, 0) :
		capture_record(s, &e->captured);
}

CUresult
cuEventRecordWithFlags(CUevent e, CUstream h, unsigned flags)
{
	CUstream s;
	CUresult err;

	if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_EVENT, e))
		return CUDA_ERROR_INVALID_HANDLE;
	err = stream_enter(h, &s);
	if (err)
		return err;
	if (s->context != e->context)
		err = CUDA_ERROR_INVALID_HANDLE;
	else if (atomic_load(&s->capture))
		err = record_captured(e, s, flags);
	else
		err = flags ? CUDA_ERROR_ILLEGAL_STATE :
			record(e, s);
	stream_end(s);
	return err;
}

CUresult
cuEventRecord(CUevent e, CUstream s)
{
	return cuEventRecordWithFlags(e, s, 0);
}

CUresult
cuEventQuery(CUevent e)
{
	struct point *p;
	CUresult err, f;

	if (!handle_is(HANDLE_EVENT, e))
		return CUDA_ERROR_INVALID_HANDLE;
	if (e->captured.capture)
		return capture_event_asked(&e->captured);
	p = hold(e);
	err = p ? p->ops->query(p->mark) : CUDA_SUCCESS;
	if (e->shared)
		err = shared_event_query(e->shared);
	let_go(p);
	f = fault(e);
	return f ? f : err;
}

CUresult
cuEventSynchronize(CUevent e)
{
	struct point *p;
	CUresult err, f;

	if (!handle_is(HANDLE_EVENT, e))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream_in_call)
		return CUDA_ERROR_NOT_PERMITTED;
	if (e->captured.capture)
		return capture_event_asked(&e->captured);
	p = hold(e);
	err = p ? p->ops->reached(p->mark) : CUDA_SUCCESS;
	if (e->shared)
		err = shared_event_sync(e->shared, e->context);
	let_go(p);
	pools_settle();
	f = fault(e);
	return f ? f : err;
}

static CUresult
elapsed(struct point *from, struct point *to, float *ms)
{
	CUresult err;

	if (!from || !to || from->ops != to->ops)
		return CUDA_ERROR_INVALID_HANDLE;
	err = from->ops->query(from->mark);
	if (!err)
		err = to->ops->query(to->mark);
	return err ? err : from->ops->elapsed(from->mark, to->mark, ms);
}

CUresult
cuEventElapsedTime_v2(float *ms, CUevent from, CUevent to)
{
	struct point *a, *b;
	CUresult err;

	if (!ms)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_EVENT, from) || !handle_is(HANDLE_EVENT, to) ||
	    from->context != to->context ||
	    (from->flags | to->flags) & CU_EVENT_DISABLE_TIMING)
		return CUDA_ERROR_INVALID_HANDLE;
	if (from->captured.capture || to->captured.capture)
		return CUDA_ERROR_INVALID_VALUE;
	a = hold(from);
	b = hold(to);
	err = elapsed(a, b, ms);
	let_go(a);
	let_go(b);
	return err;
}

CUresult
cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
	return cuEventElapsedTime_v2(ms, from, to);
}

/* one queue waits for another kind of device: the host does it */
CUresult
event_wait(CUevent e, CUcontext c, struct queue *queue, struct past *past)
{
	const struct dev_ops *ops = c->device->ops;
	struct point *p = hold(e);
	CUresult err = CUDA_SUCCESS;

	if (p)
		err = ops == p->ops ? ops->wait(queue, p->mark) :
			p->ops->reached(p->mark);
	if (p && past)
		past_join(past, &p->past);
	let_go(p);
	return err;
}

static CUresult
wait_captured(CUevent e, CUstream s, unsigned flags)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT };

	p.eventWait.event = e;
	if (flags)
		return capture_node(s, &p, 0);
	return e->point ? capture_wait_outside(s) : CUDA_SUCCESS;
}

CUresult
cuStreamWaitEvent(CUstream h, CUevent e, unsigned flags)
{
	CUstream s;
	CUresult err;

	if (flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_EVENT, e))
		return CUDA_ERROR_INVALID_HANDLE;
	err = stream_enter(h, &s);
	if (err)
		return err;
	if (e->captured.capture && !flags)
		err = capture_wait(s, &e->captured);
	else if (atomic_load(&s->capture))
		err = wait_captured(e, s, flags);
	else if (flags)
		err = CUDA_ERROR_ILLEGAL_STATE;
	else
		err = e->shared ? shared_event_wait(e->shared, s) :
			event_wait(e, s->context, s->queue, &s->past);
	stream_end(s);
	return err;
}
