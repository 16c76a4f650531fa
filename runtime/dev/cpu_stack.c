/* cpu_stack.c - the stacks of warps, in one range of addresses.
 *
 * A warp's stack holds the local memory of 32 threads, so there is much room,
 * and only what is touched costs memory.  Tops lie at different offsets, or
 * the hot ends of all stacks would share the same few sets of the caches.
 */
#include "cpu_int.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { STACK_SIZE = 64 << 20, GUARD = 64 << 10, MAX = 1 << 14 };
enum { COLOURS = 64, COLOUR = 4096 + 64 };

static struct {
	pthread_mutex_t lock;
	uint8_t *base;           /* 0: not reserved yet */
	unsigned max, count;     /* that fit; ever made */
	unsigned free[MAX], nfree;
} stacks = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* the whole range, or as much of it as this process may have */
static void
reserve(void)
{
	void *p;

	for (stacks.max = MAX; stacks.max >= 64; stacks.max /= 2) {
		p = mmap(0, (size_t)stacks.max * STACK_SIZE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p != MAP_FAILED) {
			stacks.base = p;
			return;
		}
	}
	stacks.max = 0;
}

static uint8_t *
top_of(unsigned i)
{
	return stacks.base + (size_t)(i + 1) * STACK_SIZE -
		i * 37 % COLOURS * COLOUR;
}

void *
stack_new(void)
{
	uint8_t *low;
	void *top = 0;
	unsigned i;

	pthread_mutex_lock(&stacks.lock);
	if (!stacks.base)
		reserve();
	if (stacks.nfree) {
		top = top_of(stacks.free[--stacks.nfree]);
	} else if (stacks.count < stacks.max) {
		i = stacks.count;
		low = stacks.base + (size_t)i * STACK_SIZE + GUARD;
		if (mprotect(low, STACK_SIZE - GUARD,
		    PROT_READ | PROT_WRITE) == 0) {
			stacks.count++;
			top = top_of(i);
		}
	}
	pthread_mutex_unlock(&stacks.lock);
	return top;
}

static size_t
index_of(const void *top)
{
	return (size_t)((const uint8_t *)top - stacks.base - 1) / STACK_SIZE;
}

void
stack_free(void *top)
{
	if (!top)
		return;
	pthread_mutex_lock(&stacks.lock);
	stacks.free[stacks.nfree++] = (unsigned)index_of(top);
	pthread_mutex_unlock(&stacks.lock);
}

void
stack_trim(void *top)
{
	uint8_t *low;

	if (!top)
		return;
	low = stacks.base + index_of(top) * STACK_SIZE + GUARD;
	madvise(low, STACK_SIZE - GUARD - COLOURS * COLOUR - STACK_KEPT,
		MADV_DONTNEED);
}

void
stack_range(uint64_t *base, uint64_t *size)
{
	pthread_mutex_lock(&stacks.lock);
	*base = (uint64_t)(uintptr_t)stacks.base;
	*size = (uint64_t)stacks.max * STACK_SIZE;
	pthread_mutex_unlock(&stacks.lock);
}

bool
stack_guards(uint64_t p)
{
	uint64_t at = p - (uint64_t)(uintptr_t)stacks.base;

	return stacks.base && at < (uint64_t)stacks.max * STACK_SIZE &&
		at % STACK_SIZE < GUARD;
}
