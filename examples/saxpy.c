/* saxpy.c - y = a x + y by the CUDA driver API: the host's side of saxpy.ptx.
 *
 *	saxpy FILE.ptx
 *
 * Builds with NVIDIA's cuda.h as it does with our prototypes; runs with
 * whichever libcuda.so.1 the loader finds.
 */
#include "cuda_fn.h"

#include <stdio.h>

enum { N = 1000 };

static void
check(CUresult rc, const char *what)
{
	if (rc) {
		fprintf(stderr, "saxpy: %s: error %d\n", what, rc);
		_Exit(1);
	}
}

static float x[N], y[N];

int
main(int argc, char *argv[])
{
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdevice device;
	CUdeviceptr dx, dy;
	char name[100];
	float a = 2;
	unsigned n = N, i, wrong = 0;
	void *param[] = { &dx, &dy, &a, &n };

	if (argc != 2) {
		fprintf(stderr, "usage: saxpy FILE.ptx\n");
		return 2;
	}
	for (i = 0; i < N; i++) {
		x[i] = (float)i;
		y[i] = 1;
	}
	check(cuInit(0), "cuInit");
	check(cuDeviceGet(&device, 0), "cuDeviceGet");
	check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
	check(cuDevicePrimaryCtxRetain(&context, device), "context");
	check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	check(cuModuleLoad(&module, argv[1]), "cuModuleLoad");
	check(cuModuleGetFunction(&kernel, module, "saxpy"), "saxpy");
	check(cuMemAlloc_v2(&dx, sizeof x), "cuMemAlloc");
	check(cuMemAlloc_v2(&dy, sizeof y), "cuMemAlloc");
	check(cuMemcpyHtoD_v2(dx, x, sizeof x), "cuMemcpyHtoD");
	check(cuMemcpyHtoD_v2(dy, y, sizeof y), "cuMemcpyHtoD");
	check(cuLaunchKernel(kernel, (N + 255) / 256, 1, 1, 256, 1, 1, 0, 0,
		param, 0), "cuLaunchKernel");
	check(cuMemcpyDtoH_v2(y, dy, sizeof y), "cuMemcpyDtoH");
	for (i = 0; i < N; i++)
		wrong += y[i] != a * x[i] + 1;
	printf("%s: y[10] = %g, %u of %d wrong\n", name, y[10], wrong, N);
	return wrong != 0;
}
