/* pool_api.c - memory pools: made, asked, told.
 *
 * All are of devices' memory.  Those of the host are refused, as the
 * attributes of the devices say.
 */
#include "pool.h"
#include "ipc.h"
#include <string.h>

enum { DEFAULT, CURRENT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* device.pools */

bool
pool_is(CUmemoryPool p)
{
	return handle_is(HANDLE_POOL, p) && !p->doomed;
}

static CUmemoryPool
find(struct device *d, int which)
{
	const CUmemPoolProps props = {
		.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, d->index },
	};

	pthread_mutex_lock(&lock);
	if (!d->pools[DEFAULT])
		d->pools[CURRENT] = d->pools[DEFAULT] = pool_new(d, &props);
	pthread_mutex_unlock(&lock);
	return d->pools[which];
}

CUmemoryPool
pool_default(struct device *d)
{
	return find(d, DEFAULT);
}

CUmemoryPool
pool_current(struct device *d)
{
	return find(d, CURRENT);
}

static CUresult
get(CUmemoryPool *out, CUdevice dev, int which)
{
	struct device *d = device_of(dev);

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	*out = find(d, which);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice dev)
{
	return get(out, dev, DEFAULT);
}

CUresult
cuDeviceGetMemPool(CUmemoryPool *out, CUdevice dev)
{
	return get(out, dev, CURRENT);
}

CUresult
cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
	struct device *d = device_of(dev);

	if (!d || !pool_is(pool) || pool->device != d || pool->imported)
		return CUDA_ERROR_INVALID_VALUE;
	find(d, DEFAULT);
	pthread_mutex_lock(&lock);
	d->pools[CURRENT] = pool;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

/* places: only devices have pools */

static CUresult
check_place(const CUmemLocation *l, CUmemAllocationType type)
{
	if (!l || (type != CU_MEM_ALLOCATION_TYPE_PINNED &&
	    type != CU_MEM_ALLOCATION_TYPE_MANAGED))
		return CUDA_ERROR_INVALID_VALUE;
	if (type == CU_MEM_ALLOCATION_TYPE_MANAGED)
		return CUDA_ERROR_NOT_SUPPORTED;
	switch (l->type) {
	case CU_MEM_LOCATION_TYPE_DEVICE:
		return device_of(l->id) ? CUDA_SUCCESS :
			CUDA_ERROR_INVALID_VALUE;
	case CU_MEM_LOCATION_TYPE_HOST:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA:
	case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
		return CUDA_ERROR_NOT_SUPPORTED;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult
cuMemGetDefaultMemPool(CUmemoryPool *out, CUmemLocation *l,
	CUmemAllocationType type)
{
	CUresult err = check_place(l, type);

	return err ? err : get(out, l->id, DEFAULT);
}

CUresult
cuMemGetMemPool(CUmemoryPool *out, CUmemLocation *l, CUmemAllocationType type)
{
	CUresult err = check_place(l, type);

	return err ? err : get(out, l->id, CURRENT);
}

CUresult
cuMemSetMemPool(CUmemLocation *l, CUmemAllocationType type, CUmemoryPool pool)
{
	CUresult err = check_place(l, type);

	return err ? err : cuDeviceSetMemPool(l->id, pool);
}

/* life and death */

CUresult
cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *props)
{
	static const char zero[sizeof props->reserved];
	struct device *d;
	CUresult err;

	if (!out || !props || memcmp(props->reserved, zero, sizeof zero) != 0)
		return CUDA_ERROR_INVALID_VALUE;
	err = check_place(&props->location, props->allocType);
	if (err)
		return err;
	d = device_of(props->location.id);
	if (props->handleTypes & ~ipc_handle_types(d))
		return CUDA_ERROR_INVALID_VALUE;
	if (props->usage)
		return CUDA_ERROR_NOT_SUPPORTED;
	*out = pool_new(d, props);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuMemPoolDestroy(CUmemoryPool pool)
{
	struct device *d;

	if (!pool_is(pool) || pool == pool->device->pools[DEFAULT])
		return CUDA_ERROR_INVALID_VALUE;
	d = pool->device;
	pthread_mutex_lock(&lock);
	if (d->pools[CURRENT] == pool)
		d->pools[CURRENT] = d->pools[DEFAULT];
	pthread_mutex_unlock(&lock);
	pool_end(pool);
	return CUDA_SUCCESS;
}

CUresult
cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
	if (!pool_is(pool) || pool->imported)
		return CUDA_ERROR_INVALID_VALUE;
	pool_trim(pool, keep);
	return CUDA_SUCCESS;
}

/* attributes: ints for the three ways of reuse, the others uint64_t */

static uint64_t *
number(CUmemoryPool p, CUmemPool_attribute a)
{
	switch (a) {
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
		return &p->threshold;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
		return &p->reserved;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
		return &p->reserved_high;
	case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
		return &p->used;
	case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
		return &p->used_high;
	default:
		return 0;
	}
}

static int *
choice(CUmemoryPool p, CUmemPool_attribute a)
{
	return a >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
		a <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES ?
		&p->reuse[a - 1] : 0;
}

CUresult
cuMemPoolGetAttribute(CUmemoryPool p, CUmemPool_attribute a, void *out)
{
	if (!pool_is(p) || !out || (!number(p, a) && !choice(p, a)))
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&p->lock);
	if (choice(p, a))
		memcpy(out, choice(p, a), sizeof(int));
	else
		memcpy(out, number(p, a), sizeof(uint64_t));
	pthread_mutex_unlock(&p->lock);
	return CUDA_SUCCESS;
}

/* a high mark is set to 0, which means what is there now */
static CUresult
set_number(CUmemoryPool p, CUmemPool_attribute a, uint64_t value)
{
	if (a == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
		p->threshold = value;
	else if (value)
		return CUDA_ERROR_INVALID_VALUE;
	else if (a == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
		p->reserved_high = p->reserved;
	else if (a == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
		p->used_high = p->used;
	else
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult
cuMemPoolSetAttribute(CUmemoryPool p, CUmemPool_attribute a, void *in)
{
	CUresult err = CUDA_SUCCESS;
	uint64_t value = 0;

	if (!pool_is(p) || !in || (!number(p, a) && !choice(p, a)))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&value, in, choice(p, a) ? sizeof(int) : sizeof value);
	pthread_mutex_lock(&p->lock);
	if (choice(p, a))
		*choice(p, a) = value != 0;
	else
		err = set_number(p, a, value);
	pthread_mutex_unlock(&p->lock);
	return err;
}

/* access */

static CUresult
check_access(CUmemoryPool p, const CUmemAccessDesc *a)
{
	struct device *d;
	int can = 1;

	if (a->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	d = device_of(a->location.id);
	if (!d || d->index >= (int)sizeof p->access)
		return CUDA_ERROR_INVALID_DEVICE;
	if (a->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
	    a->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return CUDA_ERROR_INVALID_VALUE;
	if (d == p->device)
		return a->flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
	cuDeviceCanAccessPeer(&can, d->index, p->device->index);
	return can ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult
cuMemPoolSetAccess(CUmemoryPool p, const CUmemAccessDesc *a, size_t n)
{
	CUresult err = CUDA_SUCCESS;
	size_t i;

	if (!pool_is(p) || !a || !n)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !err; i++)
		err = check_access(p, &a[i]);
	for (i = 0; i < n && !err; i++)
		p->access[a[i].location.id] = (uint8_t)a[i].flags;
	return err;
}

CUresult
cuMemPoolGetAccess(CUmemAccess_flags *out, CUmemoryPool p, CUmemLocation *l)
{
	struct device *d;

	if (!pool_is(p) || !out || !l ||
	    l->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	d = device_of(l->id);
	if (!d || d->index >= (int)sizeof p->access)
		return CUDA_ERROR_INVALID_DEVICE;
	*out = p->access[d->index];
	return CUDA_SUCCESS;
}
