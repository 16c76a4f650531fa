/* device.c - counting and choosing devices, peers, versions. */
#include "rt.h"

cudaError_t
cudaGetDeviceCount(int *count)
{
	cudaError_t r;

	if (!count)
		return cudaErrorInvalidValue;
	*count = 0;
	r = need_INIT();
	if (!r)
		r = cuDeviceGetCount(count);
	return r || *count ? r : cudaErrorNoDevice;
}

/* the devices do not differ in what a program may ask for: the first does */
cudaError_t
cudaChooseDevice(int *device, const void *prop)
{
	if (!device || !prop)
		return cudaErrorInvalidValue;
	*device = 0;
	return 0;
}

/* a thread that chooses none has the first of the list */
cudaError_t
cudaSetValidDevices(int *device, int len)
{
	int count, k;
	cudaError_t r = cuDeviceGetCount(&count);

	if (len < 0 || (len && !device))
		return cudaErrorInvalidValue;
	for (k = 0; !r && k < len; k++)
		if (device[k] < 0 || device[k] >= count)
			r = cudaErrorInvalidDevice;
	if (!r && len)
		rt_thread.device = device[0];
	return r;
}

/* the context of another device than the current one */
static cudaError_t
peer_context(int peer, CUcontext *out)
{
	int device;
	cudaError_t r = device_current(&device);

	if (!r && device == peer)
		return cudaErrorPeerAccessUnsupported;
	return r ? r : context_of(peer, out);
}

cudaError_t
cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	CUcontext c;
	cudaError_t r = flags ? cudaErrorInvalidValue : peer_context(peer, &c);

	return r ? r : cuCtxEnablePeerAccess(c, 0);
}

cudaError_t
cudaDeviceDisablePeerAccess(int peer)
{
	CUcontext c;
	cudaError_t r = peer_context(peer, &c);

	return r ? r : cuCtxDisablePeerAccess(c);
}

cudaError_t
cudaRuntimeGetVersion(int *version)
{
	if (!version)
		return cudaErrorInvalidValue;
	*version = rt_version;
	return 0;
}

/* a name that is not there is told by status, not by the error */
cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **fn,
	unsigned version, unsigned long long flags,
	CUdriverProcAddressQueryResult *status)
{
	CUdriverProcAddressQueryResult own;
	CUresult r;

	if (!symbol || !*symbol || !fn || flags > 2)
		return cudaErrorInvalidValue;
	if (!flags)
		flags = rt_thread.per_thread ?
			CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM :
			CU_GET_PROC_ADDRESS_LEGACY_STREAM;
	r = cuGetProcAddress_v2(symbol, fn, (int)version, flags,
		status ? status : &own);
	if (r == CUDA_ERROR_NOT_FOUND) {
		*fn = 0;
		return 0;
	}
	return r;
}

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **fn,
	unsigned long long flags, CUdriverProcAddressQueryResult *status)
{
	return cudaGetDriverEntryPointByVersion(symbol, fn,
		(unsigned)rt_version, flags, status);
}

cudaError_t
entry_point_11(const char *symbol, void **fn, unsigned long long flags)
{
	cudaError_t r = cudaGetDriverEntryPoint(symbol, fn, flags, 0);

	return r || *fn ? r : cudaErrorSymbolNotFound;
}
