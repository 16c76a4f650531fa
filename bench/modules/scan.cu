/* prefix sums, by key too, of several types */
#include <cub/device/device_scan.cuh>

template <typename T> void
scan(void *tmp, size_t &n, T *a, T *b, int *key)
{
	cub::DeviceScan::InclusiveSum(tmp, n, a, b, 1000);
	cub::DeviceScan::ExclusiveSum(tmp, n, a, b, 1000);
	cub::DeviceScan::InclusiveSumByKey(tmp, n, key, a, b, 1000);
	cub::DeviceScan::ExclusiveSumByKey(tmp, n, key, a, b, 1000);
}

void
run(void *tmp, size_t &n, void *a, void *b, int *key)
{
	scan(tmp, n, (int *)a, (int *)b, key);
	scan(tmp, n, (float *)a, (float *)b, key);
	scan(tmp, n, (double *)a, (double *)b, key);
	scan(tmp, n, (unsigned long long *)a, (unsigned long long *)b, key);
}
