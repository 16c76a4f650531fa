// half, bfloat16 and fp8 arithmetic
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}half{{.*}}.kd
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void
half_work(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_fp8_e4m3 *q)
{
	int i = threadIdx.x;
	__half2 v = __hfma2(h2[i], h2[i + 1], __float2half2_rn(0.5f));

	h2[i] = __hmax2(h2sqrt(v), __hneg2(v));
	h[i] = hexp(h[i]) / (h[i + 1] + __half(1)) - hlog2(h[i]);
#if __CUDA_ARCH__ >= 800
	b[i] = __hfma(b[i], b[i + 1], __float2bfloat16(2.f));
	if (__hgt(b[i], b[i + 1]))
		b[i] = hrsqrt(b[i]);
#else
	b[i] = __float2bfloat16(__bfloat162float(b[i + 1]) * 2);
#endif
	q[i] = __nv_fp8_e4m3((float)q[i] * __half2float(h[i]));
	atomicAdd(h2, v);
}
