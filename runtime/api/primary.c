/* primary.c - the primary context of each device, counted.
 *
 * Its handle is the same whenever it lives; a thread that kept it current over
 * a reset goes on with the new one.
 */
#include "api.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult
retain(struct device *d, CUcontext *out)
{
	CUresult r = 0;

	if (!d->primary)
		r = context_new(d, d->primary_flags, true, &d->primary);
	else if (!d->primary_refs)
		context_revive(d->primary, d->primary_flags);
	if (r)
		return r;
	d->primary_refs++;
	*out = d->primary;
	return 0;
}

CUresult
cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice dev)
{
	struct device *d = device_of(dev);
	CUresult r;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	r = retain(d, out);
	pthread_mutex_unlock(&lock);
	return r;
}

CUresult
cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
	struct device *d = device_of(dev);
	CUresult r = 0;

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	if (!d->primary_refs)
		r = CUDA_ERROR_INVALID_CONTEXT;
	else if (--d->primary_refs == 0)
		context_end(d->primary);
	pthread_mutex_unlock(&lock);
	return r;
}

CUresult
cuDevicePrimaryCtxRelease(CUdevice dev)
{
	return cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult
cuDevicePrimaryCtxReset_v2(CUdevice dev)
{
	struct device *d = device_of(dev);

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	d->primary_flags = 0;
	if (d->primary_refs && context_end(d->primary))
		context_revive(d->primary, 0);
	pthread_mutex_unlock(&lock);
	return 0;
}

CUresult
cuDevicePrimaryCtxReset(CUdevice dev)
{
	return cuDevicePrimaryCtxReset_v2(dev);
}

CUresult
cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned flags)
{
	struct device *d = device_of(dev);
	unsigned sched = flags & CU_CTX_SCHED_MASK;

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	if ((flags & ~(unsigned)CU_CTX_FLAGS_MASK) || (sched & (sched - 1)))
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	d->primary_flags = flags;
	if (d->primary_refs)
		d->primary->flags = flags;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* before CUDA 11, only while the context was not there */
CUresult
cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags)
{
	struct device *d = device_of(dev);
	bool active;

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	active = d->primary_refs > 0;
	pthread_mutex_unlock(&lock);
	return active ? CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE
		: cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

CUresult
cuDevicePrimaryCtxGetState(CUdevice dev, unsigned *flags, int *active)
{
	struct device *d = device_of(dev);

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	*flags = d->primary_flags;
	*active = d->primary_refs > 0;
	pthread_mutex_unlock(&lock);
	return 0;
}
