/* event.h - events as graphs use them; any thread. */
#ifndef EVENT_H
#define EVENT_H

#include "stream.h"

CUcontext event_context(CUevent); /* 0: shared between processes */
/* into a queue of its context; past: what that comes after */
CUresult event_record(CUevent, struct queue *, const struct past *past);
/* the queue, of a context, goes on when the event is reached; past, or 0,
 * gets what that comes after */
CUresult event_wait(CUevent, CUcontext, struct queue *, struct past *past);

#endif
