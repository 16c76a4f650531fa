#define _GNU_SOURCE /* sched_getaffinity */
/* cpu_pool.c - the threads of the CPU device; a process has one pool.
 *
 * A runner takes a queue that has something to do and runs it until that is
 * done.  There are as many as queues run at once.  A helper, one a CPU but one,
 * takes part in grids that are listed.  An idle thread looks for work for a
 * little while before it sleeps.
 */
#include "cpu_int.h"
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum { SPIN = 500, MAX_CPUS = 1024 };

static struct {
	pthread_mutex_t lock;
	unsigned cpus;
	struct grid *grids;      /* that take helpers */
	_Atomic unsigned ngrid;
	struct queue *ready;     /* a ring: without a thread, oldest first */
	_Atomic unsigned nready;
	unsigned idle;           /* runners */
	unsigned helpers;
	struct pulse queue_pulse, grid_pulse, left_pulse;
	_Atomic bool spinner;    /* an idle runner spins: one is enough */
	struct worker *spare;
	_Atomic unsigned workers;
	_Atomic uint64_t serial;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* a child has none of the threads: it starts its own */
static void
in_child(void)
{
	pthread_mutex_init(&pool.lock, 0);
	pool.grids = 0;
	pool.ready = 0;
	pool.ngrid = pool.nready = 0;
	pool.idle = pool.helpers = 0;
	pool.spinner = false;
}

static unsigned
count_cpus(void)
{
	const char *s = getenv("PTXAMD_CPU_THREADS");
	cpu_set_t set;
	int n = s ? atoi(s) : 0;

	if (n <= 0 && sched_getaffinity(0, sizeof set, &set) == 0)
		n = CPU_COUNT(&set);
	if (n <= 0)
		n = 1;
	return n > MAX_CPUS ? MAX_CPUS : (unsigned)n;
}

unsigned
pool_cpus(void)
{
	unsigned n;

	pthread_mutex_lock(&pool.lock);
	if (!pool.cpus) {
		pool.cpus = count_cpus();
		pthread_atfork(0, 0, in_child);
	}
	n = pool.cpus;
	pthread_mutex_unlock(&pool.lock);
	return n;
}

unsigned
pool_spin(void)
{
	/* alone on a CPU, one would only keep others from their work */
	return pool.cpus > 1 ? SPIN : 0;
}

uint64_t
pool_serial(void)
{
	return atomic_fetch_add(&pool.serial, 1) + 1;
}

static struct worker *
worker_new(void)
{
	struct worker *w = calloc(1, sizeof *w);

	if (w)
		w->id = atomic_fetch_add(&pool.workers, 1);
	return w;
}

struct worker *
worker_borrow(void)
{
	struct worker *w;

	pthread_mutex_lock(&pool.lock);
	w = pool.spare;
	if (w)
		pool.spare = w->next;
	pthread_mutex_unlock(&pool.lock);
	return w ? w : worker_new();
}

void
worker_return(struct worker *w)
{
	pthread_mutex_lock(&pool.lock);
	w->next = pool.spare;
	pool.spare = w;
	pthread_mutex_unlock(&pool.lock);
}

/* a thread that takes none of the program's signals */
bool
pool_thread(void *(*fn)(void *))
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t t;
	int err;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&t, &attr, fn, 0);
	pthread_sigmask(SIG_SETMASK, &old, 0);
	pthread_attr_destroy(&attr);
	return err == 0;
}

/* the ring of ready queues; with the lock held */
static void
unlink_ready(struct queue *q)
{
	if (q->next == q) {
		pool.ready = 0;
	} else {
		q->prev->next = q->next;
		q->next->prev = q->prev;
		if (pool.ready == q)
			pool.ready = q->next;
	}
	q->listed = false;
	pool.nready--;
}

static void
link_ready(struct queue *q)
{
	if (!pool.ready) {
		pool.ready = q->next = q->prev = q;
	} else {
		q->next = pool.ready;
		q->prev = pool.ready->prev;
		q->prev->next = q->next->prev = q;
	}
	q->listed = true;
	pool.nready++;
}

static bool
any_ready(void *unused)
{
	(void)unused;
	return atomic_load(&pool.nready) != 0;
}

static struct queue *
next_queue(void)
{
	struct queue *q;

	pthread_mutex_lock(&pool.lock);
	q = pool.ready;
	if (q) {
		unlink_ready(q);
		pool.idle--;
	}
	pthread_mutex_unlock(&pool.lock);
	return q;
}

/* the stacks of threads that are not ours, while these do not run */
static void
trim_spare(void)
{
	struct worker *w;

	pthread_mutex_lock(&pool.lock);
	for (w = pool.spare; w; w = w->next)
		worker_trim(w);
	pthread_mutex_unlock(&pool.lock);
}

/* until a queue may be ready */
static void
idle(struct worker *w)
{
	bool first = !atomic_exchange(&pool.spinner, true);
	unsigned n;

	if (first) {
		for (n = pool_spin(); n && !any_ready(0); n--)
			relax();
		atomic_store(&pool.spinner, false);
	}
	if (any_ready(0))
		return;
	worker_trim(w);
	trim_spare();
	pulse_wait(&pool.queue_pulse, any_ready, 0, 0);
}

static void *
runner(void *arg)
{
	struct worker *w = worker_borrow();
	struct queue *q;

	if (!w)
		return 0;
	worker_current = w;
	fault_thread();
	for (;;) {
		while (!(q = next_queue()))
			idle(w);
		queue_run(q, true);
		pthread_mutex_lock(&pool.lock);
		pool.idle++;
		pthread_mutex_unlock(&pool.lock);
	}
	return arg;
}

void
pool_ready(struct queue *q)
{
	bool more;

	pthread_mutex_lock(&pool.lock);
	link_ready(q);
	more = pool.nready > pool.idle;
	if (more)
		pool.idle++;
	pthread_mutex_unlock(&pool.lock);
	if (more)
		pool_thread(runner);
	else if (!atomic_load(&pool.spinner))
		pulse_beat(&pool.queue_pulse, 1);
}

bool
pool_take(struct queue *q)
{
	bool mine;

	pthread_mutex_lock(&pool.lock);
	mine = q->listed;
	if (mine)
		unlink_ready(q);
	pthread_mutex_unlock(&pool.lock);
	return mine;
}

static void
unlist(struct grid *g)
{
	struct grid **p;

	if (!g->listed)
		return;
	for (p = &pool.grids; *p != g; p = &(*p)->next)
		;
	*p = g->next;
	g->listed = false;
	pool.ngrid--;
}

/* the grid with the fewest helpers of those that have blocks left */
static struct grid *
join(void)
{
	struct grid *g, *next, *best = 0;

	pthread_mutex_lock(&pool.lock);
	for (g = pool.grids; g; g = next) {
		next = g->next;
		if (atomic_load(&g->taken) >= g->nblock)
			unlist(g);
		else if (!best || g->working < best->working)
			best = g;
	}
	if (best)
		best->working++;
	pthread_mutex_unlock(&pool.lock);
	return best;
}

static bool
any_grid(void *unused)
{
	(void)unused;
	return atomic_load(&pool.ngrid) != 0;
}

static void *
helper(void *arg)
{
	struct worker *w = worker_new();
	struct grid *g;
	unsigned n;

	if (!w)
		return 0;
	worker_current = w;
	fault_thread();
	for (;;) {
		for (n = pool_spin(); n && !any_grid(0); n--)
			relax();
		if (!n) {
			worker_trim(w);
			pulse_wait(&pool.grid_pulse, any_grid, 0, 0);
		}
		g = join();
		if (!g)
			continue;
		grid_work(g, w);
		pthread_mutex_lock(&pool.lock);
		unlist(g);
		n = --g->working;
		pthread_mutex_unlock(&pool.lock);
		if (!n)
			pulse_beat(&pool.left_pulse, -1);
	}
	return arg;
}

void
pool_list(struct grid *g)
{
	uint64_t want = g->nblock - 1;

	pthread_mutex_lock(&pool.lock);
	if (want > pool.cpus - 1)
		want = pool.cpus - 1;
	while (pool.helpers < want && pool_thread(helper))
		pool.helpers++;
	if (pool.helpers) {
		g->next = pool.grids;
		pool.grids = g;
		g->listed = true;
		pool.ngrid++;
	}
	pthread_mutex_unlock(&pool.lock);
	if (want)
		pulse_beat(&pool.grid_pulse, (int)want);
}

static bool
all_left(void *arg)
{
	struct grid *g = arg;
	bool left;

	pthread_mutex_lock(&pool.lock);
	unlist(g);
	left = !g->working;
	pthread_mutex_unlock(&pool.lock);
	return left;
}

void
pool_unlist(struct grid *g)
{
	pulse_wait(&pool.left_pulse, all_left, g, pool_spin());
}
