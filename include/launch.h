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
 * them (fine-grained).  A thread takes a ticket, ticket = next++ atomically;
 * its entry is ring[ticket % count].  It waits until the entry's turn is
 * ticket / count * 2, fills function, argument and data, and sets turn to that
 * + 1 with release order.  The host, going through the tickets in order, waits
 * for that value (acquire), serves, writes result and sets turn to ticket /
 * count * 2 + 2 (release); a thread that wants the result waits for that.  So
 * an entry that no result is awaited from is free again when it was served.
 */
enum service_function {
	SERVICE_PRINTF = 1,      /* vprintf(format, arguments) */
	SERVICE_MALLOC,          /* argument[0] bytes; result: address or 0 */
	SERVICE_FREE,            /* argument[0] */
	SERVICE_ASSERT,          /* message, file, line, function; then the
	                          * thread traps */
};

enum {
	SERVICE_STRING = 1024,   /* a format is cut off behind so many bytes */
	SERVICE_ARGUMENTS = 1024, /* bytes of vprintf's argument block at most */
};

struct service_entry {
	uint64_t turn;
	uint32_t function;       /* enum service_function */
	uint32_t unused;
	uint64_t argument[4];
	uint64_t result;
	uint64_t reserved;
};

struct service {
	uint64_t next;           /* the next free ticket */
	uint64_t count;          /* entries of ring */
	uint64_t ring;           /* device address of struct service_entry[] */
};

#endif
