/* launch.c - kernels into streams.
 *
 * The way of a launch is short: handle, limits, parameters, stream, device.
 * The parameter block is built on the stack and copied by the device.
 */
#include "module.h"
#include "stream.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK_XY = 1024, MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535 };

/* does the shape keep to what every device has? */
static bool
is_shape(const struct launch_shape *s)
{
	const unsigned *g = s->grid, *b = s->block;

	return g[0] && g[1] && g[2] && b[0] && b[1] && b[2] &&
		g[0] <= INT32_MAX && g[1] <= MAX_GRID_YZ &&
		g[2] <= MAX_GRID_YZ && b[0] <= MAX_BLOCK_XY &&
		b[1] <= MAX_BLOCK_XY && b[2] <= MAX_BLOCK_Z;
}

/* .reqntid, which a block has to equal */
static bool
is_required(CUfunction f, const unsigned block[3])
{
	const struct attr *a = f->required;
	int k;

	for (k = 0; a && k < 3; k++)
		if (block[k] != (k < a->n ? (uint64_t)a->v[k] : 1))
			return false;
	return true;
}

static bool
fits(CUfunction f, const struct launch_shape *s)
{
	const struct dev_info *info = &f->module->context->device->info;

	return is_shape(s) && s->block[0] * s->block[1] * s->block[2] <=
		f->info.max_threads && s->shared <= function_max_dynamic(f) &&
		(uint64_t)s->shared + f->info.shared <=
		info->shared_per_block && is_required(f, s->block);
}

/* all blocks of a cooperative grid have to be there at once */
static CUresult
check_cooperative(CUfunction f, const struct launch_shape *s)
{
	const struct device *dev = f->module->context->device;
	uint64_t blocks, most;

	if (!dev->info.cooperative)
		return CUDA_ERROR_NOT_SUPPORTED;
	blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
	most = dev->ops->occupancy(atomic_load(&f->entry), s->block[0] *
		s->block[1] * s->block[2], s->shared);
	return blocks > most * dev->info.units ?
		CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

/* CUDA_LAUNCH_BLOCKING=1, as it was when the first kernel was launched */
static bool
is_synchronous(void)
{
	enum { UNKNOWN, NO, YES };
	static atomic_int known;
	int v = atomic_load_explicit(&known, memory_order_relaxed);

	if (v == UNKNOWN) {
		v = env_flag("CUDA_LAUNCH_BLOCKING") ? YES : NO;
		atomic_store_explicit(&known, v, memory_order_relaxed);
	}
	return v == YES;
}

CUresult
launch_check(CUfunction f, const struct launch_shape *s)
{
	if (!fits(f, s))
		return CUDA_ERROR_INVALID_VALUE;
	return s->cooperative ? check_cooperative(f, s) : CUDA_SUCCESS;
}

/* block: what f's parameters are, size bytes */
CUresult
launch_function(CUfunction f, const struct launch_shape *s, CUstream h,
	const void *block, size_t size)
{
	struct dev_launch l = {
		.entry = atomic_load_explicit(&f->entry, memory_order_relaxed),
		.grid = { s->grid[0], s->grid[1], s->grid[2] },
		.block = { s->block[0], s->block[1], s->block[2] },
		.shared = s->shared,
		.param = block, .param_size = size,
		.cooperative = s->cooperative,
	};
	CUstream stream;
	CUresult err;

	err = launch_check(f, s);
	if (!err && atomic_load_explicit(&f->module->stale,
	    memory_order_relaxed))
		err = reference_show(f->module);
	if (!err)
		err = stream_enter(h, &stream);
	if (err)
		return err;
	if (stream->context == f->module->context)
		err = stream_launch(stream, f, s, &l);
	else
		err = CUDA_ERROR_INVALID_HANDLE;
	stream_end(stream);
	if (!err && is_synchronous() && !stream_captured(stream))
		err = stream_sync(h);
	return err;
}

/* parameters */

/* CU_LAUNCH_PARAM_BUFFER_POINTER and its like */
static CUresult
read_extra(void **extra, const void **block, size_t *size)
{
	*block = 0;
	*size = 0;
	for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2)
		if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			*block = extra[1];
		else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
			*size = *(size_t *)extra[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	return *block || !*size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* room for f's parameters; own holds small ones; 0: out of memory */
static char *
room(CUfunction f, char *own, size_t size)
{
	char *block = f->param_size > size ? malloc(f->param_size) : own;

	/* between parameters, and behind what the caller gives, are zeroes */
	if (block)
		memset(block, 0, f->param_size);
	return block;
}

static CUresult
launch_extra(CUfunction f, const struct launch_shape *s, CUstream h,
	void **extra)
{
	char own[1024], *copy;
	const void *block;
	size_t size;
	CUresult err;

	err = read_extra(extra, &block, &size);
	if (err)
		return err;
	if (size > MAX_PARAM_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	if (!f->ptx || size >= f->param_size)
		return launch_function(f, s, h, block,
			f->ptx ? f->param_size : size);
	copy = room(f, own, sizeof own);
	if (!copy)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (size)
		memcpy(copy, block, size);
	err = launch_function(f, s, h, copy, f->param_size);
	if (copy != own)
		free(copy);
	return err;
}

/* the parameters, one by one, as a block */
static CUresult
gather(CUfunction f, void **param, char *block)
{
	const struct param *p = f->param;
	uint32_t k;

	for (k = 0; k < f->nparam; k++) {
		if (!param[k])
			return CUDA_ERROR_INVALID_VALUE;
		memcpy(block + p[k].offset, param[k], p[k].size);
	}
	return CUDA_SUCCESS;
}

static CUresult
launch_params(CUfunction f, const struct launch_shape *s, CUstream h,
	void **param)
{
	char own[1024], *block = room(f, own, sizeof own);
	CUresult err;

	if (!block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = gather(f, param, block);
	if (!err)
		err = launch_function(f, s, h, block, f->param_size);
	if (block != own)
		free(block);
	return err;
}

/* as launch_any, but for who keeps the block */
CUresult
launch_block(CUfunction f, void **param, void **extra, char **block,
	size_t *size)
{
	const void *given = 0;
	size_t n = 0;
	CUresult err = CUDA_SUCCESS;

	if ((param && extra) || (!extra && f->nparam && !param))
		return CUDA_ERROR_INVALID_VALUE;
	if (!f->ptx && param)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (extra)
		err = read_extra(extra, &given, &n);
	if (err)
		return err;
	if (n > MAX_PARAM_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	*size = f->ptx ? f->param_size : n;
	*block = calloc(1, *size + 1);
	if (!*block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (n)
		memcpy(*block, given, n < *size ? n : *size);
	else if (f->nparam && param)
		err = gather(f, param, *block);
	if (err)
		free(*block);
	return err;
}

/* the context a launch is in: the current one, or that of its stream */
static CUcontext
context_for(CUstream h)
{
	CUcontext c = context_current();

	return c || !handle_is(HANDLE_STREAM, h) ? c : h->context;
}

static CUresult
launch_any(CUfunction handle, const struct launch_shape *s, CUstream h,
	void **param, void **extra)
{
	CUfunction f;
	CUresult err;

	err = function_in_context(handle, context_for(h), &f);
	if (err)
		return err;
	if (param && extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (extra)
		return launch_extra(f, s, h, extra);
	/* without PTX nobody knows what the parameters are */
	if (!f->ptx && param)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (f->nparam && !param)
		return CUDA_ERROR_INVALID_VALUE;
	return launch_params(f, s, h, param);
}

/* the API */

CUresult
cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream h,
	void **param, void **extra)
{
	struct launch_shape s = {
		{ gx, gy, gz }, { bx, by, bz }, shared, false
	};

	return launch_any(f, &s, h, param, extra);
}

CUresult
cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream h,
	void **param)
{
	struct launch_shape s = {
		{ gx, gy, gz }, { bx, by, bz }, shared, true
	};

	return launch_any(f, &s, h, param, 0);
}

/* what an attribute of a launch asks for; most are hints */
static CUresult
read_attribute(struct launch_shape *s, const CUlaunchAttribute *a)
{
	switch (a->id) {
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
		s->cooperative = a->value.cooperative != 0;
		return CUDA_SUCCESS;
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
	case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
		/* a cluster is a block */
		return a->value.clusterDim.x == 1 &&
			a->value.clusterDim.y == 1 &&
			a->value.clusterDim.z == 1 ? CUDA_SUCCESS :
			CUDA_ERROR_INVALID_CLUSTER_SIZE;
	case CU_LAUNCH_ATTRIBUTE_IGNORE:
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
	case CU_LAUNCH_ATTRIBUTE_PRIORITY:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
	case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
	case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
		return CUDA_SUCCESS;
	case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
		return CUDA_ERROR_NOT_SUPPORTED;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

/* events that come true with the launch: behind it, which is never early */
static CUresult
record_events(const CUlaunchConfig *c)
{
	const CUlaunchAttribute *a;
	CUresult err = CUDA_SUCCESS;
	CUevent e;

	for (a = c->attrs; a < c->attrs + c->numAttrs && !err; a++) {
		if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
			e = a->value.programmaticEvent.event;
		else if (a->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
			e = a->value.launchCompletionEvent.event;
		else
			continue;
		err = cuEventRecord(e, c->hStream);
	}
	return err;
}

CUresult
cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **param,
	void **extra)
{
	struct launch_shape s = {0};
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	if (!c || (c->numAttrs && !c->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	s = (struct launch_shape){
		{ c->gridDimX, c->gridDimY, c->gridDimZ },
		{ c->blockDimX, c->blockDimY, c->blockDimZ },
		c->sharedMemBytes, false
	};
	for (k = 0; k < c->numAttrs && !err; k++)
		err = read_attribute(&s, &c->attrs[k]);
	if (!err)
		err = launch_any(f, &s, c->hStream, param, extra);
	if (!err && c->numAttrs)
		err = record_events(c);
	return err;
}
