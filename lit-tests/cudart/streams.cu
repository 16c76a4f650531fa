// Streams that overlap, events, page-locked memory, functions of the host.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <atomic>

__global__ void
work(float *d, int n, float a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		d[i] = d[i] * a + 1;
}

__global__ void
wait(volatile int *flag)
{
	while (!*flag)
		;
}

static std::atomic<int> called;
static void count(void *p) { called += *(int *)p; }
static void
back(cudaStream_t, cudaError_t e, void *p)
{
	called += e == cudaSuccess ? *(int *)p : 1000;
}

// two streams: the second goes on while the first waits for the host
static void
overlap()
{
	cudaStream_t a, b;
	int *flag;

	OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	OK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
	*flag = 0;
	wait<<<1, 1, 0, a>>>(flag);
	IS(cudaStreamQuery(a), cudaErrorNotReady);
	IS(cudaGetLastError(), cudaErrorNotReady);
	OK(cudaMemsetAsync(flag, 0, 0, b));
	Device<float> d(100);
	work<<<1, 100, 0, b>>>(d.p, 100, 2);
	OK(cudaStreamSynchronize(b));
	IS(cudaStreamQuery(a), cudaErrorNotReady);
	*(volatile int *)flag = 1;
	OK(cudaStreamSynchronize(a));
	OK(cudaStreamQuery(a));
	cudaGetLastError();
	OK(cudaFreeHost(flag));
	OK(cudaStreamDestroy(a));
	OK(cudaStreamDestroy(b));
}

static void
pipeline()
{
	const int n = 1 << 16, parts = 4;
	cudaStream_t s[parts];
	cudaEvent_t start, stop, done[parts];
	float *h, *d, ms = -1;
	int two = 2, bad = 0;

	OK(cudaMallocHost(&h, n * parts * sizeof *h));
	OK(cudaMalloc(&d, n * parts * sizeof *d));
	for (int i = 0; i < n * parts; i++)
		h[i] = i % 1000;
	OK(cudaEventCreate(&start));
	OK(cudaEventCreate(&stop));
	for (int k = 0; k < parts; k++) {
		OK(cudaStreamCreate(&s[k]));
		OK(cudaEventCreateWithFlags(&done[k],
			cudaEventDisableTiming));
	}
	OK(cudaEventRecord(start));
	for (int k = 0; k < parts; k++) {
		OK(cudaMemcpyAsync(d + k * n, h + k * n, n * sizeof *h,
			cudaMemcpyHostToDevice, s[k]));
		work<<<n / 256, 256, 0, s[k]>>>(d + k * n, n, 3);
		OK(cudaMemcpyAsync(h + k * n, d + k * n, n * sizeof *h,
			cudaMemcpyDeviceToHost, s[k]));
		OK(cudaLaunchHostFunc(s[k], count, &two));
		OK(cudaStreamAddCallback(s[k], back, &two, 0));
		OK(cudaEventRecord(done[k], s[k]));
		OK(cudaStreamWaitEvent(0, done[k], 0));
	}
	OK(cudaEventRecord(stop));
	OK(cudaEventSynchronize(stop));
	OK(cudaEventElapsedTime(&ms, start, stop));
	TRUE(ms >= 0);
	for (int i = 0; i < n * parts; i++)
		bad += h[i] != i % 1000 * 3 + 1;
	TRUE(bad == 0);
	TRUE(called == 2 * 2 * parts);
	IS(cudaEventElapsedTime(&ms, start, done[0]),
		cudaErrorInvalidResourceHandle);
	IS(cudaGetLastError(), cudaErrorInvalidResourceHandle);
	for (int k = 0; k < parts; k++) {
		OK(cudaEventDestroy(done[k]));
		OK(cudaStreamDestroy(s[k]));
	}
	OK(cudaEventDestroy(start));
	OK(cudaEventDestroy(stop));
	OK(cudaFree(d));
	OK(cudaFreeHost(h));
}

static void
attributes()
{
	cudaStream_t s;
	int least, greatest, priority;
	unsigned flags;

	OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
	OK(cudaStreamGetPriority(s, &priority));
	OK(cudaStreamGetFlags(s, &flags));
	TRUE(priority == greatest && flags == cudaStreamNonBlocking);
	OK(cudaStreamDestroy(s));
	OK(cudaStreamSynchronize(cudaStreamLegacy));
	OK(cudaStreamSynchronize(cudaStreamPerThread));
}

int
main()
{
	overlap();
	pipeline();
	attributes();
	OK(cudaGetLastError());
	return check_end();
}
