/* latency.c - what calls of the driver API cost, in microseconds.
 *
 * Each is repeated for a while; the table has the median of many such runs.
 */
#include "cuda_fn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 101, TIMES = 1000 };

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry empty() { ret; }\n";

static CUfunction empty;
static CUstream stream;
static CUevent event;
static CUdeviceptr page;

static void
launch_and_wait(void)
{
	cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0);
	cuCtxSynchronize();
}

static void
launch(void)
{
	cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, stream, 0, 0);
}

static void
alloc_and_free(void)
{
	CUdeviceptr a;

	cuMemAlloc_v2(&a, 1 << 20);
	cuMemFree_v2(a);
}

static void
record_and_wait(void)
{
	cuEventRecord(event, stream);
	cuEventSynchronize(event);
}

static void
copy_a_word(void)
{
	int word = 1;

	cuMemcpyHtoD_v2(page, &word, sizeof word);
}

static const struct {
	const char *name;
	void (*fn)(void);
} job[] = {
	{ "cuLaunchKernel and cuCtxSynchronize", launch_and_wait },
	{ "cuLaunchKernel into a stream", launch },
	{ "cuMemAlloc and cuMemFree of 1 MB", alloc_and_free },
	{ "cuEventRecord and cuEventSynchronize", record_and_wait },
	{ "cuMemcpyHtoD of 4 bytes", copy_a_word },
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
measure(void (*fn)(void))
{
	static double t[RUNS];
	int i, k;

	for (i = 0; i < RUNS; i++) {
		t[i] = now();
		for (k = 0; k < TIMES; k++)
			fn();
		t[i] = (now() - t[i]) / TIMES;
		cuCtxSynchronize();
	}
	qsort(t, RUNS, sizeof *t, order);
	return t[RUNS / 2];
}

int
main(void)
{
	CUcontext context;
	CUmodule module;
	CUdevice dev;
	size_t i;

	if (cuInit(0) || cuDeviceGet(&dev, 0)
	|| cuCtxCreate_v2(&context, 0, dev) || cuModuleLoadData(&module, ptx)
	|| cuModuleGetFunction(&empty, module, "empty")
	|| cuStreamCreate(&stream, 1) || cuEventCreate(&event, 2)
	|| cuMemAlloc_v2(&page, 4096)) {
		fprintf(stderr, "latency: the driver does not work\n");
		return 1;
	}
	printf("| calls | us |\n| --- | ---: |\n");
	for (i = 0; i < sizeof job / sizeof *job; i++)
		printf("| %s | %.2f |\n", job[i].name, measure(job[i].fn));
	return 0;
}
