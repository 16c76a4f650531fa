/* hip_queue.c - queues are streams of HIP; copies, fills, host functions. */
#include "hip_int.h"
#include "service.h"

#include <stdlib.h>
#include <string.h>

CUresult
hip_queue_open(struct dev *d, unsigned flags, int priority,
	queue_fault *fault, void *arg, struct queue **out)
{
	struct queue *q = calloc(1, sizeof *q);
	int err;

	(void)flags;
	if (!q)
		return CUDA_ERROR_OUT_OF_MEMORY;
	q->dev = d;
	q->fault = fault;
	q->fault_arg = arg;
	d->h->hipSetDevice(d->index);
	err = d->h->hipStreamCreateWithPriority(&q->stream,
		HIP_STREAM_NON_BLOCKING, priority);
	if (err) {
		free(q);
		return hip_error(err);
	}
	pthread_mutex_lock(&d->lock);
	q->next = d->queues;
	d->queues = q;
	pthread_mutex_unlock(&d->lock);
	*out = q;
	return CUDA_SUCCESS;
}

void
hip_queue_close(struct queue *q)
{
	struct queue **at;
	struct dev *d;

	if (!q)
		return;
	hip_sync(q);
	d = q->dev;
	pthread_mutex_lock(&d->lock);
	for (at = &d->queues; *at != q; at = &(*at)->next)
		;
	*at = q->next;
	pthread_mutex_unlock(&d->lock);
	hip_measure_end(q);
	d->h->hipStreamDestroy(q->stream);
	if (q->workspace)
		d->h->hipFree((void *)(uintptr_t)q->workspace);
	free(q);
}

/* does an error of HIP mean that something that ran has failed? */
static bool
is_fault(int error)
{
	return error == hipErrorIllegalAddress ||
		error == hipErrorLaunchFailure ||
		error == hipErrorLaunchTimeOut ||
		error == hipErrorUnknown;
}

/* HIP does not tell an assertion that failed from other traps */
static CUresult
fault_of(struct queue *q, int error)
{
	if (error != hipErrorLaunchFailure)
		return hip_error(error);
	hip_service_flush(q->dev);
	return server_asserted(q->dev->server) ? CUDA_ERROR_ASSERT :
		hip_error(error);
}

CUresult
hip_queue_result(struct queue *q, int error)
{
	bool first;

	if (!is_fault(error))
		return hip_error(error);
	pthread_mutex_lock(&q->dev->lock);
	first = !q->why;
	if (first)
		q->why = fault_of(q, error);
	pthread_mutex_unlock(&q->dev->lock);
	if (first && q->fault)
		q->fault(q->fault_arg, q->why,
			q->dev->h->hipGetErrorString(error));
	return q->why;
}

static int
kind(const struct copy *c)
{
	if (c->from_host)
		return c->to_host ? HIP_HOST_TO_HOST : HIP_TO_DEVICE;
	return c->to_host ? HIP_TO_HOST : HIP_DEFAULT;
}

static int
copy_slice(struct queue *q, const struct copy *c, uint64_t to, uint64_t from)
{
	const struct hip_api *h = q->dev->h;
	void *d = (void *)(uintptr_t)to;
	const void *s = (const void *)(uintptr_t)from;

	if (c->height == 1)
		return h->hipMemcpyAsync(d, s, c->width, kind(c), q->stream);
	if (c->dst.pitch == c->width && c->src.pitch == c->width)
		return h->hipMemcpyAsync(d, s, c->width * c->height, kind(c),
			q->stream);
	return h->hipMemcpy2DAsync(d, c->dst.pitch, s, c->src.pitch, c->width,
		c->height, kind(c), q->stream);
}

CUresult
hip_copy(struct queue *q, const struct copy *c)
{
	int err = hipSuccess;
	size_t z;

	if (!c->width || !c->height)
		return CUDA_SUCCESS;
	q->dev->h->hipSetDevice(q->dev->index);
	for (z = 0; z < c->depth && !err; z++)
		err = copy_slice(q, c, c->dst.addr + z * c->dst.slice,
			c->src.addr + z * c->src.slice);
	if (q->timer && !err)
		hip_measured(q);
	return hip_queue_result(q, err);
}

static int
fill_row(struct queue *q, const struct fill *f, uint64_t addr, size_t n)
{
	const struct hip_api *h = q->dev->h;
	void *p = (void *)(uintptr_t)addr;

	switch (f->element) {
	case 1:
		return h->hipMemsetD8Async(p, (unsigned char)f->value, n,
			q->stream);
	case 2:
		return h->hipMemsetD16Async(p, (unsigned short)f->value, n,
			q->stream);
	case 4:
		return h->hipMemsetD32Async(p, (int)f->value, n, q->stream);
	}
	return hipErrorInvalidValue;
}

CUresult
hip_fill(struct queue *q, const struct fill *f)
{
	int err = hipSuccess;
	size_t y;

	if (!f->width || !f->height)
		return CUDA_SUCCESS;
	q->dev->h->hipSetDevice(q->dev->index);
	if (f->height == 1 || f->pitch == f->width * f->element)
		err = fill_row(q, f, f->addr, f->width * f->height);
	else
		for (y = 0; y < f->height && !err; y++)
			err = fill_row(q, f, f->addr + y * f->pitch,
				f->width);
	if (q->timer && !err)
		hip_measured(q);
	return hip_queue_result(q, err);
}

CUresult
hip_call(struct queue *q, void (*fn)(void *), void *arg)
{
	q->dev->h->hipSetDevice(q->dev->index);
	return hip_queue_result(q, q->dev->h->hipLaunchHostFunc(q->stream, fn,
		arg));
}

CUresult
hip_sync(struct queue *q)
{
	int err;

	q->dev->h->hipSetDevice(q->dev->index);
	err = q->dev->h->hipStreamSynchronize(q->stream);
	/* also if it is no longer busy: that is said before it was served */
	hip_service_flush(q->dev);
	if (q->timer)
		hip_measure_collect(q->dev);
	return hip_queue_result(q, err);
}

CUresult
hip_idle(struct queue *q)
{
	q->dev->h->hipSetDevice(q->dev->index);
	return hip_queue_result(q, q->dev->h->hipStreamQuery(q->stream));
}

CUresult
hip_write(struct queue *q, const struct word *w)
{
	const struct hip_api *h = q->dev->h;
	void *p = (void *)(uintptr_t)w->addr;

	h->hipSetDevice(q->dev->index);
	return hip_queue_result(q, w->size == 8 ?
		h->hipStreamWriteValue64(q->stream, p, w->value, 0) :
		h->hipStreamWriteValue32(q->stream, p, (unsigned)w->value, 0));
}

/* the ways to compare have CUDA's numbers */
CUresult
hip_await(struct queue *q, const struct word *w)
{
	const struct hip_api *h = q->dev->h;
	void *p = (void *)(uintptr_t)w->addr;

	h->hipSetDevice(q->dev->index);
	return hip_queue_result(q, w->size == 8 ?
		h->hipStreamWaitValue64(q->stream, p, w->value, w->how,
			UINT64_MAX) :
		h->hipStreamWaitValue32(q->stream, p, (unsigned)w->value,
			w->how, UINT32_MAX));
}
