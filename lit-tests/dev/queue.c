/* queue.c - queues of the CPU device: order within one, marks between them,
 * host functions, many threads at once.
 *
 *	queue ROUNDS
 */
#include "dev/dev.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUEUES = 8, THREADS = 4, STEPS = 40 };

static const struct dev_ops *const o = &dev_cpu;
static struct dev *dev;
static _Atomic int bad, called;

static void
expect(int ok, const char *what)
{
	if (!ok && atomic_fetch_add(&bad, 1) < 10)
		printf("wrong: %s\n", what);
}

static void
fault(void *arg, CUresult err, const char *what)
{
	(void)arg;
	printf("fault %d: %s\n", err, what);
	atomic_fetch_add(&bad, 1);
}

static void
count(void *arg)
{
	*(int *)arg += 1;
	atomic_fetch_add(&called, 1);
}

static struct queue *
open_queue(void)
{
	struct queue *q = 0;

	expect(!o->queue_open(dev, 0, 0, fault, 0, &q), "open");
	return q;
}

static void
set(struct queue *q, void *p, uint32_t value)
{
	const struct fill f = { (uint64_t)(uintptr_t)p, 4, 1, 1, value, 4 };

	expect(!o->fill(q, &f), "fill");
}

static void
move(struct queue *q, void *to, const void *from)
{
	const struct copy c = {
		.dst = { (uint64_t)(uintptr_t)to, 4, 4 },
		.src = { (uint64_t)(uintptr_t)from, 4, 4 },
		.width = 4, .height = 1, .depth = 1,
	};

	expect(!o->copy(q, &c), "copy");
}

/* a value goes through all queues, each of which waits for the one before */
static void
chain(void)
{
	struct queue *q[QUEUES];
	struct mark *m[QUEUES];
	uint32_t v[QUEUES + 1] = { 0 };
	int i, k, calls = 0;

	for (i = 0; i < QUEUES; i++)
		q[i] = open_queue();
	for (k = 1; k <= STEPS; k++) {
		set(q[0], &v[0], (uint32_t)k);
		for (i = 0; i < QUEUES; i++) {
			if (i)
				expect(!o->wait(q[i], m[i - 1]), "wait");
			move(q[i], &v[i + 1], &v[i]);
			expect(!o->call(q[i], count, &calls), "call");
			expect(!o->mark(q[i], true, &m[i]), "mark");
		}
		/* the next round begins when this one has ended */
		expect(!o->wait(q[0], m[QUEUES - 1]), "wait");
		if (k % 4 == 0)
			expect(!o->reached(m[QUEUES - 1]) &&
				v[QUEUES] == (uint32_t)k, "value");
		for (i = 0; i < QUEUES; i++)
			o->unmark(m[i]);
	}
	expect(!o->sync(q[QUEUES - 1]), "sync");
	expect(calls == QUEUES * STEPS, "calls");
	for (i = 0; i < QUEUES; i++)
		o->queue_close(q[i]);
}

static void
timing(void)
{
	struct queue *q = open_queue();
	struct mark *a, *b;
	float ms = -1;

	o->mark(q, true, &a);
	o->mark(q, true, &b);
	expect(!o->sync(q) && !o->idle(q), "sync");
	expect(!o->query(a) && !o->query(b), "query");
	expect(!o->elapsed(a, b, &ms) && ms >= 0 && ms < 1000, "elapsed");
	o->unmark(a);
	o->unmark(b);
	o->queue_close(q);
}

static void *
work(void *rounds)
{
	long n = *(long *)rounds;

	for (; n; n--) {
		chain();
		timing();
	}
	return 0;
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	pthread_t t[THREADS];
	struct dev_info info;
	int i;

	if (o->open(0, &dev, &info))
		return 1;
	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, work, &rounds);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	o->close(dev);
	printf("%d wrong, %ld calls\n", bad,
		called / rounds / THREADS);
	return bad != 0;
}
