// The standard library of the device: tuples, arrays, optionals, complex
// numbers, chrono, atomics with orders, a semaphore.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/utility>

using Result = cuda::std::tuple<int, double, cuda::std::array<short, 3>>;

__device__ cuda::std::optional<int>
half_of(int n)
{
	if (n % 2)
		return {};
	return n / 2;
}

__global__ void
compute(Result *r, cuda::std::complex<double> *c)
{
	int i = threadIdx.x;

	r[i] = cuda::std::make_tuple(half_of(i).value_or(-1), i * 0.5,
		cuda::std::array<short, 3>{ short(i), 7, short(-i) });
	c[i] = cuda::std::complex<double>(i, 1) *
		cuda::std::complex<double>(0, 2);
}

// messages from one block to the other by release and acquire
__global__ void
pass(cuda::atomic<int, cuda::thread_scope_device> *turn, int *box, int *got,
	int n)
{
	int me = blockIdx.x;

	if (threadIdx.x)
		return;
	for (int i = 0; i < n; i++) {
		while (turn->load(cuda::memory_order_acquire) != 2 * i + me)
			;
		if (me == 0)
			*box = i * i;
		else
			got[i] = *box;
		turn->store(2 * i + me + 1, cuda::memory_order_release);
	}
}

__global__ void
guarded(cuda::binary_semaphore<cuda::thread_scope_device> *s, int *n)
{
	if (threadIdx.x)
		return;
	s->acquire();
	*(volatile int *)n = *(volatile int *)n + 1;
	s->release();
}

__global__ void
open_gate(cuda::binary_semaphore<cuda::thread_scope_device> *s)
{
	new (s) cuda::binary_semaphore<cuda::thread_scope_device>(1);
}

int
main()
{
	const int n = sized(40, 5);
	Device<Result> r(32);
	Device<cuda::std::complex<double>> c(32);
	Device<int> words(2), got(n);
	int bad = 0;

	compute<<<1, 32>>>(r.p, c.p);
	auto v = r.get();
	auto z = c.get();
	for (int i = 0; i < 32; i++) {
		bad += cuda::std::get<0>(v[i]) != (i % 2 ? -1 : i / 2);
		bad += cuda::std::get<1>(v[i]) != i * 0.5;
		bad += cuda::std::get<2>(v[i])[2] != -i;
		bad += z[i].real() != -2 || z[i].imag() != 2 * i;
	}
	TRUE(bad == 0);
	pass<<<2, 32>>>((cuda::atomic<int, cuda::thread_scope_device> *)
		words.p, words.p + 1, got.p, n);
	auto g = got.get();
	for (int i = 0; i < n; i++)
		bad += g[i] != i * i;
	TRUE(bad == 0);
	Device<cuda::binary_semaphore<cuda::thread_scope_device>> s(1);
	Device<int> k(1);
	open_gate<<<1, 1>>>(s.p);
	guarded<<<20, 32>>>(s.p, k.p);
	TRUE(k.get()[0] == 20);
	return check_end();
}
