// Matrix products: tiles in shared memory, float and double, vectors, batches.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

template <class T, int N> __global__ void
product(T *c, const T *a, const T *b, int n)
{
	__shared__ T sa[N][N], sb[N][N];
	int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
	T sum = 0;

	a += blockIdx.z * n * n;
	b += blockIdx.z * n * n;
	c += blockIdx.z * n * n;
	for (int k = 0; k < n; k += N) {
		int ax = k + threadIdx.x, by = k + threadIdx.y;

		sa[threadIdx.y][threadIdx.x] = y < n && ax < n ?
			a[y * n + ax] : T(0);
		sb[threadIdx.y][threadIdx.x] = by < n && x < n ?
			b[by * n + x] : T(0);
		__syncthreads();
#pragma unroll
		for (int i = 0; i < N; i++)
			sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
		__syncthreads();
	}
	if (x < n && y < n)
		c[y * n + x] = sum;
}

// a row of four results for each thread, from vectors of four
__global__ void
by_four(float4 *c, const float *a, const float4 *b, int n)
{
	int x = threadIdx.x, y = blockIdx.x;
	float4 s = make_float4(0, 0, 0, 0);

	for (int k = 0; k < n; k++) {
		float v = a[y * n + k];
		float4 w = b[k * (n / 4) + x];

		s.x = fmaf(v, w.x, s.x);
		s.y = fmaf(v, w.y, s.y);
		s.z = fmaf(v, w.z, s.z);
		s.w = fmaf(v, w.w, s.w);
	}
	c[y * (n / 4) + x] = s;
}

// small integers: sums are exact in every order
template <class T> static std::vector<T>
numbers(int n, int seed)
{
	std::vector<T> v(n);

	for (int i = 0; i < n; i++)
		v[i] = T((i * 7 + seed) % 11 - 5);
	return v;
}

template <class T> static int
compare(const std::vector<T> &c, const std::vector<T> &a,
	const std::vector<T> &b, int n)
{
	int bad = 0;

	for (size_t i = 0; i < c.size(); i++) {
		size_t of = i / (n * n) * (n * n), y = i % (n * n) / n;
		T sum = 0;

		for (int k = 0; k < n; k++)
			sum += a[of + y * n + k] * b[of + k * n + i % n];
		bad += c[i] != sum;
	}
	return bad;
}

template <class T, int N> static void
run(int n, int batch)
{
	auto a = numbers<T>(n * n * batch, 1), b = numbers<T>(n * n * batch, 4);
	Device<T> da(a), db(b), dc(n * n * batch);
	int tiles = (n + N - 1) / N;

	product<T, N><<<dim3(tiles, tiles, batch), dim3(N, N)>>>(dc.p, da.p,
		db.p, n);
	OK(cudaGetLastError());
	TRUE(compare(dc.get(), a, b, n) == 0);
}

int
main()
{
	const int n = sized(64, 32);

	run<float, 16>(sized(100, 37), 1);
	run<float, 8>(sized(33, 17), 3);
	run<double, 16>(sized(70, 20), 1);
	run<int, 4>(sized(50, 13), 2);
	auto a = numbers<float>(n * n, 2), b = numbers<float>(n * n, 3);
	Device<float> da(a), db(b), dc(n * n);
	by_four<<<n, n / 4>>>((float4 *)dc.p, da.p, (float4 *)db.p, n);
	TRUE(compare(dc.get(), a, b, n) == 0);
	return check_end();
}
