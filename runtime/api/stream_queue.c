/* stream_queue.c - queues that graphs run in beside their stream.
 *
 * Closing one would wait for what is in it; so those that are given back are
 * kept for the next, idle ones first.
 */
#include "stream.h"
#include <stdlib.h>

struct spare_queue {
	struct spare_queue *next;
	struct queue *queue;
};

static struct queue *
take_idle(struct streams *l, const struct dev_ops *ops)
{
	struct spare_queue **at, *s;
	struct queue *q = 0;

	pthread_mutex_lock(&l->lock);
	for (at = &l->spare; (s = *at); at = &s->next)
		if (!ops->idle(s->queue)) {
			*at = s->next;
			q = s->queue;
			free(s);
			break;
		}
	pthread_mutex_unlock(&l->lock);
	return q;
}

CUresult
queue_take(CUcontext c, struct queue **out)
{
	const struct dev_ops *ops = c->device->ops;
	struct streams *l = c->streams;

	*out = l ? take_idle(l, ops) : 0;
	return *out ? CUDA_SUCCESS : ops->queue_open(c->device->dev,
		CU_STREAM_NON_BLOCKING, 0, context_fault, c, out);
}

void
queue_give(CUcontext c, unsigned long long id, struct queue *q)
{
	struct streams *l = atomic_load(&c->alive) && c->id == id ?
		c->streams : 0;
	struct spare_queue *s = l ? malloc(sizeof *s) : 0;

	if (!s) {
		c->device->ops->queue_close(q);
		return;
	}
	s->queue = q;
	pthread_mutex_lock(&l->lock);
	s->next = l->spare;
	l->spare = s;
	pthread_mutex_unlock(&l->lock);
}

void
queues_end(struct spare_queue *s, CUcontext c)
{
	struct spare_queue *next;

	for (; s; s = next) {
		next = s->next;
		c->device->ops->queue_close(s->queue);
		free(s);
	}
}
