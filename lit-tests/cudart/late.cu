// A runtime within a library that is opened late is ours before any of its
// constructors has run.
// REQUIRES: nvcc
// RUN: nvcc -std=c++17 -arch=sm_80 -shared -Xcompiler -fPIC -I %S/Inputs %s -o %t.so
// RUN: nvcc -std=c++17 -arch=sm_80 -shared -Xcompiler -fPIC -cudart shared -I %S/Inputs %s -o %t.shared.so
// RUN: cp %t.so %t.two.so
// RUN: env LD_PRELOAD=$B/lib/libptxamd-preload.so LD_LIBRARY_PATH=$B/lib $B/test/cudart/open %t.so %t.two.so %t.shared.so 2>&1 | FileCheck %s
// CHECK-COUNT-6: run: 0
// CHECK-NOT: ptx-amd:
#include "check.h"

static __device__ int number = 5;

static __global__ void
count(int *p)
{
	p[threadIdx.x] = threadIdx.x + number;
}

// a constructor that has the device do something
static struct Early {
	int device = -1, devices = -1;
	void *p = 0;
	Early()
	{
		OK(cudaGetDeviceCount(&devices));
		OK(cudaGetDevice(&device));
		OK(cudaMalloc(&p, 16));
	}
} early;

extern "C" int
run()
{
	Device<int> d(32);
	float ms = -1;
	cudaEvent_t e;
	int bad = 0;

	TRUE(early.devices > 0 && early.device == 0 && early.p);
	count<<<dim3(1, 1, 1), 32>>>(d.p);
	OK(cudaGetLastError());
	auto v = d.get();
	for (int i = 0; i < 32; i++)
		bad += v[i] != i + 5;
	TRUE(bad == 0);
	OK(cudaEventCreate(&e));
	OK(cudaEventRecord(e));
	OK(cudaEventSynchronize(e));
	OK(cudaEventElapsedTime(&ms, e, e));
	TRUE(ms == 0);
	OK(cudaEventDestroy(e));
	OK(cudaFree(early.p));
	early.p = 0;
	OK(cudaMalloc(&early.p, 16));
	return check_end();
}

// A stripped one is named, once.
// RUN: strip -o %t.stripped.so %t.so
// RUN: (env LD_PRELOAD=$B/lib/libptxamd-preload.so $B/test/cudart/open %t.stripped.so || true) 2>&1 | FileCheck --check-prefix=STRIPPED %s
// STRIPPED: ptx-amd: {{.*}}.stripped.so: its CUDA runtime cannot be taken over, since it has no symbols
// STRIPPED-NOT: ptx-amd:
// And one that leaves the runtime to others is not meant.
// RUN: nvcc -arch=sm_80 -shared -Xcompiler -fPIC -cudart none -I %S/Inputs %s -o %t.none.so
// RUN: strip %t.none.so
// RUN: (env LD_PRELOAD=$B/lib/libptxamd-preload.so $B/test/cudart/open %t.none.so || true) 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-NOT: ptx-amd:
// NONE: open: {{.*}}undefined symbol
