/* cpu_stack.c - the stacks of warps, in one range of addresses.
 *
 * A warp's stack holds the local memory of 32 threads, so there is much room,
 * and only what is touched costs memory.  Tops lie at different offsets, or
 * the hot ends of all stacks would share the same few sets of the caches.
 */
#include "cpu_int.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MAX_SIZE = 64 << 20, MIN_SIZE = 1 << 20, GUARD = 64 << 10 };
enum { MAX = 1 << 14, FEW = 64 }; /* stacks */
enum { COLOURS = 64, COLOUR = 4096 + 64 };

static struct {
	pthread_mutex_t lock;
	uint8_t *base;           /* 0: not reserved yet */
	size_t size;             /* of one */
	unsigned max, count;     /* that fit; ever made */
	unsigned free[MAX], nfree;
} stacks = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* bytes of addresses that all stacks together may take */
static size_t
allowance(void)
{
	const size_t all = (size_t)MAX * MAX_SIZE;
	struct rlimit r;

	if (getrlimit(RLIMIT_AS, &r) || r.rlim_cur == RLIM_INFINITY ||
	    r.rlim_cur / 4 > all)
		return all;
	return r.rlim_cur / 4;
}

/* as many large stacks as may be, or else some smaller ones */
static void
reserve(void)
{
	size_t room = allowance();
	void *p;

	stacks.size = MAX_SIZE;
	while (room / stacks.size < FEW && stacks.size > MIN_SIZE)
		stacks.size /= 2;
	for (; room / stacks.size; room /= 2) {
		stacks.max = (unsigned)(room / stacks.size);
		p = mmap(0, stacks.max * stacks.size, PROT_NONE,
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
	return stacks.base + (size_t)(i + 1) * stacks.size -
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
		low = stacks.base + (size_t)i * stacks.size + GUARD;
		if (mprotect(low, stacks.size - GUARD,
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
	return (size_t)((const uint8_t *)top - stacks.base - 1) / stacks.size;
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

/* what lies below the part that is kept: its lowest byte, and how much */
static uint8_t *
deep_part(const void *top, size_t *size)
{
	*size = stacks.size - GUARD - COLOURS * COLOUR - STACK_KEPT;
	return stacks.base + index_of(top) * stacks.size + GUARD;
}

bool
stack_deep(const void *top)
{
	static const size_t page = 4096;
	unsigned char there[MAX_SIZE / 4096];
	size_t size, i;
	uint8_t *low = deep_part(top, &size);

	if (mincore(low, size, there))
		return true;
	for (i = 0; i < size / page && !there[i]; i++)
		;
	return i < size / page;
}

void
stack_trim(void *top)
{
	size_t size;
	uint8_t *low = deep_part(top, &size);

	madvise(low, size, MADV_DONTNEED);
}

void
stack_range(uint64_t *base, uint64_t *size)
{
	pthread_mutex_lock(&stacks.lock);
	*base = (uint64_t)(uintptr_t)stacks.base;
	*size = (uint64_t)stacks.max * stacks.size;
	pthread_mutex_unlock(&stacks.lock);
}

bool
stack_guards(uint64_t p)
{
	uint64_t at = p - (uint64_t)(uintptr_t)stacks.base;

	return stacks.base && at < (uint64_t)stacks.max * stacks.size &&
		at % stacks.size < GUARD;
}
