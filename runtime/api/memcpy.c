/* memcpy.c - copies of lines: cuMemcpy and its many names. */
#include "copy.h"

static uint64_t
host(const void *p)
{
	return (uintptr_t)p;
}

CUresult
cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
	return copy_line(dst, SIDE_ANY, src, SIDE_ANY, n, 0, false);
}

CUresult
cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
	return copy_line(dst, SIDE_ANY, src, SIDE_ANY, n, s, true);
}

CUresult
cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t n)
{
	return copy_line(dst, SIDE_DEVICE, host(src), SIDE_HOST, n, 0, false);
}

CUresult
cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t n, CUstream s)
{
	return copy_line(dst, SIDE_DEVICE, host(src), SIDE_HOST, n, s, true);
}

CUresult
cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t n)
{
	return copy_line(host(dst), SIDE_HOST, src, SIDE_DEVICE, n, 0, false);
}

CUresult
cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t n, CUstream s)
{
	return copy_line(host(dst), SIDE_HOST, src, SIDE_DEVICE, n, s, true);
}

CUresult
cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
	return copy_line(dst, SIDE_DEVICE, src, SIDE_DEVICE, n, 0, false);
}

CUresult
cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
	return copy_line(dst, SIDE_DEVICE, src, SIDE_DEVICE, n, s, true);
}

/* Addresses say themselves of which device they are; the contexts only must
 * not be wrong.  0 is the current one. */
CUresult
cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
	size_t n)
{
	if (!context_of(to) || !context_of(from))
		return CUDA_ERROR_INVALID_CONTEXT;
	return cuMemcpyDtoD_v2(dst, src, n);
}

CUresult
cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src,
	CUcontext from, size_t n, CUstream s)
{
	if (!context_of(to) || !context_of(from))
		return CUDA_ERROR_INVALID_CONTEXT;
	return cuMemcpyDtoDAsync_v2(dst, src, n, s);
}

/* one after the other: no order among them is promised, but one allowed */
CUresult
cuMemcpyBatchAsync_v2(CUdeviceptr *dst, CUdeviceptr *src, size_t *size,
	size_t n, CUmemcpyAttributes *attribute, size_t *at, size_t nattribute,
	CUstream s)
{
	size_t i;
	CUresult r = 0;

	if (!dst || !src || !size || !n || !s || !attribute || !at
		|| !nattribute || nattribute > n || at[0] != 0)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !r; i++)
		r = cuMemcpyAsync(dst[i], src[i], size[i], s);
	return r;
}

CUresult
cuMemcpyBatchAsync(CUdeviceptr *dst, CUdeviceptr *src, size_t *size, size_t n,
	CUmemcpyAttributes *attribute, size_t *at, size_t nattribute,
	size_t *failed, CUstream s)
{
	CUresult r = cuMemcpyBatchAsync_v2(dst, src, size, n, attribute, at,
		nattribute, s);

	if (r && failed)
		*failed = SIZE_MAX; /* not one of them in particular */
	return r;
}
