// A prefix sum in one pass: blocks take turns by a ticket and look back at
// what the ones before have published.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <numeric>

enum { BLOCK = 128, EACH = 4, TILE = BLOCK * EACH };
enum { NOTHING, SUM, PREFIX };

struct alignas(8) State {
	int value, kind;
};

__device__ int ticket;

__device__ State
look(const State *s)
{
	unsigned long long v = *(const volatile unsigned long long *)s;

	return { (int)v, (int)(v >> 32) };
}

__device__ void
publish(State *s, int value, int kind)
{
	*(volatile unsigned long long *)s = (unsigned)value |
		(unsigned long long)kind << 32;
}

__device__ int
warp_scan(int v)
{
	for (int k = 1; k < 32; k *= 2) {
		int other = __shfl_up_sync(~0u, v, k);

		if (threadIdx.x % 32 >= k)
			v += other;
	}
	return v;
}

// the sum before the thread's; all gets the block's
__device__ int
block_scan(int v, int *all)
{
	__shared__ int warps[BLOCK / 32];
	int t = threadIdx.x, sum = warp_scan(v), before = 0;

	if (t % 32 == 31)
		warps[t / 32] = sum;
	__syncthreads();
	*all = 0;
	for (int w = 0; w < BLOCK / 32; w++) {
		before += w < t / 32 ? warps[w] : 0;
		*all += warps[w];
	}
	return before + sum - v;
}

__global__ void
scan(const int *in, int *out, int n, State *state)
{
	__shared__ int tile, before;
	int v[EACH], sum = 0, all;

	if (threadIdx.x == 0)
		tile = atomicAdd(&ticket, 1);
	__syncthreads();
	int at = tile * TILE + threadIdx.x * EACH;
	for (int k = 0; k < EACH; k++)
		sum += v[k] = at + k < n ? in[at + k] : 0;
	int mine = block_scan(sum, &all);
	if (threadIdx.x == 0) {
		int b = 0;

		publish(state + tile, all, tile ? SUM : PREFIX);
		__threadfence();
		for (int t = tile - 1; t >= 0; ) {
			State s = look(state + t);

			if (s.kind == NOTHING)
				continue;
			b += s.value;
			t = s.kind == PREFIX ? -1 : t - 1;
		}
		publish(state + tile, b + all, PREFIX);
		before = b;
	}
	__syncthreads();
	mine += before;
	for (int k = 0; k < EACH; k++) {
		mine += v[k];
		if (at + k < n)
			out[at + k] = mine;
	}
}

int
main()
{
	for (int n : { 1, int(TILE), TILE + 1, sized(100000, 6000) }) {
		int tiles = (n + TILE - 1) / TILE, zero = 0;
		std::vector<int> v(n), want(n);
		Device<State> state(tiles);

		for (int i = 0; i < n; i++)
			v[i] = (i * 13) % 101 - 40;
		std::partial_sum(v.begin(), v.end(), want.begin());
		Device<int> in(v), out(n);
		OK(cudaMemcpyToSymbol(ticket, &zero, sizeof zero));
		scan<<<tiles, BLOCK>>>(in.p, out.p, n, state.p);
		TRUE(out.get() == want);
	}
	return check_end();
}
