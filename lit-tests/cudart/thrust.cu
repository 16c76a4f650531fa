// Thrust and CUB: reduce, scan, histogram.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t static gfx90a
#include "check.h"
#include <algorithm>
#include <numeric>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

static std::vector<int>
numbers(int n, unsigned seed)
{
	std::vector<int> v(n);

	for (int &x : v)
		x = (seed = seed * 1664525 + 1013904223) >> 12;
	return v;
}

template <class F> static void
run_cub(F f)
{
	size_t size = 0;
	void *temp;

	OK(f(nullptr, size));
	OK(cudaMalloc(&temp, size));
	OK(f(temp, size));
	OK(cudaDeviceSynchronize());
	OK(cudaFree(temp));
}

static void
check_thrust(int n)
{
	auto h = numbers(n, 1);
	thrust::device_vector<int> d(h.begin(), h.end()), e(n);

	TRUE(thrust::reduce(d.begin(), d.end(), 0ll) ==
		std::accumulate(h.begin(), h.end(), 0ll));
	thrust::inclusive_scan(d.begin(), d.end(), e.begin());
	std::vector<int> want(n), got(n);
	std::partial_sum(h.begin(), h.end(), want.begin());
	thrust::copy(e.begin(), e.end(), got.begin());
	TRUE(got == want);
}

static void
check_cub(int n)
{
	auto h = numbers(n, 2);
	Device<int> d(h), count(16), one(1);

	run_cub([&](void *t, size_t &s) {
		return cub::DeviceReduce::Max(t, s, d.p, one.p, n);
	});
	TRUE(one.get()[0] == *std::max_element(h.begin(), h.end()));
	run_cub([&](void *t, size_t &s) {
		return cub::DeviceHistogram::HistogramEven(t, s, d.p, count.p,
			17, 0, 1 << 20, n);
	});
	std::vector<int> want(16);
	for (int x : h)
		want[x >> 16]++;
	TRUE(count.get() == want);
}

int
main()
{
	check_thrust(sized(10007, 1009));
	check_cub(sized(5000, 700));
	return check_end();
}
