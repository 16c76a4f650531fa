// PTX within C++, cached loads, launch bounds, the machine's own functions.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

__device__ unsigned
lane()
{
	unsigned v;

	asm("mov.u32 %0, %%laneid;" : "=r"(v));
	return v;
}

// 128-bit addition by carries
__global__ void
carry(unsigned long long *v)
{
	unsigned long long lo, hi;
	int t = threadIdx.x * 4;

	asm("add.cc.u64 %0, %2, %4;\n\t"
	    "addc.u64 %1, %3, %5;"
	    : "=l"(lo), "=l"(hi)
	    : "l"(v[t]), "l"(v[t + 1]), "l"(v[t + 2]), "l"(v[t + 3]));
	v[t] = lo;
	v[t + 1] = hi;
}

// a loop with a label and a predicate of its own
__global__ void
collatz(const int *in, int *out)
{
	int n = __ldg(in + threadIdx.x), steps;

	asm volatile("{\n\t"
	    ".reg .pred p, q;\n\t"
	    ".reg .b32 x, bit;\n\t"
	    "mov.b32 x, %1;\n\t"
	    "mov.b32 %0, 0;\n"
	    "$again%=:\n\t"
	    "setp.le.s32 p, x, 1;\n\t"
	    "@p bra $done%=;\n\t"
	    "and.b32 bit, x, 1;\n\t"
	    "setp.ne.b32 q, bit, 0;\n\t"
	    "@q mad.lo.s32 x, x, 3, 1;\n\t"
	    "@!q shr.s32 x, x, 1;\n\t"
	    "add.s32 %0, %0, 1;\n\t"
	    "bra $again%=;\n"
	    "$done%=:\n\t"
	    "}" : "=&r"(steps) : "r"(n));
	out[threadIdx.x] = steps;
}

__global__ void __launch_bounds__(128, 2)
loads(const float4 *in, float4 *out, const unsigned char *__restrict__ b)
{
	int t = threadIdx.x;
	float4 v = __ldg(in + t), w;

	asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
	    : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w) : "l"(in + t));
	v.x += w.w;
	v.y += __ldcg(&in[t].z);
	v.z += __ldcs(&in[t].y);
	v.w += __ldg(b + t);
	__stwt(out + t, v);
}

__global__ void
bits(unsigned *out, unsigned x, unsigned y)
{
	int i = 0;

	out[i++] = __brev(x);
	out[i++] = __clz(x);
	out[i++] = __ffs(x);
	out[i++] = __popc(x);
	out[i++] = __byte_perm(x, y, 0x7250);
	out[i++] = __funnelshift_l(x, y, 8);
	out[i++] = __funnelshift_r(x, y, 4);
	out[i++] = __umulhi(x, y);
	out[i++] = __usad(x, y, 1);
	out[i++] = __uhadd(x, y);
	out[i++] = __dp4a((int)x, (int)y, 5);
	out[i++] = __vadd4(x, y);
	out[i++] = __vmaxu2(x, y);
	out[i++] = __float_as_uint(__uint_as_float(x) * 2);
	out[i++] = __float2int_rn(2.5f) * 100 + __float2int_ru(2.1f) * 10 +
		__double2int_rz(-2.9);
	out[i++] = lane() + __popcll(~0ull) + __clzll(1);
	out[i++] = clock64() > 0;
	out[i++] = __isGlobal(out);
}

int
main()
{
	Device<unsigned long long> c({ ~0ull, 1, 1, 2, 5, 6, 7, 8 });
	carry<<<1, 2>>>(c.p);
	auto v = c.get();
	TRUE(v[0] == 0 && v[1] == 4 && v[4] == 12 && v[5] == 14);

	Device<int> in({ 1, 2, 3, 27, 97, 7, 8, 9 }), steps(8);
	collatz<<<1, 8>>>(in.p, steps.p);
	TRUE(steps.get() == std::vector<int>{ 0, 1, 7, 111, 118, 16, 3, 19 });

	std::vector<float4> f(128);
	std::vector<unsigned char> b(128);
	int bad = 0;
	for (int i = 0; i < 128; i++) {
		f[i] = make_float4(i, i + 1, i + 2, i + 3);
		b[i] = 255 - i;
	}
	Device<float4> df(f), dg(128);
	Device<unsigned char> db(b);
	loads<<<1, 128>>>(df.p, dg.p, db.p);
	auto g = dg.get();
	for (int i = 0; i < 128; i++)
		bad += g[i].x != 2 * i + 3 || g[i].y != 2 * i + 3 ||
			g[i].z != 2 * i + 3 || g[i].w != 258;
	TRUE(bad == 0);
	loads<<<1, 129>>>(df.p, dg.p, db.p);
	IS(cudaGetLastError(), cudaErrorInvalidValue);

	Device<unsigned> d(18);
	bits<<<1, 1>>>(d.p, 0x3f800001, 0x80ff7f04);
	const std::vector<unsigned> want = {
		0x800001fc, 2, 1, 8,
		0x80807f01, 0xff7f043f, 0x43f80000, 0x1fff6001,
		0x417f7f04, 0x603fbf82, 0xffffe109, 0xbf7f7f05,
		0x80ff7f04, 0x40000001, 228, 127,
		1, 1
	};
	TRUE(d.get() == want);
	return check_end();
}
