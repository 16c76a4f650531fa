/* vmm.c - virtual memory: ranges, what is mapped there, who may use it. */
#include "check.h"
#include <unistd.h>

static CUdevice dev;
static size_t page;
static CUmemAllocationProp prop = {
	.type = CU_MEM_ALLOCATION_TYPE_PINNED,
	.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
};

static void
allow(CUdeviceptr at, size_t n, CUmemAccess_flags f)
{
	CUmemAccessDesc d = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, f };

	OK(cuMemSetAccess(at, n, &d, 1));
}

/* as PyTorch's expandable segments: pages are added at the end of a range,
 * and copies cross from one to the next */
static void
grow(void)
{
	CUmemGenericAllocationHandle h[4];
	CUdeviceptr at, base;
	unsigned char *in = malloc(4 * page), *out = malloc(4 * page);
	size_t i, size;

	for (i = 0; i < 4 * page; i++)
		in[i] = (unsigned char)(i * 7 + (i >> 12));
	OK(cuMemAddressReserve(&at, 64 * page, 0, 0, 0));
	IS(at % page, 0);
	for (i = 0; i < 4; i++) {
		OK(cuMemCreate(&h[i], page, &prop, 0));
		OK(cuMemMap(at + i * page, page, 0, h[i], 0));
		allow(at + i * page, page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	}
	OK(cuMemcpyHtoD_v2(at, in, 4 * page));
	OK(cuMemcpyDtoH_v2(out, at + page / 2, 3 * page));
	IS(memcmp(in + page / 2, out, 3 * page), 0);
	OK(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
		at + page));
	IS(size, 64 * page);
	OK(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR,
		at + page + 5));
	IS(base, at + page);
	/* two pages change places */
	OK(cuMemUnmap(at + page, 2 * page));
	OK(cuMemMap(at + 2 * page, page, 0, h[1], 0));
	OK(cuMemMap(at + page, page, 0, h[2], 0));
	allow(at + page, 2 * page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	OK(cuMemcpyDtoH_v2(out, at, 4 * page));
	IS(memcmp(in, out, page), 0);
	IS(memcmp(in + page, out + 2 * page, page), 0);
	IS(memcmp(in + 2 * page, out + page, page), 0);
	IS(memcmp(in + 3 * page, out + 3 * page, page), 0);
	/* what is not mapped is not copied to */
	OK(cuMemUnmap(at + page, page));
	IS(cuMemcpyHtoD_v2(at, in, 2 * page), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemcpyHtoD_v2(at + 2 * page, in, 2 * page));
	OK(cuMemGetAddressRange_v2(&base, &size, at + 3 * page));
	TRUE(base == at + 3 * page && size == page);
	IS(cuMemAddressFree(at, 64 * page), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemUnmap(at, page));
	OK(cuMemUnmap(at + 2 * page, 2 * page));
	for (i = 0; i < 4; i++)
		OK(cuMemRelease(h[i]));
	OK(cuMemAddressFree(at, 64 * page));
	free(in);
	free(out);
}

/* one memory at two places; memory that is mapped outlives its handle */
static void
alias(void)
{
	CUmemGenericAllocationHandle h, again = 0;
	CUmemAllocationProp p;
	CUdeviceptr a, b;
	unsigned v = 0;

	OK(cuMemCreate(&h, 2 * page, &prop, 0));
	OK(cuMemAddressReserve(&a, 2 * page, 4 * page, 0, 0));
	IS(a % (4 * page), 0);
	OK(cuMemAddressReserve(&b, 2 * page, 0, 0, 0));
	OK(cuMemMap(a, 2 * page, 0, h, 0));
	OK(cuMemMap(b, 2 * page, 0, h, 0));
	allow(a, 2 * page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	allow(b, 2 * page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	OK(cuMemRelease(h));
	IS(cuMemMap(a, 2 * page, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemsetD32_v2(a + page, 12345, 1));
	OK(cuMemcpyDtoH_v2(&v, b + page, 4));
	IS(v, 12345);
	OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(a + page)));
	IS(again, h);
	OK(cuMemGetAllocationPropertiesFromHandle(&p, again));
	TRUE(p.type == prop.type && p.location.type == prop.location.type);
	OK(cuMemRelease(again));
	OK(cuMemUnmap(a, 2 * page));
	OK(cuMemUnmap(b, 2 * page));
	IS(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)a),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAddressFree(a, 2 * page));
	OK(cuMemAddressFree(b, 2 * page));
}

static void
rights(void)
{
	CUmemLocation l = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
	CUmemAccessDesc d = { l, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
	CUmemGenericAllocationHandle h;
	unsigned long long f = 9;
	CUdeviceptr a;

	OK(cuMemCreate(&h, page, &prop, 0));
	OK(cuMemAddressReserve(&a, 2 * page, 0, 0, 0));
	IS(cuMemSetAccess(a, page, &d, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemMap(a, page, 0, h, 0));
	OK(cuMemGetAccess(&f, &l, a));
	IS(f, CU_MEM_ACCESS_FLAGS_PROT_NONE);
	IS(cuMemsetD8_v2(a, 1, 1), CUDA_ERROR_INVALID_VALUE);
	allow(a, page, CU_MEM_ACCESS_FLAGS_PROT_READ);
	OK(cuMemGetAccess(&f, &l, a + page - 1));
	IS(f, CU_MEM_ACCESS_FLAGS_PROT_READ);
	IS(cuMemSetAccess(a, 2 * page, &d, 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemMap(a, page, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
	TRUE(cuMemMap(a + page, page, page, h, 0) != 0);
	TRUE(cuMemMap(a + page, page / 2, 0, h, 0) != 0);
	OK(cuMemUnmap(a, 2 * page));
	OK(cuMemUnmap(a, page));
	OK(cuMemRelease(h));
	IS(cuMemRelease(h), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAddressFree(a, page), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAddressFree(a, 2 * page));
}

/* as many pages as a process may not have files, each with its own contents;
 * what is released is used again, and zero */
static void
many(CUmemAllocationHandleType type)
{
	enum { N = 1500 };
	static CUmemGenericAllocationHandle h[N];
	CUmemAllocationProp p = prop;
	CUdeviceptr a;
	unsigned i, round, wrong = 0;

	p.requestedHandleTypes = type;
	OK(cuMemAddressReserve(&a, N * page, 0, 0, 0));
	for (round = 0; round < 2; round++) {
		for (i = 0; i < N; i++) {
			unsigned v = 1;

			wrong += cuMemCreate(&h[i], page, &p, 0) != 0;
			wrong += cuMemMap(a + i * page, page, 0, h[i], 0) != 0;
			allow(a + i * page, page,
				CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
			if (i % 7)
				continue;
			OK(cuMemcpyDtoH_v2(&v, a + i * page + 64, 4));
			wrong += v != 0;
			OK(cuMemcpyHtoD_v2(a + i * page + 64, &i, 4));
		}
		for (i = 0; i < N; i++) {
			unsigned v = i;

			if (i % 7 == 0)
				OK(cuMemcpyDtoH_v2(&v, a + i * page + 64, 4));
			wrong += v != i;
			wrong += cuMemRelease(h[i]) != 0;
			if (i % 3)
				wrong += cuMemUnmap(a + i * page, page) != 0;
		}
		OK(cuMemUnmap(a, N * page));
	}
	IS(wrong, 0);
	OK(cuMemAddressFree(a, N * page));
}

static void
refused(void)
{
	CUmemAllocationProp p = prop;
	CUmemGenericAllocationHandle h;
	CUdeviceptr a;

	IS(cuMemCreate(&h, page + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemCreate(&h, 0, &prop, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemCreate(&h, page << 30, &prop, 0), CUDA_ERROR_OUT_OF_MEMORY);
	p.location.id = 77;
	IS(cuMemCreate(&h, page, &p, 0), CUDA_ERROR_INVALID_DEVICE);
	p = prop;
	p.type = 0;
	IS(cuMemCreate(&h, page, &p, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAddressReserve(&a, page + 4096, 0, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAddressReserve(&a, 0, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAddressFree(page, page), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemRelease(0), CUDA_ERROR_INVALID_VALUE);
}

/* memory as a file descriptor, and back */
static void
export(void)
{
	CUmemGenericAllocationHandle h, other;
	CUdeviceptr a;
	int fd = -1, can = 0;
	unsigned v = 0;

	OK(cuDeviceGetAttribute(&can,
		CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
		dev));
	if (!can)
		return;
	OK(cuMemCreate(&h, page, &prop, 0));
	IS(cuMemExportToShareableHandle(&fd, h,
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuMemRelease(h));
	prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	OK(cuMemCreate(&h, page, &prop, 0));
	OK(cuMemExportToShareableHandle(&fd, h,
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
	OK(cuMemImportFromShareableHandle(&other, (void *)(intptr_t)fd,
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
	IS(close(fd), 0);
	OK(cuMemAddressReserve(&a, 2 * page, 0, 0, 0));
	OK(cuMemMap(a, page, 0, h, 0));
	OK(cuMemMap(a + page, page, 0, other, 0));
	allow(a, 2 * page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	OK(cuMemsetD32_v2(a + 64, 99, 1));
	OK(cuMemcpyDtoH_v2(&v, a + page + 64, 4));
	IS(v, 99);
	OK(cuMemUnmap(a, 2 * page));
	OK(cuMemRelease(h));
	OK(cuMemRelease(other));
	OK(cuMemAddressFree(a, 2 * page));
}

/* writing where one may only read ends the context and no more; the mapping
 * is there for the next one */
static void
fault(size_t at)
{
	CUmemGenericAllocationHandle h;
	CUcontext c;
	CUdeviceptr a;
	unsigned v = 1;

	OK(cuCtxCreate_v2(&c, 0, dev));
	OK(cuMemCreate(&h, page, &prop, 0));
	OK(cuMemAddressReserve(&a, page, 0, 0, 0));
	OK(cuMemMap(a, page, 0, h, 0));
	allow(a, page, CU_MEM_ACCESS_FLAGS_PROT_READ);
	cuMemsetD32_v2(a + at, 5, 1); /* may tell, or not yet */
	IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
	OK(cuCtxDestroy_v2(c));
	OK(cuCtxCreate_v2(&c, 0, dev));
	allow(a, page, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	OK(cuMemcpyDtoH_v2(&v, a + at, 4));
	IS(v, 0);
	OK(cuMemUnmap(a, page));
	OK(cuMemRelease(h));
	OK(cuMemAddressFree(a, page));
	OK(cuCtxDestroy_v2(c));
}

int
main(int argc, char **argv)
{
	CUcontext c;

	(void)argv;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuDevicePrimaryCtxRetain(&c, dev));
	OK(cuCtxSetCurrent(c));
	OK(cuMemGetAllocationGranularity(&page, &prop,
		CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	TRUE(page && !(page & (page - 1)));
	grow();
	alias();
	rights();
	refused();
	export();
	if (argc > 1) {
		many(CU_MEM_HANDLE_TYPE_NONE);
		many(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
		fault(0);
		fault(page - 4);
	}
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	return check_end();
}
