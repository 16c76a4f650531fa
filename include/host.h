/* host.h - kernels as functions of this CPU: what compiled code and the
 * device that runs it know of each other.
 *
 * A kernel is compiled for a shape of block (struct host_shape) to a
 * relocatable object.  It defines KERNEL.host, a struct host_kernel, and
 * needs the module's variables by name, which the object of the module's data
 * defines (see jit.h), and of C only memcpy, memmove and memset.  Compiled code
 * calls the device through struct host_calls.
 *
 * One call of the function runs the 32 lanes of one warp of one block from
 * begin to end.  It may be called on any thread.  A kernel with
 * HOST_SWITCHES calls back to wait for other warps, and must have a stack of
 * its own for each warp; one without never calls anything that waits.
 */
#ifndef HOST_H
#define HOST_H

#include "launch.h"
#include <stdbool.h>

enum { HOST_LANES = 32, HOST_BARRIERS = 16 };

struct warp;

/* how the threads of a block lie in its warps */
enum host_form {
	HOST_ANY,       /* nothing is known */
	HOST_ROWS,      /* a warp is 32 threads in x, or the block is one row:
	                 * ntid.x % 32 == 0, or ntid.y == ntid.z == 1 */
	HOST_SHORT,     /* ntid.x == 1 << log2x, below 32 */
};

struct host_shape {
	uint8_t form;   /* enum host_form */
	uint8_t log2x;  /* HOST_SHORT: 0 to 4 */
	bool full;      /* the threads of a block fill its warps */
};

/* the shape of a block of these dimensions; the most special one */
static inline struct host_shape
host_shape(const uint32_t ntid[3])
{
	struct host_shape s = { HOST_ANY, 0, false };
	uint32_t x = ntid[0];

	s.full = x * ntid[1] * ntid[2] % HOST_LANES == 0;
	if (x % HOST_LANES == 0 || (ntid[1] == 1 && ntid[2] == 1))
		s.form = HOST_ROWS;
	else if (x < HOST_LANES && (x & (x - 1)) == 0)
		s.form = HOST_SHORT;
	while (s.form == HOST_SHORT && 1u << s.log2x < x)
		s.log2x++;
	return s;
}

enum host_fault {
	HOST_TRAP = 1,  /* trap */
	HOST_ASSERT,    /* __assertfail, after its message went to the ring */
	HOST_BAD_CALL,  /* a call through an address that is no function */
	HOST_MISALIGNED, /* an address is no multiple of the access's size */
};

/* what compiled code asks of the device; w is the caller's own.  All of these
 * but fault may switch to other warps and come back later, perhaps on the
 * same thread only. */
struct host_calls {
	/* lanes (not 0) of the warp come to barrier id (0 to 15) of the block:
	 * bar.sync.  count: threads that it waits for, whole warps, or 0: all
	 * of the block that have not ended.  A warp counts 32 however many
	 * of its lanes come, unless partial is set: then those that come. */
	void (*barrier)(struct warp *w, uint32_t id, uint32_t count,
		uint32_t lanes, bool partial);
	/* the same without waiting: bar.arrive */
	void (*arrive)(struct warp *w, uint32_t id, uint32_t count,
		uint32_t lanes, bool partial);
	/* bar.red: waits, and gives how many threads came with a true
	 * predicate (bits of p, which lie in lanes) in the low half, and how
	 * many came in all in the high half */
	uint64_t (*reduce)(struct warp *w, uint32_t id, uint32_t count,
		uint32_t lanes, bool partial, uint32_t p);
	/* this warp can do nothing until another warp or the host does: lets
	 * others of the block, then of other blocks, run */
	void (*yield)(struct warp *w);
	/* ends the kernel with an error; does not return.  lane: of whom */
	void (*fault)(struct warp *w, uint32_t host_fault, uint32_t lane);
	void (*sleep)(struct warp *w, uint32_t nanoseconds);
	/* nanoseconds since some day: %globaltimer; does not switch */
	uint64_t (*time)(struct warp *w);
	/* what a lane asks of the host, done at once; does not switch.
	 * SERVICE_PRINTF: format and argument block, as vprintf has them; how
	 * many arguments.  SERVICE_MALLOC: bytes; an address or 0.
	 * SERVICE_FREE: address.  SERVICE_ASSERT: message, file, line,
	 * function.  Addresses are the host's. */
	uint64_t (*serve)(struct warp *w, uint32_t lane,
		uint32_t service_function, uint64_t a, uint64_t b, uint64_t c,
		uint64_t d);
};

struct warp {
	const void *param;    /* the kernel's parameter block, aligned to 16;
	                       * struct launch follows at a multiple of 8 */
	const struct launch *launch;
	uint8_t *shared;      /* the block's shared memory, launch->shared_total
	                       * bytes, aligned to 128: shared address 0 */
	uint64_t local;       /* a range of addresses in which the stacks of */
	uint64_t local_size;  /* this device's warps lie: isspacep.local */
	uint32_t ctaid[3];
	uint32_t warp;        /* of the block: 0, 1, … */
	uint32_t lanes;       /* bit l: lane l is a thread of the block */
	uint32_t smid;        /* the worker that runs it */
	const struct host_calls *call;
	/* the device's own members follow */
};

typedef void host_function(struct warp *);

enum { HOST_VERSION = 1 };

enum host_flag {
	HOST_SWITCHES = 1,    /* may call barrier, reduce, yield, sleep */
};

/* KERNEL.host in the object */
struct host_kernel {
	uint32_t version;     /* HOST_VERSION */
	uint32_t flags;       /* enum host_flag */
	uint32_t shared;      /* bytes of static shared memory; dynamic shared
	                       * memory begins behind it, at dynamic */
	uint32_t dynamic;     /* … at least shared; aligned as declared */
	uint32_t local;       /* bytes of local memory of a thread, as far as
	                       * known; not counting calls */
	uint32_t reserved;
	host_function *run;
};

#endif
