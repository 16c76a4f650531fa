/* capture.h - captures: streams whose work becomes nodes of a graph.
 *
 * A capture has the streams that take part in it; each knows the nodes that
 * its next node comes behind.  Who holds a stream's lock may ask whether it
 * is captured; everything else is guarded by a lock of capture.c.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "graph.h"
#include "stream.h"

struct capture {
	struct capture *next;    /* of all */
	unsigned long long id;
	CUgraph graph;
	bool given;              /* the graph is the program's */
	bool invalid;            /* something was done that must not be */
	CUstreamCaptureMode mode;
	const void *thread;      /* that began it */
	CUstream origin, streams; /* streams: by CUstream_st.joined */
};

/* of a captured event: where it was recorded */
struct capture_point {
	unsigned long long capture; /* id; 0: not in a capture */
	struct edges at;
};

/* captures that are going on */
extern atomic_uint capture_count;

/* what streams are given while they are captured */
CUresult capture_kernel(CUstream, CUfunction, const struct launch_shape *,
	const struct dev_launch *);
CUresult capture_copy(CUstream, const struct copy *);
CUresult capture_fill(CUstream, const struct fill *);
CUresult capture_node(CUstream, CUgraphNodeParams *, CUgraphNode *);

/* capture_memory.c: the handle is of a captured stream */
CUresult capture_alloc(CUstream, size_t, CUdeviceptr *);
CUresult capture_free(CUstream, CUdeviceptr);

/* an event is recorded in a captured stream; p is replaced */
CUresult capture_record(CUstream, struct capture_point *p);
/* a stream, captured or not, waits for such a point */
CUresult capture_wait(CUstream, const struct capture_point *p);
/* … for an event that was recorded outside */
CUresult capture_wait_outside(CUstream);
/* somebody asks for such an event: why he may not */
CUresult capture_event_asked(const struct capture_point *p);

/* the stream is captured and cannot take that: the capture is invalid now */
CUresult capture_refuse(CUstream);
/* something that waits for all blocking streams of the context */
CUresult capture_implicit(CUcontext);
bool capture_blocking(CUcontext);   /* is such a stream captured? */
/* something that waits for all streams of the context */
CUresult capture_context(CUcontext);
/* the stream is being destroyed */
void capture_leave(CUstream);

/* for stream_capture.c, which holds the lock */
void capture_lock(void);
void capture_unlock(void);
struct capture *capture_begin(CUstream, CUgraph, CUstreamCaptureMode,
	const struct edges *first);
void capture_end(struct capture *); /* the graph is left to the caller */
void capture_invalidate(struct capture *);
/* is all work of other streams in front of what the origin has next? */
bool capture_joined(struct capture *);
CUstreamCaptureMode capture_exchange(CUstreamCaptureMode);

#endif
