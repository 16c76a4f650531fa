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
	uint64_t workspace;      /* of a cooperative grid, or 0; in %envreg1
	                          * (high half) and %envreg2 */
	uint32_t nsm;            /* %nsmid */
	uint32_t flags;          /* 0 */
};

/* What a kernel asks of the host: printf, malloc and the like.
 *
 * A ring of entries that both sides see, in memory that is coherent between
 * them.  A thread takes a ticket, ticket = next++ atomically; its entry is
 * number ticket % 2^shift of the ring, and its own once turn is t = ticket /
 * 2^shift * 3.  The thread fills the entry and sets turn to t + 1.  The host
 * serves it and sets turn to t + 3, and the entry is free for the next round;
 * or, where there is a result, writes that and sets turn to t + 2, and the
 * thread sets t + 3 when it has read it.  Who sets turn does so with release
 * order, who reads it with acquire order, in the scope of the system.
 */
enum service_function {
	SERVICE_PRINTF = 1,
	SERVICE_MALLOC = 2,      /* argument[0] bytes; result: address or 0 */
	SERVICE_FREE = 3,        /* argument[0]: an address or 0 */
	SERVICE_ASSERT = 4,      /* argument[0]: line; in the others %ctaid and
	                          * %tid, 32 bits each; the thread then traps */
};

/* Data of an assertion: message, file, function, each ended by a zero byte.
 * Data of printf: the format, ended by a zero byte and padded to 8 bytes, then
 * for each '*' and each conversion but %% 8 bytes as they stand in vprintf's
 * argument block (its 4-byte ones in the lower half), and for %s instead 8
 * bytes that count the string's bytes, and these with a zero byte, padded to
 * 8; a count of -1 and no more for a null pointer.  What does not fit into the
 * entry is left out. */
struct service_entry {
	uint64_t turn;
	uint32_t function;       /* enum service_function */
	uint32_t size;           /* bytes of data */
	uint64_t argument[4];
	uint64_t result;
	uint64_t data[];
};

struct service {
	uint64_t next;           /* the next ticket */
	uint64_t ring;           /* device address of the first entry */
	uint32_t shift;          /* the ring has 2^shift entries */
	uint32_t entry;          /* bytes from one to the next: multiple of 8 */
};

#endif
