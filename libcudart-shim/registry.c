/* registry.c - what is registered, found by addresses of the host.
 *
 * A hash table with open addressing.  Launches look it up without a lock:
 * slots change one at a time, and a table that was outgrown stays, since a
 * reader may still be in it; all that were are together as large as the last.
 *
 * Two fat binaries may register one address (a kernel that is a template, in
 * two units): the first has it, and when it goes, one of the others.
 */
#include "rt.h"
#include <pthread.h>
#include <stdlib.h>

struct table {
	size_t cap;              /* a power of 2 */
	struct table *older;
	_Atomic(struct entry *) slot[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) current;
static size_t used;              /* slots, with those of removed entries */
static struct entry gone;        /* in their slots */

/* entries whose address another one has */
struct hidden {
	struct entry *entry;
	struct hidden *next;
};
static struct hidden *hidden;

static size_t
hash(const void *p)
{
	uint64_t h = (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 20);
}

/* where host is, or the empty slot where it would be */
static _Atomic(struct entry *) *
slot_of(struct table *t, const void *host)
{
	size_t i = hash(host) & (t->cap - 1);
	struct entry *e;

	for (;; i = (i + 1) & (t->cap - 1)) {
		e = atomic_load_explicit(&t->slot[i], memory_order_acquire);
		if (!e || e->host == host)
			return &t->slot[i];
	}
}

struct entry *
registry_find(const void *host)
{
	struct table *t = atomic_load_explicit(&current, memory_order_acquire);

	/* gone has no address */
	return t && host ? *slot_of(t, host) : 0;
}

const void *
registry_stub(CUkernel k)
{
	struct table *t = atomic_load_explicit(&current, memory_order_acquire);
	struct entry *e;
	size_t i;

	for (i = 0; t && i < t->cap; i++) {
		e = atomic_load_explicit(&t->slot[i], memory_order_acquire);
		if (e && e->kind == ENTRY_KERNEL
		&& atomic_load(&e->kernel) == k)
			return e->host;
	}
	return 0;
}

static bool
grow(void)
{
	struct table *old = atomic_load(&current), *t;
	size_t cap = old ? old->cap * 2 : 256, i;
	struct entry *e;

	t = calloc(1, sizeof *t + cap * sizeof *t->slot);
	if (!t)
		return false;
	t->cap = cap;
	t->older = old;
	used = 0;
	for (i = 0; old && i < old->cap; i++) {
		e = atomic_load(&old->slot[i]);
		if (e && e != &gone) {
			atomic_store(slot_of(t, e->host), e);
			used++;
		}
	}
	atomic_store_explicit(&current, t, memory_order_release);
	return true;
}

/* locked; false: out of memory */
static bool
enter(struct entry *e)
{
	struct table *t = atomic_load(&current);
	_Atomic(struct entry *) *slot;
	struct hidden *h;

	if (!t || used * 2 >= t->cap) {
		if (!grow())
			return false;
		t = atomic_load(&current);
	}
	slot = slot_of(t, e->host);
	if (!*slot) {
		used++;
		atomic_store_explicit(slot, e, memory_order_release);
		return true;
	}
	h = malloc(sizeof *h);
	if (!h)
		return false;
	h->entry = e;
	h->next = hidden;
	hidden = h;
	return true;
}

struct entry *
registry_add(struct fat *fat, enum entry_kind kind, const void *host,
	const char *name, size_t size)
{
	struct entry *e = calloc(1, sizeof *e);
	bool ok;

	if (!e)
		return 0;
	e->host = host;
	e->name = name;
	e->fat = fat;
	e->kind = kind;
	e->size = size;
	pthread_mutex_lock(&lock);
	ok = enter(e);
	pthread_mutex_unlock(&lock);
	if (!ok) {
		free(e);
		return 0;
	}
	e->next = *fat_list(fat);
	*fat_list(fat) = e;
	return e;
}

/* takes e from among the hidden, if it is there */
static bool
unhide(struct entry *e)
{
	struct hidden **p, *h;

	for (p = &hidden; (h = *p) && h->entry != e; p = &h->next)
		;
	if (h)
		*p = h->next;
	free(h);
	return h != 0;
}

/* a hidden entry with the address of one that goes, or gone */
static struct entry *
heir(const void *host)
{
	struct hidden *h;
	struct entry *e;

	for (h = hidden; h; h = h->next)
		if (h->entry->host == host) {
			e = h->entry;
			unhide(e);
			return e;
		}
	return &gone;
}

void
registry_remove(struct entry *list)
{
	struct table *t = atomic_load(&current);
	struct entry *e;

	pthread_mutex_lock(&lock);
	for (e = list; e; e = e->next)
		unhide(e);
	for (e = list; t && e; e = e->next)
		if (*slot_of(t, e->host) == e)
			atomic_store(slot_of(t, e->host), heir(e->host));
	pthread_mutex_unlock(&lock);
	while ((e = list)) {
		list = e->next;
		free(e);
	}
}
