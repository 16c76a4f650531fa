/* every generator of the device library, every distribution */
#include <curand_kernel.h>

template <typename S> __device__ void
draw(S *s, float *f, double *d)
{
	f[0] = curand_uniform(s);
	f[1] = curand_normal(s);
	f[2] = curand_log_normal(s, 0, 1);
	d[0] = curand_uniform_double(s);
	d[1] = curand_normal_double(s);
	f[3] = curand_poisson(s, 20.5);
}

#define GENERATOR(name, state) \
	__global__ void name(state *s, float *f, double *d, int seed) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		state own; \
		curand_init(seed, i, 0, &own); \
		draw(&own, f + 4 * i, d + 2 * i); \
		s[i] = own; \
	}

GENERATOR(philox, curandStatePhilox4_32_10_t)
GENERATOR(xorwow, curandStateXORWOW_t)
GENERATOR(mrg, curandStateMRG32k3a_t)
