/* profiler.c - the profiler: there is none, and programs that turn it on and
 * off go on. */
#include "api.h"

/* the oldest way to start it is long gone from CUDA as well */
CUresult
cuProfilerInitialize(const char *config, const char *output, CUoutput_mode mode)
{
	(void)config;
	(void)output;
	(void)mode;
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult
cuProfilerStart(void)
{
	return 0;
}

CUresult
cuProfilerStop(void)
{
	return 0;
}
