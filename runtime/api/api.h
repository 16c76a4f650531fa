/* api.h - the CUDA driver API's inside: state, contexts, handles, checks.
 *
 * A function of the API is a plain C function of its name, with the
 * prototype that cuda.def gives it.  What libcuda.so.1 exports under that
 * name is in table.c: it checks what the row says is needed, then calls the
 * plain function.  So functions here may take for granted what their row
 * says, and may call each other without checks.
 */
#ifndef API_H
#define API_H

#include "cuda_api.h"
#include "dev/dev.h"
#include "row.h"
#include <pthread.h>
#include <stdatomic.h>

#ifndef API_ROWS_ONLY
/* cuMemAlloc_v2 here is the symbol rt_cuMemAlloc_v2; table.c has the other */
#define CU(name, suffix, version, streams, needs, status, params) \
	CUresult name##suffix(ROW_DECLARE params) \
		__asm__("rt_" #name #suffix);
#include "cuda.def"
#undef CU
#endif

/* table.c */
typedef void any_fn(void);

struct row {
	const char *name;        /* as cuGetProcAddress knows it */
	int version;
	any_fn *call, *per_thread; /* exported; per_thread may be 0 */
	bool done;
};

extern const struct row row_list[];
extern const size_t row_count;

/* env.c: settings by environment variables; all may be called any time */
bool env_flag(const char *name);         /* set, and neither empty nor 0 */
const char *env_text(const char *name);  /* 0: unset or empty */
/* with PTXAMD_LOG=1: a line on stderr */
void rt_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* … unless PTXAMD_QUIET=1: a setting of ours that cannot be followed */
void rt_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* … that a function is not supported, once for each */
CUresult rt_refuse(const char *function, atomic_bool *told);

/* handle.c: memory of what programs hold handles of.  It stays readable for
 * ever, so that a handle can be checked that is no longer, or never was, one.
 * The memory of a freed one is used again only after many others. */
enum handle_kind {
	HANDLE_CONTEXT, HANDLE_MODULE, HANDLE_FUNCTION, HANDLE_LIBRARY,
	HANDLE_KERNEL, HANDLE_STREAM, HANDLE_EVENT, HANDLE_LINK,
	HANDLE_ARRAY, HANDLE_MIPMAP, HANDLE_TEXREF, HANDLE_SURFREF,
	HANDLE_POOL, HANDLE_BACKING, HANDLE_EXTERNAL, HANDLE_GRAPH,
	HANDLE_NODE, HANDLE_EXEC,
	HANDLE_OBJECT, HANDLE_KINDS
};

/* zeroed; 0: out of memory.  All of a kind must have one size. */
void *handle_new(enum handle_kind, size_t);
void handle_free(enum handle_kind, void *);
bool handle_is(enum handle_kind, const void *);

/* start.c: devices as programs see them, in their order */
struct device {
	const struct dev_ops *ops;
	struct dev *dev;
	struct dev_info info;
	int index;
	int major, minor;        /* compute capability */
	char name[256];
	CUcontext primary;       /* its memory stays when it is released */
	unsigned primary_refs, primary_flags; /* by primary.c's lock */
	CUmemoryPool pools[2];   /* default and current; pool_api.c */
};

struct driver {
	atomic_bool started;
	bool forked;             /* the parent started it, this one cannot */
	pthread_mutex_t lock;    /* of cuInit */
	struct device *device;
	int ndevice;
};

extern struct driver rt;

/* 0: no such */
struct device *device_of(CUdevice);

/* context.c */

/* what is destroyed with its context: the first member of streams, events,
 * modules …  Ranks are destroyed in order; within one, the newest first. */
enum owned_rank {
	OWNED_STREAM, OWNED_EVENT, OWNED_CODE, OWNED_IMAGE, OWNED_RANKS
};

struct owned {
	struct owned *next, **link;      /* link 0: not in a list */
	void (*destroy)(struct owned *); /* takes it out of the list, frees */
};

struct CUctx_st {
	struct device *device;
	atomic_bool alive;               /* not destroyed */
	atomic_int error;                /* CUresult of a fault: sticky */
	atomic_uint holds;               /* of threads' stacks, and alive */
	bool primary;
	unsigned flags, attached, api_version;
	unsigned long long id;
	size_t limit[CU_LIMIT_MAX];
	CUfunc_cache cache;
	CUsharedconfig shared;
	CUlaunchAttributeValue attribute[20];
	pthread_mutex_t lock;            /* of owned, and of what follows */
	struct owned *owned[OWNED_RANKS];
	uint64_t peers;                  /* bit i: device i may be used */
	CUstream legacy;                 /* stream.c: the NULL stream */
	void *streams;                   /* stream.c: whatever it needs */
};

struct thread {
	CUcontext *stack;                /* the last one is current */
	unsigned depth, cap;
	bool per_thread;                 /* within a _ptds or _ptsz call */
	void *streams;                   /* stream.c: whatever it needs */
};

extern _Thread_local struct thread rt_thread
	__attribute__((tls_model("initial-exec")));

/* the current context, which is alive, or 0 */
static inline CUcontext
context_current(void)
{
	const struct thread *t = &rt_thread;
	CUcontext c = t->depth ? t->stack[t->depth - 1] : 0;

	return c && atomic_load_explicit(&c->alive, memory_order_acquire)
		? c : 0;
}

/* makes one; *out has one hold, for being alive */
CUresult context_new(struct device *, unsigned flags, bool primary,
	CUcontext *out);
/* as new: with nothing in it, and alive */
void context_revive(CUcontext, unsigned flags);
/* ends it, with all that it owns; false: another thread did */
bool context_end(CUcontext);
/* gives back one hold */
void context_let_go(CUcontext);
CUresult context_push(CUcontext);
bool context_pop(void);
bool context_is(CUcontext); /* a handle of one that is alive */
/* c, or the current context where c is 0; 0: there is no such */
CUcontext context_of(CUcontext c);
/* ctxinfo.c: what kernels may allocate */
enum { HEAP_DEFAULT = 8 << 20 };
void heap_limit(struct device *, size_t);
/* a queue_fault: arg is the context; what, if any, goes to the log */
void context_fault(void *context, CUresult, const char *what);
void own(CUcontext, enum owned_rank, struct owned *);
void disown(CUcontext, struct owned *);

/* what a row needs; 0 or why not */
CUresult need_context(bool live);

static inline CUresult need_ANY(void) { return 0; }
static inline CUresult
need_INIT(void)
{
	return atomic_load_explicit(&rt.started, memory_order_acquire)
		? 0 : CUDA_ERROR_NOT_INITIALIZED;
}

static inline CUresult
need_CTX(void)
{
	return context_current() ? 0 : need_context(false);
}

static inline CUresult
need_LIVE(void)
{
	CUcontext c = context_current();

	return c && !atomic_load_explicit(&c->error, memory_order_relaxed)
		? 0 : need_context(true);
}

/* capture.c: 0, or a capture that is going on, and is now invalid, forbids
 * this thread what may have to wait for it */
CUresult capture_forbids(void);

/* … of calls that captures may forbid */
static inline CUresult
need_SAFE(void)
{
	CUresult err = need_LIVE();

	return err ? err : capture_forbids();
}

/* … of calls whose handle knows its context */
static inline CUresult
need_HELD(void)
{
	return context_current() ? need_LIVE() : need_INIT();
}

static inline CUresult
need_HELD_SAFE(void)
{
	CUresult err = need_HELD();

	return err ? err : capture_forbids();
}

enum { STREAM_PRIORITY_LEAST = 0, STREAM_PRIORITY_GREATEST = -5 };

/* stream.c (of another author: what the rest calls)
 *
 * stream_begin finds the stream that a handle means (0 and CU_STREAM_LEGACY,
 * CU_STREAM_PER_THREAD, rt_thread.per_thread), makes what is queued next wait
 * for what CUDA orders it after, and locks the stream; stream_end unlocks. */
struct CUstream_st;
CUresult stream_begin(CUstream handle, CUstream *, struct queue **);
void stream_end(CUstream);
/* … A captured stream has no queue: stream_begin fails.  stream_enter takes
 * it, too; what is then given to stream_launch and its like (stream.h) goes
 * into the queue, or becomes a node of the graph.  stream_end ends both. */
CUresult stream_enter(CUstream handle, CUstream *);
/* until all is done that was queued to it; not between begin and end */
CUresult stream_sync(CUstream);
/* … in all streams of a context */
CUresult streams_sync(CUcontext);
/* the streams that a thread, or a context, had of its own */
void streams_thread_exit(struct thread *);
void streams_context_end(CUcontext);

/* region.c: what memory there is, by address; any thread */
enum region_kind {
	REGION_DEVICE,     /* cuMemAlloc */
	REGION_HOST,       /* cuMemHostAlloc */
	REGION_REGISTERED, /* cuMemHostRegister */
	REGION_MANAGED,
	REGION_VARIABLE,   /* of a module; freed with it */
	REGION_GRAPH,      /* of a graph's node */
	REGION_ARRAY,      /* cuArrayCreate, cuMipmappedArrayCreate */
	REGION_POOL,       /* a piece of a pool */
	REGION_MAPPED,     /* cuMemMap: of no context */
	REGION_SHARED,     /* of another process; ipc.c */
	REGION_EXTERNAL,   /* a buffer of imported memory; external.c */
};

struct region {
	uint64_t addr, size;    /* as the device knows it */
	uint64_t host;          /* as the host knows it; 0: not at all */
	enum region_kind kind;
	unsigned flags;         /* as given when it was allocated */
	CUcontext context;      /* 0: of none, but of a device */
	struct device *device;
	unsigned long long id;
	void *owner;            /* who made the region knows */
	bool sync_memops;
	/* what cuMemAdvise and cuMemPrefetchAsync said */
	bool read_mostly;
	CUmemLocation preferred, prefetched;
	uint64_t accessed_by;   /* bit i: device i; bit 63: the host */
};

CUresult region_add(const struct region *);
/* the one that holds all of the range, by the address of the device or of the
 * host; a copy of it.  size 0 counts as 1. */
bool region_find(uint64_t addr, size_t size, struct region *);
/* the one that begins there, if it is of one of these kinds (bits) */
bool region_take(uint64_t addr, unsigned kinds, struct region *);
/* changes what the one that holds the range remembers: not its place */
bool region_edit(uint64_t addr, size_t size,
	void (*edit)(struct region *, const void *), const void *arg);
/* any one that is left of a context */
bool region_take_of(CUcontext, struct region *);

/* any memory at all in that range? */
bool region_overlaps(uint64_t addr, size_t size);

/* memory.c */
CUresult memory_enter(struct region *);  /* … of the current context; what
                                          * cannot be entered is freed */
CUresult memory_release(const struct region *);
void memory_context_end(CUcontext);      /* frees what is left of it */

#endif
