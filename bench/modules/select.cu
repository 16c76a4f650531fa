/* selection, partition, run lengths, unique keys */
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

struct positive {
	template <typename T> __device__ bool
	operator()(const T &a) const { return a > T(0); }
};

template <typename T> void
select(void *tmp, size_t &n, T *a, T *b, char *flag, int *count)
{
	cub::DeviceSelect::If(tmp, n, a, b, count, 1000, positive());
	cub::DeviceSelect::Flagged(tmp, n, a, flag, b, count, 1000);
	cub::DeviceSelect::Unique(tmp, n, a, b, count, 1000);
	cub::DevicePartition::If(tmp, n, a, b, count, 1000, positive());
	cub::DeviceRunLengthEncode::Encode(tmp, n, a, b, count, count, 1000);
}

void
run(void *tmp, size_t &n, void *a, void *b, char *flag, int *count)
{
	select(tmp, n, (int *)a, (int *)b, flag, count);
	select(tmp, n, (double *)a, (double *)b, flag, count);
	select(tmp, n, (short *)a, (short *)b, flag, count);
	select(tmp, n, (long long *)a, (long long *)b, flag, count);
}
