// virtual functions, function pointers, recursion, switches, templates
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}run{{.*}}.kd
struct shape {
	virtual __device__ float area() const = 0;
};
struct square : shape {
	float a;
	__device__ square(float x) : a(x) {}
	__device__ float area() const override { return a * a; }
};
struct disc : shape {
	float r;
	__device__ disc(float x) : r(x) {}
	__device__ float area() const override { return 3.14159f * r * r; }
};
__device__ __noinline__ int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int sub(int a, int b) { return a - b; }
__device__ int (*const op[2])(int, int) = { add, sub };
template <int N> __device__ __noinline__ long long
power(long long x)
{
	return N ? x * power<N - 1>(x) : 1;
}
template <> __device__ __noinline__ long long
power<0>(long long)
{
	return 1;
}

__global__ void
run(float *f, int *v, long long *w, int n)
{
	int i = threadIdx.x;
	square s(f[i]);
	disc d(f[i]);
	const shape *p = i & 1 ? (const shape *)&s : (const shape *)&d;

	f[i] = p->area();
	switch (v[i] % 9) {
	case 0: v[i] = fib(n); break;
	case 1: v[i] = n * 3; break;
	case 2: v[i] ^= n; break;
	case 3: v[i] = __popc(n); break;
	case 4: v[i] = op[n & 1](i, n); break;
	case 5: v[i] = n / (i + 1); break;
	case 6: v[i] = min(n, i); break;
	case 7: return;
	default: v[i] = ~n;
	}
	w[i] = power<5>(w[i]);
}
