/* texture_heap.c - textures in device memory, and what was said of them.
 *
 * A context has slabs of slots.  Freed slots are used again in turn, so that
 * a stale handle stays stale for long.
 */
#include "array.h"
#include <stdlib.h>
#include <string.h>

enum {
	SLOT = 640,              /* bytes: whole lines of a cache */
	FIRST = 64, MOST = 4096, /* slots of a slab */
};

_Static_assert(sizeof(struct texture) <= SLOT, "a slot holds a texture");

struct slab {
	struct owned owned;
	CUcontext context;
	struct queue *queue;     /* 0: the host writes there itself */
	struct slab *next;
	uint64_t addr;
	size_t n, used, at;      /* slots; at: where the search begins */
	struct texture_object *object[]; /* 0: free */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slab *slabs;       /* of all contexts */

/* slabs */

static void
slab_free(struct slab *s)
{
	const struct device *d = s->context->device;
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->object[i]);
	if (s->queue)
		d->ops->queue_close(s->queue);
	if (s->addr)
		d->ops->free(d->dev, s->addr);
	free(s);
}

static void
destroy(struct owned *o)
{
	struct slab *s = (struct slab *)o, **p;

	disown(s->context, o);
	pthread_mutex_lock(&lock);
	for (p = &slabs; *p != s; p = &(*p)->next)
		;
	*p = s->next;
	pthread_mutex_unlock(&lock);
	slab_free(s);
}

static CUresult
slab_new(CUcontext c, size_t n, struct slab **out)
{
	const struct device *d = c->device;
	struct slab *s = calloc(1, sizeof *s + n * sizeof *s->object);
	CUresult err;

	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->owned.destroy = destroy;
	s->context = c;
	s->n = n;
	err = d->ops->alloc(d->dev, n * SLOT, &s->addr);
	if (!err && !d->info.host_visible)
		err = d->ops->queue_open(d->dev, 0, STREAM_PRIORITY_LEAST,
			context_fault, c, &s->queue);
	if (err) {
		slab_free(s);
		return err;
	}
	own(c, OWNED_IMAGE, &s->owned);
	s->next = slabs;
	slabs = s;
	*out = s;
	return 0;
}

/* one of a context with a free slot; each is twice as large as the last */
static CUresult
slab_find(CUcontext c, struct slab **out)
{
	size_t n = FIRST;
	struct slab *s;

	for (s = slabs; s; s = s->next) {
		if (s->context != c)
			continue;
		if (s->used < s->n) {
			*out = s;
			return 0;
		}
		if (s->n >= n)
			n = s->n < MOST ? s->n * 2 : MOST;
	}
	return slab_new(c, n, out);
}

/* slots */

static CUresult
write(struct slab *s, uint64_t addr, const void *p, size_t n)
{
	const struct dev_ops *ops = s->context->device->ops;
	struct copy c = {
		.dst.addr = addr, .src.addr = (uintptr_t)p,
		.width = n, .height = 1, .depth = 1, .from_host = true,
	};
	CUresult err;

	if (!s->queue) {
		memcpy((void *)(uintptr_t)addr, p, n);
		return 0;
	}
	err = ops->copy(s->queue, &c);
	return err ? err : ops->sync(s->queue);
}

static struct texture_object **
slot_of(uint64_t handle, struct slab **out)
{
	struct slab *s;

	for (s = slabs; s; s = s->next)
		if (handle - s->addr < s->n * SLOT
			&& (handle - s->addr) % SLOT == 0) {
			*out = s;
			return &s->object[(handle - s->addr) / SLOT];
		}
	return 0;
}

static CUresult
put(const struct texture *t, struct texture_object *o, CUtexObject *handle)
{
	struct slab *s;
	CUresult err;
	uint64_t at;

	err = slab_find(o->context, &s);
	if (err)
		return err;
	while (s->object[s->at])
		s->at = (s->at + 1) % s->n;
	at = s->addr + s->at * SLOT;
	err = write(s, at, t, sizeof *t);
	if (err)
		return err;
	s->object[s->at] = o;
	s->at = (s->at + 1) % s->n;
	s->used++;
	*handle = at;
	return 0;
}

/* what others call */

CUresult
texture_put(const struct texture *t, struct texture_object *o,
	CUtexObject *handle)
{
	CUresult err;

	pthread_mutex_lock(&lock);
	o->context = context_current();
	err = put(t, o, handle);
	pthread_mutex_unlock(&lock);
	if (err)
		free(o);
	return err;
}

CUresult
texture_set(uint64_t handle, const struct texture *t)
{
	struct texture_object **o;
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct slab *s;

	pthread_mutex_lock(&lock);
	o = slot_of(handle, &s);
	if (o && *o)
		err = write(s, handle, t, sizeof *t);
	pthread_mutex_unlock(&lock);
	return err;
}

CUresult
texture_name(uint64_t handle, uint64_t variable, bool bound)
{
	uint64_t value = bound ? handle : 0;
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct slab *s;

	pthread_mutex_lock(&lock);
	if (slot_of(handle, &s))
		err = write(s, variable, &value, sizeof value);
	pthread_mutex_unlock(&lock);
	return err;
}

bool
texture_find(uint64_t handle, bool surface, struct texture_object *out)
{
	struct texture_object **o;
	bool found = false;
	struct slab *s;

	pthread_mutex_lock(&lock);
	o = slot_of(handle, &s);
	if (o && *o && (*o)->surface == surface) {
		*out = **o;
		found = true;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

void
texture_drop(uint64_t handle, bool surface)
{
	struct texture_object **o;
	struct slab *s;

	pthread_mutex_lock(&lock);
	o = slot_of(handle, &s);
	if (o && *o && (*o)->surface == surface) {
		free(*o);
		*o = 0;
		s->used--;
	}
	pthread_mutex_unlock(&lock);
}
