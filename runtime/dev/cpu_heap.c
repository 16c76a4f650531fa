/* cpu_heap.c - memory of the CPU device: pages of this process.
 *
 * Pages that were never handed out are zero.
 */
#include "cpu_int.h"
#include "extent.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGN = 512, CHUNK = 4 << 20, HUGE = 2 << 20 };

/* at a multiple of a huge page if it is large */
static CUresult
more(void *arg, size_t size, uint64_t *addr)
{
	size_t slack = size >= HUGE ? HUGE : 0, before, after;
	uint8_t *p;

	(void)arg;
	p = mmap(0, size + slack, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (slack) {
		before = -(uintptr_t)p & (HUGE - 1);
		after = slack - before;
		if (before)
			munmap(p, before);
		p += before;
		if (after)
			munmap(p + size, after);
		madvise(p, size, MADV_HUGEPAGE);
	}
	*addr = (uint64_t)(uintptr_t)p;
	return CUDA_SUCCESS;
}

static void
less(void *arg, uint64_t addr, size_t size)
{
	(void)arg;
	munmap((void *)(uintptr_t)addr, size);
}

struct extents *
heap_new(uint64_t limit)
{
	const struct extent_source s = {
		.more = more, .less = less, .align = ALIGN, .chunk = CHUNK,
		.kept = limit / 16, .limit = limit,
	};

	return extents_new(&s);
}
