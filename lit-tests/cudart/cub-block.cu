// CUB within kernels: scans, sorts, reductions and exchanges of a block, of a
// warp.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t -extended-lambda
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <algorithm>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>

enum { BLOCK = 64, EACH = 4, N = BLOCK * EACH };

__global__ void
sort(const int *in, int *out)
{
	typedef cub::BlockLoad<int, BLOCK, EACH, cub::BLOCK_LOAD_TRANSPOSE> Load;
	typedef cub::BlockStore<int, BLOCK, EACH, cub::BLOCK_STORE_TRANSPOSE>
		Store;
	typedef cub::BlockRadixSort<int, BLOCK, EACH> Sort;
	__shared__ union {
		typename Load::TempStorage load;
		typename Store::TempStorage store;
		typename Sort::TempStorage sort;
	} s;
	int v[EACH];

	Load(s.load).Load(in, v);
	__syncthreads();
	Sort(s.sort).Sort(v);
	__syncthreads();
	Store(s.store).Store(out, v);
}

__global__ void
sums(const int *in, int *out)
{
	typedef cub::BlockScan<int, BLOCK> Scan;
	typedef cub::BlockReduce<int, BLOCK> Reduce;
	typedef cub::WarpReduce<int> Warp;
	__shared__ typename Scan::TempStorage s;
	__shared__ typename Reduce::TempStorage r;
	__shared__ typename Warp::TempStorage w[BLOCK / 32];
	int t = threadIdx.x, v = in[t], before, all;

	Scan(s).ExclusiveSum(v, before, all);
	out[t] = before;
	int most = Reduce(r).Reduce(v, [] __device__ (int a, int b) {
		return a > b ? a : b;
	});
	int warp = Warp(w[t / 32]).Sum(v);
	if (t == 0) {
		out[BLOCK] = all;
		out[BLOCK + 1] = most;
	}
	if (t % 32 == 0)
		out[BLOCK + 2 + t / 32] = warp;
}

int
main()
{
	std::vector<int> v(N), sorted;
	Device<int> out(N);
	int bad = 0, sum = 0;

	for (int i = 0; i < N; i++)
		v[i] = (i * 7919) % 1009 - 500;
	Device<int> in(v);
	sort<<<1, BLOCK>>>(in.p, out.p);
	OK(cudaGetLastError());
	sorted = v;
	std::sort(sorted.begin(), sorted.end());
	TRUE(out.get() == sorted);
	sums<<<1, BLOCK>>>(in.p, out.p);
	OK(cudaGetLastError());
	auto w = out.get();
	for (int i = 0; i < BLOCK; i++) {
		bad += w[i] != sum;
		sum += v[i];
		if (i == 31)
			bad += w[BLOCK + 2] != sum;
	}
	TRUE(bad == 0);
	TRUE(w[BLOCK] == sum);
	TRUE(w[BLOCK + 1] == *std::max_element(v.begin(), v.begin() + BLOCK));
	TRUE(w[BLOCK + 2] + w[BLOCK + 3] == sum);
	return check_end();
}
