/* stream.h - streams inside the runtime; what others call is in api.h.
 *
 * The legacy stream of a context (handle 0) waits for what was queued before
 * to the context's blocking streams, and these for what was queued before to
 * it.  Nothing of that costs a command while only one of them is in use: a
 * blocking stream remembers the epoch of the legacy stream that it has waited
 * for, and that it got work which the legacy stream has not waited for.
 */
#ifndef STREAM_H
#define STREAM_H

#include "graph.h"

struct capture;

/* what a stream comes after: memory given back in others; past.c */
struct past {
	struct {
		unsigned long long stream;
		uint64_t count;
	} at[8];
	unsigned n;
};

bool past_holds(const struct past *, unsigned long long stream,
	uint64_t count);
/* the oldest is forgotten if there are too many: that only costs memory */
void past_add(struct past *, unsigned long long stream, uint64_t count);
void past_join(struct past *, const struct past *);

enum stream_kind {
	STREAM_OWN, STREAM_LEGACY, STREAM_THREAD,
	STREAM_GHOST,            /* destroyed, its work goes on */
};

struct CUstream_st {
	struct owned owned;      /* STREAM_OWN */
	CUcontext context;
	struct queue *queue;
	enum stream_kind kind;
	unsigned flags;
	int priority;
	unsigned long long id;
	atomic_uint holds;       /* the handle, and who waits for it */
	atomic_bool gone;        /* somebody destroys it */
	pthread_mutex_t lock;    /* from stream_begin to stream_end */
	uint64_t seen;           /* epoch that it is ordered behind */
	atomic_bool dirty;       /* has work the legacy stream may not know */
	bool spare;              /* STREAM_THREAD: its thread has ended */
	CUstream next, *link;    /* struct streams: all */
	CUlaunchAttributeValue attribute[20]; /* by CUlaunchAttributeID */
	struct past past;        /* by lock */
	_Atomic uint64_t freed;  /* pieces of pools given back here */
	/* see capture.h */
	_Atomic(struct capture *) capture;
	CUstream joined;         /* the next one of the capture */
	struct edges frontier;   /* what its next node comes behind */
	CUgraphNode *shown;      /* what cuStreamGetCaptureInfo gave out */
};

/* the streams of a context */
struct streams {
	pthread_mutex_t lock;    /* of all and of every next, link, spare */
	CUstream all;
	_Atomic uint64_t epoch;  /* calls that used the legacy stream */
	atomic_uint captured;    /* blocking streams that are captured */
	struct spare_queue *spare; /* stream_queue.c */
};

/* is this thread inside a function that a stream calls? */
extern _Thread_local bool stream_in_call
	__attribute__((tls_model("initial-exec")));

/* the stream of a handle, not locked, nothing ordered */
CUresult stream_find(CUstream handle, CUstream *);
CUresult stream_new(CUcontext, enum stream_kind, unsigned flags,
	int priority, CUstream *);
/* the handle is no longer one; work goes on to its end */
void stream_destroy(CUstream);
/* stream_put.c: between stream_enter and stream_end; into the queue, or the
 * graph that a capture makes */
CUresult stream_launch(CUstream, CUfunction, const struct launch_shape *,
	const struct dev_launch *);
CUresult stream_copy(CUstream, const struct copy *);
CUresult stream_fill(CUstream, const struct fill *);
bool stream_captured(CUstream handle);

/* stream_host.c: a program's function, unless the context has failed */
CUresult host_call(CUcontext, struct queue *, CUhostFn, void *);

/* stream_queue.c: queues beside streams; any thread */
CUresult queue_take(CUcontext, struct queue **);
/* id: of the context when it was taken; what is in it goes on */
void queue_give(CUcontext, unsigned long long id, struct queue *);
void queues_end(struct spare_queue *, CUcontext);

/* the fault of its context, or 0 */
static inline CUresult
stream_error(CUstream s)
{
	return (CUresult)atomic_load_explicit(&s->context->error,
		memory_order_acquire);
}

#endif
