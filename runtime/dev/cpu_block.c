/* cpu_block.c - the warps of a block, each on a stack of its own.
 *
 * A warp runs until it waits; then the next one that is ready goes on, from
 * stack to stack.  When none is, the worker gets control back: all that live
 * have yielded or wait at barriers.  Barriers belong to the block alone, so
 * no lock is taken here.
 */
#include "cpu_int.h"
#include "service.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static uint32_t
bit(const struct task *t)
{
	return 1u << t->w.warp;
}

/* mostly of all lanes, or none */
static uint32_t
count_lanes(uint32_t lanes)
{
	if (lanes == ~0u || !lanes)
		return lanes ? HOST_LANES : 0;
	return (uint32_t)__builtin_popcount(lanes);
}

/* the ready warp that follows after in the round, or 0 */
static struct task *
pick(struct block *b, uint32_t after)
{
	uint32_t later = b->ready & ~((2u << after) - 1);

	if (!b->ready)
		return 0;
	return &b->task[__builtin_ctz(later ? later : b->ready)];
}

/* others run until t is ready again, and picked */
OFF_STACK static void
wait_ready(struct task *t)
{
	struct block *b = t->block;
	struct task *next = pick(b, t->w.warp);

	if (next == t)
		return;
	b->worker->task = next;
	if (next)
		cpu_switch(&t->sp, next->sp, 0);
	else
		cpu_switch(&t->sp, b->worker->sp, TASK_PAUSED);
}

/* have all come for whom those at the barrier wait? */
static bool
complete(const struct block *b, const struct barrier *m)
{
	if (m->count)
		return m->threads >= m->count;
	return (b->live & ~m->came) == 0;
}

static void
release(struct block *b, uint32_t id)
{
	struct barrier *m = &b->barrier[id];
	uint64_t result = (uint64_t)m->all << 32 | m->yes;
	uint32_t w;

	for (w = m->waiting; w; w &= w - 1)
		b->task[__builtin_ctz(w)].result = result;
	b->ready |= m->waiting;
	b->meeting &= ~(1u << id);
	memset(m, 0, sizeof *m);
}

/* the warp came to barrier id; does it complete it? */
static bool
arrive(struct task *t, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial)
{
	struct block *b = t->block;
	struct barrier *m = &b->barrier[id];

	m->count = count;
	m->came |= bit(t);
	m->threads += partial ? count_lanes(lanes) : HOST_LANES;
	m->all += count_lanes(lanes);
	b->meeting |= 1u << id;
	return complete(b, m);
}

static struct task *
task_of(struct warp *w)
{
	return (struct task *)w;
}

static void
call_arrive(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial)
{
	struct task *t = task_of(w);

	id %= HOST_BARRIERS;
	if (arrive(t, id, count, lanes, partial))
		release(t->block, id);
}

OFF_STACK static uint64_t
call_reduce(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial, uint32_t p)
{
	struct task *t = task_of(w);
	struct barrier *m;

	id %= HOST_BARRIERS;
	m = &t->block->barrier[id];
	m->yes += count_lanes(p & lanes);
	m->waiting |= bit(t);
	t->block->ready &= ~bit(t);
	if (arrive(t, id, count, lanes, partial))
		release(t->block, id);
	wait_ready(t);
	return t->result;
}

OFF_STACK static void
call_barrier(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial)
{
	call_reduce(w, id, count, lanes, partial, 0);
}

OFF_STACK static void
call_yield(struct warp *w)
{
	struct task *t = task_of(w);
	struct block *b = t->block;

	if (b->worker->grid->server)
		server_serve(b->worker->grid->server);
	b->ready &= ~bit(t);
	b->yielded |= bit(t);
	wait_ready(t);
}

/* to sleep is to let others run: what sleeps waits for somebody */
OFF_STACK static void
call_sleep(struct warp *w, uint32_t nanoseconds)
{
	(void)nanoseconds;
	call_yield(w);
}

static const struct {
	CUresult error;
	const char *what;
} fault_info[] = {
	[0] = { CUDA_ERROR_LAUNCH_FAILED, "unknown fault" },
	[HOST_TRAP] = { CUDA_ERROR_LAUNCH_FAILED, "trap" },
	[HOST_ASSERT] = { CUDA_ERROR_ASSERT, "assertion failed" },
	[HOST_BAD_CALL] = { CUDA_ERROR_INVALID_PC,
		"call through an address that is no function" },
	[HOST_MISALIGNED] = { CUDA_ERROR_MISALIGNED_ADDRESS,
		"misaligned access" },
};

OFF_STACK static void
call_fault(struct warp *w, uint32_t fault, uint32_t lane)
{
	struct worker *worker = task_of(w)->block->worker;
	struct fault *f = &worker->fault;

	(void)lane;
	if (fault >= sizeof fault_info / sizeof *fault_info)
		fault = 0;
	f->error = fault_info[fault].error;
	f->what = fault_info[fault].what;
	f->addr = f->pc = 0;
	memcpy(f->ctaid, w->ctaid, sizeof f->ctaid);
	f->warp = w->warp;
	worker->task = 0;
	cpu_leave(worker->sp, TASK_FAULTED);
}

static uint64_t
call_time(struct warp *w)
{
	struct timespec t;

	(void)w;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t
call_serve(struct warp *w, uint32_t lane, uint32_t function, uint64_t a,
	uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t argument[4] = { a, b, c, d };
	const uint32_t *n = w->launch->ntid;
	uint32_t t = w->warp * HOST_LANES + lane;
	const uint32_t at[6] = { w->ctaid[0], w->ctaid[1], w->ctaid[2],
		t % n[0], t / n[0] % n[1], t / n[0] / n[1] };

	return server_ask(task_of(w)->block->worker->grid->server, function,
		argument, at);
}

const struct host_calls block_calls = {
	.barrier = call_barrier,
	.arrive = call_arrive,
	.reduce = call_reduce,
	.yield = call_yield,
	.fault = call_fault,
	.sleep = call_sleep,
	.time = call_time,
	.serve = call_serve,
};

/* the warp ended: who waits for all that live waits for one less */
OFF_STACK static void
finish(struct task *t)
{
	struct block *b = t->block;
	struct task *next;
	uint32_t m, id;

	b->live &= ~bit(t);
	b->ready &= ~bit(t);
	for (m = b->meeting; m; m &= m - 1) {
		id = (uint32_t)__builtin_ctz(m);
		if (!b->barrier[id].count && complete(b, &b->barrier[id]))
			release(b, id);
	}
	next = pick(b, t->w.warp);
	b->worker->task = next;
	if (next)
		cpu_leave(next->sp, 0);
	cpu_leave(b->worker->sp, TASK_PAUSED);
}

OFF_STACK static void
task_main(void *arg)
{
	struct task *t = arg;

	t->block->worker->grid->kernel->run(&t->w);
	finish(t);
}

static bool
set_shared(struct block *b, size_t size)
{
	const size_t page = 4096;

	if (size <= b->shared_size)
		return true;
	if (b->shared)
		munmap(b->shared, b->shared_size);
	b->shared_size = (size + page - 1) / page * page;
	b->shared = mmap(0, b->shared_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->shared != MAP_FAILED)
		return true;
	b->shared = 0;
	b->shared_size = 0;
	return false;
}

static bool
set_task(struct block *b, uint32_t i)
{
	struct task *t = &b->task[i];
	const struct grid *g = b->worker->grid;

	if (!t->top && (i == 0 || g->switches)) {
		t->top = stack_new();
		if (!t->top)
			return false;
	}
	t->block = b;
	t->w.param = g->param;
	t->w.launch = g->launch;
	t->w.shared = b->shared;
	t->w.warp = i;
	t->w.lanes = i + 1 < g->nwarp ? ~0u : g->last;
	t->w.smid = b->worker->id % g->launch->nsm;
	t->w.call = &block_calls;
	return true;
}

struct block *
block_new(struct worker *w)
{
	struct block *b = w->spare;
	uint64_t local, local_size;
	uint32_t i;

	if (b)
		w->spare = b->next;
	else
		b = calloc(1, sizeof *b);
	if (!b)
		return 0;
	b->worker = w;
	if (b->serial == w->grid->serial)
		return b;
	if (!set_shared(b, w->grid->launch->shared_total))
		goto fail;
	for (i = 0; i < w->grid->nwarp; i++)
		if (!set_task(b, i))
			goto fail;
	stack_range(&local, &local_size);
	for (i = 0; i < w->grid->nwarp; i++) {
		b->task[i].w.local = local;
		b->task[i].w.local_size = local_size;
	}
	b->serial = w->grid->serial;
	return b;
fail:
	b->serial = 0;
	b->next = w->spare;
	w->spare = b;
	return 0;
}

void
block_begin(struct block *b, const uint32_t ctaid[3])
{
	const struct grid *g = b->worker->grid;
	uint32_t i;

	b->live = b->ready = g->nwarp < 32 ? (1u << g->nwarp) - 1 : ~0u;
	b->yielded = 0;
	if (b->meeting)
		memset(b->barrier, 0, sizeof b->barrier);
	b->meeting = 0;
	for (i = 0; i < g->nwarp; i++) {
		memcpy(b->task[i].w.ctaid, ctaid, sizeof b->task[i].w.ctaid);
		b->task[i].sp = cpu_prepare(b->task[i].top, task_main,
			&b->task[i]);
	}
}

OFF_STACK int
block_run(struct block *b)
{
	struct worker *w = b->worker;

	b->ready |= b->yielded;
	b->yielded = 0;
	w->task = pick(b, 31);
	if (!w->task)
		return TASK_PAUSED;
	return cpu_switch(&w->sp, w->task->sp, 0);
}

void
block_free(struct block *b)
{
	int i;

	for (i = 0; i < 32; i++)
		stack_free(b->task[i].top);
	if (b->shared)
		munmap(b->shared, b->shared_size);
	free(b);
}
