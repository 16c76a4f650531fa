/* merge sorts by comparison */
#include <cub/device/device_merge_sort.cuh>

struct greater {
	template <typename T> __device__ bool
	operator()(const T &a, const T &b) const { return a > b; }
};

template <typename K> void
sort(void *tmp, size_t &n, K *a, int *v)
{
	cub::DeviceMergeSort::SortKeys(tmp, n, a, 1000, greater());
	cub::DeviceMergeSort::SortPairs(tmp, n, a, v, 1000, greater());
	cub::DeviceMergeSort::StableSortKeys(tmp, n, a, 1000, greater());
}

void
run(void *tmp, size_t &n, void *a, int *v)
{
	sort(tmp, n, (int *)a, v);
	sort(tmp, n, (double *)a, v);
	sort(tmp, n, (short *)a, v);
}
