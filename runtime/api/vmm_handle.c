/* vmm_handle.c - physical memory: made, shared, asked, released. */
#include "vmm.h"
#include <string.h>

pthread_mutex_t vmm_lock = PTHREAD_MUTEX_INITIALIZER;

struct allocation *
allocation_of(CUmemGenericAllocationHandle h)
{
	struct allocation *a = (struct allocation *)(uintptr_t)h;

	return handle_is(HANDLE_BACKING, a) && a->refs ? a : 0;
}

void
allocation_drop(struct allocation *a)
{
	if (a->refs || a->maps)
		return;
	a->device->ops->unback(a->backing);
	handle_free(HANDLE_BACKING, a);
}

unsigned
vmm_handle_types(uint64_t addr)
{
	struct mapping *m;
	unsigned types = 0;

	pthread_mutex_lock(&vmm_lock);
	m = mapping_at(addr);
	if (m)
		types = m->allocation->prop.requestedHandleTypes;
	pthread_mutex_unlock(&vmm_lock);
	return types;
}

/* only devices' own memory is there; compression is a wish */
static CUresult
check(const CUmemAllocationProp *p, struct device **out)
{
	struct device *d;

	if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->location.type == CU_MEM_LOCATION_TYPE_HOST ||
	    p->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
	    p->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	d = device_of(p->location.id);
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	*out = d;
	if (!d->info.page || p->allocFlags.usage ||
	    (p->requestedHandleTypes & ~(d->info.exports ?
	    (unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0u)))
		return CUDA_ERROR_NOT_SUPPORTED;
	return CUDA_SUCCESS;
}

CUresult
cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *p,
	CUmemAllocationGranularity_flags option)
{
	struct device *d;
	CUresult err;

	if (!out || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return CUDA_ERROR_INVALID_VALUE;
	err = check(p, &d);
	if (!err)
		*out = d->info.page;
	return err;
}

static CUresult
enter(struct device *d, struct backing *b, size_t size,
	const CUmemAllocationProp *p, CUmemGenericAllocationHandle *out)
{
	struct allocation *a = handle_new(HANDLE_BACKING, sizeof *a);

	if (!a) {
		d->ops->unback(b);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	a->device = d;
	a->backing = b;
	a->prop = *p;
	a->size = size;
	a->refs = 1;
	*out = (uintptr_t)a;
	return CUDA_SUCCESS;
}

CUresult
cuMemCreate(CUmemGenericAllocationHandle *out, size_t size,
	const CUmemAllocationProp *p, unsigned long long flags)
{
	struct backing *b;
	struct device *d;
	CUresult err;

	if (!out || !size || flags)
		return CUDA_ERROR_INVALID_VALUE;
	err = check(p, &d);
	if (!err && size % d->info.page)
		err = CUDA_ERROR_INVALID_VALUE;
	if (!err && size > d->info.memory)
		err = CUDA_ERROR_OUT_OF_MEMORY;
	if (!err)
		err = d->ops->back(d->dev, size,
			p->requestedHandleTypes != 0, &b);
	return err ? err : enter(d, b, size, p, out);
}

CUresult
cuMemRelease(CUmemGenericAllocationHandle h)
{
	struct allocation *a;

	pthread_mutex_lock(&vmm_lock);
	a = allocation_of(h);
	if (a) {
		a->refs--;
		allocation_drop(a);
	}
	pthread_mutex_unlock(&vmm_lock);
	return a ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *addr)
{
	struct mapping *m;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&vmm_lock);
	m = mapping_at((uintptr_t)addr);
	if (m) {
		m->allocation->refs++;
		*out = (uintptr_t)m->allocation;
	}
	pthread_mutex_unlock(&vmm_lock);
	return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *out,
	CUmemGenericAllocationHandle h)
{
	struct allocation *a;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&vmm_lock);
	a = allocation_of(h);
	if (a)
		*out = a->prop;
	pthread_mutex_unlock(&vmm_lock);
	return a ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle h,
	CUmemAllocationHandleType type, unsigned long long flags)
{
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct allocation *a;

	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&vmm_lock);
	a = allocation_of(h);
	if (a && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
	    (a->prop.requestedHandleTypes & type))
		err = a->device->ops->backing_fd(a->backing, out);
	pthread_mutex_unlock(&vmm_lock);
	return err;
}

/* A file descriptor is handed over as if it were a pointer. */
CUresult
cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *os,
	CUmemAllocationHandleType type)
{
	struct device *d = context_current()->device;
	CUmemAllocationProp p = {
		.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.requestedHandleTypes = type,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, d->index },
	};
	struct backing *b;
	size_t size;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
	    !d->info.exports)
		return CUDA_ERROR_NOT_SUPPORTED;
	err = d->ops->backing_of(d->dev, (int)(intptr_t)os, &size, &b);
	return err ? err : enter(d, b, size, &p, out);
}
