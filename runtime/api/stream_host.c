/* stream_host.c - functions of the host, called by streams.
 *
 * They run on a thread of the device's, which must not call the API: what
 * would wait there for the stream waits for ever.
 */
#include "stream.h"
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
enqueue(CUstream h, struct call call)
{
	struct call *c = malloc(sizeof *c);
	struct queue *queue;
	CUstream s;
	CUresult err;

	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = stream_begin(h, &s, &queue);
	if (!err) {
		*c = call;
		c->context = s->context;
		err = s->context->device->ops->call(queue, run, c);
		stream_end(s);
	}
	if (err)
		free(c);
	return err;
}

CUresult
cuLaunchHostFunc(CUstream h, CUhostFn fn, void *data)
{
	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	return enqueue(h, (struct call){ .fn = fn, .data = data });
}

CUresult
cuStreamAddCallback(CUstream h, CUstreamCallback callback, void *data,
	unsigned flags)
{
	if (!callback || flags)
		return CUDA_ERROR_INVALID_VALUE;
	return enqueue(h, (struct call){
		.stream = h, .callback = callback, .data = data });
}
