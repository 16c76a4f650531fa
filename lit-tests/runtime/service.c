/* service.c - runs one kernel of a PTX file with one argument: the address of
 * 64 bytes, or a number.
 *
 *	service PTX KERNEL THREADS BLOCKS [NUMBER]
 *
 * Prints what cuCtxSynchronize answered and the first word of the 64 bytes.
 */
#include "cuda_fn.h"

#include <stdio.h>
#include <stdlib.h>

static char text[1 << 20];

static int
check(const char *what, CUresult rc)
{
	if (rc)
		printf("%s: %d\n", what, rc);
	return rc != 0;
}

int
main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdevice dev;
	CUdeviceptr a;
	int number = argc > 5 ? atoi(argv[5]) : 0, got = 0;
	void *param[] = { argc > 5 ? (void *)&number : (void *)&a };
	FILE *f = argc > 4 ? fopen(argv[1], "r") : 0;

	if (!f || !fread(text, 1, sizeof text - 1, f))
		return 2;
	fclose(f);
	if (check("init", cuInit(0)) || check("device", cuDeviceGet(&dev, 0))
	|| check("context", cuCtxCreate_v2(&context, 0, dev))
	|| check("load", cuModuleLoadData(&module, text))
	|| check("function", cuModuleGetFunction(&kernel, module, argv[2]))
	|| check("alloc", cuMemAlloc_v2(&a, 64))
	|| check("launch", cuLaunchKernel(kernel, (unsigned)atoi(argv[4]), 1,
		1, (unsigned)atoi(argv[3]), 1, 1, 0, 0, param, 0)))
		return 1;
	printf("sync %d\n", cuCtxSynchronize());
	cuMemcpyDtoH_v2(&got, a, sizeof got);
	printf("got %d\n", got);
	return 0;
}
