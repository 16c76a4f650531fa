// Half, bfloat16, their pairs, and matrices of a warp.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <class T> __global__ void
arithmetic(T *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	T a = T(in[i]), b = T(in[(i + 1) % n]);
	out[i] = a * b + T(1.0f);
	out[i + n] = __hfma(a, b, a) - b;
	out[i + 2 * n] = a < b ? __hmax(a, b) : __hmin(a, b);
	atomicAdd(out + 3 * n, T(1.0f));
}

__global__ void
pairs(__half2 *out, const float2 *in)
{
	__half2 v = __float22half2_rn(in[threadIdx.x]);

	out[threadIdx.x] = __hadd2(__hmul2(v, v), __lowhigh2highlow(v));
}

__global__ void
matrices(float *c, const half *a, const half *b)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;

	wmma::fill_fragment(fc, 1.0f);
	for (int k = 0; k < 64; k += 16) {
		wmma::load_matrix_sync(fa, a + k, 64);
		wmma::load_matrix_sync(fb, b + k, 64);
		wmma::mma_sync(fc, fa, fb, fc);
	}
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

template <class T> static void
check_arithmetic()
{
	const int n = 64;
	std::vector<float> in(n);
	int bad = 0;

	for (int i = 0; i < n; i++)
		in[i] = (i % 16 - 5) * 0.5f;
	Device<float> d(in);
	Device<T> out(3 * n + 2);
	arithmetic<T><<<2, 32>>>(out.p, d.p, n);
	auto v = out.get();
	for (int i = 0; i < n; i++) {
		float a = in[i], b = in[(i + 1) % n];

		bad += float(v[i]) != a * b + 1;
		bad += float(v[i + n]) != a * b + a - b;
		bad += float(v[i + 2 * n]) != b;
	}
	TRUE(bad == 0);
	TRUE(float(v[3 * n]) == n);
}

static void
check_matrices()
{
	std::vector<half> a(16 * 64), b(16 * 64);
	int bad = 0;

	for (int i = 0; i < 16 * 64; i++) {
		a[i] = half(float(i % 7 - 3));
		b[i] = half(float(i % 5 - 2));
	}
	Device<half> da(a), db(b);
	Device<float> dc(256);
	matrices<<<1, 32>>>(dc.p, da.p, db.p);
	auto c = dc.get();
	for (int i = 0; i < 256; i++) {
		float want = 1;

		for (int k = 0; k < 64; k++)
			want += float(a[i / 16 * 64 + k]) *
				float(b[i % 16 * 64 + k]);
		bad += c[i] != want;
	}
	TRUE(bad == 0);
}

int
main()
{
	check_arithmetic<__half>();
	check_arithmetic<__nv_bfloat16>();
	std::vector<float2> in(32);
	for (int i = 0; i < 32; i++)
		in[i] = make_float2(i * 0.25f, -(i % 8));
	Device<float2> d(in);
	Device<__half2> out(32);
	pairs<<<1, 32>>>(out.p, d.p);
	auto v = out.get();
	int bad = 0;
	for (int i = 0; i < 32; i++) {
		float2 g = __half22float2(v[i]), w = in[i];

		bad += g.x != w.x * w.x + w.y || g.y != w.y * w.y + w.x;
	}
	TRUE(bad == 0);
	check_matrices();
	return check_end();
}
