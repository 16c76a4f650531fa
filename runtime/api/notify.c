/* notify.c - who wants to know when a device asks for its memory back.
 *
 * No device here does: what is registered is never called.
 */
#include "api.h"
#include <stdlib.h>

struct CUasyncCallbackEntry_st {
	CUasyncCallbackHandle next;
	CUdevice device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUasyncCallbackHandle list;

CUresult
cuDeviceRegisterAsyncNotification(CUdevice d, CUasyncCallback fn, void *data,
	CUasyncCallbackHandle *out)
{
	CUasyncCallbackHandle c;

	(void)data;
	if (!device_of(d))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!fn || !out)
		return CUDA_ERROR_INVALID_VALUE;
	c = malloc(sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->device = d;
	pthread_mutex_lock(&lock);
	c->next = list;
	list = c;
	pthread_mutex_unlock(&lock);
	*out = c;
	return CUDA_SUCCESS;
}

CUresult
cuDeviceUnregisterAsyncNotification(CUdevice d, CUasyncCallbackHandle c)
{
	CUasyncCallbackHandle *at;

	if (!device_of(d))
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&lock);
	for (at = &list; *at && (*at != c || (*at)->device != d);
	    at = &(*at)->next)
		;
	c = *at;
	if (c)
		*at = c->next;
	pthread_mutex_unlock(&lock);
	free(c);
	return c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
