/* context.c - contexts: life and death, the threads' stacks, what they own.
 *
 * The memory of a context stays as long as some thread has it on its stack;
 * that of a primary context stays for ever, and the context may live again.
 */
#include "api.h"
#include <stdlib.h>

_Thread_local struct thread rt_thread;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_ullong last_id;

void
context_let_go(CUcontext c)
{
	if (atomic_fetch_sub(&c->holds, 1) == 1 && !c->primary) {
		pthread_mutex_destroy(&c->lock);
		handle_free(HANDLE_CONTEXT, c);
	}
}

void
context_revive(CUcontext c, unsigned flags)
{
	static const size_t limit[CU_LIMIT_MAX] = {
		[CU_LIMIT_STACK_SIZE] = 1 << 10,
		[CU_LIMIT_PRINTF_FIFO_SIZE] = 8448 << 10,
		[CU_LIMIT_MALLOC_HEAP_SIZE] = HEAP_DEFAULT,
		[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
		[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
	};
	int i;

	/* with unified addressing all host memory can be mapped */
	c->flags = flags | CU_CTX_MAP_HOST;
	c->attached = 1;
	c->api_version = 3020;
	c->id = atomic_fetch_add(&last_id, 1) + 1;
	for (i = 0; i < CU_LIMIT_MAX; i++)
		c->limit[i] = limit[i];
	c->limit[CU_LIMIT_SHMEM_SIZE] = c->device->info.shared_per_block;
	c->cache = CU_FUNC_CACHE_PREFER_NONE;
	c->shared = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
	c->peers = 0;
	c->legacy = 0;
	c->streams = 0;
	atomic_store(&c->error, 0);
	atomic_fetch_add(&c->holds, 1);
	atomic_store_explicit(&c->alive, true, memory_order_release);
}

CUresult
context_new(struct device *d, unsigned flags, bool primary, CUcontext *out)
{
	CUcontext c = handle_new(HANDLE_CONTEXT, sizeof *c);

	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->device = d;
	c->primary = primary;
	pthread_mutex_init(&c->lock, 0);
	context_revive(c, flags);
	*out = c;
	return 0;
}

void
own(CUcontext c, enum owned_rank rank, struct owned *o)
{
	pthread_mutex_lock(&c->lock);
	o->next = c->owned[rank];
	o->link = &c->owned[rank];
	if (o->next)
		o->next->link = &o->next;
	c->owned[rank] = o;
	pthread_mutex_unlock(&c->lock);
}

void
disown(CUcontext c, struct owned *o)
{
	pthread_mutex_lock(&c->lock);
	if (o->link) {
		*o->link = o->next;
		if (o->next)
			o->next->link = o->link;
		o->link = 0;
	}
	pthread_mutex_unlock(&c->lock);
}

static void
end_owned(CUcontext c, enum owned_rank rank)
{
	struct owned *o;

	for (;;) {
		pthread_mutex_lock(&c->lock);
		o = c->owned[rank];
		pthread_mutex_unlock(&c->lock);
		if (!o)
			return;
		o->destroy(o);
	}
}

bool
context_end(CUcontext c)
{
	int rank;

	if (!atomic_exchange(&c->alive, false))
		return false;
	for (rank = 0; rank < OWNED_RANKS; rank++) {
		end_owned(c, (enum owned_rank)rank);
		if (rank == OWNED_STREAM)
			streams_context_end(c);
	}
	memory_context_end(c);
	context_let_go(c);
	return true;
}

/* a thread ends: what its stack holds is let go */
static void
thread_exit(void *thread)
{
	struct thread *t = thread;

	streams_thread_exit(t);
	while (t->depth)
		context_let_go(t->stack[--t->depth]);
	free(t->stack);
	t->stack = 0;
	t->cap = 0;
}

static void
make_key(void)
{
	pthread_key_create(&key, thread_exit);
}

static bool
grow(struct thread *t)
{
	unsigned cap = t->cap ? t->cap * 2 : 8;
	CUcontext *p = realloc(t->stack, cap * sizeof *p);

	if (!p)
		return false;
	t->stack = p;
	t->cap = cap;
	pthread_once(&once, make_key);
	return pthread_setspecific(key, t) == 0;
}

CUresult
context_push(CUcontext c)
{
	struct thread *t = &rt_thread;

	if (t->depth == t->cap && !grow(t))
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_fetch_add(&c->holds, 1);
	t->stack[t->depth++] = c;
	return 0;
}

bool
context_pop(void)
{
	struct thread *t = &rt_thread;

	if (!t->depth)
		return false;
	context_let_go(t->stack[--t->depth]);
	return true;
}

bool
context_is(CUcontext c)
{
	return handle_is(HANDLE_CONTEXT, c) && atomic_load(&c->alive);
}

CUcontext
context_of(CUcontext c)
{
	if (!c)
		return context_current();
	return context_is(c) ? c : 0;
}

void
context_fault(void *context, CUresult r, const char *what)
{
	CUcontext c = context;
	int none = 0;

	if (atomic_compare_exchange_strong(&c->error, &none, (int)r) && what)
		rt_log("%s", what);
}

/* the slow half of need_CTX and need_LIVE: says what is wrong */
CUresult
need_context(bool live)
{
	const struct thread *t = &rt_thread;
	CUresult r = need_INIT();
	CUcontext c;

	if (r)
		return r;
	if (!t->depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	c = t->stack[t->depth - 1];
	if (!atomic_load(&c->alive))
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	return live ? (CUresult)atomic_load(&c->error) : 0;
}
