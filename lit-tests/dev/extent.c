/* extent.c - pieces of device memory: none overlaps another, each is where it
 * must be, the limit holds, and all goes back in the end.
 */
#include "extent.h"
#include <stdio.h>
#include <stdlib.h>

enum { LIVE = 500, STEPS = 200000, MAX_MORE = 10000 };

/* a source that hands out addresses without memory behind them */
static struct {
	uint64_t next, addr[MAX_MORE], size[MAX_MORE];
	size_t n, out;
} source = { .next = 1 << 20 };

static int bad;

static void
expect(int ok, const char *what)
{
	if (!ok && bad++ < 10)
		printf("wrong: %s\n", what);
}

static CUresult
more(void *arg, size_t size, uint64_t *addr)
{
	(void)arg;
	if (source.n == MAX_MORE)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*addr = source.addr[source.n] = source.next;
	source.size[source.n++] = size;
	source.next += (size + 4095) & ~(uint64_t)4095;
	source.out++;
	return CUDA_SUCCESS;
}

static void
less(void *arg, uint64_t addr, size_t size)
{
	size_t i;

	(void)arg;
	for (i = 0; i < source.n && source.addr[i] != addr; i++)
		;
	expect(i < source.n && source.size[i] == size, "what goes back");
	if (i == source.n)
		return;
	source.n--;
	source.out--;
	source.addr[i] = source.addr[source.n];
	source.size[i] = source.size[source.n];
}

static struct {
	uint64_t addr;
	size_t size;
} live[LIVE];

static int
overlaps(uint64_t addr, size_t size)
{
	size_t i;

	for (i = 0; i < LIVE; i++)
		if (live[i].size && addr < live[i].addr + live[i].size &&
		    live[i].addr < addr + size)
			return 1;
	return 0;
}

static void
step(struct extents *e)
{
	size_t i = (size_t)rand() % LIVE, size = (size_t)rand() % 64 + 1;
	uint64_t addr;

	if (live[i].size) {
		expect(extents_free(e, live[i].addr) == 0, "free");
		expect(extents_free(e, live[i].addr) ==
			CUDA_ERROR_INVALID_VALUE, "free twice");
		live[i].size = 0;
		return;
	}
	size <<= rand() % 22;
	if (extents_alloc(e, size, &addr))
		return;
	expect(addr % 512 == 0, "alignment");
	expect(!overlaps(addr, size), "overlap");
	live[i].addr = addr;
	live[i].size = size;
}

int
main(void)
{
	const struct extent_source s = { more, less, 0, 512, 4 << 20,
		64 << 20, (uint64_t)4 << 30 };
	struct extents *e = extents_new(&s);
	uint64_t sum = 0, addr;
	int i;

	for (i = 0; i < STEPS; i++)
		step(e);
	for (i = 0; i < LIVE; i++)
		sum += live[i].size;
	expect(extents_used(e) >= sum && extents_used(e) <= s.limit, "used");
	expect(extents_alloc(e, (size_t)5 << 30, &addr) ==
		CUDA_ERROR_OUT_OF_MEMORY, "limit");
	expect(extents_free(e, 12345) == CUDA_ERROR_INVALID_VALUE, "wild");
	extents_delete(e);
	expect(!source.out, "all goes back");
	printf("%d wrong\n", bad);
	return bad != 0;
}
