// Templates, __constant__, __device__ and __managed__ variables.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

__constant__ float scale[4];
__constant__ int table[] = { 2, 3, 5, 7 };
__device__ int counter;
__device__ double big[100];
__managed__ int managed = 5;
__managed__ struct { int a; double b; } pair = { 1, 2.5 };

template <class T, int N> struct Vec {
	T v[N];
	__host__ __device__ T sum() const
	{
		T s = 0;

		for (int i = 0; i < N; i++)
			s += v[i];
		return s;
	}
};

template <class T, int N> __global__ void
sum(T *out, const Vec<T, N> *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	out[i] = in[i].sum() * T(scale[i & 3]) + T(table[i & 3]);
	atomicAdd(&counter, 1);
}

__global__ void
touch(double x)
{
	big[threadIdx.x] += x;
	if (threadIdx.x == 0) {
		managed++;
		pair.b *= 2;
	}
}

template <class T, int N> static void
run(int n)
{
	std::vector<Vec<T, N>> in(n);

	for (int i = 0; i < n; i++)
		for (int k = 0; k < N; k++)
			in[i].v[k] = T(i + k);
	Device<Vec<T, N>> d(in);
	Device<T> out(n);
	sum<T, N><<<(n + 127) / 128, 128>>>(out.p, d.p, n);
	OK(cudaGetLastError());
	auto got = out.get();
	int bad = 0;
	for (int i = 0; i < n; i++)
		bad += got[i] != in[i].sum() * T((i & 3) + 1) +
			T("\2\3\5\7"[i & 3]);
	TRUE(bad == 0);
}

int
main()
{
	float s[4] = { 1, 2, 3, 4 };
	int count = 7;
	size_t size;
	void *p;
	double b[100];

	// managed memory, before anything else has asked for the device
	TRUE(managed == 5 && pair.a == 1 && pair.b == 2.5);
	managed = 10;
	OK(cudaMemcpyToSymbol(scale, s, sizeof s));
	OK(cudaMemcpyToSymbol(counter, &count, sizeof count));
	run<float, 3>(1000);
	run<double, 4>(777);
	run<int, 1>(129);
	run<long long, 7>(33);
	OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
	TRUE(count == 7 + 1000 + 777 + 129 + 33);

	for (int i = 0; i < 100; i++)
		b[i] = i;
	OK(cudaMemcpyToSymbol(big, b + 50, 50 * sizeof *b, 50 * sizeof *b));
	touch<<<1, 100>>>(0.5);
	OK(cudaDeviceSynchronize());
	TRUE(managed == 11 && pair.b == 5);
	OK(cudaMemcpyFromSymbol(b, big, sizeof b));
	TRUE(b[0] == 0.5 && b[49] == 0.5 && b[50] == 50.5 && b[99] == 99.5);

	OK(cudaGetSymbolAddress(&p, big));
	OK(cudaGetSymbolSize(&size, big));
	TRUE(p && size == sizeof b);
	OK(cudaMemcpy(b, (double *)p + 99, sizeof *b, cudaMemcpyDefault));
	TRUE(b[0] == 99.5);
	OK(cudaGetSymbolSize(&size, managed));
	TRUE(size == sizeof managed);
	OK(cudaGetSymbolAddress(&p, managed));
	TRUE(p == &managed);

	IS(cudaMemcpyToSymbol(big, b, sizeof b, 8), cudaErrorInvalidValue);
	IS(cudaGetSymbolSize(&size, b), cudaErrorInvalidSymbol);
	IS(cudaMemcpyFromSymbol(b, (const void *)main, 4),
		cudaErrorInvalidSymbol);
	IS(cudaMemcpyToSymbol(big, b, 8, 0, cudaMemcpyDeviceToHost),
		cudaErrorInvalidMemcpyDirection);
	return check_end();
}
