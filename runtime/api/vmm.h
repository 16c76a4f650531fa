/* vmm.h - virtual memory: what its two files know of each other.
 *
 * A reservation is a range of addresses; a mapping puts a part of an
 * allocation there.  What somebody may use, side by side in one reservation,
 * is one region to the rest of the runtime: copies may cross from one mapping
 * to the next.
 */
#ifndef VMM_H
#define VMM_H

#include "api.h"

/* the handle: CUmemGenericAllocationHandle is its address */
struct allocation {
	struct device *device;
	struct backing *backing;
	CUmemAllocationProp prop;
	size_t size;
	unsigned refs;           /* of the program */
	unsigned maps;
};

struct mapping {
	struct mapping *next;    /* by address */
	struct allocation *allocation;
	uint64_t addr, size;
	uint8_t access[64];      /* CUmemAccess_flags of each device */
	bool open;               /* somebody has some: there is a region */
};

/* of all that follows, and of both structures */
extern pthread_mutex_t vmm_lock;

/* vmm_handle.c: the allocation of a handle, or 0 */
struct allocation *allocation_of(CUmemGenericAllocationHandle);
/* a reference or a mapping has gone: it may be the last */
void allocation_drop(struct allocation *);

/* what the memory that is mapped at addr may be exported as */
unsigned vmm_handle_types(uint64_t addr);

/* vmm.c: what is mapped at addr, or 0 */
struct mapping *mapping_at(uint64_t addr);
/* … from where to where; false: nothing.  Takes the lock. */
bool mapping_range(uint64_t addr, uint64_t *base, uint64_t *size);
/* the same of the reservation that holds addr */
bool reservation_range(uint64_t addr, uint64_t *base, uint64_t *size);

#endif
