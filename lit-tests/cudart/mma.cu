// Products of a warp: wmma and mma.sync of every kind that sm_80 has.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <class T, class C, int M, int N, int K, class A, class B,
	class F = T> __global__ void
product(C *c, const T *a, const T *b)
{
	wmma::fragment<wmma::matrix_a, M, N, K, F, A> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, F, B> fb;
	wmma::fragment<wmma::accumulator, M, N, K, C> fc;
	const bool a_rows = std::is_same<A, wmma::row_major>::value;
	const bool b_rows = std::is_same<B, wmma::row_major>::value;

	wmma::fill_fragment(fc, C(2));
	wmma::load_matrix_sync(fa, a, a_rows ? K : M);
	wmma::load_matrix_sync(fb, b, b_rows ? N : K);
	wmma::mma_sync(fc, fa, fb, fc);
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] = fc.x[i] + fc.x[i];
	wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

template <class T, class C, int M, int N, int K, bool a_rows, bool b_rows,
	class F = T> static void
run()
{
	using Row = wmma::row_major;
	using Col = wmma::col_major;
	std::vector<T> a(M * K), b(K * N);
	int bad = 0;

	for (int i = 0; i < M * K; i++)
		a[i] = T(float(i % 7 - 3));
	for (int i = 0; i < K * N; i++)
		b[i] = T(float(i * 3 % 5 - 2));
	Device<T> da(a), db(b);
	Device<C> dc(M * N);
	product<T, C, M, N, K, std::conditional_t<a_rows, Row, Col>,
		std::conditional_t<b_rows, Row, Col>, F><<<1, 32>>>(dc.p,
		da.p, db.p);
	OK(cudaGetLastError());
	auto c = dc.get();
	for (int y = 0; y < M; y++)
		for (int x = 0; x < N; x++) {
			double want = 2;

			for (int k = 0; k < K; k++)
				want += double(float(a[a_rows ? y * K + k :
					k * M + y])) * double(float(b[b_rows ?
					k * N + x : x * K + k]));
			bad += double(float(c[y * N + x])) != 2 * want;
		}
	TRUE(bad == 0);
}

// 8x8x4 of doubles; 16x8x32 of bytes, saturating
__global__ void
directly(double *d, int *e)
{
	int t = threadIdx.x, k;
	double a = t / 4 + 1, b = t % 4 + 1, c0 = 0.5, c1 = 0.25;
	unsigned v = 0x01010101u * (t % 4 + 1), w = 0x02020202u;
	int s[4] = { 0, 1, 2, 2147483600 };

	asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
	    "{%0, %1}, {%2}, {%3}, {%0, %1};"
	    : "+d"(c0), "+d"(c1) : "d"(a), "d"(b));
	d[t * 2] = c0;
	d[t * 2 + 1] = c1;
	asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32"
	    " {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
	    : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
	    : "r"(v), "r"(w));
	for (k = 0; k < 4; k++)
		e[t * 4 + k] = s[k];
}

int
main()
{
	Device<double> d(64);
	Device<int> e(128);
	int bad = 0;

	run<half, float, 16, 16, 16, true, false>();
	run<half, half, 16, 16, 16, false, true>();
	run<half, float, 32, 8, 16, true, true>();
	run<half, float, 8, 32, 16, false, false>();
	run<__nv_bfloat16, float, 16, 16, 16, true, true>();
	run<signed char, int, 16, 16, 16, true, false>();
	run<unsigned char, int, 8, 32, 16, true, false>();
	run<float, float, 16, 16, 8, true, false, wmma::precision::tf32>();
	run<double, double, 8, 8, 4, true, false>();
	directly<<<1, 32>>>(d.p, e.p);
	auto v = d.get();
	auto w = e.get();
	for (int t = 0; t < 32; t++) {
		// a's row times b's column: (1 + t/4) * (1 + 2 + 3 + 4)
		bad += v[t * 2] != (t / 4 + 1) * 10 + 0.5;
		bad += v[t * 2 + 1] != (t / 4 + 1) * 10 + 0.25;
		// a row of a: 8 of each of 1 to 4; b: 2
		for (int k = 0; k < 3; k++)
			bad += w[t * 4 + k] != 160 + k;
		bad += w[t * 4 + 3] != 2147483647;
	}
	TRUE(bad == 0);
	return check_end();
}
