// Many threads of the host at once: first use, streams, symbols, errors.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <atomic>
#include <thread>

__device__ int sums[16];
__constant__ int factor = 3;

__global__ void
work(int *p, int n, int who)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&sums[who], p[i] * factor);
}

static std::atomic<int> failures, ready;

static bool
good(cudaError_t e)
{
	failures += e != cudaSuccess;
	return e == cudaSuccess;
}

static void
client(int who, int clients, int rounds)
{
	const int n = 500;
	std::vector<int> v(n, who + 1);
	cudaStream_t s;
	int *d, got = -1;

	// all come at once, so that first uses collide
	for (ready++; ready < clients; )
		std::this_thread::yield();
	good(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	good(cudaMalloc(&d, n * sizeof *d));
	good(cudaMemcpyAsync(d, v.data(), n * sizeof *d,
		cudaMemcpyHostToDevice, s));
	for (int i = 0; i < rounds; i++) {
		work<<<4, 128, 0, s>>>(d, n, who);
		good(cudaGetLastError());
		// an error of one thread is no other's
		if (who % 2)
			failures += cudaMalloc((void **)0, 1) !=
				cudaErrorInvalidValue || cudaGetLastError() !=
				cudaErrorInvalidValue;
	}
	good(cudaMemcpyFromSymbolAsync(&got, sums, sizeof got,
		who * sizeof got, cudaMemcpyDeviceToHost, s));
	good(cudaStreamSynchronize(s));
	failures += got != 3 * n * (who + 1) * rounds;
	good(cudaFree(d));
	good(cudaStreamDestroy(s));
}

int
main()
{
	const int clients = 8, rounds = sized(20, 3);
	std::vector<std::thread> t;

	for (int i = 0; i < clients; i++)
		t.emplace_back(client, i, clients, rounds);
	for (auto &x : t)
		x.join();
	TRUE(failures == 0);
	OK(cudaGetLastError());
	return check_end();
}
