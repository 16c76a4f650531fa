/* function.c - kernels of the program: handles, attributes, launches.
 *
 * A kernel is given by the address of its stub on the host, or by a handle of
 * the driver's.  The driver's kernels serve all contexts, so that one is kept
 * with each stub and a launch only looks it up.
 */
#include "rt.h"

static cudaError_t
entry_kernel(struct entry *e, CUkernel *out)
{
	CUlibrary l;
	cudaError_t r;

	*out = atomic_load_explicit(&e->kernel, memory_order_acquire);
	if (*out)
		return 0;
	if (e->kind != ENTRY_KERNEL)
		return cudaErrorInvalidDeviceFunction;
	r = fat_library(e->fat, &l);
	if (!r)
		r = cuLibraryGetKernel(out, l, e->name);
	if (!r)
		atomic_store_explicit(&e->kernel, *out, memory_order_release);
	return r == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction
		: r;
}

cudaError_t
kernel_of(const void *function, CUkernel *out)
{
	struct entry *e = registry_find(function);

	if (e)
		return entry_kernel(e, out);
	*out = (CUkernel)(uintptr_t)function;
	return function ? 0 : cudaErrorInvalidDeviceFunction;
}

/* a function in the current context */
static cudaError_t
function_of(const void *function, CUfunction *out)
{
	CUkernel k;
	cudaError_t r = kernel_of(function, &k);

	return r ? r : cuKernelGetFunction(out, k);
}

/* Compiled code asks once and keeps the answer; so what cannot be loaded is
 * answered by the stub's address, and the launch tells why. */
cudaError_t
__cudaGetKernel(CUkernel *kernel, const void *function)
{
	if (kernel_of(function, kernel))
		*kernel = (CUkernel)(uintptr_t)function;
	return 0;
}

cudaError_t
cudaGetKernel(CUkernel *kernel, const void *function)
{
	return kernel ? kernel_of(function, kernel) : cudaErrorInvalidValue;
}

cudaError_t
cudaGetFuncBySymbol(CUfunction *out, const void *symbol)
{
	return out ? function_of(symbol, out) : cudaErrorInvalidValue;
}

/* launches */

/* the driver knows whether there is a context: so it need not be asked twice */
cudaError_t
cudaLaunchKernel(const void *function, struct dim3 g, struct dim3 b,
	void **args, size_t shared, CUstream stream)
{
	CUkernel k;
	cudaError_t r = kernel_of(function, &k);

	if (r)
		return r;
	if (shared > UINT32_MAX)
		return cudaErrorInvalidValue;
	r = SZ(cuLaunchKernel)((CUfunction)k, g.x, g.y, g.z, b.x, b.y, b.z,
		(unsigned)shared, stream, args, 0);
	if ((r != cudaErrorDeviceUninitialized &&
	    r != cudaErrorInitializationError &&
	    r != cudaErrorContextIsDestroyed) || need_INIT() || need_CTX())
		return r;
	return SZ(cuLaunchKernel)((CUfunction)k, g.x, g.y, g.z, b.x, b.y, b.z,
		(unsigned)shared, stream, args, 0);
}

cudaError_t
cudaLaunchCooperativeKernel(const void *function, struct dim3 g, struct dim3 b,
	void **args, size_t shared, CUstream stream)
{
	CUkernel k;
	cudaError_t r = need_INIT();

	if (!r)
		r = need_CTX();
	if (!r)
		r = kernel_of(function, &k);
	if (r)
		return r;
	if (shared > UINT32_MAX)
		return cudaErrorInvalidValue;
	return SZ(cuLaunchCooperativeKernel)((CUfunction)k, g.x, g.y, g.z,
		b.x, b.y, b.z, (unsigned)shared, stream, args);
}

cudaError_t
cudaLaunchKernelExC(const struct launch_config *c, const void *function,
	void **args)
{
	CUlaunchConfig d;
	CUkernel k;
	cudaError_t r;

	if (!c || c->shared > UINT32_MAX)
		return cudaErrorInvalidValue;
	r = kernel_of(function, &k);
	if (r)
		return r;
	d = (CUlaunchConfig){
		c->grid.x, c->grid.y, c->grid.z,
		c->block.x, c->block.y, c->block.z,
		(unsigned)c->shared, c->stream, c->attr, c->nattr
	};
	return SZ(cuLaunchKernelEx)(&d, (CUfunction)k, args, 0);
}

/* of devices without double: there are none any more */
cudaError_t
double_stays(double *d)
{
	return d ? 0 : cudaErrorInvalidValue;
}

/* attributes */

static cudaError_t
attributes(struct func_attributes *a, CUfunction f)
{
	int shared = 0, constant = 0, local = 0;
	struct {
		CUfunction_attribute attr;
		int *value;
	} want[] = {
		{ CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared },
		{ CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &constant },
		{ CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local },
		{ CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &a->max_threads },
		{ CU_FUNC_ATTRIBUTE_NUM_REGS, &a->registers },
		{ CU_FUNC_ATTRIBUTE_PTX_VERSION, &a->ptx_version },
		{ CU_FUNC_ATTRIBUTE_BINARY_VERSION, &a->binary_version },
		{ CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &a->cache_mode_ca },
		{ CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			&a->max_dynamic },
		{ CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
			&a->carveout },
	};
	cudaError_t r = 0;
	size_t i;

	for (i = 0; !r && i < sizeof want / sizeof *want; i++)
		r = cuFuncGetAttribute(want[i].value, want[i].attr, f);
	if (r)
		return r;
	a->shared = (size_t)shared;
	a->constant = (size_t)constant;
	a->local = (size_t)local;
	if (rt_version >= 12000)
		for (i = 0; i < 6 + sizeof a->reserved / sizeof(int); i++)
			(&a->cluster_must_be_set)[i] = 0;
	return 0;
}

cudaError_t
cudaFuncGetAttributes(struct func_attributes *a, const void *function)
{
	CUfunction f;
	cudaError_t r = a ? function_of(function, &f) : cudaErrorInvalidValue;

	return r ? r : attributes(a, f);
}

cudaError_t
cudaFuncSetAttribute(const void *function, CUfunction_attribute attr,
	int value)
{
	CUfunction f;
	cudaError_t r = function_of(function, &f);

	return r ? r : cuFuncSetAttribute(f, attr, value);
}

cudaError_t
cudaKernelSetAttributeForDevice(CUkernel k, CUfunction_attribute attr,
	int value, int device)
{
	return cuKernelSetAttribute(attr, value, k, device);
}

cudaError_t
cudaFuncSetCacheConfig(const void *function, CUfunc_cache config)
{
	CUfunction f;
	cudaError_t r = function_of(function, &f);

	return r ? r : cuFuncSetCacheConfig(f, config);
}

cudaError_t
cudaFuncSetSharedMemConfig(const void *function, CUsharedconfig config)
{
	CUfunction f;
	cudaError_t r = function_of(function, &f);

	return r ? r : cuFuncSetSharedMemConfig(f, config);
}

cudaError_t
cudaFuncGetName(const char **name, const void *function)
{
	CUkernel k;
	cudaError_t r = name ? kernel_of(function, &k) : cudaErrorInvalidValue;

	return r ? r : cuKernelGetName(name, k);
}

cudaError_t
cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
	size_t *size)
{
	CUkernel k;
	cudaError_t r = kernel_of(function, &k);

	return r ? r : cuKernelGetParamInfo(k, index, offset, size);
}

/* occupancy */

cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *function,
	int blocks, int threads)
{
	CUfunction f;
	cudaError_t r = function_of(function, &f);

	return r ? r : cuOccupancyAvailableDynamicSMemPerBlock(size, f,
		blocks, threads);
}

cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
	const void *function, int threads, size_t shared, unsigned flags)
{
	CUfunction f;
	cudaError_t r = function_of(function, &f);

	return r ? r : cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		blocks, f, threads, shared, flags);
}

cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
	const void *function, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks,
		function, threads, shared, 0);
}
