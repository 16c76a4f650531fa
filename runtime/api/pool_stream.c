/* pool_stream.c - memory that comes and goes in the order of streams. */
#include "capture.h"
#include "pool.h"

static CUresult
enter(CUmemoryPool pool, CUcontext c, struct piece *p, uint64_t addr,
	size_t size)
{
	struct region r = { .addr = addr, .size = size, .kind = REGION_POOL,
		.context = c, .device = pool->device, .owner = p };

	return region_add(&r);
}

/* s: locked, or 0 */
static CUresult
take(CUmemoryPool pool, size_t size, CUcontext c, CUstream s,
	CUdeviceptr *out)
{
	struct piece *p;
	uint64_t addr;
	CUresult err = piece_take(pool, size, s, &p, &addr);

	if (err)
		return err;
	err = enter(pool, c, p, addr, size);
	if (err)
		piece_put(p, s);
	else
		*out = addr;
	return err;
}

CUresult
pool_reserve(CUmemoryPool pool, size_t size, CUdeviceptr *out)
{
	return take(pool, size, context_current(), 0, out);
}

CUresult
pool_return(CUdeviceptr addr)
{
	struct region r;

	if (!region_take(addr, 1u << REGION_POOL, &r))
		return CUDA_ERROR_INVALID_VALUE;
	piece_put(r.owner, 0);
	return CUDA_SUCCESS;
}

/* pool 0: the one that is current for the stream's device */
static CUresult
alloc(CUdeviceptr *out, size_t size, CUmemoryPool pool, CUstream h)
{
	struct queue *queue;
	CUstream s;
	CUresult err;

	if (stream_captured(h))
		return capture_alloc(h, size, out);
	err = capture_forbids();
	if (!err)
		err = stream_begin(h, &s, &queue);
	if (err)
		return err;
	*out = 0;
	if (!pool)
		pool = pool_current(s->context->device);
	if (!pool)
		err = CUDA_ERROR_OUT_OF_MEMORY;
	else if (pool->imported)
		err = CUDA_ERROR_INVALID_VALUE;
	else if (size)
		err = take(pool, size, s->context,
			pool->device == s->context->device ? s : 0, out);
	stream_end(s);
	return err;
}

CUresult
cuMemAllocAsync(CUdeviceptr *out, size_t size, CUstream s)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	return alloc(out, size, 0, s);
}

CUresult
cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t size, CUmemoryPool pool,
	CUstream s)
{
	if (!out || !pool_is(pool))
		return CUDA_ERROR_INVALID_VALUE;
	return alloc(out, size, pool, s);
}

/* Memory that is no pool's goes when the stream's work is done, and the
 * program waits for that. */
static CUresult
free_other(CUdeviceptr addr, CUstream h)
{
	CUresult err = stream_sync(h);

	return err ? err : cuMemFree_v2(addr);
}

CUresult
cuMemFreeAsync(CUdeviceptr addr, CUstream h)
{
	struct queue *queue;
	struct region r;
	CUstream s;
	CUresult err;

	if (!addr)
		return stream_find(h, &s);
	if (!region_find(addr, 1, &r) || r.addr != addr)
		return CUDA_ERROR_INVALID_VALUE;
	if (stream_captured(h))
		return capture_free(h, addr);
	if (r.kind == REGION_GRAPH)
		return graph_memory_free(addr) ? CUDA_SUCCESS :
			CUDA_ERROR_INVALID_VALUE;
	if (r.kind == REGION_DEVICE || r.kind == REGION_SHARED)
		return free_other(addr, h);
	err = stream_begin(h, &s, &queue);
	if (err)
		return err;
	if (region_take(addr, 1u << REGION_POOL, &r))
		piece_put(r.owner, s);
	else
		err = CUDA_ERROR_INVALID_VALUE;
	stream_end(s);
	return err;
}
