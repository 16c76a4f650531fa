// Two devices: current ones, copies between them, kernels and variables in both.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: env PTXAMD_CPU_DEVICES=2 PTXAMD_EMU_DEVICES=2 sh %S/Inputs/devices %t
#include "check.h"
#include <thread>

__device__ int where = -1;

__global__ void
mark(int *out, int device)
{
	where = device;
	out[threadIdx.x] = threadIdx.x * 10 + device;
}

int
main()
{
	const int n = 32;
	int count, device, can, *d[2], h[2][n], v, bad = 0;

	OK(cudaGetDeviceCount(&count));
	TRUE(count == 2);
	for (int k = 1; k >= 0; k--) {
		OK(cudaSetDevice(k));
		OK(cudaGetDevice(&device));
		TRUE(device == k);
		OK(cudaMalloc(&d[k], n * sizeof(int)));
		mark<<<1, n>>>(d[k], k);
		OK(cudaGetLastError());
	}
	for (int k = 0; k < 2; k++) {
		cudaPointerAttributes a;

		OK(cudaSetDevice(k));
		OK(cudaDeviceSynchronize());
		OK(cudaMemcpyFromSymbol(&v, where, sizeof v));
		TRUE(v == k);
		OK(cudaMemcpy(h[k], d[k], sizeof h[k], cudaMemcpyDefault));
		for (int i = 0; i < n; i++)
			bad += h[k][i] != i * 10 + k;
		OK(cudaPointerGetAttributes(&a, d[k]));
		TRUE(a.device == k);
	}
	TRUE(bad == 0);
	OK(cudaMemcpyPeer(d[0], 0, d[1], 1, n * sizeof(int)));
	OK(cudaMemcpy(h[0], d[0], sizeof h[0], cudaMemcpyDefault));
	TRUE(memcmp(h[0], h[1], sizeof h[0]) == 0);
	OK(cudaDeviceCanAccessPeer(&can, 0, 1));
	OK(cudaSetDevice(0));
	if (can) {
		OK(cudaDeviceEnablePeerAccess(1, 0));
		IS(cudaDeviceEnablePeerAccess(1, 0),
			cudaErrorPeerAccessAlreadyEnabled);
		mark<<<1, n>>>(d[1], 5);
		OK(cudaDeviceSynchronize());
		OK(cudaDeviceDisablePeerAccess(1));
	}
	IS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
	std::thread([] {
		int device;

		OK(cudaGetDevice(&device));
		TRUE(device == 0);
		OK(cudaSetDevice(1));
	}).join();
	OK(cudaGetDevice(&device));
	TRUE(device == 0);
	OK(cudaFree(d[0]));
	OK(cudaFree(d[1]));
	return check_end();
}
