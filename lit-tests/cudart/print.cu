// What kernels print, and memory that they allocate.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: env CHECK=%s sh %S/Inputs/devices %t
#include "check.h"

__global__ void
print(int n, double x, const char *s)
{
	printf("%s %d %5.2f %c %llx %%\n", s, n, x, 'c', 0x123456789abcull);
	printf("%-6s|%6s|%06d|%+d\n", "ab", "cd", n, n);
}

struct Node {
	int v;
	Node *next;
};

// a list a thread, of a length of its own
__global__ void
lists(int *out)
{
	Node *head = 0;
	int t = threadIdx.x, sum = 0;

	for (int i = 0; i <= t; i++) {
		Node *n = (Node *)malloc(sizeof *n);

		if (!n)
			return;
		n->v = i;
		n->next = head;
		head = n;
	}
	while (head) {
		Node *n = head;

		sum += n->v;
		head = n->next;
		free(n);
	}
	int *many = new int[10];
	many[9] = sum;
	out[t] = many[9];
	delete[] many;
}

__device__ const char word[] = "word";

int
main()
{
	Device<int> d(64);
	size_t heap;
	int bad = 0;

	// CHECK: word 42  2.50 c 123456789abc %
	// CHECK-NEXT: ab    |    cd|000042|+42
	char *s;
	OK(cudaGetSymbolAddress((void **)&s, word));
	print<<<1, 1>>>(42, 2.5, s);
	OK(cudaDeviceSynchronize());
	OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
	OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
	TRUE(heap >= 16 << 20);
	lists<<<1, 64>>>(d.p);
	auto v = d.get();
	for (int t = 0; t < 64; t++)
		bad += v[t] != t * (t + 1) / 2;
	TRUE(bad == 0);
	// CHECK: {{^[0-9]+}} checks, 0 wrong
	return check_end();
}
