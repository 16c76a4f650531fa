/* memory.c - allocations by address, page-locked, registered, managed. */
#include "check.h"
#include <sys/mman.h>

static CUdevice dev;

static void
simple(void)
{
	CUdeviceptr p, q, base;
	size_t size, pitch, f, t, before;

	OK(cuMemGetInfo_v2(&before, &t));
	TRUE(before && before <= t);
	OK(cuDeviceTotalMem_v2(&size, dev));
	IS(t, size);
	IS(cuMemAlloc_v2(&p, size + 1), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuMemAlloc_v2(&p, 64 << 20));
	OK(cuMemGetInfo_v2(&f, 0));
	TRUE(f < before);
	OK(cuMemAlloc_v2(&q, 1));
	OK(cuMemGetAddressRange_v2(&base, &size, p + (64 << 20) - 1));
	TRUE(base == p && size == 64 << 20);
	OK(cuMemGetAddressRange_v2(0, &size, q));
	IS(size, 1);
	IS(cuMemGetAddressRange_v2(&base, &size, q + 1), CUDA_ERROR_NOT_FOUND);
	IS(cuMemFree_v2(p + 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(p));
	IS(cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(q));
	OK(cuMemAllocPitch_v2(&p, &pitch, 1000, 3, 8));
	IS(pitch % 512, 0);
	OK(cuMemGetAddressRange_v2(0, &size, p));
	IS(size, pitch * 3);
	OK(cuMemFree_v2(p));
	IS(cuMemAllocPitch_v2(&p, &pitch, SIZE_MAX - 5, 3, 8),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAllocPitch_v2(&p, &pitch, (size_t)1 << 40, 1 << 30, 8),
		CUDA_ERROR_OUT_OF_MEMORY);
}

/* thousands of them, freed in any order; each address is found in the right
 * one */
static void
many(void)
{
	enum { N = 3000, STEPS = 60000 };
	static CUdeviceptr at[N];
	static size_t size[N];
	unsigned seed = 1, i, wrong = 0;

	for (i = 0; i < STEPS; i++) {
		unsigned k = (seed = seed * 1103515245 + 12345) >> 8 & 4095;
		CUdeviceptr base = 0;
		size_t n = 0;

		k %= N;
		if (!at[k]) {
			size[k] = (seed >> 4) % 5000 + 1;
			wrong += cuMemAlloc_v2(&at[k], size[k]) != 0;
			continue;
		}
		wrong += cuMemGetAddressRange_v2(&base, &n,
			at[k] + seed % size[k]) != 0;
		wrong += base != at[k] || n != size[k];
		if (seed & 1 << 20)
			continue;
		wrong += cuMemFree_v2(at[k]) != 0;
		at[k] = 0;
	}
	for (i = 0; i < N; i++)
		if (at[i])
			wrong += cuMemFree_v2(at[i]) != 0;
	IS(wrong, 0);
}

static void
page_locked(void)
{
	char *p, *q;
	CUdeviceptr d;
	unsigned flags;

	OK(cuMemHostAlloc((void **)&p, 10000, CU_MEMHOSTALLOC_PORTABLE
		| CU_MEMHOSTALLOC_WRITECOMBINED));
	p[0] = 1;
	p[9999] = 2;
	OK(cuMemHostGetFlags(&flags, p + 5));
	IS(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED
		| CU_MEMHOSTALLOC_DEVICEMAP);
	OK(cuMemHostGetDevicePointer_v2(&d, p + 5, 0));
	OK(cuMemAllocHost_v2((void **)&q, 1));
	TRUE(p != q);
	IS(cuMemHostUnregister(p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	IS(cuMemFree_v2(d - 5), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFreeHost(p));
	OK(cuMemFreeHost(q));
	IS(cuMemHostGetDevicePointer_v2(&d, p, 0), CUDA_ERROR_INVALID_VALUE);
}

static void
registered(void)
{
	char *p = malloc(100000), *gone;
	CUdeviceptr d, e, m;

	OK(cuMemAllocManaged(&m, 100, CU_MEM_ATTACH_GLOBAL));
	IS(cuMemHostRegister_v2((void *)(uintptr_t)m, 9, 0),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(m));
	OK(cuMemHostRegister_v2(p + 10, 50000, CU_MEMHOSTREGISTER_DEVICEMAP));
	OK(cuMemHostGetDevicePointer_v2(&d, p + 10, 0));
	OK(cuMemHostGetDevicePointer_v2(&e, p + 1010, 0));
	IS(e - d, 1000);
	IS(cuMemHostGetDevicePointer_v2(&e, p, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemHostRegister_v2(p, 100000, 0),
		CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	IS(cuMemHostRegister_v2(p, 11, 0),
		CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	IS(cuMemHostRegister_v2(p + 50009, 1, 0),
		CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	OK(cuMemHostRegister_v2(p + 50010, 1000, 0));
	OK(cuMemHostUnregister(p + 50010));
	OK(cuMemHostUnregister(p + 10));
	IS(cuMemHostUnregister(p + 10), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	OK(cuMemHostRegister(p, 100, CU_MEMHOSTREGISTER_READ_ONLY));
	OK(cuMemHostUnregister(p));
	IS(cuMemHostRegister_v2(p, 10, CU_MEMHOSTREGISTER_IOMEMORY),
		CUDA_ERROR_NOT_SUPPORTED);
	free(p);
	/* what is not there is not registered */
	gone = mmap(0, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(gone + 4096, (1 << 16) - 4096);
	IS(cuMemHostRegister_v2(gone, 1 << 16, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemHostRegister_v2((void *)8, 16, 0), CUDA_ERROR_INVALID_VALUE);
}

/* what a context leaves behind goes with it */
static void
ended(void)
{
	CUcontext c;
	CUdeviceptr p, m;
	size_t before, after;
	char own[64];
	void *h;

	OK(cuMemGetInfo_v2(&before, 0));
	OK(cuCtxCreate_v2(&c, 0, dev));
	OK(cuMemAlloc_v2(&p, 32 << 20));
	OK(cuMemAllocManaged(&m, 1 << 20, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemHostAlloc(&h, 1 << 20, 0));
	OK(cuMemHostRegister_v2(own, sizeof own, 0));
	OK(cuCtxDestroy_v2(c));
	IS(cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemFree_v2(m), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemFreeHost(h), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemHostUnregister(own), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	OK(cuMemGetInfo_v2(&after, 0));
	TRUE(after + (8 << 20) > before);
}

int
main(void)
{
	CUcontext c;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuCtxCreate_v2(&c, 0, dev));
	simple();
	many();
	page_locked();
	registered();
	ended();
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
