// A breadth-first search: one level a launch, its size read back by the host.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <queue>

struct Graph {
	const int *first, *edge;
	int *distance;
};

// a graph is an argument by value; the queue's end is claimed by a warp's
// threads together
__global__ void
level(Graph g, const int *in, int n, int *out, int *count, int depth)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += gridDim.x * blockDim.x) {
		int v = in[i];

		for (int e = g.first[v]; e < g.first[v + 1]; e++) {
			int w = g.edge[e];

			if (atomicCAS(&g.distance[w], -1, depth) != -1)
				continue;
			unsigned mask = __activemask();
			int lane = threadIdx.x % 32, leader = __ffs(mask) - 1;
			int at = 0;
			if (lane == leader)
				at = atomicAdd(count, __popc(mask));
			at = __shfl_sync(mask, at, leader);
			out[at + __popc(mask & ((1u << lane) - 1))] = w;
		}
	}
}

int
main()
{
	const int n = sized(5000, 600);
	std::vector<int> first(n + 1), edge, want(n, -1), distance(n, -1);
	unsigned seed = 7;

	for (int v = 0; v < n; v++) {
		first[v] = edge.size();
		for (unsigned k = (seed >> 10) % 5; k-- > 0; ) {
			seed = seed * 1664525 + 1013904223;
			edge.push_back((seed >> 8) % n);
		}
		edge.push_back((v + 1) % n);
		seed = seed * 1664525 + 1013904223;
	}
	first[n] = edge.size();
	std::queue<int> q({ 0 });
	want[0] = 0;
	for (; !q.empty(); q.pop())
		for (int e = first[q.front()]; e < first[q.front() + 1]; e++)
			if (want[edge[e]] < 0) {
				want[edge[e]] = want[q.front()] + 1;
				q.push(edge[e]);
			}

	distance[0] = 0;
	Device<int> f(first), e(edge), d(distance), a(n), b(n), count(1);
	int size = 1, depth = 0;
	for (Device<int> *in = &a, *out = &b; size; std::swap(in, out)) {
		OK(cudaMemset(count.p, 0, sizeof(int)));
		level<<<(size + 63) / 64, 64>>>({ f.p, e.p, d.p }, in->p,
			size, out->p, count.p, ++depth);
		OK(cudaMemcpy(&size, count.p, sizeof size,
			cudaMemcpyDeviceToHost));
		if (depth > n)
			break;
	}
	TRUE(d.get() == want);
	return check_end();
}
