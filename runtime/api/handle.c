/* handle.c - memory of what programs hold handles of.
 *
 * Each kind has a range of addresses of its own, cut into slots of one size.
 * Whether a pointer is a live handle is then arithmetic and one load: wild and
 * stale pointers are told without a lock and without touching memory that is
 * not there.  Freed slots wait in line, so that a stale handle stays stale for
 * long.
 */
#include "api.h"
#include "trace.h"
#include <string.h>
#include <sys/mman.h>

struct slot {
	atomic_uint live;
	struct slot *next;      /* in the line of free ones */
};

struct kind {
	char *base;
	size_t slot;            /* bytes, with struct slot */
	atomic_size_t used;     /* bytes that were ever a slot */
	size_t usable;          /* bytes that may be touched */
	struct slot *first, **last;
	unsigned waiting;       /* in that line */
};

enum {
	HEAD = 16, STEP = 1 << 18,
	WAIT = 64,              /* how long the line is at least */
};

static const size_t range = (size_t)1 << 30;
static struct kind kinds[HANDLE_KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* of a leak checker, where there is one: what handles own is not lost */
void __lsan_register_root_region(const void *, size_t) __attribute__((weak));

_Static_assert(sizeof(struct slot) <= HEAD, "the head holds a slot");

/* room for one more slot at the end */
static struct slot *
extend(struct kind *k, size_t size)
{
	size_t used = atomic_load(&k->used);

	if (!k->base) {
		void *p = mmap(0, range, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			return 0;
		k->slot = (size + HEAD + 63) & ~(size_t)63;
		k->last = &k->first;
		k->base = p;
	}
	if (used + k->slot > range)
		return 0;
	if (used + k->slot > k->usable) {
		if (mprotect(k->base + k->usable, STEP,
			PROT_READ | PROT_WRITE) != 0)
			return 0;
		if (__lsan_register_root_region)
			__lsan_register_root_region(k->base + k->usable, STEP);
		k->usable += STEP;
	}
	atomic_store_explicit(&k->used, used + k->slot, memory_order_release);
	return (struct slot *)(void *)(k->base + used);
}

void *
handle_new(enum handle_kind kind, size_t size)
{
	struct kind *k = &kinds[kind];
	struct slot *s = 0;

	pthread_mutex_lock(&lock);
	if (k->waiting > WAIT) {
		s = k->first;
		k->first = s->next;
		if (!k->first)
			k->last = &k->first;
		k->waiting--;
	} else {
		s = extend(k, size);
	}
	pthread_mutex_unlock(&lock);
	if (!s)
		return 0;
	memset((char *)s + HEAD, 0, k->slot - HEAD);
	if (trace_on())
		trace_new_handle((char *)s + HEAD);
	atomic_store_explicit(&s->live, 1, memory_order_release);
	return (char *)s + HEAD;
}

void
handle_free(enum handle_kind kind, void *p)
{
	struct kind *k = &kinds[kind];
	struct slot *s = (struct slot *)(void *)((char *)p - HEAD);

	atomic_store_explicit(&s->live, 0, memory_order_release);
	pthread_mutex_lock(&lock);
	s->next = 0;
	*k->last = s;
	k->last = &s->next;
	k->waiting++;
	pthread_mutex_unlock(&lock);
}

bool
handle_is(enum handle_kind kind, const void *p)
{
	struct kind *k = &kinds[kind];
	size_t used = atomic_load_explicit(&k->used, memory_order_acquire);
	size_t at = (uintptr_t)p - HEAD - (uintptr_t)k->base;

	return at < used && at % k->slot == 0 && atomic_load_explicit(
		&((struct slot *)(void *)(k->base + at))->live,
		memory_order_acquire) == 1;
}
