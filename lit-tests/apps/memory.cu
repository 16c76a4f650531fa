// constant, managed, shared, dynamic shared, local arrays, unaligned structs
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}work{{.*}}.kd
__constant__ float table[64] = { 1, 2, 3 };
__managed__ int counter;
__device__ int global[4] = { 1, 2, 3, 4 };
__device__ int *pointer = &global[2];
struct __align__(4) mixed { char c; short s; int i; char tail[3]; };

__global__ void
work(mixed *m, double *out, int n)
{
	extern __shared__ char raw[];
	__shared__ mixed copy[32];
	double *d = (double *)raw;
	int local[20], i = threadIdx.x;

	for (int k = 0; k < 20; k++)
		local[k] = m[k].i * k;
	copy[i % 32] = m[i];
	d[i] = table[i % 64] + local[(n + i) % 20] + *pointer;
	__syncthreads();
	out[i] = d[i ^ 1] + copy[(i + 1) % 32].s + global[i & 3];
	atomicAdd(&counter, (int)m[i].tail[1]);
}
