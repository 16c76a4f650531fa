// Random numbers of the device: the means are right, streams repeat.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <curand_kernel.h>

template <class S> __global__ void
draw(float *uniform, float *normal, unsigned *bits, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	S s;

	curand_init(1234, i, 0, &s);
	float u = 0, g = 0;
	for (int k = 0; k < n; k++) {
		u += curand_uniform(&s);
		g += curand_normal(&s);
	}
	uniform[i] = u / n;
	normal[i] = g / n;
	bits[i] = curand(&s);
}

template <class S> static void
run()
{
	const int n = 128;
	Device<float> u(n), g(n);
	Device<unsigned> b(n), again(n);
	double mean = 0, middle = 0;
	int equal = 0;

	int times = sized(200, 40);
	double near = sized(1, 3);

	draw<S><<<2, n / 2>>>(u.p, g.p, b.p, times);
	draw<S><<<4, n / 4>>>(u.p, g.p, again.p, times);
	OK(cudaDeviceSynchronize());
	for (float x : u.get())
		mean += x / n;
	for (float x : g.get())
		middle += x / n;
	TRUE(fabs(mean - 0.5) < 0.01 * near);
	TRUE(fabs(middle) < 0.03 * near);
	auto v = b.get();
	TRUE(v == again.get());
	for (int i = 1; i < n; i++)
		equal += v[i] == v[0];
	TRUE(equal == 0);
}

// known answers: Philox with a key and a counter of 0
__global__ void
philox(uint4 *out)
{
	curandStatePhilox4_32_10_t s;

	curand_init(0, 0, 0, &s);
	*out = curand4(&s);
}

int
main()
{
	run<curandStatePhilox4_32_10_t>();
	run<curandStateXORWOW_t>();
	run<curandStateMRG32k3a_t>();
	Device<uint4> d(1);
	philox<<<1, 1>>>(d.p);
	uint4 v = d.get()[0];
	TRUE(v.x == 0x6627e8d5u && v.y == 0xe169c58du && v.z == 0xbc57ac4cu
		&& v.w == 0x9b00dbd8u);
	return check_end();
}
