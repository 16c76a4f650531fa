/* hip_int.h - the HIP device: what its files know of each other.
 *
 * Everything goes through HIP's functions (hip_library.c finds them); nothing
 * here knows whether a GPU or the emulator is behind them.
 */
#ifndef HIP_INT_H
#define HIP_INT_H

#include "dev.h"
#include "hip_api.h"
#include "text.h"
#include <pthread.h>
#include <stdatomic.h>

struct server;
struct extents;
struct timer;

/* hip_library.c: the functions; 0: there is no HIP, and *why says so in
 * words (why may be 0) */
const struct hip_api *hip_library(const char **why);
/* what CUDA calls an error of HIP */
CUresult hip_error(int);

struct dev {
	const struct hip_api *h;
	int index;
	char arch[32];          /* "gfx90a", without features */
	unsigned units;
	atomic_ullong grids;    /* launches, for %gridid */

	/* what kernels ask of the host; hip_service.c */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool serving, closing;
	struct server *server;
	void *ring;
	struct extents *heap;
	struct queue *queues;   /* by next; those with busy set may ask */
};

struct code {
	struct dev *dev;
	const struct program *program;
	pthread_mutex_t lock;   /* of all below but what asks says */
	bool tried;             /* to load module */
	CUresult error;         /* of that */
	struct text log;        /* what the compiler said */
	bool parts;             /* each kernel has a module of its own */
	void *module;           /* of everything; of parts: of the variables,
	                         * or 0: there are none */
	bool asks;              /* kernels may ask the host for something */
	struct entry *entries;
};

struct entry {
	struct entry *next;
	struct code *code;
	pthread_mutex_t lock;   /* while it is made */
	bool made;
	void *module;           /* of this kernel alone, or 0 */
	void *function;
	struct entry_info info;
	char name[];
};

struct queue {
	struct queue *next;
	struct dev *dev;
	void *stream;
	queue_fault *fault;
	void *fault_arg;
	CUresult why;           /* it failed; 0: not.  dev's lock */
	atomic_bool busy;       /* launches may be running that ask */
	uint64_t workspace;     /* of cooperative launches, or 0 */
	struct timer *timer;    /* 0: nothing was ever measured */
};

/* hip_code.c */
CUresult hip_load(struct dev *, const struct program *, struct code **,
	struct text *log);
void hip_unload(struct code *);
CUresult hip_entry(struct code *, const char *kernel, struct entry **,
	struct entry_info *, struct text *log);
CUresult hip_variable(struct code *, const char *, uint64_t *, size_t *);
unsigned hip_occupancy(struct entry *, unsigned threads, size_t shared);

/* hip_patch.c: fills in where a kernel's image wants to know the addresses of
 * variables.  find gives that of a name, or 0.  false: it is damaged, or find
 * knows no such */
bool hip_patch(void *image, size_t size, uint64_t (*find)(void *arg,
	const char *name), void *arg);

/* hip_queue.c */
CUresult hip_queue_open(struct dev *, unsigned flags, int priority,
	queue_fault *, void *arg, struct queue **);
void hip_queue_close(struct queue *);
CUresult hip_copy(struct queue *, const struct copy *);
CUresult hip_fill(struct queue *, const struct fill *);
CUresult hip_call(struct queue *, void (*)(void *), void *);
CUresult hip_sync(struct queue *);
CUresult hip_idle(struct queue *);
/* the result of a call that concerns q; tells the owner of a fault */
CUresult hip_queue_result(struct queue *, int error);

CUresult hip_write(struct queue *, const struct word *);
CUresult hip_await(struct queue *, const struct word *);

/* hip_vmm.c: virtual memory, and memory of other processes */
size_t hip_page(struct dev *);   /* 0: there is no virtual memory */
CUresult hip_reserve(struct dev *, size_t, size_t align, uint64_t wish,
	uint64_t *);
CUresult hip_unreserve(struct dev *, uint64_t, size_t);
CUresult hip_back(struct dev *, size_t, bool exported, struct backing **);
void hip_unback(struct backing *);
CUresult hip_map(struct backing *, size_t offset, uint64_t, size_t);
CUresult hip_unmap(struct dev *, uint64_t, size_t);
CUresult hip_protect(struct dev *, uint64_t, size_t, CUmemAccess_flags);
CUresult hip_backing_fd(struct backing *, int *);
CUresult hip_backing_of(struct dev *, int fd, size_t *, struct backing **);
CUresult hip_share(struct dev *, const struct slice *, char name[64]);
CUresult hip_shared_open(struct dev *, const char name[64], uint64_t *,
	size_t *);
CUresult hip_shared_close(struct dev *, uint64_t);

/* hip_mark.c */
CUresult hip_mark(struct queue *, bool timing, struct mark **);
void hip_unmark(struct mark *);
CUresult hip_query(struct mark *);
CUresult hip_reached(struct mark *);
CUresult hip_elapsed(struct mark *, struct mark *, float *);
CUresult hip_wait(struct queue *, struct mark *);

/* hip_measure.c */
CUresult hip_measure(struct queue *, queue_measured *, void *);
void hip_measured(struct queue *);   /* the command is in; q has a timer */
void hip_measure_collect(struct dev *); /* something may be done */
void hip_measure_end(struct queue *);

/* hip_launch.c */
CUresult hip_launch(struct queue *, const struct dev_launch *);

/* hip_service.c: serves while queues are busy */
CUresult hip_service_open(struct dev *);
void hip_service_close(struct dev *);
void hip_service_busy(struct queue *);  /* a launch goes into it */
void hip_service_flush(struct dev *);   /* all that was asked, now */
void hip_malloc_limit(struct dev *, size_t);

#endif
