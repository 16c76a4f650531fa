/* pool.c - the memory of pools: chunks of a device's, cut into pieces.
 *
 * The pieces of a chunk stand in the order of their addresses, and no two
 * neighbours are free for the same.  A free piece says who may have it: all
 * (stream 0), or those whose work comes after a moment in one stream.
 */
#include "pool.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 512, CHUNK = 32 << 20, PAGE = 2 << 20 };

struct piece {
	struct piece *next, *prev;     /* in the chunk, by address */
	struct piece *later, **link;   /* in the list of free ones */
	struct chunk *chunk;
	uint64_t addr, size;
	uint64_t asked;                /* bytes; not more than size */
	bool used;
	unsigned long long stream;     /* free: given back there; 0: to all */
	uint64_t count;                /* … as which of its pieces */
	struct moment *moment;         /* of that, or 0 */
};

struct chunk {
	struct chunk *next, **link;
	CUmemoryPool pool;
	uint64_t addr, size;
	struct piece *first;
};

/* all pools that have memory of their own */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static CUmemoryPool list;
static atomic_uint excess;       /* may one be above its threshold? */

CUmemoryPool
piece_pool(const struct piece *p)
{
	return p->chunk->pool;
}

CUresult
piece_name(const struct piece *p, size_t size, char name[64])
{
	const struct chunk *c = p->chunk;
	const struct device *d = c->pool->device;

	return d->ops->share(d->dev, &(struct slice){ c->addr, c->size,
		p->addr - c->addr, size }, name);
}

static void
moment_drop(struct moment *m)
{
	if (!m || --m->holds)
		return;
	m->ops->unmark(m->mark);
	free(m);
}

static void
list_free(CUmemoryPool pool, struct piece *p)
{
	p->later = pool->free;
	p->link = &pool->free;
	if (p->later)
		p->later->link = &p->later;
	pool->free = p;
}

static void
unlist_free(struct piece *p)
{
	*p->link = p->later;
	if (p->later)
		p->later->link = p->link;
	p->link = 0;
}

/* p takes in the one behind it, which is as free as itself; the later of the
 * two moments is that of both */
static void
swallow(struct piece *p)
{
	struct piece *n = p->next;

	if (n->count > p->count) {
		struct moment *m = p->moment;

		p->moment = n->moment;
		p->count = n->count;
		n->moment = m;
	}
	moment_drop(n->moment);
	unlist_free(n);
	p->size += n->size;
	p->next = n->next;
	if (p->next)
		p->next->prev = p;
	free(n);
}

static bool
alike(const struct piece *a, const struct piece *b)
{
	return a && b && !a->used && !b->used && a->stream == b->stream;
}

static void
merge(struct piece *p)
{
	if (alike(p, p->next))
		swallow(p);
	if (alike(p->prev, p))
		swallow(p->prev);
}

/* what is over by now may be had by all */
static void
settle(CUmemoryPool pool)
{
	struct chunk *c;
	struct piece *p;
	bool any = false;

	for (p = pool->free; p; p = p->later) {
		if (!p->stream || p->moment->ops->query(p->moment->mark) ==
		    CUDA_ERROR_NOT_READY)
			continue;
		moment_drop(p->moment);
		p->moment = 0;
		p->stream = 0;
		p->count = 0;
		any = true;
	}
	for (c = any ? pool->chunks : 0; c; c = c->next)
		for (p = c->first; p;)
			if (alike(p, p->next))
				swallow(p);
			else
				p = p->next;
}

static bool
may_have(const CUmemoryPool pool, CUstream s, const struct piece *p)
{
	if (!p->stream)
		return true;
	if (!s)
		return false;
	return p->stream == s->id || (pool->reuse[
		CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES - 1] &&
		past_holds(&s->past, p->stream, p->count));
}

/* the smallest that is large enough; 0: none */
static struct piece *
best(CUmemoryPool pool, uint64_t size, CUstream s, bool any)
{
	struct piece *p, *found = 0;

	for (p = pool->free; p; p = p->later)
		if (p->size >= size && (!found || p->size < found->size) &&
		    (any || may_have(pool, s, p)))
			found = p;
	return found;
}

/* what is to be shared is so before anybody uses it */
static CUresult
memory_new(CUmemoryPool pool, uint64_t size, uint64_t *addr)
{
	const struct device *d = pool->device;
	CUresult err = d->ops->alloc(d->dev, size, addr);
	char name[64];

	if (err || !pool->props.handleTypes)
		return err;
	err = d->ops->share(d->dev, &(struct slice){ *addr, size, 0, size },
		name);
	if (err)
		d->ops->free(d->dev, *addr);
	return err;
}

/* a chunk of that size, which is one free piece */
static CUresult
chunk_new(CUmemoryPool pool, uint64_t size, struct piece **out)
{
	struct chunk *c = calloc(1, sizeof *c);
	struct piece *p = calloc(1, sizeof *p);
	CUresult err = CUDA_ERROR_OUT_OF_MEMORY;

	if (c && p && (!pool->props.maxSize ||
	    size <= pool->props.maxSize - pool->reserved))
		err = memory_new(pool, size, &c->addr);
	if (err) {
		free(c);
		free(p);
		return err;
	}
	c->pool = pool;
	c->size = p->size = size;
	c->next = pool->chunks;
	c->link = &pool->chunks;
	if (c->next)
		c->next->link = &c->next;
	pool->chunks = c;
	c->first = p;
	p->chunk = c;
	p->addr = c->addr;
	list_free(pool, p);
	pool->reserved += size;
	if (pool->reserved > pool->reserved_high)
		pool->reserved_high = pool->reserved;
	*out = p;
	return CUDA_SUCCESS;
}

/* a large chunk, if not that one of the size, if not that after all that is
 * free has been given back */
static CUresult
more(CUmemoryPool pool, uint64_t size, struct piece **out)
{
	uint64_t fit = (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);

	if (size < CHUNK && chunk_new(pool, CHUNK, out) == CUDA_SUCCESS)
		return CUDA_SUCCESS;
	return chunk_new(pool, fit, out);
}

static void
chunk_free(struct chunk *c)
{
	CUmemoryPool pool = c->pool;

	pool->reserved -= c->size;
	unlist_free(c->first);
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	pool->device->ops->free(pool->device->dev, c->addr);
	free(c->first);
	free(c);
}

static void
trim(CUmemoryPool pool, uint64_t keep)
{
	struct chunk *c, *next;

	settle(pool);
	for (c = pool->chunks; c && pool->reserved > keep; c = next) {
		next = c->next;
		if (!c->first->used && !c->first->stream && !c->first->next &&
		    pool->reserved - c->size >= keep)
			chunk_free(c);
	}
}

static CUresult
wait_for(CUstream s, struct piece *p)
{
	if (!p->stream)
		return CUDA_SUCCESS;
	return s ? p->moment->ops->wait(s->queue, p->moment->mark) :
		p->moment->ops->reached(p->moment->mark);
}

/* the ways to come by a piece, the cheapest first */
static CUresult
find(CUmemoryPool pool, uint64_t size, CUstream s, struct piece **out)
{
	CUresult err;

	*out = best(pool, size, s, false);
	if (!*out && pool->free && pool->reuse[
	    CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC - 1]) {
		settle(pool);
		*out = best(pool, size, s, false);
	}
	if (*out)
		return CUDA_SUCCESS;
	err = more(pool, size, out);
	if (err && pool->chunks) {
		trim(pool, 0);
		err = more(pool, size, out);
	}
	if (!err || !pool->reuse[
	    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES - 1])
		return err;
	*out = best(pool, size, s, true);
	return *out ? wait_for(s, *out) : err;
}

/* what is behind the first size bytes of p stays free, as p was */
static bool
split(CUmemoryPool pool, struct piece *p, uint64_t size)
{
	struct piece *rest = malloc(sizeof *rest);

	if (!rest)
		return false;
	*rest = *p;
	rest->addr += size;
	rest->size -= size;
	rest->prev = p;
	if (rest->next)
		rest->next->prev = rest;
	if (rest->moment)
		rest->moment->holds++;
	p->next = rest;
	p->size = size;
	list_free(pool, rest);
	return true;
}

static void
use(CUmemoryPool pool, struct piece *p, uint64_t asked)
{
	unlist_free(p);
	moment_drop(p->moment);
	p->moment = 0;
	p->stream = 0;
	p->count = 0;
	p->used = true;
	p->asked = asked;
	pool->used += asked;
	if (pool->used > pool->used_high)
		pool->used_high = pool->used;
}

CUresult
piece_take(CUmemoryPool pool, size_t n, CUstream s, struct piece **out,
	uint64_t *addr)
{
	uint64_t size = (n + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
	CUresult err;

	if (n > pool->device->info.memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&pool->lock);
	err = find(pool, size, s, out);
	if (!err && (*out)->size > size && !split(pool, *out, size))
		err = CUDA_ERROR_OUT_OF_MEMORY;
	if (!err) {
		use(pool, *out, n);
		*addr = (*out)->addr;
	}
	pthread_mutex_unlock(&pool->lock);
	return err;
}

/* the moment that s has come to; 0: there is nothing to wait for, or no
 * memory, and then it has been waited for */
static struct moment *
moment_new(CUstream s)
{
	const struct dev_ops *ops = s->context->device->ops;
	struct moment *m;

	if (ops->idle(s->queue) == CUDA_SUCCESS)
		return 0;
	m = malloc(sizeof *m);
	if (m && ops->mark(s->queue, false, &m->mark) == CUDA_SUCCESS) {
		m->holds = 1;
		m->ops = ops;
		return m;
	}
	free(m);
	ops->sync(s->queue);
	return 0;
}

void
piece_put(struct piece *p, CUstream s)
{
	CUmemoryPool pool = piece_pool(p);
	struct moment *m = s ? moment_new(s) : 0;
	bool last;

	pthread_mutex_lock(&pool->lock);
	p->used = false;
	pool->used -= p->asked;
	p->moment = m;
	if (m) {
		p->stream = s->id;
		p->count = ++s->freed;
	}
	list_free(pool, p);
	merge(p);
	atomic_store(&excess, 1);
	last = pool->doomed && !pool->used;
	pthread_mutex_unlock(&pool->lock);
	if (last)
		pool_end(pool);
}

void
pool_trim(CUmemoryPool pool, uint64_t keep)
{
	pthread_mutex_lock(&pool->lock);
	trim(pool, keep);
	pthread_mutex_unlock(&pool->lock);
}

/* what is not over yet asks for another look */
static bool
settle_one(CUmemoryPool pool)
{
	struct piece *p;
	bool again = false;

	pthread_mutex_lock(&pool->lock);
	if (pool->reserved > pool->threshold) {
		trim(pool, pool->threshold);
		for (p = pool->free; p && !again; p = p->later)
			again = p->stream != 0;
	}
	pthread_mutex_unlock(&pool->lock);
	return again;
}

void
pools_settle(void)
{
	CUmemoryPool p, next;

	if (!atomic_load_explicit(&excess, memory_order_relaxed))
		return;
	atomic_store(&excess, 0);
	pthread_mutex_lock(&list_lock);
	for (p = list; p; p = next) {
		next = p->next;
		if (settle_one(p))
			atomic_store(&excess, 1);
	}
	pthread_mutex_unlock(&list_lock);
}

CUmemoryPool
pool_new(struct device *d, const CUmemPoolProps *props)
{
	CUmemoryPool pool = handle_new(HANDLE_POOL, sizeof *pool);
	unsigned i;

	if (!pool)
		return 0;
	pool->device = d;
	pool->props = *props;
	for (i = 0; i < 3; i++)
		pool->reuse[i] = 1;
	if (d->index < (int)sizeof pool->access)
		pool->access[d->index] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	pthread_mutex_init(&pool->lock, 0);
	pthread_mutex_lock(&list_lock);
	pool->next = list;
	list = pool;
	pthread_mutex_unlock(&list_lock);
	return pool;
}

static void
delist(CUmemoryPool pool)
{
	CUmemoryPool *at;

	pthread_mutex_lock(&list_lock);
	for (at = &list; *at && *at != pool; at = &(*at)->next)
		;
	if (*at)
		*at = pool->next;
	pthread_mutex_unlock(&list_lock);
}

/* what was given back in streams is waited for */
static void
empty(CUmemoryPool pool)
{
	struct piece *p;

	for (p = pool->free; p; p = p->later)
		if (p->stream)
			p->moment->ops->reached(p->moment->mark);
	trim(pool, 0);
}

void
pool_end(CUmemoryPool pool)
{
	bool last;

	pthread_mutex_lock(&pool->lock);
	pool->doomed = true;
	last = !pool->used;
	pthread_mutex_unlock(&pool->lock);
	if (!last)
		return;
	delist(pool);
	empty(pool);
	pthread_mutex_destroy(&pool->lock);
	handle_free(HANDLE_POOL, pool);
}
