/* memory.c - where accesses go, and which go nowhere. */
#include "emu_int.h"

#include <time.h>

uint64_t
emu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint8_t *
global_at(struct wave *w, int lane, uint64_t addr, uint64_t bytes)
{
	if (addr - w->near < w->near_size &&
			w->near_size - (addr - w->near) >= bytes)
		return (uint8_t *)(uintptr_t)addr;
	if (region_find(addr, &w->near, &w->near_size) &&
			w->near_size - (addr - w->near) >= bytes)
		return (uint8_t *)(uintptr_t)addr;
	wave_fault(w, FAULT_ADDRESS, lane, "access of %u bytes at 0x%llx, "
		"where no memory is", (unsigned)bytes,
		(unsigned long long)addr);
	return 0;
}

uint8_t *
scratch_at(struct wave *w, unsigned lane, uint64_t addr, uint64_t bytes)
{
	if (addr < w->scratch_size && w->scratch_size - addr >= bytes)
		return w->scratch + (uint64_t)lane * w->scratch_size + addr;
	wave_fault(w, FAULT_ADDRESS, (int)lane, "access of %u bytes at 0x%llx "
		"of the %u bytes of scratch", (unsigned)bytes,
		(unsigned long long)addr, w->scratch_size);
	return 0;
}

uint8_t *
lds_at(struct wave *w, int lane, uint64_t addr, uint64_t bytes)
{
	struct block *b = w->block;

	addr = (uint32_t)addr; /* address and offset add up in 32 bits */
	if (addr < b->lds_size && b->lds_size - addr >= bytes)
		return b->lds + addr;
	wave_fault(w, FAULT_ADDRESS, lane, "access of %u bytes at 0x%llx of "
		"the %u bytes of LDS", (unsigned)bytes,
		(unsigned long long)addr, b->lds_size);
	return 0;
}
