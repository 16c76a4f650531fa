/* cpu_mark.c - marks: places in a queue. */
#include "cpu_int.h"
#include <stdlib.h>
#include <string.h>

struct mark {
	_Atomic unsigned refs;
	_Atomic bool reached;
	bool timing;
	uint64_t ns;             /* when it was reached */
	pthread_mutex_t lock;
	struct queue *waiting;   /* queues, through waits */
	struct pulse pulse;
};

void
mark_hold(struct mark *m)
{
	atomic_fetch_add(&m->refs, 1);
}

void
cpu_unmark(struct mark *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static void
reach(struct mark *m)
{
	struct queue *q, *next;

	if (m->timing)
		m->ns = clock_ns();
	pthread_mutex_lock(&m->lock);
	atomic_store(&m->reached, true);
	q = m->waiting;
	m->waiting = 0;
	pthread_mutex_unlock(&m->lock);
	for (; q; q = next) {
		next = q->waits;
		pool_ready(q);
	}
	pulse_beat(&m->pulse, -1);
}

bool
mark_passed(struct mark *m, struct queue *q)
{
	bool passed;

	if (atomic_load(&m->reached))
		return true;
	if (!q)
		return false;
	pthread_mutex_lock(&m->lock);
	passed = atomic_load(&m->reached);
	if (!passed) {
		q->waits = m->waiting;
		m->waiting = q;
	}
	pthread_mutex_unlock(&m->lock);
	return passed;
}

static CUresult
run_mark(struct queue *q, void *data, char *what)
{
	struct mark *m;

	(void)what;
	memcpy(&m, data, sizeof m);
	atomic_store(&q->passed, atomic_load(&q->done) + 1);
	reach(m);
	cpu_unmark(m);
	return CUDA_SUCCESS;
}

CUresult
cpu_mark(struct queue *q, bool timing, struct mark **out)
{
	struct mark *m = calloc(1, sizeof *m);
	struct command *c;

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->timing = timing;
	m->refs = 1;
	pthread_mutex_init(&m->lock, 0);
	*out = m;
	if (cpu_idle(q) != CUDA_ERROR_NOT_READY) {
		reach(m);
		return CUDA_SUCCESS;
	}
	c = queue_command(q, sizeof m);
	if (!c) {
		cpu_unmark(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	mark_hold(m);
	memcpy(c->data, &m, sizeof m);
	c->run = run_mark;
	queue_push(q, c);
	return CUDA_SUCCESS;
}

CUresult
cpu_query(struct mark *m)
{
	return atomic_load(&m->reached) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

static bool
is_reached(void *arg)
{
	struct mark *m = arg;

	return atomic_load(&m->reached);
}

CUresult
cpu_reached(struct mark *m)
{
	pulse_wait(&m->pulse, is_reached, m, pool_spin());
	return CUDA_SUCCESS;
}

CUresult
cpu_elapsed(struct mark *from, struct mark *to, float *ms)
{
	if (!atomic_load(&from->reached) || !atomic_load(&to->reached))
		return CUDA_ERROR_NOT_READY;
	if (!from->timing || !to->timing)
		return CUDA_ERROR_INVALID_HANDLE;
	*ms = (float)((double)(int64_t)(to->ns - from->ns) / 1e6);
	return CUDA_SUCCESS;
}
