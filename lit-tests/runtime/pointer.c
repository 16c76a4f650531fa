/* pointer.c - what can be asked of addresses; where managed memory is to be. */
#include "check.h"

static CUdevice dev;
static CUcontext context;

#define GET(to, name, p) \
	cuPointerGetAttribute(to, CU_POINTER_ATTRIBUTE_##name, p)

static void
of_device(CUdeviceptr p)
{
	CUcontext c;
	CUdeviceptr d;
	unsigned long long id, id2;
	size_t size;
	unsigned type, access;
	int n;
	void *h;

	OK(GET(&c, CONTEXT, p + 9));
	TRUE(c == context);
	OK(GET(&type, MEMORY_TYPE, p));
	IS(type, CU_MEMORYTYPE_DEVICE);
	OK(GET(&d, DEVICE_POINTER, p + 9));
	IS(d, p + 9);
	IS(GET(&h, HOST_POINTER, p), CUDA_ERROR_INVALID_VALUE);
	OK(GET(&id, BUFFER_ID, p));
	OK(GET(&id2, BUFFER_ID, p + 999));
	IS(id, id2);
	OK(GET(&n, DEVICE_ORDINAL, p));
	IS(n, dev);
	OK(GET(&d, RANGE_START_ADDR, p + 500));
	IS(d, p);
	OK(GET(&size, RANGE_SIZE, p + 500));
	IS(size, 1000);
	OK(GET(&n, MAPPED, p));
	OK(GET(&access, ACCESS_FLAGS, p));
	IS(access, 3);
	n = 7;
	OK(GET(&n, IS_MANAGED, p));
	IS(n, 0);
	n = 7;
	OK(GET(&n, IS_LEGACY_CUDA_IPC_CAPABLE, p));
	IS(n, 1);
	IS(GET(&n, IS_MANAGED, p + 1000), CUDA_ERROR_INVALID_VALUE);
	n = 1;
	OK(cuPointerSetAttribute(&n, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p + 1));
	OK(GET(&n, SYNC_MEMOPS, p));
	IS(n, 1);
	IS(cuPointerSetAttribute(&n, CU_POINTER_ATTRIBUTE_BUFFER_ID, p),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuPointerSetAttribute(&n, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 64),
		CUDA_ERROR_INVALID_VALUE);
}

static void
of_host(void)
{
	char *p;
	void *h;
	unsigned type;
	CUdeviceptr d, e;

	OK(cuMemHostAlloc((void **)&p, 100, 0));
	OK(cuMemHostGetDevicePointer_v2(&d, p, 0));
	OK(GET(&type, MEMORY_TYPE, d + 3));
	IS(type, CU_MEMORYTYPE_HOST);
	OK(GET(&h, HOST_POINTER, d + 3));
	TRUE(h == p + 3);
	OK(GET(&e, DEVICE_POINTER, (uintptr_t)p + 3));
	IS(e, d + 3);
	OK(cuMemFreeHost(p));
	IS(GET(&type, MEMORY_TYPE, d), CUDA_ERROR_INVALID_VALUE);
}

/* of an address that nobody knows, several are told at once as nothing */
static void
at_once(CUdeviceptr p)
{
	CUpointer_attribute list[] = { CU_POINTER_ATTRIBUTE_CONTEXT,
		CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
		CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
		CU_POINTER_ATTRIBUTE_HOST_POINTER };
	CUcontext c = context;
	unsigned type = 9;
	int ordinal = 9;
	void *h = &h, *to[] = { &c, &type, &ordinal, &h };

	OK(cuPointerGetAttributes(4, list, to, p));
	TRUE(c == context && type == CU_MEMORYTYPE_DEVICE && ordinal == dev
		&& !h);
	OK(cuPointerGetAttributes(4, list, to, (uintptr_t)&c));
	TRUE(!c && !type && ordinal == CU_DEVICE_INVALID && h == (void *)&c);
	IS(cuPointerGetAttributes(0, list, to, p), CUDA_ERROR_INVALID_VALUE);
	list[1] = (CUpointer_attribute)99;
	IS(cuPointerGetAttributes(4, list, to, p), CUDA_ERROR_INVALID_VALUE);
}

#define RANGE(to, name, p, n) cuMemRangeGetAttribute(&(to), sizeof(to), \
	CU_MEM_RANGE_ATTRIBUTE_##name, p, n)

/* 4096 bytes of managed memory, in two parts */
static void
batch(CUdeviceptr p)
{
	CUmemLocation to[2] = { { CU_MEM_LOCATION_TYPE_HOST, 0 },
		{ CU_MEM_LOCATION_TYPE_DEVICE, dev } };
	CUdeviceptr part[2] = { p, p + 1000 };
	size_t size[2] = { 1000, 3096 }, at[2] = { 0, 1 };
	int n;

	OK(cuMemPrefetchBatchAsync(part, size, 2, to, at, 2, 0, 0));
	OK(RANGE(n, LAST_PREFETCH_LOCATION, p, 4096));
	IS(n, dev);
	OK(cuMemPrefetchBatchAsync(part, size, 2, to, at, 1, 0, 0));
	OK(RANGE(n, LAST_PREFETCH_LOCATION, p, 4096));
	IS(n, CU_DEVICE_CPU);
	OK(cuMemDiscardBatchAsync(part, size, 2, 0, 0));
	OK(cuMemDiscardAndPrefetchBatchAsync(part, size, 2, to, at, 2, 0, 0));
	at[0] = 1;
	IS(cuMemPrefetchBatchAsync(part, size, 2, to, at, 2, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	size[1]++;
	IS(cuMemDiscardBatchAsync(part, size, 2, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
}

static void
managed(void)
{
	CUmemLocation here = { CU_MEM_LOCATION_TYPE_DEVICE, dev };
	CUmemLocation host = { CU_MEM_LOCATION_TYPE_HOST, 0 };
	CUdeviceptr p;
	int n = 9, by[3];
	void *h;

	IS(cuMemAllocManaged(&p, 100, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAllocManaged(&p, 100, CU_MEM_ATTACH_SINGLE),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_HOST));
	OK(GET(&h, HOST_POINTER, p + 8));
	memset(h, 1, 1000);
	OK(RANGE(n, READ_MOSTLY, p, 4096));
	IS(n, 0);
	OK(RANGE(n, PREFERRED_LOCATION, p, 10));
	IS(n, CU_DEVICE_INVALID);
	OK(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 77));
	OK(RANGE(n, READ_MOSTLY, p, 4096));
	IS(n, 1);
	OK(cuMemAdvise_v2(p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here));
	OK(RANGE(n, PREFERRED_LOCATION, p, 4096));
	IS(n, dev);
	OK(RANGE(n, PREFERRED_LOCATION_TYPE, p, 4096));
	IS(n, CU_MEM_LOCATION_TYPE_DEVICE);
	OK(cuMemAdvise(p, 100, CU_MEM_ADVISE_SET_ACCESSED_BY, dev));
	OK(cuMemAdvise_v2(p, 100, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
	OK(RANGE(by, ACCESSED_BY, p, 100));
	TRUE(by[0] == dev && by[1] == CU_DEVICE_CPU
		&& by[2] == CU_DEVICE_INVALID);
	OK(cuMemPrefetchAsync(p, 4096, CU_DEVICE_CPU, 0));
	OK(RANGE(n, LAST_PREFETCH_LOCATION, p, 4096));
	IS(n, CU_DEVICE_CPU);
	OK(cuMemPrefetchAsync_v2(p, 4096, here, 0, 0));
	OK(RANGE(n, LAST_PREFETCH_LOCATION_ID, p, 4096));
	IS(n, dev);
	batch(p);
	IS(cuMemPrefetchAsync(p, 4097, dev, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemPrefetchAsync(p, 4096, 55, 0), CUDA_ERROR_INVALID_DEVICE);
	IS(cuMemAdvise(p, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, dev),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAdvise(p, 10, (CUmem_advise)9, dev), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree_v2(p));
	IS(RANGE(n, READ_MOSTLY, p, 10), CUDA_ERROR_INVALID_VALUE);
}

int
main(void)
{
	CUdeviceptr p;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuCtxCreate_v2(&context, 0, dev));
	OK(cuMemAlloc_v2(&p, 1000));
	of_device(p);
	at_once(p);
	of_host();
	managed();
	IS(cuMemPrefetchAsync(p, 100, dev, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
