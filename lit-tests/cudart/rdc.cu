// Separate compilation: functions, variables and pointers of another unit.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t -rdc=true %S/Inputs/rdc-other.cu
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include "rdc.h"

void add_on_device(int n);

__global__ void
call(int *out)
{
	int t = threadIdx.x;

	out[t] = twice(t) + total;
	out[t + 32] = chosen(t);
}

int
main()
{
	Device<int> d(64);
	int f = 5, n = 0, bad = 0;

	add_on_device(10);
	call<<<1, 32>>>(d.p);
	OK(cudaGetLastError());
	auto v = d.get();
	for (int t = 0; t < 32; t++)
		bad += v[t] != 2 * t + 7 + 140 || v[t + 32] != 2 * t + 7;
	TRUE(bad == 0);
	OK(cudaMemcpyToSymbol(factor, &f, sizeof f));
	OK(cudaMemcpyFromSymbol(&n, total, sizeof n));
	TRUE(n == 140);
	call<<<1, 32>>>(d.p);
	TRUE(d.get()[1] == 2 + 5 + 140);
	return check_end();
}
