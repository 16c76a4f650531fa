/* ctxinfo.c - what can be asked of a context, and set. */
#include "capture.h"
#include "pool.h"

/* The second forms, which take a context, came with CUDA 13.  Programs that
 * prefer whatever ends in _v2 (numba 0.56) call them as the first ones:
 * c is then what the register held, and the current context is meant. */
static CUcontext
context_asked(CUcontext c)
{
	CUcontext known = context_of(c);

	return known ? known : context_current();
}

CUresult
cuCtxGetDevice_v2(CUdevice *dev, CUcontext c)
{
	c = context_asked(c);
	if (!dev)
		return CUDA_ERROR_INVALID_VALUE;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	*dev = c->device->index;
	return 0;
}

CUresult
cuCtxGetDevice(CUdevice *dev)
{
	return cuCtxGetDevice_v2(dev, 0);
}

CUresult
cuCtxGetId(CUcontext c, unsigned long long *id)
{
	c = context_of(c);
	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	if (!c)
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	*id = c->id;
	return 0;
}

/* no context is confined to some of the multiprocessors */
CUresult
cuCtxGetExecAffinity(CUexecAffinityParam *p, CUexecAffinityType type)
{
	if (!p || (unsigned)type >= CU_EXEC_AFFINITY_TYPE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

CUresult
cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
	c = context_of(c);
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = c->api_version;
	return 0;
}

CUresult
cuCtxGetFlags(unsigned *flags)
{
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = context_current()->flags;
	return 0;
}

CUresult
cuCtxSetFlags(unsigned flags)
{
	if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->flags = flags;
	return 0;
}

/* The others are about synchronizing in kernels and what persists in L2. */
static bool
has_limit(CUlimit limit)
{
	return limit != CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH
		&& limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE
		&& limit != CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED;
}

static bool
is_fixed(CUlimit limit)
{
	return limit == CU_LIMIT_SHMEM_SIZE || limit == CU_LIMIT_CIG_ENABLED;
}

CUresult
cuCtxGetLimit(size_t *value, CUlimit limit)
{
	if (!value || (unsigned)limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!has_limit(limit))
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	*value = context_current()->limit[limit];
	return 0;
}

/* The heap of kernels is the device's: the last context that says so sets
 * it.  Its pieces are rounded up, by a quarter at most. */
void
heap_limit(struct device *d, size_t size)
{
	d->ops->malloc_limit(d->dev, size > SIZE_MAX / 2 ? size :
		size + size / 4);
}

CUresult
cuCtxSetLimit(CUlimit limit, size_t value)
{
	enum { FETCH_MOST = 128, STACK_MOST = 512 << 10 };
	static const size_t least[CU_LIMIT_MAX] = {
		[CU_LIMIT_MALLOC_HEAP_SIZE] = 4 << 20,
		[CU_LIMIT_PRINTF_FIFO_SIZE] = 512 << 10,
	};

	if ((unsigned)limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!has_limit(limit) || is_fixed(limit))
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	if (limit == CU_LIMIT_STACK_SIZE) {
		if (value >= STACK_MOST)
			return CUDA_ERROR_INVALID_VALUE;
		value = (value + 15) & ~(size_t)15;
	}
	if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY && value > FETCH_MOST)
		return CUDA_ERROR_INVALID_VALUE;
	if (value < least[limit])
		value = least[limit];
	if (limit == CU_LIMIT_MALLOC_HEAP_SIZE)
		heap_limit(context_current()->device, value);
	context_current()->limit[limit] = value;
	return 0;
}

CUresult
cuCtxGetCacheConfig(CUfunc_cache *config)
{
	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->cache;
	return 0;
}

CUresult
cuCtxSetCacheConfig(CUfunc_cache config)
{
	if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->cache = config;
	return 0;
}

CUresult
cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
	if (!config)
		return CUDA_ERROR_INVALID_VALUE;
	*config = context_current()->shared;
	return 0;
}

CUresult
cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->shared = config;
	return 0;
}

CUresult
cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	if (least)
		*least = STREAM_PRIORITY_LEAST;
	if (greatest)
		*greatest = STREAM_PRIORITY_GREATEST;
	return 0;
}

/* nothing persists in a cache here */
CUresult
cuCtxResetPersistingL2Cache(void)
{
	return 0;
}

CUresult
cuCtxSynchronize_v2(CUcontext c)
{
	CUresult err;

	c = context_asked(c);
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (atomic_load(&c->error))
		return (CUresult)atomic_load(&c->error);
	err = capture_context(c);
	if (err)
		return err;
	err = streams_sync(c);
	pools_settle();
	return err;
}

CUresult
cuCtxSynchronize(void)
{
	return cuCtxSynchronize_v2(0);
}
