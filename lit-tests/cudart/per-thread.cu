// Each thread's default stream is its own, with
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t -default-stream per-thread
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <thread>

__global__ void wait(volatile int *flag) { while (!*flag) ; }
__global__ void add(int *p, int n) { atomicAdd(p, n); }

int
main()
{
	volatile int *flag;
	int *d, v = 0;

	OK(cudaMallocHost((void **)&flag, sizeof *flag));
	OK(cudaMalloc(&d, sizeof *d));
	OK(cudaMemset(d, 0, sizeof *d));
	*flag = 0;
	wait<<<1, 1>>>(flag);
	IS(cudaStreamQuery(0), cudaErrorNotReady);
	// another thread's work does not wait for ours
	std::thread([&] {
		int one = 1, seen = 0;

		OK(cudaMemcpyAsync(d, &one, sizeof one,
			cudaMemcpyHostToDevice));
		add<<<1, 32>>>(d, 2);
		OK(cudaStreamSynchronize(0));
		OK(cudaMemcpy(&seen, d, sizeof seen, cudaMemcpyDeviceToHost));
		TRUE(seen == 65);
	}).join();
	IS(cudaStreamQuery(0), cudaErrorNotReady);
	*flag = 1;
	OK(cudaStreamSynchronize(0));
	OK(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDefault));
	TRUE(v == 65);
	OK(cudaFree(d));
	OK(cudaFreeHost((void *)flag));
	return check_end();
}
