/* extent.c - addresses handed out: device memory in pieces of any size.
 *
 * Sizes are rounded to four steps an octave.  Small pieces are cut from chunks
 * and stay, those of whole pages from others than tinier ones; larger ones come
 * from the source one by one, and some of them are kept when freed; huge ones
 * are not rounded and not kept.  A table of open addressing knows the pieces
 * that are out.
 */
#include "extent.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NCLASS = 256, HUGE_CLASS = NCLASS - 1, STEPS = 4 };
#define SMALL ((uint64_t)256 << 10)
#define TINY ((uint64_t)16 << 10)  /* from here on steps are whole pages */
#define HUGE_SIZE ((uint64_t)64 << 20)

struct piece {
	uint64_t addr;           /* 0: free slot; 1: was one */
	uint64_t size;
	unsigned class;
};

/* addresses that may be handed out again */
struct stack {
	uint64_t *addr;
	size_t n, cap;
};

struct extents {
	pthread_mutex_t lock;
	struct extent_source s;
	struct stack free[NCLASS];
	uint64_t size[NCLASS];   /* of a class in use */
	struct piece *table;
	size_t slots, filled;    /* filled: not never used */
	uint64_t used, kept;
	struct cut {             /* of tiny pieces, and of the others */
		uint64_t at, end;
		struct stack chunks;
	} cut[2];
};

static bool
push(struct stack *s, uint64_t addr)
{
	uint64_t *p;

	if (s->n == s->cap) {
		p = realloc(s->addr, (s->cap ? 2 * s->cap : 8) * sizeof *p);
		if (!p)
			return false;
		s->addr = p;
		s->cap = s->cap ? 2 * s->cap : 8;
	}
	s->addr[s->n++] = addr;
	return true;
}

/* the class of pieces of *size bytes, which is rounded */
static unsigned
classify(const struct extents *e, uint64_t *size)
{
	uint64_t n = (*size + e->s.align - 1) & ~(uint64_t)(e->s.align - 1);
	uint64_t step;
	unsigned octave;

	if (n > HUGE_SIZE) {
		*size = (n + 0x1fffff) & ~(uint64_t)0x1fffff;
		return HUGE_CLASS;
	}
	octave = 63 - (unsigned)__builtin_clzll(n);
	step = (uint64_t)1 << octave >> 2;
	if (step < e->s.align)
		step = e->s.align;
	n = (n + step - 1) / step * step;
	*size = n;
	octave = 63 - (unsigned)__builtin_clzll(n);
	return octave * STEPS + (unsigned)(n >> (octave - 2) & 3);
}

static struct piece *
find(struct extents *e, uint64_t addr)
{
	size_t i, mask = e->slots - 1;

	if (!e->slots || addr < 2)
		return 0;
	for (i = addr * 0x9e3779b97f4a7c15u >> 20 & mask; e->table[i].addr;
	    i = (i + 1) & mask)
		if (e->table[i].addr == addr)
			return &e->table[i];
	return 0;
}

static void
put(struct piece *table, size_t slots, const struct piece *p)
{
	size_t i = p->addr * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);

	while (table[i].addr > 1)
		i = (i + 1) & (slots - 1);
	table[i] = *p;
}

/* room for one more piece */
static bool
grow(struct extents *e)
{
	struct piece *table;
	size_t i, n = 0, slots = 64;

	if (e->filled * 2 < e->slots)
		return true;
	for (i = 0; i < e->slots; i++)
		n += e->table[i].addr > 1;
	while (slots < n * 4)
		slots *= 2;
	table = calloc(slots, sizeof *table);
	if (!table)
		return false;
	for (i = 0; i < e->slots; i++)
		if (e->table[i].addr > 1)
			put(table, slots, &e->table[i]);
	free(e->table);
	e->table = table;
	e->slots = slots;
	e->filled = n;
	return true;
}

struct extents *
extents_new(const struct extent_source *s)
{
	struct extents *e = calloc(1, sizeof *e);

	if (!e)
		return 0;
	e->s = *s;
	pthread_mutex_init(&e->lock, 0);
	return e;
}

/* a small piece, cut from a chunk */
static CUresult
cut(struct extents *e, uint64_t size, uint64_t *addr)
{
	unsigned k = size >= TINY;
	struct cut *c = &e->cut[k];
	CUresult err;

	if (c->end - c->at < size) {
		err = e->s.more(e->s.arg, e->s.chunk << k, &c->at);
		if (err || !push(&c->chunks, c->at)) {
			c->at = c->end = 0;
			return CUDA_ERROR_OUT_OF_MEMORY;
		}
		c->end = c->at + (e->s.chunk << k);
	}
	*addr = c->at;
	c->at += size;
	return CUDA_SUCCESS;
}

/* gives kept pieces back until n more bytes may be kept */
static void
drop_kept(struct extents *e, uint64_t n)
{
	uint64_t addr;
	unsigned c;

	for (c = HUGE_CLASS; c-- && e->kept && e->kept + n > e->s.kept;)
		while (e->size[c] > SMALL && e->free[c].n &&
		    e->kept + n > e->s.kept) {
			addr = e->free[c].addr[--e->free[c].n];
			e->s.less(e->s.arg, addr, e->size[c]);
			e->kept -= e->size[c];
		}
}

static CUresult
obtain(struct extents *e, unsigned class, uint64_t size, uint64_t *addr)
{
	struct stack *s = &e->free[class];

	if (s->n) {
		*addr = s->addr[--s->n];
		if (size > SMALL)
			e->kept -= size;
		return CUDA_SUCCESS;
	}
	if (size <= SMALL && size <= e->s.chunk)
		return cut(e, size, addr);
	if (e->s.more(e->s.arg, size, addr) == CUDA_SUCCESS)
		return CUDA_SUCCESS;
	drop_kept(e, e->s.kept);
	return e->s.more(e->s.arg, size, addr);
}

static CUresult
alloc(struct extents *e, size_t n, uint64_t *addr)
{
	struct piece p = { .size = n };
	CUresult err;

	if (e->used > e->s.limit || n > e->s.limit - e->used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	p.class = classify(e, &p.size);
	if (p.size > e->s.limit - e->used || !grow(e))
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = obtain(e, p.class, p.size, &p.addr);
	if (err)
		return err;
	e->size[p.class] = p.size;
	e->used += p.size;
	e->filled++;
	put(e->table, e->slots, &p);
	*addr = p.addr;
	return CUDA_SUCCESS;
}

CUresult
extents_alloc(struct extents *e, size_t n, uint64_t *addr)
{
	CUresult err;

	pthread_mutex_lock(&e->lock);
	err = alloc(e, n, addr);
	pthread_mutex_unlock(&e->lock);
	return err;
}

CUresult
extents_free(struct extents *e, uint64_t addr)
{
	struct piece *p, was;

	pthread_mutex_lock(&e->lock);
	p = find(e, addr);
	if (!p) {
		pthread_mutex_unlock(&e->lock);
		return CUDA_ERROR_INVALID_VALUE;
	}
	was = *p;
	p->addr = 1;
	e->used -= was.size;
	if (was.size > SMALL && was.class != HUGE_CLASS)
		drop_kept(e, was.size);
	if (was.class != HUGE_CLASS &&
	    (was.size <= SMALL || e->kept + was.size <= e->s.kept) &&
	    push(&e->free[was.class], addr)) {
		if (was.size > SMALL)
			e->kept += was.size;
	} else if (was.size > SMALL) {
		e->s.less(e->s.arg, addr, was.size);
	}
	pthread_mutex_unlock(&e->lock);
	return CUDA_SUCCESS;
}

void
extents_limit(struct extents *e, uint64_t limit)
{
	pthread_mutex_lock(&e->lock);
	e->s.limit = limit;
	pthread_mutex_unlock(&e->lock);
}

uint64_t
extents_used(struct extents *e)
{
	uint64_t n;

	pthread_mutex_lock(&e->lock);
	n = e->used;
	pthread_mutex_unlock(&e->lock);
	return n;
}

void
extents_delete(struct extents *e)
{
	size_t i, k;

	if (!e)
		return;
	e->s.kept = 0;
	drop_kept(e, 0);
	for (i = 0; i < e->slots; i++)
		if (e->table[i].addr > 1 && e->table[i].size > SMALL)
			e->s.less(e->s.arg, e->table[i].addr,
				e->table[i].size);
	for (k = 0; k < 2; k++) {
		for (i = 0; i < e->cut[k].chunks.n; i++)
			e->s.less(e->s.arg, e->cut[k].chunks.addr[i],
				e->s.chunk << k);
		free(e->cut[k].chunks.addr);
	}
	for (i = 0; i < NCLASS; i++)
		free(e->free[i].addr);
	free(e->table);
	pthread_mutex_destroy(&e->lock);
	free(e);
}
