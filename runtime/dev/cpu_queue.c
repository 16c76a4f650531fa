/* cpu_queue.c - queues of commands.
 *
 * The first command of an idle queue makes it ready for a thread of the pool;
 * that one runs commands until there are none.  Who synchronises before a
 * thread has come runs them himself.  A command stays at the head while it
 * runs, so that a queue that waits for a mark may be left and taken up again.
 */
#include "cpu_int.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 1024, MAX_SPARE = 64 };

CUresult
cpu_queue_open(struct dev *d, unsigned flags, int priority, queue_fault *fault,
	void *arg, struct queue **out)
{
	struct queue *q = calloc(1, sizeof *q);

	(void)flags;
	(void)priority;
	if (!q)
		return CUDA_ERROR_OUT_OF_MEMORY;
	q->dev = d;
	q->fault = fault;
	q->fault_arg = arg;
	q->last = &q->first;
	pthread_mutex_init(&q->lock, 0);
	*out = q;
	return CUDA_SUCCESS;
}

struct command *
queue_command(struct queue *q, size_t size)
{
	struct command *c = 0;
	bool small = size <= SMALL;

	if (small) {
		pthread_mutex_lock(&q->lock);
		c = q->spare;
		if (c) {
			q->spare = c->next;
			q->nspare--;
		}
		pthread_mutex_unlock(&q->lock);
	}
	if (!c)
		c = malloc(sizeof *c + (small ? SMALL : size));
	if (!c)
		return 0;
	memset(c, 0, sizeof *c);
	c->small = small;
	return c;
}

void
queue_push(struct queue *q, struct command *c)
{
	bool kick;

	c->next = 0;
	pthread_mutex_lock(&q->lock);
	c->measured = q->measured;
	c->measured_arg = q->measured_arg;
	q->measured = 0;
	*q->last = c;
	q->last = &c->next;
	atomic_fetch_add(&q->queued, 1);
	kick = !q->scheduled;
	q->scheduled = true;
	pthread_mutex_unlock(&q->lock);
	if (kick)
		pool_ready(q);
}

/* the head, or 0: there is none, and the queue is not scheduled any more */
static struct command *
head(struct queue *q)
{
	struct command *c;

	pthread_mutex_lock(&q->lock);
	c = q->first;
	if (!c)
		q->scheduled = false;
	pthread_mutex_unlock(&q->lock);
	return c;
}

static void
retire(struct queue *q, struct command *c)
{
	if (c->drop)
		c->drop(c->data);
	if (c->wait)
		cpu_unmark(c->wait);
	pthread_mutex_lock(&q->lock);
	q->first = c->next;
	if (!q->first)
		q->last = &q->first;
	if (c->small && q->nspare < MAX_SPARE) {
		c->next = q->spare;
		q->spare = c;
		q->nspare++;
		c = 0;
	}
	atomic_fetch_add(&q->done, 1);
	pthread_mutex_unlock(&q->lock);
	free(c);
	pulse_beat(&q->pulse, -1);
}

static CUresult
timed(struct queue *q, struct command *c, char *what)
{
	uint64_t begin;
	CUresult err;

	if (!c->measured)
		return c->run(q, c->data, what);
	begin = clock_ns();
	err = c->run(q, c->data, what);
	c->measured(c->measured_arg, begin, clock_ns());
	return err;
}

static void
execute(struct queue *q, struct command *c)
{
	char what[256] = "";
	CUresult err;

	if (!c->run)
		return;
	err = timed(q, c, what);
	if (!err || atomic_exchange(&q->error, (int)err))
		return;
	if (q->fault)
		q->fault(q->fault_arg, err, what);
}

struct look {
	const struct command *c;
	bool ready;
};

static void
look(void *arg)
{
	struct look *l = arg;

	l->ready = l->c->ready(l->c->data);
}

/* memory that is not there is found out when the command runs */
static bool
is_ready(const struct command *c)
{
	struct look l = { c, true };

	return fault_try(look, &l) || l.ready;
}

bool
queue_ready(struct queue *q)
{
	return is_ready(q->first);
}

void
queue_run(struct queue *q, bool host)
{
	struct command *c;

	while ((c = head(q))) {
		if (c->wait && !mark_passed(c->wait, q))
			return;
		if (c->host && !host) {
			pool_ready(q);
			return;
		}
		if (c->ready && !is_ready(c)) {
			word_poll(q);
			return;
		}
		execute(q, c);
		retire(q, c);
	}
}

/* who knows a mark to be reached must not find its queue at work before it */
static bool
all_done(void *arg)
{
	struct queue *q = arg;
	uint64_t n = atomic_load(&q->queued);

	return atomic_load(&q->done) == n || atomic_load(&q->passed) == n;
}

/* runs what no thread has taken up yet on this one */
static void
run_here(struct queue *q)
{
	struct worker *mine, *before = worker_current;

	/* a host function of ours, or a handler, that synchronises */
	if (before || !pool_take(q))
		return;
	mine = worker_borrow();
	if (!mine) {
		pool_ready(q);
		return;
	}
	worker_current = mine;
	fault_thread();
	queue_run(q, false);
	worker_current = 0;
	worker_return(mine);
}

struct until {
	struct queue *q;
	uint64_t done;
};

static bool
until_done(void *arg)
{
	struct until *u = arg;

	return atomic_load(&u->q->done) >= u->done;
}

CUresult
cpu_sync(struct queue *q)
{
	struct until u = { q, atomic_load(&q->queued) };

	if (!until_done(&u)) {
		run_here(q);
		pulse_wait(&q->pulse, until_done, &u, pool_spin());
	}
	return (CUresult)atomic_load(&q->error);
}

CUresult
cpu_idle(struct queue *q)
{
	if (atomic_load(&q->error))
		return (CUresult)atomic_load(&q->error);
	return all_done(q) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult
cpu_measure(struct queue *q, queue_measured *fn, void *arg)
{
	pthread_mutex_lock(&q->lock);
	q->measured = fn;
	q->measured_arg = arg;
	pthread_mutex_unlock(&q->lock);
	return CUDA_SUCCESS;
}

static bool
at_rest(void *arg)
{
	struct queue *q = arg;
	bool rest;

	pthread_mutex_lock(&q->lock);
	rest = !q->scheduled;
	pthread_mutex_unlock(&q->lock);
	return rest;
}

void
cpu_queue_close(struct queue *q)
{
	struct command *c;

	cpu_sync(q);
	while (!at_rest(q))
		relax();
	while ((c = q->spare)) {
		q->spare = c->next;
		free(c);
	}
	pthread_mutex_destroy(&q->lock);
	free(q);
}

static CUresult
run_copy(struct queue *q, void *data, char *what)
{
	const struct copy *c = data;
	CUresult err = fault_try(cpu_copy_box, data);

	(void)q;
	if (err)
		snprintf(what, 256, "copy of %zu bytes from %#llx to %#llx: "
			"illegal address %#llx", c->width,
			(unsigned long long)c->src.addr,
			(unsigned long long)c->dst.addr, (unsigned long long)
			worker_current->fault.addr);
	return err;
}

static CUresult
run_fill(struct queue *q, void *data, char *what)
{
	const struct fill *f = data;
	CUresult err = fault_try(cpu_fill_box, data);

	(void)q;
	if (err)
		snprintf(what, 256, "fill of %#llx: illegal address %#llx",
			(unsigned long long)f->addr, (unsigned long long)
			worker_current->fault.addr);
	return err;
}

static CUresult
push_data(struct queue *q, const void *data, size_t size,
	CUresult (*run)(struct queue *, void *, char *))
{
	struct command *c;

	if (atomic_load(&q->error))
		return (CUresult)atomic_load(&q->error);
	c = queue_command(q, size);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(c->data, data, size);
	c->run = run;
	queue_push(q, c);
	return CUDA_SUCCESS;
}

CUresult
cpu_copy(struct queue *q, const struct copy *copy)
{
	return push_data(q, copy, sizeof *copy, run_copy);
}

CUresult
cpu_fill(struct queue *q, const struct fill *fill)
{
	return push_data(q, fill, sizeof *fill, run_fill);
}

struct call {
	void (*fn)(void *);
	void *arg;
};

static CUresult
run_call(struct queue *q, void *data, char *what)
{
	const struct call *c = data;

	(void)q;
	(void)what;
	c->fn(c->arg);
	return CUDA_SUCCESS;
}

CUresult
cpu_call(struct queue *q, void (*fn)(void *), void *arg)
{
	struct command *c = queue_command(q, sizeof(struct call));
	const struct call call = { fn, arg };

	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(c->data, &call, sizeof call);
	c->run = run_call;
	c->host = true;
	queue_push(q, c);
	return CUDA_SUCCESS;
}

CUresult
cpu_wait(struct queue *q, struct mark *m)
{
	struct command *c;

	if (mark_passed(m, 0))
		return CUDA_SUCCESS;
	c = queue_command(q, 0);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	mark_hold(m);
	c->wait = m;
	queue_push(q, c);
	return CUDA_SUCCESS;
}
