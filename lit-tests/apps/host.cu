// printf, assert, malloc and free, trap
// REQUIRES: nvcc
// RUN: sh %S/through %s %t 2>%t.err | FileCheck %s
// CHECK-COUNT-8: {{.*}}host{{.*}}.kd
#include <cassert>
#include <cstdio>

__global__ void
host_calls(int *v, const char *name)
{
	int i = threadIdx.x;
	int *p = (int *)malloc(16);

	printf("%s: %d of %5.2f %c\n", name, v[i], v[i] * 0.5, 'x');
	assert(v[i] != 7);
	if (p) {
		p[i & 3] = v[i];
		v[i] = p[(i + 1) & 3];
		free(p);
	}
	if (v[i] < 0)
		__trap();
}
