// Kernels that stop: a trap is a sticky error, an exit is none.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <thread>

__global__ void
stop(int *p, int at)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i == at)
		__trap();
	p[i] = i;
}

__global__ void
leave(int *p)
{
	int i = threadIdx.x;

	if (i % 3 == 0)
		asm("exit;");
	if (i % 5 == 0)
		return;
	__syncwarp(__activemask());
	p[i] = i;
}

static void
check_trap()
{
	int *p;

	OK(cudaMalloc(&p, 64 * sizeof *p));
	stop<<<2, 32>>>(p, 64);
	OK(cudaDeviceSynchronize());
	stop<<<2, 32>>>(p, 40);
	OK(cudaGetLastError());
	IS(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
	// all threads see it, and nothing works any more
	std::thread([p] {
		IS(cudaFree(p), cudaErrorLaunchFailure);
	}).join();
	stop<<<2, 32>>>(p, 64);
	IS(cudaGetLastError(), cudaErrorLaunchFailure);
	OK(cudaDeviceReset());
	OK(cudaDeviceSynchronize());
}

int
main()
{
	int bad = 0;

	check_trap();
	{
		Device<int> d(64);
		leave<<<1, 64>>>(d.p);
		auto v = d.get();
		for (int i = 0; i < 64; i++)
			bad += v[i] != (i % 3 && i % 5 ? i : 0);
		TRUE(bad == 0);
	}
	check_trap();
	return check_end();
}
