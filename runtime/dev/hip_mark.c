/* hip_mark.c - marks are events of HIP. */
#include "hip_int.h"

#include <stdlib.h>

struct mark {
	struct dev *dev;
	void *event;
};

CUresult
hip_mark(struct queue *q, bool timing, struct mark **out)
{
	const struct hip_api *h = q->dev->h;
	struct mark *m = calloc(1, sizeof *m);
	int err;

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->dev = q->dev;
	h->hipSetDevice(q->dev->index);
	err = h->hipEventCreateWithFlags(&m->event,
		timing ? 0 : HIP_EVENT_NO_TIMING);
	if (err) {
		free(m);
		return hip_error(err);
	}
	err = h->hipEventRecord(m->event, q->stream);
	if (err) {
		hip_unmark(m);
		return hip_queue_result(q, err);
	}
	*out = m;
	return CUDA_SUCCESS;
}

void
hip_unmark(struct mark *m)
{
	if (!m)
		return;
	m->dev->h->hipSetDevice(m->dev->index);
	m->dev->h->hipEventDestroy(m->event);
	free(m);
}

CUresult
hip_query(struct mark *m)
{
	m->dev->h->hipSetDevice(m->dev->index);
	return hip_error(m->dev->h->hipEventQuery(m->event));
}

CUresult
hip_reached(struct mark *m)
{
	int err;

	m->dev->h->hipSetDevice(m->dev->index);
	err = m->dev->h->hipEventSynchronize(m->event);
	hip_service_flush(m->dev);
	return hip_error(err);
}

CUresult
hip_elapsed(struct mark *from, struct mark *to, float *ms)
{
	from->dev->h->hipSetDevice(from->dev->index);
	return hip_error(from->dev->h->hipEventElapsedTime(ms, from->event,
		to->event));
}

CUresult
hip_wait(struct queue *q, struct mark *m)
{
	q->dev->h->hipSetDevice(q->dev->index);
	return hip_queue_result(q, q->dev->h->hipStreamWaitEvent(q->stream,
		m->event, 0));
}
