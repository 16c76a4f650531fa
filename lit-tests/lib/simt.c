/* simt.c - threads of a block, taken step by step as a GPU takes them.
 *
 * Each thread is a coroutine that stops where a basic block begins and where
 * it meets others.  Of a warp those that are furthest behind go on together:
 * places are numbered so that a join of ways comes after all of them, and
 * what threads wait there for has a smaller number.  Calls are nested: a
 * place is the list of the calls around it and the place in the last.  The
 * warps of a block take turns.
 */
#include "simt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* stops of one launch before it is called endless */
enum { LIMIT = 200000000 };

struct thread {
	ucontext_t at;
	uint32_t tid;
	enum simt_stop kind;
	bool done, here;        /* here: among those that go on now */
	uint32_t a, b, answer;
	uint32_t *place;        /* calls around, and the place in the last */
	size_t depth, cap;
};

struct block {
	void (*kernel)(void *);
	void *block;
	const struct launch *l;
	ucontext_t home;
	struct thread *thread;
	uint32_t n, ctaid[3];
	struct thread *now;
	uint64_t stops;
	const char *failed;
};

/* one block runs at a time: compiled code has no argument to find it by */
static struct block *running;

static void
push(struct thread *t, uint32_t place)
{
	if (t->depth == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 16;
		t->place = realloc(t->place, t->cap * sizeof *t->place);
	}
	t->place[t->depth++] = place;
}

uint32_t
simt_stop(uint32_t kind, uint32_t place, uint32_t a, uint32_t b)
{
	struct thread *t = running->now;

	if (kind == SIMT_LEAVE) {
		t->depth--;
		return 0;
	}
	push(t, place);
	if (kind == SIMT_ENTER)
		return 0;
	t->kind = kind;
	t->a = a;
	t->b = b;
	swapcontext(&t->at, &running->home);
	t->depth--;
	return t->answer;
}

uint32_t
simt_sreg(uint32_t sreg, uint32_t comp)
{
	const uint32_t *n = running->l->ntid;
	uint32_t tid = running->now->tid;

	if (sreg == SREG_CTAID)
		return running->ctaid[comp];
	if (sreg != SREG_TID)
		return tid % SIMT_WARP;
	return comp == 0 ? tid % n[0] : comp == 1 ? tid / n[0] % n[1]
		: tid / n[0] / n[1];
}

static void
body(void)
{
	struct block *b = running;

	b->kernel(b->block);
	b->now->done = true;
}

/* is x behind y? */
static int
compare(const struct thread *x, const struct thread *y)
{
	size_t i;

	for (i = 0; i < x->depth && i < y->depth; i++)
		if (x->place[i] != y->place[i])
			return x->place[i] < y->place[i] ? -1 : 1;
	return x->depth == y->depth ? 0 : x->depth > y->depth ? -1 : 1;
}

/* marks those of a warp that go on; false: none can */
static bool
choose(struct thread *t, uint32_t n)
{
	struct thread *first = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (!t[i].done && t[i].kind != SIMT_BARRIER &&
		    (!first || compare(&t[i], first) < 0))
			first = &t[i];
	for (i = 0; i < n; i++)
		t[i].here = first && !t[i].done &&
			t[i].kind != SIMT_BARRIER && !compare(&t[i], first);
	return first;
}

/* what each that goes on learns from the others */
static void
exchange(struct thread *t, uint32_t n)
{
	uint32_t i, ballot = 0;

	for (i = 0; i < n; i++)
		if (t[i].here && t[i].kind == SIMT_BALLOT)
			ballot |= (t[i].a & 1) << i;
	for (i = 0; i < n; i++)
		if (t[i].kind != SIMT_SHUFFLE)
			t[i].answer = ballot;
		else if (t[i].b % SIMT_WARP < n && t[t[i].b % SIMT_WARP].here)
			t[i].answer = t[t[i].b % SIMT_WARP].a;
		else
			t[i].answer = 0xdead0000 | i;
}

static void
resume(struct block *b, struct thread *t)
{
	if (t->kind == SIMT_TRAP)
		b->failed = "trap";
	if (b->stops++ > LIMIT)
		b->failed = "it does not end";
	b->now = t;
	if (!b->failed)
		swapcontext(&b->home, &t->at);
}

/* one step of the warp that starts with t; false: it cannot */
static bool
step(struct block *b, struct thread *t, uint32_t n)
{
	uint32_t i;

	if (!choose(t, n))
		return false;
	exchange(t, n);
	for (i = 0; i < n; i++)
		if (t[i].here)
			resume(b, &t[i]);
	return true;
}

/* all that are left wait for each other: they go on; false: none is left */
static bool
release(struct block *b)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < b->n; i++)
		if (!b->thread[i].done) {
			b->thread[i].kind = SIMT_BLOCK;
			any = true;
		}
	return any;
}

static void
schedule(struct block *b)
{
	uint32_t w, n;
	bool any;

	do {
		for (w = 0, any = false; w < b->n; w += SIMT_WARP) {
			n = b->n - w < SIMT_WARP ? b->n - w : SIMT_WARP;
			any |= step(b, b->thread + w, n);
		}
	} while (!b->failed && (any || release(b)));
}

static void
start(struct thread *t, uint32_t tid, ucontext_t *home)
{
	t->tid = tid;
	t->done = false;
	t->kind = SIMT_BLOCK;
	t->depth = 0;
	getcontext(&t->at);
	t->at.uc_stack.ss_sp = (void *)(SIMT_STACKS + tid * SIMT_STACK_SIZE);
	t->at.uc_stack.ss_size = SIMT_STACK_SIZE;
	t->at.uc_link = home;
	makecontext(&t->at, body, 0);
}

static void
run_block(struct block *b, uint32_t x)
{
	uint32_t i;

	b->ctaid[0] = x % b->l->nctaid[0];
	b->ctaid[1] = x / b->l->nctaid[0] % b->l->nctaid[1];
	b->ctaid[2] = x / b->l->nctaid[0] / b->l->nctaid[1];
	memset((void *)SIMT_SHARED, 0xa5, b->l->shared_total);
	for (i = 0; i < b->n; i++)
		start(&b->thread[i], i, &b->home);
	schedule(b);
}

/* memory at a fixed place; mapped again, it is empty again */
static bool
map(uint64_t at, uint64_t size)
{
	void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
		-1, 0);

	return p == (void *)at;
}

const char *
simt_run(void (*kernel)(void *), void *block, const struct launch *l)
{
	const uint32_t *n = l->ntid, *g = l->nctaid;
	struct block b = { .kernel = kernel, .block = block, .l = l };
	uint32_t i;

	b.n = n[0] * n[1] * n[2];
	if (b.n > SIMT_THREADS || l->shared_total > SIMT_SHARED_SIZE ||
	    !map(SIMT_SHARED, SIMT_SHARED_SIZE) ||
	    !map(SIMT_STACKS, SIMT_STACKS_SIZE))
		return "no room for it";
	b.thread = calloc(b.n, sizeof *b.thread);
	running = &b;
	for (i = 0; i < g[0] * g[1] * g[2] && !b.failed; i++)
		run_block(&b, i);
	running = 0;
	for (i = 0; i < b.n; i++)
		free(b.thread[i].place);
	free(b.thread);
	return b.failed;
}
