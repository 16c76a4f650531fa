// shuffles, votes, matches, reductions, cooperative groups, named atomics
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}warp{{.*}}.kd
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void
warp(int *v, float *f, unsigned long long *w, double *d)
{
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	int i = block.thread_rank(), x = v[i];

	for (int k = 16; k; k >>= 1)
		x += __shfl_xor_sync(~0u, x, k);
	x += __shfl_up_sync(~0u, x, 3) + __shfl_down_sync(~0u, x, 5, 8);
	x ^= __ballot_sync(~0u, x & 1) + __any_sync(~0u, x > 3);
	x += __match_any_sync(~0u, x);
	if (x & 2) {
		cg::coalesced_group g = cg::coalesced_threads();
		x += g.size() + g.thread_rank() + g.shfl(x, 0);
	}
	v[i] = cg::reduce(tile, x, cg::plus<int>());
	block.sync();
	atomicMax(v, x);
	atomicCAS(w, w[1], (unsigned long long)x);
	atomicAdd(f, 1.5f);
	atomicAdd(d, 2.5);
	atomicInc((unsigned *)v + 1, 7);
	atomicExch(v + 2, x);
	if (__syncthreads_or(x > 5))
		v[3] = __syncthreads_count(x & 1);
	__threadfence_system();
}
