// Kernels that launch kernels are refused, by one clear message; the program's
// other kernels work.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t -rdc=true
// RUN: env CHECK=%s sh %S/Inputs/devices %t
#include "check.h"

__global__ void
child(int *p)
{
	p[threadIdx.x] += threadIdx.x;
}

__global__ void
parent(int *p)
{
	child<<<1, 32>>>(p);
}

int
main()
{
	Device<int> d(32);

	child<<<1, 32>>>(d.p);
	OK(cudaGetLastError());
	TRUE(d.get()[5] == 5);
	// CHECK: error: {{.*}}parent{{.*}}kernels that launch kernels are not supported
	parent<<<1, 1>>>(d.p);
	TRUE(cudaGetLastError() != cudaSuccess);
	child<<<1, 32>>>(d.p);
	OK(cudaGetLastError());
	TRUE(d.get()[5] == 10);
	// CHECK-NOT: error
	// CHECK: {{^[0-9]+}} checks, 0 wrong
	return check_end();
}
