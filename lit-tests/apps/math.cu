// the math library in both precisions, integer intrinsics, conversions
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}math{{.*}}.kd
__global__ void
math(float *f, double *d, unsigned *u, long long *l)
{
	int i = threadIdx.x;
	float x = f[i];
	double y = d[i];

	f[i] = sinf(x) + expf(x) * logf(x) + powf(x, 2.5f) + tanhf(x)
		+ atan2f(x, 2) + erff(x) + fmodf(x, 3) + rsqrtf(x)
		+ cbrtf(x) + __fdividef(x, 3) + __expf(x) + floorf(x)
		+ __fmaf_rz(x, x, x) + __fadd_ru(x, 1) + __fsqrt_rd(x);
	d[i] = sin(y) + exp(y) + log(y) + pow(y, 1.5) + tgamma(y) + sqrt(y)
		+ __dadd_rz(y, 1) + __drcp_ru(y) + fma(y, y, y) + rint(y);
	u[i] = __brev(u[i]) + __clz(u[i]) + __ffs(u[i]) + __popc(u[i])
		+ __byte_perm(u[i], u[i + 1], 0x3210) + __umulhi(u[i], 77)
		+ __funnelshift_l(u[i], u[i + 1], 5) + __vadd2(u[i], u[i + 1])
		+ __vabsdiffs4(u[i], u[i + 1]) + __dp4a(u[i], 3u, 4u)
		+ __float2uint_rd(x) + __double2uint_rn(y);
	l[i] = __mul64hi(l[i], 12345) + l[i] / (i + 1) + l[i] % 17
		+ __float2ll_rz(x) + __double_as_longlong(y);
}
