/* ipc.h - memory and events shared between processes.
 *
 * The device has a name for memory, which is the 64 bytes of a handle.  An
 * event that is shared is two words of such memory: how often it was
 * recorded, and how many of these have been reached.
 */
#ifndef IPC_H
#define IPC_H

#include "stream.h"

/* ipc.c */

/* the CUmemAllocationHandleType bits that pools of a device have */
unsigned ipc_handle_types(const struct device *);
/* Opens what a handle names, once more if it is open.  pooled: cuMemFree is
 * what closes it. */
CUresult ipc_open(const char name[64], bool pooled, CUdeviceptr *);
CUresult ipc_close(CUdeviceptr, bool pooled);
/* a region of another process's goes */
void ipc_release(const struct region *);

/* external.c */
void external_release(const struct region *);

/* ipc_event.c */
struct shared_event;

/* 0: out of memory, or the device shares no events */
struct shared_event *shared_event_new(struct device *);
void shared_event_free(struct shared_event *);
bool shares_events(const struct device *);
CUresult shared_event_record(struct shared_event *, CUstream);
CUresult shared_event_wait(struct shared_event *, CUstream);
CUresult shared_event_query(struct shared_event *);
CUresult shared_event_sync(struct shared_event *, CUcontext);
CUresult shared_event_name(struct shared_event *, char name[64]);
CUresult shared_event_open(struct device *, const char name[64],
	struct shared_event **);

#endif
