// CUB sorts: by radix, in one block and in many.
// REQUIRES: nvcc
// RUN: nvcc -std=c++17 -arch=sm_80 -cudart shared -I %S/Inputs %s -o %t
// RUN: env LD_LIBRARY_PATH=$B/lib %t
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>

int
main()
{
	const int n = 5000;
	std::vector<int> h(n);
	unsigned seed = 1;
	size_t size = 0;
	void *temp;

	for (int &x : h)
		x = (seed = seed * 1664525 + 1013904223) >> 3;
	Device<int> d(h), out(n);
	OK(cub::DeviceRadixSort::SortKeys(nullptr, size, d.p, out.p, n));
	OK(cudaMalloc(&temp, size));
	OK(cub::DeviceRadixSort::SortKeys(temp, size, d.p, out.p, n));
	OK(cudaDeviceSynchronize());
	std::sort(h.begin(), h.end());
	TRUE(out.get() == h);
	OK(cudaFree(temp));
	return check_end();
}
