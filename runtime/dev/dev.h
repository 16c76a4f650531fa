/* dev.h - what a device must be able to do.
 *
 * The CUDA driver API above (runtime/api) checks arguments, keeps contexts
 * and handles, and calls down here; what is below knows nothing of contexts.
 * Every function returns 0 or a CUresult.  Addresses are device addresses;
 * where host_visible is set the host may read and write them itself.
 *
 * A queue is commands in order.  Commands run in the background; queues run
 * beside each other.  What goes wrong in one (a fault of a kernel, a copy to
 * nowhere) makes its later commands fail too, and reaches the owner through
 * queue_fault, on any thread, once; the device and its other queues go on.
 */
#ifndef DEV_H
#define DEV_H

#include "cuda_api.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dev;     /* an open device */
struct queue;   /* commands in order: a stream */
struct code;    /* a program on a device */
struct entry;   /* one of its kernels */
struct mark;    /* a place in a queue: what an event records */
struct backing; /* physical memory, of no address of its own */
struct program; /* what a module was made from; runtime/program.h */
struct text;    /* a log that grows; runtime/text.h */

struct dev_info {
	char name[96];
	char arch[32];          /* "gfx1100"; of the CPU device: "host" */
	uint8_t uuid[16];       /* stable from run to run */
	int pci_domain, pci_bus, pci_device;
	uint64_t memory;        /* bytes */
	unsigned warp;          /* of the machine: 32 or 64 */
	unsigned units;         /* multiprocessors */
	unsigned clock_khz, memory_clock_khz, bus_width, l2;
	unsigned shared_per_block, shared_per_unit; /* bytes */
	unsigned registers_per_block, threads_per_unit;
	bool host_visible;      /* device addresses are host addresses */
	bool integrated;
	bool cooperative;       /* all blocks of a grid can be there at once */
	size_t page;            /* of virtual memory; 0: there is none */
	bool exports;           /* physical memory, as file descriptors */
	bool shares;            /* memory with other processes, by name */
	bool words;             /* write and await are there */
	bool coherent;          /* host and device see each other's writes to
	                         * host_alloc'ed memory while a kernel runs */
};

/* a box of bytes; every cuMemcpy variant is one of these.  An address of
 * either side may be of this device, of the host (page-locked or not) or of
 * another device of the same kind. */
struct copy {
	struct { uint64_t addr; size_t pitch, slice; } dst, src;
	size_t width, height, depth;
	bool from_host, to_host;
};

/* a box of elements set to one value, width of them wide */
struct fill {
	uint64_t addr;
	size_t pitch, width, height; /* width in elements, pitch in bytes */
	uint32_t value;
	unsigned element;            /* 1, 2, 4 bytes */
};

struct slice {
	uint64_t addr;               /* of the allocation */
	size_t all, offset, size;
};

/* a word of memory, written or waited for */
struct word {
	uint64_t addr, value;
	unsigned size;               /* 4 or 8 bytes */
	unsigned how;                /* CUstreamWaitValue_flags 0 to 3 */
};

struct entry_info {
	unsigned registers, max_threads;
	unsigned shared;        /* static, bytes */
	unsigned local;         /* of a thread, bytes */
	unsigned constant;      /* bytes */
};

struct dev_launch {
	struct entry *entry;
	uint32_t grid[3], block[3];
	uint32_t shared;        /* dynamic, bytes */
	const void *param;      /* the parameter block, copied by launch() */
	size_t param_size;
	bool cooperative;       /* all blocks run side by side */
};

typedef void queue_fault(void *arg, CUresult, const char *what);
/* from when to when a command ran, ns of CLOCK_MONOTONIC; any thread */
typedef void queue_measured(void *arg, uint64_t begin, uint64_t end);

struct dev_ops {
	const char *name;       /* "hip", "cpu" */

	/* how many there are; 0 without a driver.  why: what is missing, in
	 * words, or untouched */
	int (*count)(const char **why);
	CUresult (*open)(int index, struct dev **, struct dev_info *);
	void (*close)(struct dev *);
	CUresult (*memory)(struct dev *, size_t *free, size_t *total);

	CUresult (*alloc)(struct dev *, size_t, uint64_t *addr);
	CUresult (*free)(struct dev *, uint64_t addr);
	CUresult (*host_alloc)(struct dev *, size_t, unsigned flags,
		void **, uint64_t *addr);
	CUresult (*host_free)(struct dev *, void *);
	CUresult (*host_register)(struct dev *, void *, size_t,
		uint64_t *addr);
	CUresult (*host_unregister)(struct dev *, void *);
	/* memory that host and device both use by one address */
	CUresult (*managed_alloc)(struct dev *, size_t, uint64_t *addr);

	/* virtual memory, where info.page is not 0: ranges of addresses, and
	 * what is mapped there; all sizes are multiples of the page.
	 * Memory that is exported outlives its backing. */
	CUresult (*reserve)(struct dev *, size_t, size_t align, uint64_t wish,
		uint64_t *addr);
	CUresult (*unreserve)(struct dev *, uint64_t addr, size_t);
	CUresult (*back)(struct dev *, size_t, bool exported,
		struct backing **);
	void (*unback)(struct backing *); /* mapped nowhere any more */
	/* nobody has access yet */
	CUresult (*map)(struct backing *, size_t offset, uint64_t addr,
		size_t);
	CUresult (*unmap)(struct dev *, uint64_t addr, size_t);
	CUresult (*protect)(struct dev *, uint64_t addr, size_t,
		CUmemAccess_flags);
	/* a file descriptor, which is the caller's to close; and back */
	CUresult (*backing_fd)(struct backing *, int *);
	CUresult (*backing_of)(struct dev *, int fd, size_t *size,
		struct backing **);

	/* where info.shares is set: a part, size bytes from offset, of an
	 * allocation, by a name that another process may open.  It is there
	 * for as long as it is allocated.  Nothing may use the allocation
	 * during the first share of it. */
	CUresult (*share)(struct dev *, const struct slice *, char name[64]);
	CUresult (*shared_open)(struct dev *, const char name[64],
		uint64_t *addr, size_t *);
	CUresult (*shared_close)(struct dev *, uint64_t addr);

	/* bytes that kernels may have allocated by malloc */
	void (*malloc_limit)(struct dev *, size_t);

	/* the program outlives the code.  Kernels are compiled when entry()
	 * or variable() first needs it; the log says what went wrong. */
	CUresult (*load)(struct dev *, const struct program *, struct code **,
		struct text *log);
	void (*unload)(struct code *);
	CUresult (*entry)(struct code *, const char *kernel, struct entry **,
		struct entry_info *, struct text *log);
	CUresult (*variable)(struct code *, const char *name, uint64_t *addr,
		size_t *size);
	/* blocks that fit on a unit at once */
	unsigned (*occupancy)(struct entry *, unsigned threads, size_t shared);

	CUresult (*queue_open)(struct dev *, unsigned flags, int priority,
		queue_fault *, void *arg, struct queue **);
	void (*queue_close)(struct queue *); /* after what is in it is done */
	CUresult (*copy)(struct queue *, const struct copy *);
	CUresult (*fill)(struct queue *, const struct fill *);
	CUresult (*launch)(struct queue *, const struct dev_launch *);
	/* where info.words is set; await: what follows waits for the word */
	CUresult (*write)(struct queue *, const struct word *);
	CUresult (*await)(struct queue *, const struct word *);
	/* fn(arg) on some thread of the device's, in order */
	CUresult (*call)(struct queue *, void (*fn)(void *), void *arg);
	CUresult (*mark)(struct queue *, bool timing, struct mark **);
	void (*unmark)(struct mark *);
	CUresult (*query)(struct mark *);    /* 0 or CUDA_ERROR_NOT_READY */
	CUresult (*reached)(struct mark *);  /* returns when it is */
	CUresult (*elapsed)(struct mark *from, struct mark *to, float *ms);
	CUresult (*wait)(struct queue *, struct mark *); /* of any queue */
	CUresult (*sync)(struct queue *); /* until all queued is done */
	CUresult (*idle)(struct queue *); /* 0 or CUDA_ERROR_NOT_READY */
	/* fn(arg) will be told of the next copy, fill or launch, which the
	 * caller sees to be the next; fn 0: of none after all.  Who closes
	 * the queue early hears nothing. */
	CUresult (*measure)(struct queue *, queue_measured *fn, void *arg);
};

extern const struct dev_ops *const dev_list[]; /* ends in 0 */

#define DEV(name) extern const struct dev_ops dev_##name;
#include "dev.def"
#undef DEV

#endif
