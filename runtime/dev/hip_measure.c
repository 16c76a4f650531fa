/* hip_measure.c - when commands ran: by events before and behind them.
 *
 * HIP tells the time between two events.  A queue keeps one whose time on the
 * host's clock is known, and moves it along, so that the times stay short and
 * as exact as a float has them.  Who waits for anything of the device hears
 * of what is done.
 */
#include "hip_int.h"

#include <stdlib.h>
#include <time.h>

struct span {
	struct span *next;
	void *begin, *end;
	queue_measured *fn;
	void *arg;
};

/* of a queue; dev's lock */
struct timer {
	void *known;            /* an event, reached at ns */
	double ns;
	struct span *armed;     /* of the next command */
	struct span *first, **last;
};

static void
span_free(const struct hip_api *h, struct span *s)
{
	if (s && s->begin)
		h->hipEventDestroy(s->begin);
	if (s && s->end)
		h->hipEventDestroy(s->end);
	free(s);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* an event of now, in a stream that has nothing else to do */
static bool
synchronise(const struct hip_api *h, struct timer *t)
{
	void *stream;
	bool ok;

	if (h->hipStreamCreateWithFlags(&stream, HIP_STREAM_NON_BLOCKING))
		return false;
	ok = !h->hipEventCreateWithFlags(&t->known, 0) &&
		!h->hipEventRecord(t->known, stream) &&
		!h->hipEventSynchronize(t->known);
	t->ns = now();
	h->hipStreamDestroy(stream);
	return ok;
}

static struct timer *
timer_new(const struct hip_api *h)
{
	struct timer *t = calloc(1, sizeof *t);

	if (!t)
		return 0;
	t->last = &t->first;
	if (synchronise(h, t))
		return t;
	free(t);
	return 0;
}

static void
tell(const struct hip_api *h, struct timer *t, struct span *s)
{
	float before = 0, during = 0;
	double begin;

	if (h->hipEventElapsedTime(&before, t->known, s->begin) ||
	    h->hipEventElapsedTime(&during, s->begin, s->end)) {
		s->fn(s->arg, 0, 0);
		return;
	}
	begin = t->ns + (double)before * 1e6;
	s->fn(s->arg, (uint64_t)begin, (uint64_t)(begin +
		(double)during * 1e6));
	h->hipEventDestroy(t->known);
	t->known = s->end;
	t->ns = begin + (double)during * 1e6;
	s->end = 0;
}

static void
collect(struct queue *q)
{
	const struct hip_api *h = q->dev->h;
	struct timer *t = q->timer;
	struct span *s;

	while (t && (s = t->first) && !h->hipEventQuery(s->end)) {
		t->first = s->next;
		if (!t->first)
			t->last = &t->first;
		tell(h, t, s);
		span_free(h, s);
	}
}

void
hip_measure_collect(struct dev *d)
{
	struct queue *q;

	pthread_mutex_lock(&d->lock);
	for (q = d->queues; q; q = q->next)
		collect(q);
	pthread_mutex_unlock(&d->lock);
}

static CUresult
arm(struct queue *q, queue_measured *fn, void *arg)
{
	const struct hip_api *h = q->dev->h;
	struct span *s;
	int err;

	if (!q->timer)
		q->timer = timer_new(h);
	s = q->timer ? calloc(1, sizeof *s) : 0;
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->fn = fn;
	s->arg = arg;
	err = h->hipEventCreateWithFlags(&s->begin, 0);
	if (!err)
		err = h->hipEventCreateWithFlags(&s->end, 0);
	if (!err)
		err = h->hipEventRecord(s->begin, q->stream);
	if (err)
		span_free(h, s);
	else
		q->timer->armed = s;
	return hip_error(err);
}

CUresult
hip_measure(struct queue *q, queue_measured *fn, void *arg)
{
	CUresult err = CUDA_SUCCESS;

	q->dev->h->hipSetDevice(q->dev->index);
	pthread_mutex_lock(&q->dev->lock);
	collect(q);
	if (fn) {
		err = arm(q, fn, arg);
	} else if (q->timer) {
		span_free(q->dev->h, q->timer->armed);
		q->timer->armed = 0;
	}
	pthread_mutex_unlock(&q->dev->lock);
	return err;
}

void
hip_measured(struct queue *q)
{
	struct span *s;

	pthread_mutex_lock(&q->dev->lock);
	s = q->timer->armed;
	q->timer->armed = 0;
	if (s && q->dev->h->hipEventRecord(s->end, q->stream)) {
		s->fn(s->arg, 0, 0);
		span_free(q->dev->h, s);
	} else if (s) {
		*q->timer->last = s;
		q->timer->last = &s->next;
	}
	pthread_mutex_unlock(&q->dev->lock);
}

/* dev's lock is not held; the queue is in no list any more */
void
hip_measure_end(struct queue *q)
{
	struct timer *t = q->timer;
	struct span *s;

	collect(q);
	while (t && (s = t->first)) {
		t->first = s->next;
		s->fn(s->arg, 0, 0);
		span_free(q->dev->h, s);
	}
	if (t && t->known)
		q->dev->h->hipEventDestroy(t->known);
	free(t);
}
