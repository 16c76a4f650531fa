/* histograms of one to four channels */
#include <cub/device/device_histogram.cuh>

template <typename T> void
histogram(void *tmp, size_t &n, T *a, unsigned **h, T **levels)
{
	int bins[4] = { 257, 257, 257, 257 };
	T low[4] = {}, high[4] = { 100, 100, 100, 100 };

	cub::DeviceHistogram::HistogramEven(tmp, n, a, h[0], 257, T(0),
		T(100), 1000);
	cub::DeviceHistogram::HistogramRange(tmp, n, a, h[0], 257, levels[0],
		1000);
	cub::DeviceHistogram::MultiHistogramEven<4, 3>(tmp, n, a, h, bins,
		low, high, 1000);
}

void
run(void *tmp, size_t &n, void *a, unsigned **h, void **levels)
{
	histogram(tmp, n, (unsigned char *)a, h, (unsigned char **)levels);
	histogram(tmp, n, (int *)a, h, (int **)levels);
	histogram(tmp, n, (float *)a, h, (float **)levels);
	histogram(tmp, n, (double *)a, h, (double **)levels);
}
