// Fourier transforms in shared memory: complex numbers, sincospi, both ways.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <complex>
#include <cuComplex.h>
#include <type_traits>

template <class T> using Pair = std::conditional_t<sizeof(T) == 4,
	float2, double2>;

__device__ void sincos_of(float x, float *s, float *c) { sincospif(x, s, c); }
__device__ void sincos_of(double x, double *s, double *c) { sincospi(x, s, c); }

// N numbers a block, N/2 threads
template <class T, int N> __global__ void
transform(Pair<T> *data, T sign)
{
	__shared__ Pair<T> s[N];
	int t = threadIdx.x, bits = 31 - __clz(N);
	Pair<T> *d = data + blockIdx.x * N;

	for (int i = t; i < N; i += N / 2)
		s[__brev(i) >> (32 - bits)] = d[i];
	__syncthreads();
	for (int half = 1; half < N; half *= 2) {
		int k = t % half, i = t / half * half * 2 + k;
		Pair<T> a = s[i], b = s[i + half], w, v;

		sincos_of(sign * T(k) / T(half), &w.y, &w.x);
		v.x = b.x * w.x - b.y * w.y;
		v.y = b.x * w.y + b.y * w.x;
		s[i] = { a.x + v.x, a.y + v.y };
		s[i + half] = { a.x - v.x, a.y - v.y };
		__syncthreads();
	}
	for (int i = t; i < N; i += N / 2)
		d[i] = s[i];
}

__global__ void
multiply(cuDoubleComplex *p, cuDoubleComplex by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] = cuCadd(cuCmul(p[i], by), cuCdiv(cuConj(p[i]), by));
}

template <class T, int N> static void
run(int batch, double limit)
{
	std::vector<Pair<T>> v(N * batch);
	double worst = 0, back = 0;

	for (int i = 0; i < N * batch; i++)
		v[i] = { T(i % 17 - 8), T(i * i % 13 - 6) };
	Device<Pair<T>> d(v);
	transform<T, N><<<batch, N / 2>>>(d.p, T(-1));
	OK(cudaGetLastError());
	auto f = d.get();
	for (int k = 0; k < N; k += N / 8) {
		std::complex<double> sum = 0;

		for (int i = 0; i < N; i++)
			sum += std::complex<double>(v[i].x, v[i].y) *
				std::polar(1.0, -2 * M_PI * (i * k % N) / N);
		worst = fmax(worst, std::abs(sum -
			std::complex<double>(f[k].x, f[k].y)));
	}
	TRUE(worst < limit);
	transform<T, N><<<batch, N / 2>>>(d.p, T(1));
	auto g = d.get();
	for (int i = 0; i < N * batch; i++)
		back = fmax(back, hypot(g[i].x / N - v[i].x, g[i].y / N -
			v[i].y));
	TRUE(back < limit);
}

int
main()
{
	const int n = 40;
	std::vector<cuDoubleComplex> v(n);
	int bad = 0;

	run<float, 64>(3, 1e-3);
	run<double, 256>(sized(4, 1), 1e-10);
	for (int i = 0; i < n; i++)
		v[i] = make_cuDoubleComplex(i, -2 * i);
	Device<cuDoubleComplex> d(v);
	multiply<<<2, 32>>>(d.p, make_cuDoubleComplex(0, 2), n);
	auto w = d.get();
	for (int i = 0; i < n; i++)
		bad += fabs(w[i].x - (4 * i + i)) > 1e-12 ||
			fabs(w[i].y - (2 * i - i * 0.5)) > 1e-12;
	TRUE(bad == 0);
	return check_end();
}
