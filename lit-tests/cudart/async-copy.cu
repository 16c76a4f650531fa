// Copies to shared memory in the background: cp.async, barriers, pipelines.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

enum { N = 64 };

__global__ void
primitives(const int4 *in, int4 *out)
{
	__shared__ int4 s[N];
	int t = threadIdx.x;

	__pipeline_memcpy_async(&s[t], &in[t], sizeof *s);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	out[t] = s[N - 1 - t];
}

// two stages: the next tile is on its way while this one is summed
__global__ void
stages(const float *in, float *out, int tiles)
{
	__shared__ float s[2][N];
	auto block = cg::this_thread_block();
	float sum = 0;
	int t = threadIdx.x;

	cg::memcpy_async(block, s[0], in, sizeof *s);
	for (int i = 0; i < tiles; i++) {
		if (i + 1 < tiles) {
			cg::memcpy_async(block, s[(i + 1) & 1],
				in + (i + 1) * N, sizeof *s);
			cg::wait_prior<1>(block);
		} else {
			cg::wait(block);
		}
		block.sync();
		sum += s[i & 1][(t + i) % N];
		block.sync();
	}
	out[t] = sum;
}

__global__ void
barriers(const double *in, double *out, int rounds)
{
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	__shared__ double s[N];
	int t = threadIdx.x;

	if (t == 0)
		init(&bar, N);
	__syncthreads();
	for (int i = 0; i < rounds; i++) {
		cuda::memcpy_async(&s[t], &in[i * N + t], sizeof *s, bar);
		bar.arrive_and_wait();
		out[i * N + t] = s[(t + 1) % N] * 2;
		auto token = bar.arrive();
		bar.wait(std::move(token));
	}
}

__global__ void
pipelines(const int *in, int *out, int tiles)
{
	__shared__ int s[2][N];
	auto p = cuda::make_pipeline();
	int t = threadIdx.x, sum = 0;

	for (int i = 0, ahead = 0; i < tiles; i++) {
		for (; ahead < tiles && ahead < i + 2; ahead++) {
			p.producer_acquire();
			cuda::memcpy_async(&s[ahead & 1][t],
				&in[ahead * N + t], sizeof(int), p);
			p.producer_commit();
		}
		p.consumer_wait();
		sum += s[i & 1][t];
		p.consumer_release();
	}
	out[t] = sum;
}

int
main()
{
	const int tiles = sized(9, 3);
	std::vector<int4> v(N);
	std::vector<float> f(tiles * N);
	std::vector<double> g(tiles * N);
	std::vector<int> k(tiles * N);
	int bad = 0;

	for (int i = 0; i < N; i++)
		v[i] = make_int4(i, -i, i * i, 7);
	for (int i = 0; i < tiles * N; i++)
		f[i] = g[i] = k[i] = i;
	Device<int4> dv(v), ov(N);
	primitives<<<1, N>>>(dv.p, ov.p);
	auto w = ov.get();
	for (int i = 0; i < N; i++)
		bad += w[i].z != (N - 1 - i) * (N - 1 - i) || w[i].w != 7;
	TRUE(bad == 0);

	Device<float> df(f), of(N);
	stages<<<1, N>>>(df.p, of.p, tiles);
	auto sums = of.get();
	for (int t = 0; t < N; t++) {
		float want = 0;

		for (int i = 0; i < tiles; i++)
			want += f[i * N + (t + i) % N];
		bad += sums[t] != want;
	}
	TRUE(bad == 0);

	Device<double> dg(g), og(tiles * N);
	barriers<<<1, N>>>(dg.p, og.p, tiles);
	auto h = og.get();
	for (int i = 0; i < tiles * N; i++)
		bad += h[i] != 2 * g[i / N * N + (i + 1) % N];
	TRUE(bad == 0);

	Device<int> dk(k), ok(N);
	pipelines<<<1, N>>>(dk.p, ok.p, tiles);
	auto l = ok.get();
	for (int t = 0; t < N; t++)
		bad += l[t] != tiles * t + N * tiles * (tiles - 1) / 2;
	TRUE(bad == 0);
	return check_end();
}
