/* memory.c - allocation, and what is known of a pointer.
 *
 * Where the driver refuses a size of 0, the runtime answers a null pointer.
 */
#include "rt.h"
#include <string.h>

cudaError_t
cudaMalloc(CUdeviceptr *p, size_t size)
{
	if (!p)
		return cudaErrorInvalidValue;
	*p = 0;
	return size ? cuMemAlloc_v2(p, size) : 0;
}

cudaError_t
cudaFree(CUdeviceptr p)
{
	return p ? cuMemFree_v2(p) : 0;
}

cudaError_t
cudaHostAlloc(void **p, size_t size, unsigned flags)
{
	if (!p)
		return cudaErrorInvalidValue;
	*p = 0;
	return size ? cuMemHostAlloc(p, size, flags) : 0;
}

cudaError_t
cudaMallocHost(void **p, size_t size)
{
	return cudaHostAlloc(p, size, 0);
}

cudaError_t
cudaFreeHost(void *p)
{
	return p ? cuMemFreeHost(p) : 0;
}

cudaError_t
cudaMallocManaged(CUdeviceptr *p, size_t size, unsigned flags)
{
	if (!p || !size)
		return cudaErrorInvalidValue;
	return cuMemAllocManaged(p, size, flags);
}

cudaError_t
cudaMallocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height)
{
	if (!p || !pitch)
		return cudaErrorInvalidValue;
	*p = 0;
	*pitch = 0;
	if (!width || !height)
		return 0;
	return cuMemAllocPitch_v2(p, pitch, width, height, 4);
}

cudaError_t
cudaMalloc3D(struct pitched_ptr *p, struct extent e)
{
	CUdeviceptr address;
	size_t pitch;
	cudaError_t r;

	if (!p || (e.height && e.depth > SIZE_MAX / e.height))
		return cudaErrorInvalidValue;
	r = cudaMallocPitch(&address, &pitch, e.width, e.height * e.depth);
	if (!r)
		*p = (struct pitched_ptr){
			(void *)(uintptr_t)address, pitch, e.width, e.height
		};
	return r;
}

cudaError_t
cudaStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t length,
	unsigned flags)
{
	return SZ(cuStreamAttachMemAsync)(stream, p, length, flags);
}

/* pointers */

enum { POINTER_UNREGISTERED, POINTER_HOST, POINTER_DEVICE, POINTER_MANAGED };

cudaError_t
pointer_11(struct pointer_attributes *a, CUdeviceptr p)
{
	CUmemorytype type = 0;
	unsigned managed = 0;
	int device = 0;
	CUdeviceptr on_device = 0;
	void *on_host = 0;
	CUpointer_attribute attr[] = {
		CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
		CU_POINTER_ATTRIBUTE_IS_MANAGED,
		CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
		CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
		CU_POINTER_ATTRIBUTE_HOST_POINTER
	};
	void *value[] = { &type, &managed, &device, &on_device, &on_host };
	cudaError_t r;

	if (!a)
		return cudaErrorInvalidValue;
	/* a pointer of nobody's is no error here: all stays 0 */
	r = cuPointerGetAttributes(5, attr, value, p);
	if (r)
		return r;
	a->type = managed ? POINTER_MANAGED : type == CU_MEMORYTYPE_HOST ?
		POINTER_HOST : type == CU_MEMORYTYPE_DEVICE ? POINTER_DEVICE :
		POINTER_UNREGISTERED;
	a->device = a->type ? device : -2;
	a->device_pointer = a->type ? (void *)(uintptr_t)on_device : 0;
	a->host_pointer = a->type ? on_host : (void *)(uintptr_t)p;
	return 0;
}

cudaError_t
pointer_13(struct pointer_attributes *a, CUdeviceptr p)
{
	cudaError_t r = pointer_11(a, p);

	if (!r)
		memset(a->reserved, 0, sizeof a->reserved);
	return r;
}
