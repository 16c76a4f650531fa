/* cpu_word.c - words of memory, written by queues and waited for.
 *
 * A queue that waits for a word leaves its thread.  One thread of its own
 * looks at the words of all such queues from time to time, and makes those
 * ready that can go on.
 */
#include "cpu_int.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct {
	pthread_mutex_t lock;
	pthread_cond_t some;
	struct queue *list;      /* by waits */
	bool started;
} poll = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.some = PTHREAD_COND_INITIALIZER };

static void
store(void *arg)
{
	const struct word *w = arg;
	void *p = (void *)(uintptr_t)w->addr;

	if (w->size == 8)
		__atomic_store_n((uint64_t *)p, w->value, __ATOMIC_SEQ_CST);
	else
		__atomic_store_n((uint32_t *)p, (uint32_t)w->value,
			__ATOMIC_SEQ_CST);
}

static uint64_t
load(const struct word *w)
{
	const void *p = (const void *)(uintptr_t)w->addr;

	if (w->size == 8)
		return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);
	return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
}

/* what is larger is so in the sense of a clock that wraps around */
static bool
has_come(const void *data)
{
	const struct word *w = data;
	uint64_t v = load(w);

	switch (w->how) {
	case CU_STREAM_WAIT_VALUE_GEQ:
		return w->size == 8 ? (int64_t)(v - w->value) >= 0 :
			(int32_t)(uint32_t)(v - w->value) >= 0;
	case CU_STREAM_WAIT_VALUE_EQ:
		return v == (w->size == 8 ? w->value : (uint32_t)w->value);
	case CU_STREAM_WAIT_VALUE_AND:
		return (v & w->value) != 0;
	default:
		return (w->size == 8 ? ~(v | w->value) :
			(uint32_t)~(v | w->value)) != 0;
	}
}

static void
touch(void *arg)
{
	load(arg);
}

static CUresult
run(void (*fn)(void *), void *data, const char *did, char *what)
{
	const struct word *w = data;
	CUresult err = fault_try(fn, data);

	if (err)
		snprintf(what, 256, "a stream %s %#llx: illegal address", did,
			(unsigned long long)w->addr);
	return err;
}

static CUresult
run_write(struct queue *q, void *data, char *what)
{
	(void)q;
	return run(store, data, "writes to", what);
}

static CUresult
run_await(struct queue *q, void *data, char *what)
{
	(void)q;
	return run(touch, data, "waits for", what);
}

static CUresult
push(struct queue *q, const struct word *w, struct command *c)
{
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(c->data, w, sizeof *w);
	queue_push(q, c);
	return CUDA_SUCCESS;
}

CUresult
cpu_write(struct queue *q, const struct word *w)
{
	struct command *c = queue_command(q, sizeof *w);

	if (c)
		c->run = run_write;
	return push(q, w, c);
}

CUresult
cpu_await(struct queue *q, const struct word *w)
{
	struct command *c = queue_command(q, sizeof *w);

	if (c) {
		c->run = run_await;
		c->ready = has_come;
	}
	return push(q, w, c);
}

/* takes queues whose word has come out of the list; a queue that is listed
 * keeps its head */
static struct queue *
take_ready(void)
{
	struct queue **at = &poll.list, *q, *out = 0;

	while ((q = *at)) {
		if (!queue_ready(q)) {
			at = &q->waits;
			continue;
		}
		*at = q->waits;
		q->waits = out;
		out = q;
	}
	return out;
}

static void
rest(unsigned n)
{
	struct timespec t = { 0, n < 64 ? 5000 : n < 256 ? 50000 : 500000 };

	nanosleep(&t, 0);
}

static void *
watch(void *arg)
{
	struct queue *q, *next;
	unsigned n = 0;
	struct worker *w = worker_borrow();

	(void)arg;
	if (!w)
		return 0;
	worker_current = w;
	fault_thread();
	for (;;) {
		pthread_mutex_lock(&poll.lock);
		while (!poll.list) {
			n = 0;
			pthread_cond_wait(&poll.some, &poll.lock);
		}
		q = take_ready();
		pthread_mutex_unlock(&poll.lock);
		if (!q)
			rest(n++);
		else
			n = 0;
		for (; q; q = next) {
			next = q->waits;
			pool_ready(q);
		}
	}
	return 0;
}

/* without a thread to watch it, the pool's come back to it again and again */
void
word_poll(struct queue *q)
{
	pthread_mutex_lock(&poll.lock);
	if (!poll.started)
		poll.started = pool_thread(watch);
	if (poll.started) {
		q->waits = poll.list;
		poll.list = q;
		q = 0;
		pthread_cond_signal(&poll.some);
	}
	pthread_mutex_unlock(&poll.lock);
	if (q)
		pool_ready(q);
}
