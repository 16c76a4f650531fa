// The functions of math.h, against the host's; roundings; special values.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

#define FLOATS(F) \
	F(sinf) F(cosf) F(tanf) F(asinf) F(acosf) F(atanf) F(sinhf) F(tanhf) \
	F(expf) F(exp2f) F(expm1f) F(logf) F(log2f) F(log1pf) F(sqrtf) \
	F(cbrtf) F(erff) F(tgammaf) F(lgammaf) F(floorf) F(roundf) F(truncf)
#define DOUBLES(F) \
	F(sin) F(cos) F(tan) F(atan) F(exp) F(log) F(log10) F(sqrt) F(cbrt) \
	F(erf) F(tgamma) F(cosh) F(asinh) F(rint)

enum {
#define F(f) K_##f,
	FLOATS(F) NFLOAT
#undef F
};
enum {
#define F(f) D_##f,
	DOUBLES(F) NDOUBLE
#undef F
};

__global__ void
floats(const float *x, float *out, int n)
{
	int i = threadIdx.x;

	switch (blockIdx.x) {
#define F(f) case K_##f: out[K_##f * n + i] = f(x[i]); break;
	FLOATS(F)
#undef F
	}
}

__global__ void
doubles(const double *x, double *out, int n)
{
	int i = threadIdx.x;

	switch (blockIdx.x) {
#define F(f) case D_##f: out[D_##f * n + i] = f(x[i]); break;
	DOUBLES(F)
#undef F
	}
}

__global__ void
others(float x, float y, double d, float *f, double *g, int *k)
{
	int e;

	f[0] = __fadd_rz(x, y);
	f[1] = __fmul_ru(x, y);
	f[2] = __fdiv_rd(x, y);
	f[3] = __fsqrt_rn(x);
	f[4] = fmodf(x * 100, y);
	f[5] = remainderf(x * 100, y);
	f[6] = frexpf(x * 1000, &e);
	f[7] = ldexpf(x, -140);
	f[8] = powf(x, y);
	f[9] = hypotf(x, y);
	f[10] = nextafterf(x, 10);
	f[11] = fmaf(x, x, -x * x);
	f[12] = __saturatef(x * 100);
	f[13] = copysignf(x, -0.0f);
	g[0] = __dadd_ru(d, 1e-30);
	g[1] = __dmul_rd(d, d);
	g[2] = __drcp_rn(d);
	g[3] = pow(d, -2.5);
	g[4] = fma(d, d, -d * d);
	g[5] = atan2(-d, -1.0);
	k[0] = e;
	k[1] = ilogb(d * 1e10);
	k[2] = isnan(x - x) + 2 * isinf(x / (y - y)) + 4 * signbit(-0.0f);
	k[3] = __float2int_rd(-2.5f) * 10 + __double2int_ru(2.1);
	k[4] = llrint(2.5) * 10 + lroundf(2.5f);
}

template <class T> static double
ulps(T got, T want)
{
	if (got == want || (got != got && want != want))
		return 0;
	T next = std::nextafter(std::fabs(want), T(INFINITY));

	return std::fabs(double(got) - double(want)) /
		double(next - std::fabs(want));
}

template <class T> static std::vector<T>
arguments(int n)
{
	std::vector<T> x(n);

	for (int i = 0; i < n; i++)
		x[i] = T(0.017 + i * 0.9 / n);
	return x;
}

static void
check_others()
{
	const float x = 1.7f, y = 3.3f;
	const double d = 2.3;
	Device<float> f(14);
	Device<double> g(6);
	Device<int> k(5);
	int e;

	others<<<1, 1>>>(x, y, d, f.p, g.p, k.p);
	auto v = f.get();
	auto w = g.get();
	TRUE(v[0] == nextafterf(x + y, 0) || v[0] == x + y);
	TRUE(double(v[1]) >= double(x) * y && ulps(v[1], x * y) <= 1);
	TRUE(double(v[2]) <= double(x) / y && ulps(v[2], x / y) <= 1);
	TRUE(v[3] == sqrtf(x) && v[4] == fmodf(x * 100, y));
	TRUE(v[5] == remainderf(x * 100, y) && v[6] == frexpf(x * 1000, &e));
	TRUE(v[7] == ldexpf(x, -140) && v[8] != 0);
	TRUE(ulps(v[8], powf(x, y)) <= 9 && ulps(v[9], hypotf(x, y)) <= 3);
	TRUE(v[10] == nextafterf(x, 10) && v[11] == fmaf(x, x, -(x * x)));
	TRUE(v[12] == 1 && v[13] == -x);
	TRUE(w[0] == nextafter(d, 9.0) && w[1] <= d * d);
	TRUE(ulps(w[2], 1 / d) <= 1 && ulps(w[3], pow(d, -2.5)) <= 2);
	TRUE(w[4] == fma(d, d, -(d * d)) && ulps(w[5], atan2(-d, -1)) <= 2);
	TRUE(k.get() == std::vector<int>{ e, ilogb(d * 1e10), 2 + 4,
		-30 + 3, 20 + 3 });
}

int
main()
{
	const int n = sized(256, 64);
	auto x = arguments<float>(n);
	auto y = arguments<double>(n);
	Device<float> dx(x), df(NFLOAT * n);
	Device<double> dy(y), dd(NDOUBLE * n);
	double worst;

	floats<<<NFLOAT, n>>>(dx.p, df.p, n);
	OK(cudaGetLastError());
	auto f = df.get();
	// the limits are those of NVIDIA's manual, and the host's own error
#define F(fn) worst = 0; \
	for (int i = 0; i < n; i++) \
		worst = fmax(worst, ulps(f[K_##fn * n + i], fn(x[i]))); \
	check(worst <= (K_##fn == K_lgammaf ? 40 : 8), #fn, __LINE__, "far");
	FLOATS(F)
#undef F
	doubles<<<NDOUBLE, n>>>(dy.p, dd.p, n);
	OK(cudaGetLastError());
	auto d = dd.get();
#define F(fn) worst = 0; \
	for (int i = 0; i < n; i++) \
		worst = fmax(worst, ulps(d[D_##fn * n + i], fn(y[i]))); \
	check(worst <= 12, #fn, __LINE__, "far");
	DOUBLES(F)
#undef F
	check_others();
	return check_end();
}
