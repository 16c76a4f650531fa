/* launch.h - what stands behind a kernel's parameters.
 *
 * A kernel's argument segment is PTX's parameter block (offsets as nvcc lays
 * them out), padded to 8 bytes, then struct launch.  The runtime fills it;
 * compiled code reads it and no hidden argument of the HSA ABI.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdint.h>

struct launch {
	uint32_t ntid[3];        /* threads of a block in x, y, z */
	uint32_t nctaid[3];      /* blocks of the grid */
	uint32_t shared_dynamic; /* bytes of dynamic shared memory */
	uint32_t shared_total;   /* with the static ones, as allocated */
	uint64_t gridid;         /* %gridid */
	uint64_t service;        /* device address of struct service, or 0 */
};

#endif
