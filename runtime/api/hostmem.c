/* hostmem.c - memory of the host that the device may use: page-locked memory,
 * and memory that the program registers. */
#include "api.h"
#include <sys/mman.h>
#include <unistd.h>

CUresult
cuMemHostAlloc(void **out, size_t size, unsigned flags)
{
	const unsigned all = CU_MEMHOSTALLOC_PORTABLE
		| CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
	struct device *d = context_current()->device;
	struct region r = { .size = size, .kind = REGION_HOST };
	void *p;
	CUresult err;

	if (!out || (flags & ~all))
		return CUDA_ERROR_INVALID_VALUE;
	if (!size) {
		*out = 0;
		return 0;
	}
	r.flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
	err = d->ops->host_alloc(d->dev, size, flags, &p, &r.addr);
	if (err)
		return err;
	r.host = (uintptr_t)p;
	err = memory_enter(&r);
	if (!err)
		*out = p;
	return err;
}

CUresult
cuMemAllocHost_v2(void **out, size_t size)
{
	return cuMemHostAlloc(out, size, 0);
}

/* before CUDA 3.2 sizes were of 32 bits; the address was not */
CUresult
cuMemAllocHost(void **out, unsigned size)
{
	return cuMemHostAlloc(out, size, 0);
}

CUresult
cuMemFreeHost(void *p)
{
	struct region r, found;

	if (!p)
		return 0;
	/* what the tree calls its address is the device's */
	if (!region_find((uintptr_t)p, 1, &found)
		|| found.host != (uintptr_t)p
		|| !region_take(found.addr, 1u << REGION_HOST, &r))
		return CUDA_ERROR_INVALID_VALUE;
	streams_sync(r.context);
	return memory_release(&r);
}

/* is all of it there? */
static bool
is_mapped(uintptr_t p, size_t size)
{
	enum { AT_ONCE = 1024 };
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t at = p & ~(page - 1), end = p + size;
	unsigned char in[AT_ONCE];

	while (at < end) {
		uintptr_t n = (end - at + page - 1) / page;

		if (n > AT_ONCE)
			n = AT_ONCE;
		if (mincore((void *)at, n * page, in) != 0)
			return false;
		at += n * page;
	}
	return true;
}

CUresult
cuMemHostRegister_v2(void *p, size_t size, unsigned flags)
{
	const unsigned all = CU_MEMHOSTREGISTER_PORTABLE
		| CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY
		| CU_MEMHOSTREGISTER_READ_ONLY;
	struct device *d = context_current()->device;
	uintptr_t at = (uintptr_t)p;
	struct region r = { .size = size, .kind = REGION_REGISTERED,
		.host = at }, found;
	CUresult err;

	if (!p || !size || size > UINTPTR_MAX - at || (flags & ~all))
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!is_mapped(at, size))
		return CUDA_ERROR_INVALID_VALUE;
	if (region_find(at, 1, &found) && found.kind != REGION_REGISTERED)
		return CUDA_ERROR_INVALID_VALUE;
	if (region_overlaps(at, size))
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	r.flags = flags | CU_MEMHOSTREGISTER_DEVICEMAP;
	err = d->ops->host_register(d->dev, p, size, &r.addr);
	return err ? err : memory_enter(&r);
}

CUresult
cuMemHostRegister(void *p, size_t size, unsigned flags)
{
	return cuMemHostRegister_v2(p, size, flags);
}

CUresult
cuMemHostUnregister(void *p)
{
	struct region r, found;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	if (!region_find((uintptr_t)p, 1, &found)
		|| found.kind != REGION_REGISTERED)
		return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	if (found.host != (uintptr_t)p
		|| !region_take(found.addr, 1u << REGION_REGISTERED, &r))
		return CUDA_ERROR_INVALID_VALUE;
	streams_sync(r.context);
	return memory_release(&r);
}

/* what the program knows as host memory */
static bool
find_host(void *p, struct region *r)
{
	return region_find((uintptr_t)p, 1, r)
		&& (r->kind == REGION_HOST || r->kind == REGION_REGISTERED)
		&& (uintptr_t)p - r->host < r->size;
}

CUresult
cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags)
{
	struct region r;

	if (!out || flags || !find_host(p, &r))
		return CUDA_ERROR_INVALID_VALUE;
	*out = r.addr + ((uintptr_t)p - r.host);
	return 0;
}

CUresult
cuMemHostGetFlags(unsigned *flags, void *p)
{
	struct region r;

	if (!flags || !find_host(p, &r))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = r.flags;
	return 0;
}
