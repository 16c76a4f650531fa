/* function_attribute.c - attributes of functions, and what may be set.
 *
 * Settings of a kernel (of a library) hold for its functions in all contexts
 * unless one of these has its own.
 */
#include "module.h"

enum { DEFAULT_SHARED = 48 << 10 }; /* bytes, without asking for more */

void
settings_init(struct settings *s)
{
	int k;

	for (k = 0; k < CU_FUNC_ATTRIBUTE_MAX; k++)
		atomic_init(&s->value[k], UNSET);
}

static int
setting(CUfunction f, CUfunction_attribute a)
{
	int v = atomic_load_explicit(&f->settings.value[a],
		memory_order_relaxed);

	if (v == UNSET && f->base)
		v = atomic_load_explicit(&f->base->value[a],
			memory_order_relaxed);
	return v;
}

unsigned
function_max_dynamic(CUfunction f)
{
	const struct dev_info *info = &f->module->context->device->info;
	unsigned usual = info->shared_per_block;
	int v;

	v = setting(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
	if (v >= 0)
		return (unsigned)v;
	if (usual > DEFAULT_SHARED)
		usual = DEFAULT_SHARED;
	return usual > f->info.shared ? usual - f->info.shared : 0;
}

/* the number in "sm_80" of the PTX's .target */
static int
target_sm(CUfunction f)
{
	const struct program *p = f->module->shared->program;
	const struct device *dev = f->module->context->device;
	int sm;

	if (p->has_ptx && p->x.target &&
	    sscanf(p->x.target, "sm_%3d", &sm) == 1)
		return sm;
	return 10 * dev->major + dev->minor;
}

int
function_attribute(CUfunction f, CUfunction_attribute a)
{
	const struct device *dev = f->module->context->device;
	int v = setting(f, a);

	switch (a) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		return (int)f->info.max_threads;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		return (int)f->info.shared;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
		return (int)f->info.constant;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		return (int)f->info.local;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		return (int)f->info.registers;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
		return target_sm(f);
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		return 10 * dev->major + dev->minor;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		return (int)function_max_dynamic(f);
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		return v == UNSET ? -1 : v;
	default:
		return v == UNSET ? 0 : v;
	}
}

static bool
is_between(int v, int low, int high)
{
	return v >= low && v <= high;
}

static bool
is_cluster_size(CUfunction_attribute a)
{
	return a == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH ||
		a == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT ||
		a == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH;
}

CUresult
settings_set(struct settings *s, const struct device *dev, unsigned shared,
	CUfunction_attribute a, int v)
{
	int most = (int)dev->info.shared_per_block - (int)shared;
	bool ok = false;

	if (a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
		ok = is_between(v, 0, most);
	else if (a == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
		ok = is_between(v, -1, 100);
	else if (a == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
		ok = is_between(v, 0, 1);
	else if (a == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
		ok = is_between(v, 0, 2);
	else if (is_cluster_size(a))
		ok = is_between(v, 0, 1); /* a cluster is a block */
	if (!ok)
		return CUDA_ERROR_INVALID_VALUE;
	atomic_store_explicit(&s->value[a], v, memory_order_relaxed);
	return CUDA_SUCCESS;
}

static bool
is_attribute(CUfunction_attribute a)
{
	return (unsigned)a < CU_FUNC_ATTRIBUTE_MAX;
}

CUresult
cuFuncGetAttribute(int *out, CUfunction_attribute a, CUfunction h)
{
	CUfunction f;
	CUresult err;

	if (!out || !is_attribute(a))
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (!err)
		*out = function_attribute(f, a);
	return err;
}

CUresult
cuFuncSetAttribute(CUfunction h, CUfunction_attribute a, int value)
{
	CUfunction f;
	CUresult err;

	err = function_of(h, &f);
	if (err)
		return err;
	return settings_set(&f->settings, f->module->context->device,
		f->info.shared, a, value);
}

/* hints about caches and banks that our devices do not have */

CUresult
cuFuncSetCacheConfig(CUfunction h, CUfunc_cache config)
{
	CUfunction f;

	if (!is_between((int)config, CU_FUNC_CACHE_PREFER_NONE,
	    CU_FUNC_CACHE_PREFER_EQUAL))
		return CUDA_ERROR_INVALID_VALUE;
	return function_of(h, &f);
}

CUresult
cuFuncSetSharedMemConfig(CUfunction h, CUsharedconfig config)
{
	CUfunction f;

	if (!is_between((int)config, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
	    CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE))
		return CUDA_ERROR_INVALID_VALUE;
	return function_of(h, &f);
}
