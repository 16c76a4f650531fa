// Virtual functions, pointers to functions, recursion, lambdas, argument packs.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t -extended-lambda
// RUN: sh %S/Inputs/devices %t
#include "check.h"

struct Shape {
	int id;
	__device__ Shape(int id) : id(id) {}
	virtual __device__ float area() const = 0;
	virtual __device__ int sides() const { return 0; }
	virtual __device__ ~Shape() {}
};
struct Square : Shape {
	float a;
	__device__ Square(int id, float a) : Shape(id), a(a) {}
	__device__ float area() const override { return a * a; }
	__device__ int sides() const override { return 4; }
};
struct Disc : Shape {
	float r;
	__device__ Disc(int id, float r) : Shape(id), r(r) {}
	__device__ float area() const override { return 3 * r * r; }
};
struct Room : Square {
	float h;
	__device__ Room(int id, float a, float h) : Square(id, a), h(h) {}
	__device__ float area() const override
	{
		return 2 * Square::area() + 4 * a * h;
	}
};

// objects live on after the kernel that made them
__global__ void
make(Shape **s, int n)
{
	int i = threadIdx.x;

	if (i >= n)
		return;
	switch (i % 3) {
	case 0: s[i] = new Square(i, i); break;
	case 1: s[i] = new Disc(i, i); break;
	case 2: s[i] = new Room(i, i, 2); break;
	}
}

__global__ void
measure(Shape **s, float *area, int *sides, int n)
{
	int i = threadIdx.x;

	if (i >= n)
		return;
	area[i] = s[n - 1 - i]->area();
	sides[i] = s[n - 1 - i]->sides();
	delete s[n - 1 - i];
}

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int sub(int a, int b) { return a - b; }
__device__ __noinline__ int mul(int a, int b) { return a * b; }
typedef int Operation(int, int);
__device__ Operation *const operations[] = { add, sub, mul };
__device__ Operation *chosen = sub;

__device__ int
ackermann(int m, int n)
{
	return !m ? n + 1 : ackermann(m - 1, !n ? 1 : ackermann(m, n - 1));
}

__device__ bool is_odd(int n);
__device__ __noinline__ bool is_even(int n) { return !n || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(int n) { return n && is_even(n - 1); }

__global__ void
call(int *out, Operation *given)
{
	int t = threadIdx.x;

	out[t] = operations[t % 3](t, 5);
	out[t + 32] = given(t, 7) + 1000 * chosen(t, 1);
	out[t + 64] = ackermann(2, t % 4);
	out[t + 96] = is_even(t);
}

template <class F> __global__ void
each(F f, int *out)
{
	out[threadIdx.x] = f(threadIdx.x);
}

template <class... T> __device__ double
total(T... v)
{
	return (0.0 + ... + double(v));
}

template <class... T> __global__ void
pack(double *out, T... v)
{
	out[threadIdx.x] = total(v...) + sizeof...(v);
}

static void
check_shapes()
{
	const int n = 60;
	Device<Shape *> s(n);
	Device<float> area(n);
	Device<int> sides(n);
	int bad = 0;

	make<<<1, 64>>>(s.p, n);
	measure<<<1, 64>>>(s.p, area.p, sides.p, n);
	auto a = area.get();
	auto k = sides.get();
	for (int i = 0; i < n; i++) {
		int j = n - 1 - i;

		bad += a[i] != (j % 3 == 0 ? j * j : j % 3 == 1 ? 3 * j * j :
			2 * j * j + 8 * j);
		bad += k[i] != (j % 3 == 1 ? 0 : 4);
	}
	TRUE(bad == 0);
}

static void
check_calls()
{
	Device<int> out(128);
	Operation *f;
	int bad = 0;

	OK(cudaMemcpyFromSymbol(&f, operations, sizeof f, 2 * sizeof f));
	call<<<1, 32>>>(out.p, f);
	auto v = out.get();
	for (int t = 0; t < 32; t++) {
		bad += v[t] != (t % 3 == 0 ? t + 5 : t % 3 == 1 ? t - 5 : t * 5);
		bad += v[t + 32] != t * 7 + 1000 * (t - 1);
		bad += v[t + 64] != 2 * (t % 4) + 3;
		bad += v[t + 96] != !(t & 1);
	}
	TRUE(bad == 0);
	// another function in its place
	OK(cudaMemcpyToSymbol(chosen, &f, sizeof f));
	call<<<1, 32>>>(out.p, f);
	TRUE(out.get()[32 + 5] == 5 * 7 + 5000);
}

int
main()
{
	Device<int> d(32);
	Device<double> e(8);
	int k = 3, bad = 0;

	check_shapes();
	check_calls();
	each<<<1, 32>>>([=] __device__ (int i) { return i * k + 1; }, d.p);
	auto v = d.get();
	for (int i = 0; i < 32; i++)
		bad += v[i] != 3 * i + 1;
	TRUE(bad == 0);
	pack<<<1, 8>>>(e.p, 1, 2.5f, 3.25, 'a', (short)-4, true, 1ull << 40);
	TRUE(e.get()[7] == 1 + 2.5 + 3.25 + 'a' - 4 + 1 + (1ull << 40) + 7);
	pack<<<1, 8>>>(e.p);
	TRUE(e.get()[0] == 0);
	return check_end();
}
