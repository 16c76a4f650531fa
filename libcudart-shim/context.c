/* context.c - a thread's device, and its primary context when it is needed.
 *
 * A context that the program has made current by the driver's interface is
 * used as it is.
 */
#include "rt.h"
#include <pthread.h>

enum { MAX_DEVICES = 64 };

atomic_bool rt_started;
atomic_uint rt_resets;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* whose primary contexts this library holds */
static CUcontext held[MAX_DEVICES];

/* no device is no failure of the driver: it is asked again */
cudaError_t
start(void)
{
	CUresult r = cuInit(0);

	if (r == CUDA_SUCCESS)
		atomic_store_explicit(&rt_started, true,
			memory_order_release);
	return r;
}

cudaError_t
context_of(int device, CUcontext *out)
{
	cudaError_t r = need_INIT();

	if (r)
		return r;
	if (device < 0 || device >= MAX_DEVICES)
		return cudaErrorInvalidDevice;
	pthread_mutex_lock(&lock);
	if (!held[device])
		r = cuDevicePrimaryCtxRetain(&held[device], device);
	*out = held[device];
	pthread_mutex_unlock(&lock);
	return r;
}

cudaError_t
context_use(int device)
{
	CUcontext c;
	cudaError_t r = context_of(device < 0 ? rt_thread.device : device, &c);

	return r ? r : cuCtxSetCurrent(c);
}

/* after a reset the current context may be one that is gone */
cudaError_t
context_check(void)
{
	CUcontext c;
	int device;
	CUresult r;

	rt_thread.resets = atomic_load(&rt_resets);
	r = cuCtxGetCurrent(&c);
	if (!r && c && cuCtxGetDevice(&device) == CUDA_SUCCESS)
		return 0;
	return context_use(-1);
}

cudaError_t
device_current(int *device)
{
	CUcontext c;
	cudaError_t r = cuCtxGetCurrent(&c);

	if (r)
		return r;
	*device = rt_thread.device;
	if (c && cuCtxGetDevice(device))
		*device = rt_thread.device;
	return 0;
}

cudaError_t
cudaSetDevice(int device)
{
	cudaError_t r = context_use(device);

	if (!r)
		rt_thread.device = device;
	return r;
}

cudaError_t
cudaGetDevice(int *device)
{
	return device ? device_current(device) : cudaErrorInvalidValue;
}

cudaError_t
cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
	CUcontext c;
	cudaError_t r = 0;

	if (flags & ~1u)
		return cudaErrorInvalidValue;
	if (flags)
		r = cuDevicePrimaryCtxSetFlags_v2(device, device_flags & ~8u);
	return r ? r : context_of(device, &c);
}

/* cudaDeviceMapHost (8) is always so */
cudaError_t
cudaSetDeviceFlags(unsigned flags)
{
	int device;
	cudaError_t r = device_current(&device);

	return r ? r : cuDevicePrimaryCtxSetFlags_v2(device, flags & ~8u);
}

cudaError_t
cudaGetDeviceFlags(unsigned *flags)
{
	int device, active;
	cudaError_t r = device_current(&device);

	if (!flags)
		return cudaErrorInvalidValue;
	if (!r)
		r = cuDevicePrimaryCtxGetState(device, flags, &active);
	*flags |= 8;
	return r;
}

cudaError_t
cudaDeviceReset(void)
{
	int device;
	cudaError_t r = device_current(&device);

	if (r)
		return r;
	pthread_mutex_lock(&lock);
	if (device < MAX_DEVICES && held[device]) {
		r = cuDevicePrimaryCtxReset_v2(device);
		cuDevicePrimaryCtxRelease_v2(device);
		held[device] = 0;
		atomic_fetch_add(&rt_resets, 1);
	}
	pthread_mutex_unlock(&lock);
	rt_thread.last = 0;
	return r;
}
