// Arguments: structures by value, up to 4 KiB, of every size and alignment;
// launches by structure, with attributes.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

struct Odd {
	char c;
	double d;
	short s[3];
	bool b;
	float3 f;
};
struct alignas(16) Wide {
	long long v[4];
	char last;
};
struct Empty {};
struct Bits {
	unsigned a : 3, b : 11, c : 18;
};
struct Big {
	unsigned v[990];
};

__global__ void
take(char a, Odd o, unsigned char b, Wide w, Empty, short c, int2 i, Bits bits,
	const Odd *p, double *out)
{
	int t = threadIdx.x;

	out[t] = a + o.c * 10 + o.d + o.s[t % 3] + o.b + o.f.z;
	out[t + 32] = b + w.v[t % 4] + w.last + c + i.x * i.y;
	out[t + 64] = bits.a + bits.b * 8 + bits.c * 0.5 + p->d;
}

// indexed by the thread, so that the argument has an address
__global__ void
big(Big b, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	b.v[i % 7] += 1;
	if (i < 990)
		out[i] = b.v[i] + b.v[989 - i];
}

__global__ void
many(int a, int b, int c, int d, int e, int f, int g, int h, float i, float j,
	double k, double l, char m, char n, long long o, long long p, int *out)
{
	*out = a + b * c - d * e + f * g - h + int(i * j + k * l) + m * n +
		int(o - p);
}

static void
check_take(const Odd &o)
{
	Wide w = { { 1, -2, 3ll << 40, 4 }, 'z' };
	Bits bits = { 5, 1234, 200001 };
	Device<Odd> p(std::vector<Odd>{ o });
	Device<double> out(96);
	int bad = 0;

	take<<<1, 32>>>('a', o, 200, w, Empty(), -300, make_int2(-6, 7), bits,
		p.p, out.p);
	OK(cudaGetLastError());
	auto v = out.get();
	for (int t = 0; t < 32; t++) {
		bad += v[t] != 'a' + o.c * 10 + o.d + o.s[t % 3] + o.b + o.f.z;
		bad += v[t + 32] != 200 + w.v[t % 4] + 'z' - 300 - 42;
		bad += v[t + 64] != 5 + 1234 * 8 + 200001 * 0.5 + o.d;
	}
	TRUE(bad == 0);
}

static void
check_big()
{
	Device<unsigned> out(990);
	Big b;
	int bad = 0;

	for (int i = 0; i < 990; i++)
		b.v[i] = i * i;
	big<<<8, 128>>>(b, out.p);
	OK(cudaGetLastError());
	auto v = out.get();
	for (int i = 0; i < 990; i++)
		bad += v[i] != i * i + (989 - i) * (989 - i) + (i == i % 7) +
			(989 - i == i % 7);
	TRUE(bad == 0);
}

static void
check_extended()
{
	cudaLaunchConfig_t c = {};
	cudaLaunchAttribute a[2] = {};
	cudaStream_t s;
	Device<int> out(1);

	OK(cudaStreamCreate(&s));
	c.gridDim = 1;
	c.blockDim = 1;
	c.stream = s;
	c.attrs = a;
	c.numAttrs = 2;
	a[0].id = cudaLaunchAttributePriority;
	a[0].val.priority = 0;
	a[1].id = cudaLaunchAttributeCooperative;
	a[1].val.cooperative = 1;
	OK(cudaLaunchKernelEx(&c, many, 1, 2, 3, 4, 5, 6, 7, 8, 1.5f, 2.0f,
		3.0, 4.0, (char)2, (char)-3, 1ll << 40, (1ll << 40) - 9,
		out.p));
	OK(cudaStreamSynchronize(s));
	TRUE(out.get()[0] == 1 + 6 - 20 + 42 - 8 + 15 - 6 + 9);
	OK(cudaStreamDestroy(s));
}

int
main()
{
	check_take({ 3, 2.25, { -1, 5, 9 }, true, { 1, 2, 3.5f } });
	check_big();
	check_extended();
	return check_end();
}
