/* ipc.h - memory and events shared between processes. */
#ifndef IPC_H
#define IPC_H

#include "api.h"

/* the CUmemAllocationHandleType bits that a device's memory can be exported
 * as */
unsigned ipc_handle_types(const struct device *);

#endif
