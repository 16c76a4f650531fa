/* occupancy.c - how many blocks fit on a multiprocessor, and which size of
 * block fills it best. */
#include "module.h"

/* 0 where no such block can be launched */
static unsigned
blocks(CUfunction f, unsigned threads, size_t shared)
{
	const struct device *dev = f->module->context->device;

	if (!threads || threads > f->info.max_threads ||
	    shared + f->info.shared > dev->info.shared_per_block)
		return 0;
	return dev->ops->occupancy(atomic_load(&f->entry), threads, shared);
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, CUfunction h,
	int threads, size_t shared, unsigned flags)
{
	CUfunction f;
	CUresult err;

	if (!out || threads <= 0 ||
	    flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (!err)
		*out = (int)blocks(f, (unsigned)threads, shared);
	return err;
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CUfunction f,
	int threads, size_t shared)
{
	return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, f,
		threads, shared, CU_OCCUPANCY_DEFAULT);
}

/* of all sizes in whole warps, and the limit, the largest of those with which
 * most threads are at work */
static void
search(CUfunction f, CUoccupancyB2DSize fn, size_t shared, unsigned limit,
	unsigned *best, unsigned *best_blocks)
{
	enum { WARP = 32 };
	unsigned size, n, most = 0;

	*best = *best_blocks = 0;
	for (size = limit; size; size = (size - 1) / WARP * WARP) {
		n = blocks(f, size, fn ? fn((int)size) : shared);
		if (n * size <= most)
			continue;
		most = n * size;
		*best = size;
		*best_blocks = n;
	}
}

CUresult
cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction h,
	CUoccupancyB2DSize fn, size_t shared, int limit, unsigned flags)
{
	unsigned best, n, most;
	CUfunction f;
	CUresult err;

	if (!grid || !block || limit < 0 ||
	    flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (err)
		return err;
	most = f->info.max_threads;
	if (limit && (unsigned)limit < most)
		most = (unsigned)limit;
	search(f, fn, shared, most, &best, &n);
	if (!best)
		return CUDA_ERROR_INVALID_VALUE;
	*block = (int)best;
	*grid = (int)(n * f->module->context->device->info.units);
	return CUDA_SUCCESS;
}

CUresult
cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f,
	CUoccupancyB2DSize fn, size_t shared, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, f, fn,
		shared, limit, CU_OCCUPANCY_DEFAULT);
}

CUresult
cuOccupancyAvailableDynamicSMemPerBlock(size_t *out, CUfunction h,
	int nblock, int threads)
{
	const struct dev_info *info;
	size_t each;
	CUfunction f;
	CUresult err;

	if (!out || nblock <= 0 || threads <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (err)
		return err;
	info = &f->module->context->device->info;
	if (blocks(f, (unsigned)threads, 0) < (unsigned)nblock)
		return CUDA_ERROR_INVALID_VALUE;
	each = info->shared_per_unit / (unsigned)nblock;
	if (each > info->shared_per_block)
		each = info->shared_per_block;
	*out = each > f->info.shared ? each - f->info.shared : 0;
	return CUDA_SUCCESS;
}
