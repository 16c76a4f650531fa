/* warp.c - a block's warps as coroutines, and what they ask of the device. */
#include "warp.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

enum {
	STACK = 1 << 22,
	WARPS = 32,             /* of a block, at most */
	LIMIT = 50000000,       /* yields of one launch: it is endless */
};

enum state { READY, WAITING, DONE };

struct block;

struct thread {
	struct warp w;          /* first: the kernel has its address */
	struct block *block;
	ucontext_t at;
	enum state state;
	uint32_t barrier;       /* where it waits */
	uint64_t answer;
};

/* one round of a barrier */
struct meeting {
	uint32_t come, count;   /* threads; count 0: all */
	uint32_t lanes, trues;
};

struct block {
	const struct host_kernel *k;
	struct launch launch;
	void *param;
	uint8_t *shared, *stacks;
	struct thread warp[WARPS];
	uint32_t nwarp, yields;
	struct meeting barrier[HOST_BARRIERS];
	ucontext_t home;
	const char *failed;
};

static struct thread *
thread_of(struct warp *w)
{
	return (struct thread *)w;
}

/* to the scheduler, and back when it is this warp's turn */
static void
leave(struct thread *t)
{
	if (!(t->block->k->flags & HOST_SWITCHES))
		t->block->failed = "it switches and did not say so";
	swapcontext(&t->at, &t->block->home);
}

static uint32_t
living(const struct block *b)
{
	uint32_t i, n;

	for (i = n = 0; i < b->nwarp; i++)
		n += b->warp[i].state != DONE;
	return n * HOST_LANES;
}

/* opens barrier id if all have come */
static void
try_open(struct block *b, uint32_t id)
{
	struct meeting *m = &b->barrier[id];
	uint32_t i;

	if (!m->come || m->come < (m->count ? m->count : living(b)))
		return;
	for (i = 0; i < b->nwarp; i++)
		if (b->warp[i].state == WAITING && b->warp[i].barrier == id) {
			b->warp[i].state = READY;
			b->warp[i].answer = (uint64_t)m->lanes << 32 |
				m->trues;
		}
	memset(m, 0, sizeof *m);
}

static void
come(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes, bool partial,
	uint32_t p)
{
	struct block *b = thread_of(w)->block;
	struct meeting *m = &b->barrier[id];
	uint32_t n = (uint32_t)__builtin_popcount(lanes);

	if (!lanes || lanes & ~w->lanes || p & ~lanes)
		b->failed = "lanes at a barrier that are not there";
	m->come += partial ? n : HOST_LANES;
	m->count = count;
	m->lanes += n;
	m->trues += (uint32_t)__builtin_popcount(p);
}

static uint64_t
reduce(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial, uint32_t p)
{
	struct thread *t = thread_of(w);

	come(w, id, count, lanes, partial, p);
	t->state = WAITING;
	t->barrier = id;
	try_open(t->block, id);
	leave(t);
	return t->answer;
}

static void
barrier(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial)
{
	reduce(w, id, count, lanes, partial, 0);
}

static void
arrive(struct warp *w, uint32_t id, uint32_t count, uint32_t lanes,
	bool partial)
{
	come(w, id, count, lanes, partial, 0);
	try_open(thread_of(w)->block, id);
}

static void
yield(struct warp *w)
{
	struct block *b = thread_of(w)->block;

	if (b->yields++ > LIMIT)
		b->failed = "it does not end";
	leave(thread_of(w));
}

static void
fault(struct warp *w, uint32_t why, uint32_t lane)
{
	struct thread *t = thread_of(w);

	t->block->failed = !(w->lanes >> lane & 1) ? "fault of no thread"
		: why == HOST_TRAP ? "trap" : why == HOST_ASSERT ? "assert"
		: why == HOST_BAD_CALL ? "bad call" : "misaligned";
	swapcontext(&t->at, &t->block->home);
}

static void
nap(struct warp *w, uint32_t nanoseconds)
{
	(void)nanoseconds;
	yield(w);
}

static uint64_t
now(struct warp *w)
{
	struct timespec t;

	(void)w;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static const struct host_calls calls = {
	.barrier = barrier, .arrive = arrive, .reduce = reduce,
	.yield = yield, .fault = fault, .sleep = nap, .time = now,
};

/* makecontext() passes ints */
static void
body(unsigned high, unsigned low)
{
	struct thread *t = (void *)((uintptr_t)high << 32 | low);
	uint32_t id;

	t->block->k->run(&t->w);
	t->state = DONE;
	for (id = 0; id < HOST_BARRIERS; id++)
		try_open(t->block, id);
}

static void
start(struct block *b, uint32_t i)
{
	struct thread *t = &b->warp[i];
	const uint32_t *n = b->launch.ntid;
	uint32_t left = n[0] * n[1] * n[2] - i * HOST_LANES;

	t->w.warp = i;
	t->w.lanes = left < HOST_LANES ? (1u << left) - 1 : ~0u;
	t->block = b;
	t->state = READY;
	getcontext(&t->at);
	t->at.uc_stack.ss_sp = b->stacks + (size_t)i * STACK;
	t->at.uc_stack.ss_size = STACK;
	t->at.uc_link = &b->home;
	makecontext(&t->at, (void (*)(void))body, 2,
		(unsigned)((uintptr_t)t >> 32), (unsigned)(uintptr_t)t);
}

/* a turn for each warp that can go on; false: none can */
static bool
round_robin(struct block *b)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < b->nwarp && !b->failed; i++)
		if (b->warp[i].state == READY) {
			any = true;
			swapcontext(&b->home, &b->warp[i].at);
		}
	return any;
}

static void
run_block(struct block *b, uint32_t x)
{
	const uint32_t *g = b->launch.nctaid;
	uint32_t i;

	memset(b->shared, 0xa5, b->launch.shared_total);
	memset(b->barrier, 0, sizeof b->barrier);
	for (i = 0; i < b->nwarp; i++) {
		b->warp[i].w = (struct warp){ .param = b->param,
			.launch = &b->launch, .shared = b->shared,
			.local = (uintptr_t)b->stacks,
			.local_size = (uint64_t)WARPS * STACK,
			.ctaid = { x % g[0], x / g[0] % g[1],
				x / g[0] / g[1] },
			.call = &calls };
		start(b, i);
	}
	while (!b->failed && round_robin(b))
		;
	for (i = 0; i < b->nwarp && !b->failed; i++)
		if (b->warp[i].state != DONE)
			b->failed = "warps wait for ever";
}

static bool
prepare(struct block *b, const void *param, size_t size)
{
	size_t padded = (size + 7) / 8 * 8;
	void *stacks;

	b->shared = aligned_alloc(128, (b->launch.shared_total + 128u) / 128
		* 128);
	b->param = calloc(1, padded + sizeof b->launch);
	stacks = mmap(0, (size_t)WARPS * STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!b->shared || !b->param || stacks == MAP_FAILED)
		return false;
	b->stacks = stacks;
	memcpy(b->param, param, size);
	memcpy((char *)b->param + padded, &b->launch, sizeof b->launch);
	return true;
}

const char *
warp_run(const struct host_kernel *k, const void *param, size_t size,
	const struct launch *l)
{
	struct block *b = calloc(1, sizeof *b);
	const uint32_t *n = l->ntid, *g = l->nctaid;
	const char *failed;
	uint32_t i;

	b->k = k;
	b->launch = *l;
	b->launch.shared_total = k->dynamic + l->shared_dynamic;
	b->nwarp = (n[0] * n[1] * n[2] + HOST_LANES - 1) / HOST_LANES;
	if (b->nwarp > WARPS || !prepare(b, param, size))
		b->failed = "no room for it";
	for (i = 0; i < g[0] * g[1] * g[2] && !b->failed; i++)
		run_block(b, i);
	failed = b->failed;
	if (b->stacks)
		munmap(b->stacks, (size_t)WARPS * STACK);
	free(b->shared);
	free(b->param);
	free(b);
	return failed;
}
