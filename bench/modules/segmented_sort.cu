/* sorts within segments */
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

template <typename K> void
sort(void *tmp, size_t &n, K *a, K *b, int *v, int *w, int *at)
{
	cub::DeviceSegmentedSort::SortKeys(tmp, n, a, b, 1000, 10, at, at + 1);
	cub::DeviceSegmentedSort::SortPairs(tmp, n, a, b, v, w, 1000, 10, at,
		at + 1);
	cub::DeviceSegmentedRadixSort::SortKeys(tmp, n, a, b, 1000, 10, at,
		at + 1);
}

void
run(void *tmp, size_t &n, void *a, void *b, int *v, int *w, int *at)
{
	sort(tmp, n, (unsigned *)a, (unsigned *)b, v, w, at);
	sort(tmp, n, (double *)a, (double *)b, v, w, at);
}
