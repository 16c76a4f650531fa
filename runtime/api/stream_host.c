/* stream_host.c - functions of the host, called by streams.
 *
 * They run on a thread of the device's, which must not call the API: what
 * would wait there for the stream waits for ever.
 */
#include "capture.h"
#include <stdlib.h>

struct call {
	CUstream stream;       /* of callback */
	CUstreamCallback callback;
	CUhostFn fn;
	void *data;
	CUcontext context;
};

/* after a fault callbacks are told, and other functions are left out */
static void
run(void *arg)
{
	struct call c = *(struct call *)arg;
	CUresult err = (CUresult)atomic_load(&c.context->error);

	free(arg);
	stream_in_call = true;
	if (c.callback)
		c.callback(c.stream, err, c.data);
	else if (!err)
		c.fn(c.data);
	stream_in_call = false;
}

static CUresult
enqueue(struct queue *queue, const struct call *call)
{
	struct call *c = malloc(sizeof *c);
	CUresult err;

	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*c = *call;
	err = c->context->device->ops->call(queue, run, c);
	if (err)
		free(c);
	return err;
}

CUresult
host_call(CUcontext c, struct queue *queue, CUhostFn fn, void *data)
{
	const struct call call = { .fn = fn, .data = data, .context = c };

	return enqueue(queue, &call);
}

static CUresult
capture(CUstream s, CUhostFn fn, void *data)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_HOST };

	p.host.fn = fn;
	p.host.userData = data;
	return capture_node(s, &p, 0);
}

CUresult
cuLaunchHostFunc(CUstream h, CUhostFn fn, void *data)
{
	CUstream s;
	CUresult err;

	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_enter(h, &s);
	if (err)
		return err;
	err = atomic_load(&s->capture) ? capture(s, fn, data) :
		host_call(s->context, s->queue, fn, data);
	stream_end(s);
	return err;
}

CUresult
cuStreamAddCallback(CUstream h, CUstreamCallback callback, void *data,
	unsigned flags)
{
	struct call call = { .stream = h, .callback = callback, .data = data };
	struct queue *queue;
	CUstream s;
	CUresult err;

	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_begin(h, &s, &queue);
	if (err)
		return err;
	call.context = s->context;
	err = enqueue(queue, &call);
	stream_end(s);
	return err;
}
