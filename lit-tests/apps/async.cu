// asynchronous copies, barriers in shared memory, tensor cores, clocks
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-16: {{.*}}.kd
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <mma.h>

__global__ void
tensor(const half *a, const half *b, float *c)
{
	using namespace nvcuda;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;

	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::fill_fragment(fc, 0.f);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__global__ void
copy(const int4 *in, int4 *out, long long *t)
{
	__shared__ int4 buf[256];
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;

	if (!threadIdx.x)
		init(&bar, blockDim.x);
	__syncthreads();
	__pipeline_memcpy_async(&buf[threadIdx.x], &in[threadIdx.x],
		sizeof *buf);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	bar.arrive_and_wait();
	out[threadIdx.x] = buf[threadIdx.x ^ 1];
	t[threadIdx.x] = clock64();
	__nanosleep(100);
}
