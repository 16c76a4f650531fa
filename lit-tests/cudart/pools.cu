// Memory pools: reuse behind an event, statistics, what is freed while a
// kernel still uses it, two streams.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

__global__ void
fill(int *p, int n, int v)
{
	for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n;
			i += blockDim.x * gridDim.x)
		p[i] = v + i;
}

__global__ void
add(const int *a, const int *b, int *sum, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	if (i < n)
		sum[i] = a[i] + b[i];
}

// temporaries come and go in the stream, many times over
static void
temporaries(cudaStream_t s)
{
	const int n = 10000;
	std::vector<int> h(n);
	int bad = 0;

	for (int round = 0; round < 50; round++) {
		int *a, *b, *sum;

		OK(cudaMallocAsync(&a, n * sizeof(int), s));
		OK(cudaMallocAsync(&b, n * sizeof(int), s));
		fill<<<10, 128, 0, s>>>(a, n, round);
		fill<<<10, 128, 0, s>>>(b, n, 2 * round);
		OK(cudaMallocAsync(&sum, n * sizeof(int), s));
		add<<<(n + 255) / 256, 256, 0, s>>>(a, b, sum, n);
		OK(cudaFreeAsync(a, s));
		OK(cudaFreeAsync(b, s));
		OK(cudaMemcpyAsync(h.data(), sum, n * sizeof(int),
			cudaMemcpyDeviceToHost, s));
		OK(cudaFreeAsync(sum, s));
		OK(cudaStreamSynchronize(s));
		for (int i = 0; i < n; i++)
			bad += h[i] != 3 * round + 2 * i;
	}
	TRUE(bad == 0);
}

static void
handed_over(cudaStream_t s, cudaStream_t t)
{
	const size_t size = 48 << 20;
	cudaMemPool_t pool;
	cudaMemPoolProps props = {};
	cudaEvent_t e;
	void *p, *q;
	unsigned long long keep = ~0ull, used = 1, reserved = 0;
	int yes = 0;

	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	OK(cudaMemPoolCreate(&pool, &props));
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
		&keep));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic,
		&yes));
	TRUE(yes == 1);
	OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	OK(cudaMallocFromPoolAsync(&p, size, pool, s));
	OK(cudaMemsetAsync(p, 1, size, s));
	OK(cudaFreeAsync(p, s));
	OK(cudaEventRecord(e, s));
	OK(cudaStreamWaitEvent(t, e, 0));
	OK(cudaMallocFromPoolAsync(&q, size, pool, t));
	TRUE(p == q);
	OK(cudaFreeAsync(q, t));
	OK(cudaDeviceSynchronize());
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent,
		&used));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent,
		&reserved));
	TRUE(used == 0 && reserved >= size);
	OK(cudaMemPoolTrimTo(pool, 0));
	OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent,
		&reserved));
	TRUE(reserved == 0);
	OK(cudaMemPoolDestroy(pool));
	OK(cudaEventDestroy(e));
}

int
main()
{
	int there = 0;
	size_t heap = 0;
	cudaStream_t s, t;

	OK(cudaDeviceGetAttribute(&there, cudaDevAttrMemoryPoolsSupported, 0));
	TRUE(there == 1);
	OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
	OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
	TRUE(heap == 32 << 20);
	OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	temporaries(s);
	temporaries(0);
	handed_over(s, t);
	OK(cudaStreamDestroy(s));
	OK(cudaStreamDestroy(t));
	return check_end();
}
