/* reductions: sums, extremes and their places, by key, in segments */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>

template <typename T> void
reduce(void *tmp, size_t &n, T *a, T *b, int *key, int *count)
{
	cub::KeyValuePair<int, T> *pair = 0;

	cub::DeviceReduce::Sum(tmp, n, a, b, 1000);
	cub::DeviceReduce::Min(tmp, n, a, b, 1000);
	cub::DeviceReduce::Max(tmp, n, a, b, 1000);
	cub::DeviceReduce::ReduceByKey(tmp, n, key, key, a, b, count,
		cuda::std::plus<T>(), 1000);
	cub::DeviceSegmentedReduce::Sum(tmp, n, a, b, 10, key, key + 1);
	cub::DeviceSegmentedReduce::ArgMin(tmp, n, a, pair, 10, key, key + 1);
}

void
run(void *tmp, size_t &n, void *a, void *b, int *key, int *count)
{
	reduce(tmp, n, (int *)a, (int *)b, key, count);
	reduce(tmp, n, (float *)a, (float *)b, key, count);
	reduce(tmp, n, (double *)a, (double *)b, key, count);
}
