// Cooperative groups: block, tiles, coalesced threads, the grid.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int N> __global__ void
tiles(int *sum, int *scan, int *rank)
{
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<N>(block);
	int t = block.thread_rank();

	sum[t] = cg::reduce(tile, t, cg::plus<int>());
	scan[t] = cg::exclusive_scan(tile, t);
	rank[t] = tile.thread_rank() + 1000 * tile.meta_group_rank() +
		100000 * tile.shfl(t, 0) % N;
	if (t % 3 == 0) {
		auto some = cg::coalesced_threads();

		rank[t] += 1000000 * (some.size() > some.thread_rank());
		some.sync();
	}
	block.sync();
}

// each block sees what all others wrote before
__global__ void
rounds(int *a, int *b, int n)
{
	auto grid = cg::this_grid();
	int i = grid.thread_rank(), all = grid.size();

	for (int r = 0; r < 5; r++) {
		b[i] = a[(i + 1) % n] + 1;
		grid.sync();
		a[i] = b[(i + all - 7) % n];
		grid.sync();
	}
}

template <int N> static void
check_tiles()
{
	const int n = 96;
	Device<int> sum(n), scan(n), rank(n);
	int bad = 0;

	tiles<N><<<1, n>>>(sum.p, scan.p, rank.p);
	auto s = sum.get(), e = scan.get(), r = rank.get();
	for (int t = 0; t < n; t++) {
		int first = t / N * N, all = 0, before = 0;

		for (int k = first; k < first + N; k++) {
			all += k;
			before += k < t ? k : 0;
		}
		bad += s[t] != all;
		bad += e[t] != before;
		bad += r[t] != t % N + 1000 * (t / N) +
			100000 * first % N + (t % 3 ? 0 : 1000000);
	}
	TRUE(bad == 0);
}

static void
check_grid()
{
	const int threads = 64;
	cudaDeviceProp p;
	int per = 0, bad = 0;

	OK(cudaGetDeviceProperties(&p, 0));
	TRUE(p.cooperativeLaunch);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, rounds,
		threads, 0));
	TRUE(per > 0);
	int blocks = per * p.multiProcessorCount;
	blocks = std::min(blocks, sized(8, 3));
	int n = blocks * threads;
	std::vector<int> a(n), b(n);
	for (int i = 0; i < n; i++)
		a[i] = i * i;
	Device<int> da(a), db(n);
	void *args[] = { &da.p, &db.p, &n };
	OK(cudaLaunchCooperativeKernel(rounds, blocks, threads, args));
	auto got = da.get();
	for (int r = 0; r < 5; r++) {
		for (int i = 0; i < n; i++)
			b[i] = a[(i + 1) % n] + 1;
		for (int i = 0; i < n; i++)
			a[i] = b[(i + n - 7) % n];
	}
	for (int i = 0; i < n; i++)
		bad += got[i] != a[i];
	TRUE(bad == 0);
	IS(cudaLaunchCooperativeKernel(rounds, 1 << 20, 1024, args),
		cudaErrorCooperativeLaunchTooLarge);
}

int
main()
{
	check_tiles<32>();
	check_tiles<16>();
	check_tiles<8>();
	check_tiles<4>();
	check_grid();
	return check_end();
}
