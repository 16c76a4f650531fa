/* warp.h - a device for kernels compiled for this CPU: blocks one after the
 * other, the warps of a block in turns, all on one thread. */
#ifndef WARP_H
#define WARP_H

#include "host.h"
#include <stddef.h>

/* runs a kernel on param, of size bytes; launch: the shape and the dynamic
 * shared memory; its shared_total is set here.  0, or why it failed: static
 * text */
const char *warp_run(const struct host_kernel *, const void *param,
	size_t size, const struct launch *);

#endif
