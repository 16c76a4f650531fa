// Atomics of every type and scope.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cuda/atomic>

template <class T> struct Results {
	T add, sub, min, max, exch, cas;
};

template <class T> __global__ void
all(Results<T> *r, T *last)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T v = T(i), old, seen;

	atomicAdd(&r->add, v);
	atomicMin(&r->min, v);
	atomicMax(&r->max, v);
	atomicExch(&r->exch, v);
	seen = r->cas;
	do {
		old = seen;
		seen = atomicCAS(&r->cas, old, old + 2);
	} while (seen != old);
	last[i] = atomicAdd(&r->sub, T(1));
}

template <class T> __global__ void
bits(T *r)
{
	int i = threadIdx.x;

	atomicAnd(r, ~(T(1) << i));
	atomicOr(r + 1, T(1) << i);
	atomicXor(r + 2, T(1) << i | 1);
}

template <class T> __global__ void
floats(T *r)
{
	__shared__ T s;

	if (threadIdx.x == 0)
		s = 0;
	__syncthreads();
	atomicAdd(&s, T(0.5));
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(r, s);
	atomicAdd_system(r + 1, T(2));
	atomicAdd_block(r + 2 + blockIdx.x, T(1));
}

__global__ void
counters(unsigned *r)
{
	atomicInc(r, 9);
	atomicDec(r + 1, 6);
	atomicSub((int *)r + 2, 3);
}

// a lock of the library's
__global__ void
locked(int *lock, int *n)
{
	cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);

	if (threadIdx.x)
		return;
	while (l.exchange(1, cuda::memory_order_acquire))
		;
	*(volatile int *)n = *(volatile int *)n + 1;
	l.store(0, cuda::memory_order_release);
}

template <class T> static void
check_all()
{
	const int n = 1000;
	std::vector<Results<T>> v(1);
	std::vector<bool> seen(n);
	int bad = 0;

	v[0] = { 0, 0, T(500), T(500), 0, 0 };
	Device<Results<T>> r(v);
	Device<T> last(n);
	all<T><<<n / 100, 100>>>(r.p, last.p);
	auto got = r.get()[0];
	TRUE(got.add == T(n) * (n - 1) / 2);
	TRUE(got.min == 0 && got.max == n - 1 && got.sub == n);
	TRUE(got.exch < n && got.cas == 2 * n);
	for (T t : last.get()) {
		bad += t >= n || seen[t];
		seen[t % n] = true;
	}
	TRUE(bad == 0);
}

template <class T> static void
check_bits(int n)
{
	Device<T> r(std::vector<T>{ T(~T(0)), 0, 0 });
	T mask = 0;

	bits<T><<<1, n>>>(r.p);
	for (int i = 0; i < n; i++)
		mask |= T(1) << i;
	auto got = r.get();
	TRUE(got[0] == T(~mask) && got[1] == mask);
	TRUE(got[2] == ((mask & ~T(1)) | (n & 1)));
}

template <class T> static void
check_floats()
{
	Device<T> r(2 + 8);

	floats<T><<<8, 64>>>(r.p);
	auto got = r.get();
	TRUE(got[0] == 8 * 32 && got[1] == 8 * 128);
	TRUE(got[2] == 64 && got[9] == 64);
}

int
main()
{
	check_all<int>();
	check_all<unsigned>();
	check_all<unsigned long long>();
	check_bits<int>(31);
	check_bits<unsigned>(30);
	check_bits<unsigned long long>(61);
	check_floats<float>();
	check_floats<double>();
	Device<unsigned> c(3);
	counters<<<1, 25>>>(c.p);
	auto v = c.get();
	TRUE(v[0] == 5 && v[1] == 3 && (int)v[2] == -75);
	Device<int> l(2);
	locked<<<100, 32>>>(l.p, l.p + 1);
	TRUE(l.get()[1] == 100);
	return check_end();
}
