/* kernel.c - kernels of libraries: a function in each context.
 *
 * What needs compiled code takes the current context, if that is of the
 * device asked about, or else the device's primary one, if it is active.
 */
#include "module.h"

static CUresult
function_on(CUkernel k, CUdevice number, CUfunction *out)
{
	const struct device *dev = device_of(number);
	CUcontext c = context_current();
	CUresult err;

	if (!dev)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!c || c->device != dev)
		c = dev->primary;
	if (!c || !atomic_load(&c->alive))
		return CUDA_ERROR_INVALID_CONTEXT;
	err = kernel_function(k, c, out);
	return err ? err : function_load(*out, 0);
}

CUresult
cuKernelGetFunction(CUfunction *out, CUkernel k)
{
	CUfunction f;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	err = kernel_function(k, context_current(), &f);
	if (!err)
		err = function_load(f, 0);
	if (!err)
		*out = f;
	return err;
}

CUresult
cuKernelGetLibrary(CUlibrary *out, CUkernel k)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	*out = k->library;
	return CUDA_SUCCESS;
}

CUresult
cuKernelGetName(const char **out, CUkernel k)
{
	return cuFuncGetName(out, (CUfunction)k);
}

CUresult
cuKernelGetParamInfo(CUkernel k, size_t index, size_t *offset, size_t *size)
{
	size_t bytes;

	if (!offset)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!program_param(k->library->shared->program, k->name, index,
	    offset, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (size)
		*size = bytes;
	return CUDA_SUCCESS;
}

CUresult
cuKernelGetAttribute(int *out, CUfunction_attribute a, CUkernel k,
	CUdevice dev)
{
	CUfunction f;
	CUresult err;

	if (!out || (unsigned)a >= CU_FUNC_ATTRIBUTE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	err = function_on(k, dev, &f);
	if (!err)
		*out = function_attribute(f, a);
	return err;
}

/* static shared memory is not known before the kernel is compiled; a launch
 * that asks for too much of both is refused then */
CUresult
cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel k,
	CUdevice number)
{
	const struct device *dev = device_of(number);
	unsigned shared = 0;
	CUfunction f;

	if (!dev)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	f = atomic_load(&k->last);
	if (f && atomic_load(&f->entry))
		shared = f->info.shared;
	return settings_set(&k->settings, dev, shared, a, value);
}

CUresult
cuKernelSetCacheConfig(CUkernel k, CUfunc_cache config, CUdevice dev)
{
	if (!device_of(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!handle_is(HANDLE_KERNEL, k))
		return CUDA_ERROR_INVALID_HANDLE;
	return (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL ?
		CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
