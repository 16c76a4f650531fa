// CUB sorts: by radix, in one block and in many.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t static gfx90a
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>

int
main()
{
	const int n = sized(5000, 600);
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
