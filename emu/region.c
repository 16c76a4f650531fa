/* region.c - the memory that kernels may access: what was allocated or
 * registered, code objects, and what launches need.  Addresses are those of
 * this process. */
#include "emu_int.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct region {
	uint64_t base, size;
};

static struct {
	pthread_rwlock_t lock;
	struct region *at;      /* by base */
	size_t n, cap;
} all = { .lock = PTHREAD_RWLOCK_INITIALIZER };

/* the first region with a base above addr */
static size_t
above(uint64_t addr)
{
	size_t lo = 0, hi = all.n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (all.at[mid].base <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void
region_add(uint64_t addr, uint64_t size)
{
	struct region *p;
	size_t i;

	pthread_rwlock_wrlock(&all.lock);
	if (all.n == all.cap) {
		p = realloc(all.at, (2 * all.cap + 64) * sizeof *p);
		if (!p)
			abort();
		all.at = p;
		all.cap = 2 * all.cap + 64;
	}
	i = above(addr);
	memmove(all.at + i + 1, all.at + i, (all.n - i) * sizeof *all.at);
	all.at[i].base = addr;
	all.at[i].size = size;
	all.n++;
	pthread_rwlock_unlock(&all.lock);
}

void
region_remove(uint64_t addr)
{
	size_t i;

	pthread_rwlock_wrlock(&all.lock);
	i = above(addr);
	if (i && all.at[i - 1].base == addr) {
		memmove(all.at + i - 1, all.at + i,
			(all.n - i) * sizeof *all.at);
		all.n--;
	}
	pthread_rwlock_unlock(&all.lock);
}

bool
region_find(uint64_t addr, uint64_t *base, uint64_t *size)
{
	bool found = false;
	size_t i;

	pthread_rwlock_rdlock(&all.lock);
	i = above(addr);
	if (i && addr - all.at[i - 1].base < all.at[i - 1].size) {
		*base = all.at[i - 1].base;
		*size = all.at[i - 1].size;
		found = true;
	}
	pthread_rwlock_unlock(&all.lock);
	return found;
}
