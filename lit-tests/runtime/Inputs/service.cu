/* service.cu - every conversion that the manual allows, and where it must not
 * go wrong; service.ptx is made from this by nvcc -arch=sm_70 -ptx. */
#include <cstdio>
#include <cassert>

extern "C" __global__ void
formats()
{
	const char *s = "text", *empty = "";
	short h = -3;
	long long big = 0x123456789abcdefLL;
	double d = 3.14159265358979, tiny = 1e-300;
	float f = 1.5f;

	printf("plain\n");
	printf("%%\n");
	printf("%d %i %u %x %X %o\n", -5, 6, 4000000000u, 255, 255, 8);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("[%#x] [%#o] [%#X]\n", 255, 8, 255);
	printf("[%.3d] [%8.3d] [%-8.3d]\n", 7, 7, 7);
	printf("%hd %hu\n", h, h);
	printf("%ld %lu %lx\n", -5L, 5UL, 255L);
	printf("%lld %llu %llx\n", big, big, big);
	printf("%zu\n", (size_t)7);
	printf("%f %e %g %a\n", d, d, d, d);
	printf("%F %E %G %A\n", d, d, d, d);
	printf("[%.2f] [%10.3f] [%-10.3f] [%+.1e] [%#.0f]\n", d, d, d, d, d);
	printf("%g %g %g %e\n", 1e10, 1e-5, 100000.0, tiny);
	printf("%f %f %f\n", f, 1.0 / 0.0 , -1.0 / 0.0);
	printf("%s|%10s|%-10s|%.2s|%s|\n", s, s, s, s, empty);
	printf("%c%c%c|%3c|%-3c|\n", 'a', 'b', 'c', 'd', 'e');
	printf("%p\n", (void *)0x1234);
	printf("%d %s %f %lld %c\n", 1, "two", 3.0, 4LL, '5');
	printf("%d\n", printf("inner\n"));
	printf("%d\n", printf("%d %d\n", 1, 2));
	printf("no newline");
	printf("\n%5%|\n");
	printf("%s\n", (const char *)0);
}

extern "C" __global__ void
threads()
{
	printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

extern "C" __global__ void
fail(int x)
{
	assert(x == threadIdx.x && "a message");
}

extern "C" __global__ void
heap(int *ok)
{
	int *p = (int *)malloc(100 * sizeof *p), *q;

	*ok = 0;
	if (!p)
		return;
	for (int i = 0; i < 100; i++)
		p[i] = i;
	q = (int *)malloc(8);
	for (int i = 0; i < 100; i++)
		*ok += p[i] == i;
	free(p);
	free(q);
	free(0);
	*ok += malloc((size_t)1 << 45) == 0;
}
