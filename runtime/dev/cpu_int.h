/* cpu_int.h - the CPU device: what its files know of each other.
 *
 * From the outside in: a queue (cpu_queue.c) holds commands and has a thread
 * of the pool (cpu_pool.c) while it has any.  A launch is a grid (cpu_grid.c),
 * whose blocks the queue's thread and the pool's helpers take by turns.  Each
 * such thread is a worker: it runs a kernel without switches warp by warp on
 * one stack (cpu_stack.c), and the others (cpu_block.c) with a stack a warp,
 * from which compiled code calls struct host_calls.  What goes wrong in a
 * kernel or a copy (cpu_fault.c) brings the worker back to its own stack.
 */
#ifndef CPU_INT_H
#define CPU_INT_H

#include "dev.h"
#include "cpu_object.h"
#include "extent.h"
#include "host.h"
#include <pthread.h>
#include <stdatomic.h>

struct server;

/* of functions that are left by a change of stacks: what a sanitizer keeps of
 * the calls on a stack would be wrong */
#define OFF_STACK __attribute__((no_sanitize("thread", "address")))

/* cpu_switch.S: a stack at rest is its stack pointer.  What cpu_switch or
 * cpu_try of that stack gives back is the value of who goes there. */
int cpu_switch(void **save, void *to, int value);
void cpu_leave(void *to, int value) __attribute__((noreturn));
/* calls fn(arg) on this stack: 0, or the value of cpu_leave(*save, value) */
int cpu_try(void **save, void (*fn)(void *), void *arg);
/* a stack at rest, top % 16 == 0, that will call fn(arg), which does not
 * return */
void *cpu_prepare(void *top, void (*fn)(void *), void *arg);

/* cpu_pulse.c - threads that wait for something to become true */
struct pulse {
	_Atomic uint32_t count, sleepers;
};

/* returns when done(arg); looks spin times before it sleeps */
void pulse_wait(struct pulse *, bool (*done)(void *), void *arg,
	unsigned spin);
/* what n of those that wait look for may have become true; -1: all */
void pulse_beat(struct pulse *, int n);
uint64_t clock_ns(void);
static inline void
relax(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

/* cpu_stack.c - stacks of one range of addresses; a guard page below each */
enum { STACK_KEPT = 256 << 10 }; /* bytes at the top that trim keeps */

void *stack_new(void);           /* its top; 0: out of memory */
void stack_free(void *top);
bool stack_deep(const void *top); /* was it used below STACK_KEPT? */
void stack_trim(void *top);      /* gives back what lies there */
void stack_range(uint64_t *base, uint64_t *size);
/* is p in the guard page of a stack? */
bool stack_guards(uint64_t p);

/* how cpu_switch to a task comes back */
enum { TASK_PAUSED, TASK_FAULTED };

struct fault {
	CUresult error;
	uint64_t addr, pc;       /* 0: none */
	uint32_t ctaid[3], warp;
	const char *what;        /* static */
};

/* a launch that runs */
struct grid {
	struct grid *next;       /* of those that take helpers */
	bool listed;
	unsigned working;        /* helpers at work; pool's lock */
	const struct host_kernel *kernel;
	const char *name;
	const void *param;
	const struct launch *launch;
	struct server *server;
	uint64_t serial;         /* %gridid; differs between grids */
	uint64_t nblock, chunk;
	uint64_t alone;          /* until when (clock_ns) the queue's thread
	                          * runs it alone; 0: helpers may come */
	uint32_t nwarp, last;    /* lanes of a block's last warp */
	bool switches;
	_Atomic uint64_t taken;  /* blocks that somebody has */
	_Atomic int error;       /* CUresult */
	struct fault fault;      /* whoever set error set this */
};

/* a warp and its stack */
struct task {
	struct warp w;           /* first: compiled code has its address */
	struct block *block;
	void *sp, *top;          /* top 0: no stack yet */
	uint64_t result;         /* of reduce */
};

struct barrier {
	uint32_t count, threads; /* expected, or 0; that came */
	uint32_t came, waiting;  /* warps */
	uint32_t yes, all;       /* threads, for reduce */
};

/* a block in flight on a worker; warps are bits */
struct block {
	struct block *next;
	struct worker *worker;
	uint64_t serial;         /* the grid for which the tasks are set up */
	uint8_t *shared;
	size_t shared_size;
	uint32_t live, ready, yielded;
	uint32_t meeting;        /* barriers at which somebody is */
	struct barrier barrier[HOST_BARRIERS];
	struct task task[32];
};

/* what a thread has to run kernels with */
struct worker {
	struct worker *next;     /* in the pool's list */
	unsigned id;
	void *sp;                /* the thread's, while a task runs */
	struct task *task;       /* that runs, or 0 */
	void *guard;             /* cpu_try's while memory is copied, or 0 */
	struct fault fault;
	struct grid *grid;
	struct block *spare;     /* blocks not in flight */
	struct block *flight, **flight_last;
	uint64_t from, to;       /* blocks taken and not begun; flat: all */
	bool used;               /* since stacks were trimmed */
};

/* cpu_block.c */
extern const struct host_calls block_calls;
/* a block of the worker's, set up for its grid; 0: out of memory */
struct block *block_new(struct worker *);
void block_begin(struct block *, const uint32_t ctaid[3]);
/* lets its ready warps run until none is: TASK_… */
int block_run(struct block *);
void block_free(struct block *);

/* cpu_grid.c */
void grid_work(struct grid *, struct worker *);
/* takes blocks of the grid: the first, or false: there are no more */
bool grid_take(struct grid *, uint64_t *from, uint64_t *to);
void grid_fail(struct grid *, const struct fault *);
void worker_trim(struct worker *);

/* cpu_pool.c */
unsigned pool_cpus(void);
/* queue q has something to do, and will be queue_run */
void pool_ready(struct queue *q);
/* takes back q if no thread has it yet */
bool pool_take(struct queue *q);
/* helpers may come and take blocks of g until unlisted, which returns when
 * the last has left */
void pool_list(struct grid *);
void pool_unlist(struct grid *);
/* a thread that takes none of the program's signals, and is not waited for */
bool pool_thread(void *(*fn)(void *));
/* a worker for a thread that is not the pool's */
struct worker *worker_borrow(void);
void worker_return(struct worker *);
unsigned pool_spin(void);        /* how often to look before one sleeps */
uint64_t pool_serial(void);      /* numbers from 1 */

/* cpu_fault.c */
extern _Thread_local struct worker *worker_current;
void fault_catch(void);          /* handlers in place? */
void fault_thread(void);         /* this thread will run kernels */
/* memory access of fn(arg) may fail: 0 or CUDA_ERROR_ILLEGAL_ADDRESS */
CUresult fault_try(void (*fn)(void *), void *arg);

/* cpu_heap.c: pages of this process, limit bytes at most; 0: no memory.
 * file: what small pieces lie in, so that they can be shared; may be 0. */
struct heap_file {
	pthread_mutex_t lock;
	int fd;                  /* -1: none */
	uint64_t *chunk;         /* the address of each, in the file's order */
	size_t n, cap;
};

struct extents *heap_new(uint64_t limit, struct heap_file *);
void heap_file_open(struct heap_file *);
void heap_file_close(struct heap_file *);
/* is addr in a file? */
bool heap_file_find(struct heap_file *, uint64_t addr, uint64_t *offset);

/* cpu_copy.c */
void cpu_copy_box(void *copy);       /* struct copy */
void cpu_fill_box(void *fill);       /* struct fill */

/* cpu_ranges.c: offsets in a file of memory; all are zero when taken */
struct ranges {
	pthread_mutex_t lock;
	int fd;                  /* -1: not yet */
	struct range *free;
	uint64_t end;
};

void ranges_open(struct ranges *);
void ranges_close(struct ranges *);
bool ranges_take(struct ranges *, uint64_t size, uint64_t *offset);
void ranges_give(struct ranges *, uint64_t offset, uint64_t size);

/* cpu.c */
struct dev {
	int index;
	uint64_t memory;             /* bytes */
	struct heap_file file;       /* of heap */
	struct extents *heap;        /* what kernels and programs allocate */
	struct extents *host;        /* page-locked: no limit */
	struct extents *malloc;      /* of kernels, out of heap */
	_Atomic uint64_t backed;     /* bytes of physical memory */
	struct share *shares;        /* cpu_share.c */
	struct ranges ranges;        /* physical memory not exported */
	_Atomic unsigned files;      /* … that is: a file each */
	struct server *server;
	void *ring;                  /* of server */
};

/* cpu_code.c */
struct kernel {                  /* for one shape of block */
	struct object *object;
	const struct host_kernel *host;
};

struct entry {
	struct entry *next;
	struct code *code;
	const struct func *func;
	char *name;
	pthread_mutex_t lock;        /* while a shape is compiled */
	struct kernel *_Atomic kernel[14];
	struct kernel *_Atomic any;  /* one of them */
	_Atomic uint64_t block_ns;   /* that a block took; 0: not known */
};

struct code {
	struct dev *dev;
	const struct program *program;
	pthread_mutex_t lock;        /* of all below */
	_Atomic unsigned refs;       /* loaded, and launches under way */
	struct entry *entry;
	struct object *data;         /* the module's variables */
	bool data_failed;
};

CUresult cpu_load(struct dev *, const struct program *, struct code **,
	struct text *log);
void cpu_unload(struct code *);
CUresult cpu_entry(struct code *, const char *, struct entry **,
	struct entry_info *, struct text *log);
CUresult cpu_variable(struct code *, const char *, uint64_t *, size_t *);
/* compiled for blocks of this shape */
CUresult code_kernel(struct entry *, struct host_shape,
	const struct host_kernel **, struct text *log);
void code_hold(struct code *);   /* code that runs outlives cpu_unload */
void code_drop(struct code *);

/* cpu_launch.c */
CUresult cpu_launch(struct queue *, const struct dev_launch *);

/* cpu_queue.c */
struct command {
	struct command *next;
	/* 0, or the error that the queue has from now on; the text of it
	 * goes to what, of 256 bytes */
	CUresult (*run)(struct queue *, void *data, char *what);
	void (*drop)(void *data);    /* ends what data holds; may be 0 */
	struct mark *wait;           /* goes on when this is reached */
	queue_measured *measured;    /* told when it is done; may be 0 */
	void *measured_arg;
	/* … or when this has become true; 0: at once.  It may fault. */
	bool (*ready)(const void *data);
	bool small;
	bool host;                   /* never on the thread of sync() */
	_Alignas(16) unsigned char data[];
};

struct queue {
	struct queue *next, *prev;   /* in the pool's list of ready ones */
	bool listed;
	struct queue *waits;         /* for the same mark, or polled */
	struct dev *dev;
	queue_fault *fault;
	void *fault_arg;
	pthread_mutex_t lock;
	struct command *first, **last;
	struct command *spare;
	queue_measured *measured;    /* of the next command */
	void *measured_arg;
	unsigned nspare;
	bool scheduled;              /* ready, running, or waits for a mark */
	_Atomic uint64_t queued, done;
	_Atomic uint64_t passed;     /* commands, up to the last mark reached */
	_Atomic int error;           /* CUresult */
	struct pulse pulse;          /* done or scheduled changed */
};

/* a command with size bytes of data for queue_push; 0: out of memory */
struct command *queue_command(struct queue *, size_t size);
void queue_push(struct queue *, struct command *);
/* can a queue that is polled go on? */
bool queue_ready(struct queue *);
/* host: also what must not run on the thread of sync() */
void queue_run(struct queue *, bool host);

CUresult cpu_queue_open(struct dev *, unsigned flags, int priority,
	queue_fault *, void *arg, struct queue **);
void cpu_queue_close(struct queue *);
CUresult cpu_copy(struct queue *, const struct copy *);
CUresult cpu_fill(struct queue *, const struct fill *);
CUresult cpu_call(struct queue *, void (*fn)(void *), void *arg);
CUresult cpu_wait(struct queue *, struct mark *);
CUresult cpu_sync(struct queue *);
CUresult cpu_idle(struct queue *);
CUresult cpu_measure(struct queue *, queue_measured *, void *);

/* cpu_word.c */
CUresult cpu_write(struct queue *, const struct word *);
CUresult cpu_await(struct queue *, const struct word *);
/* the head of q is looked at again and again, until q is made ready */
void word_poll(struct queue *q);

/* cpu_vmm.c */
enum { VMM_PAGE = 2 << 20 };

CUresult cpu_reserve(struct dev *, size_t, size_t align, uint64_t wish,
	uint64_t *);
CUresult cpu_unreserve(struct dev *, uint64_t, size_t);
CUresult cpu_back(struct dev *, size_t, bool exported, struct backing **);
void cpu_unback(struct backing *);
CUresult cpu_map(struct backing *, size_t offset, uint64_t, size_t);
CUresult cpu_unmap(struct dev *, uint64_t, size_t);
CUresult cpu_protect(struct dev *, uint64_t, size_t, CUmemAccess_flags);
CUresult cpu_backing_fd(struct backing *, int *);
CUresult cpu_backing_of(struct dev *, int fd, size_t *, struct backing **);

/* cpu_share.c */
CUresult cpu_share(struct dev *, const struct slice *, char name[64]);
CUresult cpu_shared_open(struct dev *, const char name[64], uint64_t *,
	size_t *);
CUresult cpu_shared_close(struct dev *, uint64_t);
/* memory is freed: it is shared no more */
void share_end(struct dev *, uint64_t);

/* cpu_file.c */

/* a file of memory, which no program inherits; -1: there can be none */
int memory_file(uint64_t size);
bool memory_file_grow(int fd, uint64_t size);

/* cpu_mark.c */
CUresult cpu_mark(struct queue *, bool timing, struct mark **);
void cpu_unmark(struct mark *);
CUresult cpu_query(struct mark *);
CUresult cpu_reached(struct mark *);
CUresult cpu_elapsed(struct mark *from, struct mark *to, float *ms);
/* has it been reached?  If not, q (0: nobody) is made ready when it is */
bool mark_passed(struct mark *, struct queue *q);
void mark_hold(struct mark *);

#endif
