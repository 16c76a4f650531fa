// Shared memory, static and dynamic; shuffles, votes, barriers that reduce.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

__global__ void
reverse(int *d, int n)
{
	extern __shared__ int s[];
	int t = threadIdx.x;

	s[t] = d[blockIdx.x * n + t];
	__syncthreads();
	d[blockIdx.x * n + t] = s[n - 1 - t];
}

template <int N> __global__ void
transpose(float *out, const float *in, int w)
{
	__shared__ float tile[N][N + 1];
	int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;

	tile[threadIdx.y][threadIdx.x] = in[y * w + x];
	__syncthreads();
	x = blockIdx.y * N + threadIdx.x;
	y = blockIdx.x * N + threadIdx.y;
	out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}

template <class T> __global__ void
sums(T *out, const T *in)
{
	__shared__ T part[32];
	int t = threadIdx.x, lane = t % 32;
	T v = in[blockIdx.x * blockDim.x + t];

	for (int k = 16; k; k >>= 1)
		v += __shfl_down_sync(~0u, v, k);
	if (lane == 0)
		part[t / 32] = v;
	__syncthreads();
	if (t >= 32)
		return;
	v = lane < blockDim.x / 32 ? part[lane] : T(0);
	for (int k = 16; k; k >>= 1)
		v += __shfl_xor_sync(~0u, v, k);
	if (lane == 0)
		out[blockIdx.x] = v;
}

__global__ void
votes(unsigned *out)
{
	int t = threadIdx.x;

	out[t] = __ballot_sync(~0u, t % 3 == 0);
	out[t + 32] = __any_sync(~0u, t == 31) * 2 + __all_sync(~0u, t < 32);
	out[t + 64] = __match_any_sync(~0u, t / 8);
	out[t + 96] = __shfl_sync(~0u, t * t, t + 1, 8);
	out[t + 128] = __reduce_add_sync(~0u, t);
	out[t + 160] = __reduce_max_sync(~0u, t ^ 5);
	if (t & 1)
		out[t + 192] = __activemask();
	out[t + 224] = __syncthreads_count(t > 4) + 100 *
		__syncthreads_or(t == 3) + 1000 * __syncthreads_and(t > 3);
}

template <class T> static void
check_sums()
{
	const int n = 64 * 256;
	std::vector<T> v(n);

	for (int i = 0; i < n; i++)
		v[i] = T(i % 17);
	Device<T> in(v), out(64);
	sums<T><<<64, 256>>>(out.p, in.p);
	auto got = out.get();
	int bad = 0;
	for (int b = 0; b < 64; b++) {
		T want = 0;

		for (int i = 0; i < 256; i++)
			want += v[b * 256 + i];
		bad += got[b] != want;
	}
	TRUE(bad == 0);
}

static void
check_votes()
{
	Device<unsigned> out(256);
	unsigned ballot = 0;
	int bad = 0;

	votes<<<1, 32>>>(out.p);
	auto v = out.get();
	for (int t = 0; t < 32; t += 3)
		ballot |= 1u << t;
	for (unsigned t = 0; t < 32; t++) {
		unsigned src = t / 8 * 8 + (t + 1) % 8;

		bad += v[t] != ballot;
		bad += v[t + 32] != 3;
		bad += v[t + 64] != 0xffu << t / 8 * 8;
		bad += v[t + 96] != src * src;
		bad += v[t + 128] != 496;
		bad += v[t + 160] != 31;
		bad += v[t + 192] != (t & 1 ? 0xaaaaaaaau : 0);
		bad += v[t + 224] != 127;
	}
	TRUE(bad == 0);
}

int
main()
{
	const int n = 200, w = 128;
	std::vector<int> v(10 * n);
	std::vector<float> m(w * w);
	int bad = 0;

	for (int i = 0; i < 10 * n; i++)
		v[i] = i;
	{
		Device<int> d(v);
		reverse<<<10, n, n * sizeof(int)>>>(d.p, n);
		OK(cudaGetLastError());
		auto got = d.get();
		for (int i = 0; i < 10 * n; i++)
			bad += got[i] != i / n * n + n - 1 - i % n;
		TRUE(bad == 0);
	}
	for (int i = 0; i < w * w; i++)
		m[i] = i;
	Device<float> in(m), out(w * w);
	transpose<16><<<dim3(w / 16, w / 16), dim3(16, 16)>>>(out.p, in.p, w);
	auto got = out.get();
	for (int i = 0; i < w * w; i++)
		bad += got[i] != m[i % w * w + i / w];
	TRUE(bad == 0);
	check_sums<int>();
	check_sums<float>();
	check_sums<double>();
	check_sums<long long>();
	check_votes();

	// more than a kernel has without asking for it
	reverse<<<1, 1, 60000>>>(0, 0);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	OK(cudaFuncSetAttribute(reverse,
		cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
	Device<int> one(1);
	reverse<<<1, 1, 60000>>>(one.p, 1);
	OK(cudaGetLastError());
	OK(cudaDeviceSynchronize());
	return check_end();
}
