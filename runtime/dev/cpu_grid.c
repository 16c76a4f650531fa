/* cpu_grid.c - the blocks of a launch, on one worker of several.
 *
 * Workers take runs of blocks from the grid's counter, in order.  A block
 * whose warps all wait for something outside stays in flight while the worker
 * begins others: so the oldest block that is not done can always go on, and
 * what waits for it will see it.  Blocks that wait for younger ones are served
 * too, as far as there is memory for all.
 */
#include "cpu_int.h"
#include <fenv.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum {
	PATIENCE = 64,       /* rounds in vain before others get the CPU */
	SLEEP_AFTER = 4096,  /* … before the worker sleeps between them */
	SLEEP_NS = 20000,
};

bool
grid_take(struct grid *g, uint64_t *from, uint64_t *to)
{
	uint64_t n = g->chunk, at;

	if (atomic_load_explicit(&g->error, memory_order_relaxed) ||
	    atomic_load_explicit(&g->taken, memory_order_relaxed) >=
	    g->nblock)
		return false;
	if (g->alone && clock_ns() > g->alone) {
		/* it takes longer than last time */
		g->alone = 0;
		pool_list(g);
	}
	at = atomic_fetch_add(&g->taken, n);
	if (at >= g->nblock)
		return false;
	*from = at;
	*to = g->nblock - at < n ? g->nblock : at + n;
	return true;
}

void
grid_fail(struct grid *g, const struct fault *f)
{
	int none = 0;

	/* read when all workers have left, which orders it */
	if (atomic_compare_exchange_strong(&g->error, &none, (int)f->error))
		g->fault = *f;
}

static void
place(const struct grid *g, uint64_t block, uint32_t ctaid[3])
{
	const uint32_t *n = g->launch->nctaid;

	ctaid[0] = (uint32_t)(block % n[0]);
	ctaid[1] = (uint32_t)(block / n[0] % n[1]);
	ctaid[2] = (uint32_t)(block / n[0] / n[1]);
}

static void
advance(const struct grid *g, uint32_t ctaid[3])
{
	const uint32_t *n = g->launch->nctaid;

	if (++ctaid[0] < n[0])
		return;
	ctaid[0] = 0;
	if (++ctaid[1] < n[1])
		return;
	ctaid[1] = 0;
	ctaid[2]++;
}

/* on the first task's stack: all blocks that were taken, warp by warp */
OFF_STACK static void
flat_main(void *arg)
{
	struct block *b = arg;
	struct worker *w = b->worker;
	struct grid *g = w->grid;
	struct warp *p = &b->task[0].w;
	uint32_t i;

	place(g, w->from, p->ctaid);
	for (; w->from < w->to; w->from++) {
		for (i = 0; i < g->nwarp; i++) {
			p->warp = i;
			p->lanes = i + 1 < g->nwarp ? ~0u : g->last;
			g->kernel->run(p);
		}
		advance(g, p->ctaid);
		if (atomic_load_explicit(&g->error, memory_order_relaxed))
			break;
	}
	w->task = 0;
	cpu_leave(w->sp, TASK_PAUSED);
}

OFF_STACK static int
run_flat(struct worker *w, struct block *b)
{
	w->task = &b->task[0];
	return cpu_switch(&w->sp, cpu_prepare(w->task->top, flat_main, b), 0);
}

static void
out_of_memory(struct worker *w)
{
	struct fault f = { .error = CUDA_ERROR_OUT_OF_MEMORY,
		.what = "no memory for the stacks of a block" };

	grid_fail(w->grid, &f);
}

static void
work_flat(struct worker *w)
{
	struct block *b = block_new(w);

	if (!b) {
		out_of_memory(w);
		return;
	}
	while (grid_take(w->grid, &w->from, &w->to))
		if (run_flat(w, b) == TASK_FAULTED)
			grid_fail(w->grid, &w->fault);
	b->next = w->spare;
	w->spare = b;
}

/* one more block in flight, if there is one */
static bool
begin(struct worker *w)
{
	uint32_t ctaid[3];
	struct block *b;

	if (w->from == w->to && !grid_take(w->grid, &w->from, &w->to))
		return false;
	b = block_new(w);
	if (!b) {
		/* what is in flight may end and leave its memory */
		if (!w->flight)
			out_of_memory(w);
		return false;
	}
	place(w->grid, w->from++, ctaid);
	block_begin(b, ctaid);
	b->next = 0;
	*w->flight_last = b;
	w->flight_last = &b->next;
	return true;
}

/* all that live wait at barriers, and nobody is left who could come */
static void
deadlock(struct worker *w, const struct block *b)
{
	const struct warp *p = &b->task[__builtin_ctz(b->live)].w;
	struct fault f = { .error = CUDA_ERROR_LAUNCH_FAILED, .warp = p->warp,
		.what = "deadlock: every warp waits at a barrier" };

	memcpy(f.ctaid, p->ctaid, sizeof f.ctaid);
	grid_fail(w->grid, &f);
}

/* once round the blocks in flight; how many ended */
static unsigned
round_trip(struct worker *w)
{
	struct block *b, **from = &w->flight;
	unsigned ended = 0;

	while ((b = *from)) {
		if (atomic_load_explicit(&w->grid->error,
		    memory_order_relaxed))
			break;
		if (block_run(b) == TASK_FAULTED)
			grid_fail(w->grid, &w->fault);
		else if (b->live && !b->yielded)
			deadlock(w, b);
		if (b->live) {
			from = &b->next;
			continue;
		}
		*from = b->next;
		if (!b->next)
			w->flight_last = from;
		b->next = w->spare;
		w->spare = b;
		ended++;
	}
	return ended;
}

static void
abandon(struct worker *w)
{
	if (w->flight) {
		*w->flight_last = w->spare;
		w->spare = w->flight;
	}
	w->flight = 0;
	w->flight_last = &w->flight;
}

/* nothing ended in vain rounds: who is waited for runs elsewhere */
static void
be_patient(unsigned vain)
{
	struct timespec t = { 0, SLEEP_NS };

	if (vain > SLEEP_AFTER)
		nanosleep(&t, 0);
	else if (vain > PATIENCE)
		sched_yield();
}

static void
work_switching(struct worker *w)
{
	unsigned vain = 0, flying = 0, ended;

	w->flight = 0;
	w->flight_last = &w->flight;
	w->from = w->to = 0;
	while (!atomic_load_explicit(&w->grid->error, memory_order_relaxed)) {
		/* the more wait already, the longer before the next one */
		if (vain >= flying && begin(w)) {
			flying++;
			vain = 0;
		}
		if (!w->flight)
			break;
		ended = round_trip(w);
		flying -= ended;
		vain = ended ? 0 : vain + 1;
		be_patient(vain);
	}
	abandon(w);
}

void
grid_work(struct grid *g, struct worker *w)
{
	fenv_t mine;

	fegetenv(&mine);
	fesetenv(FE_DFL_ENV);
	w->grid = g;
	w->used = true;
	if (g->switches)
		work_switching(w);
	else
		work_flat(w);
	w->task = 0;
	w->grid = 0;
	fesetenv(&mine);
}

void
worker_trim(struct worker *w)
{
	struct block *b;
	int i;

	if (!w->used)
		return;
	w->used = false;
	for (b = w->spare; b; b = b->next) {
		/* the first warp goes as deep as the others, mostly */
		if (!b->task[0].top || !stack_deep(b->task[0].top))
			continue;
		for (i = 0; i < 32; i++)
			if (b->task[i].top)
				stack_trim(b->task[i].top);
	}
}
