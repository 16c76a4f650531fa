/* radix sorts of five key types, with and without values */
#include <cub/device/device_radix_sort.cuh>

template <typename K> void
sort(void *tmp, size_t &n, K *a, K *b, int *v, int *w)
{
	cub::DeviceRadixSort::SortKeys(tmp, n, a, b, 1000);
	cub::DeviceRadixSort::SortPairs(tmp, n, a, b, v, w, 1000);
	cub::DeviceRadixSort::SortKeysDescending(tmp, n, a, b, 1000);
}

void
run(void *tmp, size_t &n, void *a, void *b, int *v, int *w)
{
	sort(tmp, n, (unsigned *)a, (unsigned *)b, v, w);
	sort(tmp, n, (float *)a, (float *)b, v, w);
	sort(tmp, n, (long long *)a, (long long *)b, v, w);
	sort(tmp, n, (double *)a, (double *)b, v, w);
	sort(tmp, n, (unsigned char *)a, (unsigned char *)b, v, w);
}
