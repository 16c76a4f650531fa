// printf in kernels: every conversion, flag, width and precision.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: env CHECK=%s sh %S/Inputs/devices %t
#include "check.h"

__global__ void
integers(int i, unsigned u, long long ll, short s)
{
	// CHECK: -7|   -7|-7   |-0007|007| 7|+7
	printf("%d|%5d|%-5d|%05d|%.3d|% d|%+d\n", i, i, i, i, -i, -i, -i);
	// CHECK-NEXT: 255|ff|FF|0xff|0XFF|377|0377|000000ff
	printf("%u|%x|%X|%#x|%#X|%o|%#o|%08x\n", u, u, u, u, u, u, u, u);
	// CHECK-NEXT: -81985529216486896|81985529216486896|fedcba9876543210
	printf("%lld|%llu|%llx\n", ll, -ll, (unsigned long long)ll);
	// CHECK-NEXT: -300|65236|-300
	printf("%hd|%hu|%i\n", s, s, s);
	// CHECK-NEXT: 18446744073709551615|-1
	printf("%lu|%ld\n", ~0ul, -1l);
}

__global__ void
reals(double x, float f)
{
	// CHECK-NEXT: 3.141593|3.14|  3.1|3.1  |+3.1416|0003.1|3
	printf("%f|%.2f|%5.1f|%-5.1f|%+.4f|%06.1f|%.0f\n", x, x, x, x, x, x,
		x);
	// CHECK-NEXT: 3.141593e+00|3.1E+00|3.14159|3.1|1e-10|1E+20|3.
	printf("%e|%.1E|%g|%.2g|%g|%G|%#.0f\n", x, x, x, x, 1e-10, 1e20, x);
	// CHECK-NEXT: 0x1.8p+1|-0X1P-2|inf|-INF|nan|1.500000
	printf("%a|%A|%f|%G|%f|%f\n", 3.0, -0.25, x * 1e308 * 10,
		-x * 1e308 * 10, __longlong_as_double(0x7ff8ll << 48), f);
}

__global__ void
others(const char *s, void *p)
{
	// CHECK-NEXT: text|  text|text  |te|x|    x|x    |%
	printf("%s|%6s|%-6s|%.2s|%c|%5c|%-5c|%%\n", s, s, s, s, 'x', 'x', 'x');
	// CHECK-NEXT: 0x1234|(nil)
	printf("%p|%p\n", p, (void *)0);
	// CHECK-NEXT: nothing to convert
	printf("nothing to convert\n");
	// CHECK-NEXT: 1 answers 5 10
	int n = printf("%d%s", 1, "");
	int none = printf("");
	printf(" answers %d %d\n", n + 3, none + 10);
}

// a warp's threads print together
__global__ void
many()
{
	printf("thread %d of block %d says %d\n", threadIdx.x, blockIdx.x,
		threadIdx.x * threadIdx.x);
}

__device__ const char text[] = "text";

int
main()
{
	char *s;

	OK(cudaGetSymbolAddress((void **)&s, text));
	integers<<<1, 1>>>(-7, 255, (long long)0xfedcba9876543210ull, -300);
	reals<<<1, 1>>>(3.14159265, 1.5f);
	others<<<1, 1>>>(s, (void *)0x1234);
	OK(cudaDeviceSynchronize());
	many<<<2, 33>>>();
	OK(cudaDeviceSynchronize());
	// CHECK-COUNT-66: {{^}}thread {{[0-9]+}} of block {{[01]}} says {{[0-9]+$}}
	// CHECK: {{^[0-9]+}} checks, 0 wrong
	return check_end();
}
