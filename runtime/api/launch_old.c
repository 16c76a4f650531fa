/* launch_old.c - launches as they were before CUDA 4: parameters and shape
 * are set one by one in the function, and stay for the next launch. */
#include "module.h"
#include <stdlib.h>
#include <string.h>

struct old_launch {
	unsigned block[3], shared;
	size_t size;               /* by cuParamSetSize */
	char param[MAX_PARAM_SIZE];
};

static CUresult
old_of(CUfunction h, CUfunction *f, struct old_launch **out)
{
	CUresult err;

	err = function_of(h, f);
	if (err)
		return err;
	pthread_mutex_lock(&(*f)->lock);
	if (!(*f)->old)
		(*f)->old = calloc(1, sizeof *(*f)->old);
	*out = (*f)->old;
	pthread_mutex_unlock(&(*f)->lock);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuFuncSetBlockShape(CUfunction h, int x, int y, int z)
{
	struct old_launch *o;
	CUfunction f;
	CUresult err;

	if (x <= 0 || y <= 0 || z <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	err = old_of(h, &f, &o);
	if (err)
		return err;
	o->block[0] = (unsigned)x;
	o->block[1] = (unsigned)y;
	o->block[2] = (unsigned)z;
	return CUDA_SUCCESS;
}

CUresult
cuFuncSetSharedSize(CUfunction h, unsigned bytes)
{
	struct old_launch *o;
	CUfunction f;
	CUresult err;

	err = old_of(h, &f, &o);
	if (!err)
		o->shared = bytes;
	return err;
}

CUresult
cuParamSetSize(CUfunction h, unsigned bytes)
{
	struct old_launch *o;
	CUfunction f;
	CUresult err;

	if (bytes > MAX_PARAM_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	err = old_of(h, &f, &o);
	if (!err)
		o->size = bytes;
	return err;
}

CUresult
cuParamSetv(CUfunction h, int offset, void *data, unsigned bytes)
{
	struct old_launch *o;
	CUfunction f;
	CUresult err;

	if (!data || offset < 0 || (unsigned)offset > MAX_PARAM_SIZE ||
	    bytes > MAX_PARAM_SIZE - (unsigned)offset)
		return CUDA_ERROR_INVALID_VALUE;
	err = old_of(h, &f, &o);
	if (!err)
		memcpy(o->param + offset, data, bytes);
	return err;
}

CUresult
cuParamSeti(CUfunction h, int offset, unsigned value)
{
	return cuParamSetv(h, offset, &value, sizeof value);
}

CUresult
cuParamSetf(CUfunction h, int offset, float value)
{
	return cuParamSetv(h, offset, &value, sizeof value);
}

CUresult
cuLaunchGridAsync(CUfunction h, int width, int height, CUstream stream)
{
	struct launch_shape s = { .grid = { 0, 0, 1 } };
	struct old_launch *o;
	CUfunction f;
	CUresult err;

	if (width <= 0 || height <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	err = old_of(h, &f, &o);
	if (err)
		return err;
	s.grid[0] = (unsigned)width;
	s.grid[1] = (unsigned)height;
	memcpy(s.block, o->block, sizeof s.block);
	s.shared = o->shared;
	if (o->size < f->param_size)
		return CUDA_ERROR_INVALID_VALUE;
	return launch_function(f, &s, stream, o->param,
		f->ptx ? f->param_size : o->size);
}

CUresult
cuLaunchGrid(CUfunction f, int width, int height)
{
	return cuLaunchGridAsync(f, width, height, 0);
}

CUresult
cuLaunch(CUfunction f)
{
	return cuLaunchGrid(f, 1, 1);
}
