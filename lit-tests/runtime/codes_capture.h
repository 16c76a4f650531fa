/* codes_capture.h - for programs that ask a driver about captures. */
#ifndef CODES_CAPTURE_H
#define CODES_CAPTURE_H

#include "codes.h"

enum { GLOBAL, LOCAL, RELAXED };

static void *context, *module, *empty;
static void *a, *b;              /* non-blocking streams */
static address memory;
static char host[4096];

static inline int
status(void *stream)
{
	int s = -1, e = f("cuStreamIsCapturing")(stream, &s);

	return e ? -e : s;
}

static inline int
launch(void *stream)
{
	return f("cuLaunchKernel")(empty, 1, 1, 1, 1, 1, 1, 0, stream,
		(void *)0, (void *)0);
}

static inline int
begin(void *stream, int mode)
{
	return f("cuStreamBeginCapture_v2")(stream, mode);
}

static inline void *
event(void)
{
	void *e;

	f("cuEventCreate")(&e, 0);
	return e;
}

static inline int
open_all(const char *library)
{
	int dev;

	return open_driver(library) && !f("cuInit")(0) &&
		!f("cuDeviceGet")(&dev, 0) &&
		!f("cuCtxCreate_v2")(&context, 0, dev) &&
		!f("cuModuleLoadData")(&module, ptx) &&
		!f("cuModuleGetFunction")(&empty, module, "empty") &&
		!f("cuStreamCreate")(&a, 1) && !f("cuStreamCreate")(&b, 1) &&
		!f("cuMemAlloc_v2")(&memory, (size_t)4096) && !launch(a) &&
		!f("cuCtxSynchronize")();
}

#endif
