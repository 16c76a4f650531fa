// A failed assertion is a sticky error of its own; the host goes on.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: env CHECK=%s sh %S/Inputs/devices %t
#include "check.h"
#include <cassert>

// CHECK: assert.cu:{{[0-9]+}}: {{.*}}fail{{.*}}block: [1,0,0], thread: [3,0,0]
// CHECK-SAME: Assertion `i != 35
__global__ void
fail(int n)
{
	int i = blockIdx.x * 32 + threadIdx.x;

	assert(i < n);
	assert(i != 35);
}

int
main()
{
	void *p;

	fail<<<2, 32>>>(100);
	OK(cudaGetLastError());
	IS(cudaDeviceSynchronize(), cudaErrorAssert);
	IS(cudaMalloc(&p, 4), cudaErrorAssert);
	IS(cudaGetLastError(), cudaErrorAssert);
	OK(cudaPeekAtLastError());
	IS(cudaMalloc(&p, 4), cudaErrorAssert);
	OK(cudaDeviceReset());
	OK(cudaGetLastError());
	OK(cudaMalloc(&p, 4));
	fail<<<1, 32>>>(100);
	OK(cudaDeviceSynchronize());
	// CHECK: {{^[0-9]+}} checks, 0 wrong
	return check_end();
}
