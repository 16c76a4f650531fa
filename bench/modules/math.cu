/* the single and double precision functions of the math library, and
 * matrix products on tensor cores */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#define APPLY(type, f) \
	__global__ void f##_##type(type *x, int n) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < n) \
			x[i] = f(x[i]); \
	}
#define BOTH(f) APPLY(float, f) APPLY(double, f)

BOTH(sin) BOTH(cos) BOTH(tan) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(sinh)
BOTH(cosh) BOTH(tanh) BOTH(asinh) BOTH(acosh) BOTH(atanh) BOTH(exp) BOTH(exp2)
BOTH(exp10) BOTH(expm1) BOTH(log) BOTH(log2) BOTH(log10) BOTH(log1p) BOTH(sqrt)
BOTH(rsqrt) BOTH(cbrt) BOTH(erf) BOTH(erfc) BOTH(erfinv) BOTH(tgamma)
BOTH(lgamma) BOTH(j0) BOTH(j1) BOTH(y0) BOTH(y1) BOTH(normcdf) BOTH(sinpi)

template <typename T> __device__ void
product(const T *a, const T *b, float *c)
{
	using namespace nvcuda;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;

	wmma::fill_fragment(fc, 0.f);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__global__ void
product_half(const __half *a, const __half *b, float *c)
{
	product(a, b, c);
}

__global__ void
product_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c)
{
	product(a, b, c);
}
