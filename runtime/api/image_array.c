/* image_array.c - boxes in arrays, and the rest of what is asked of arrays. */
#include "array.h"

static bool
within(size_t at, size_t n, size_t most)
{
	return at <= most && n <= most - at;
}

CUresult
array_box(CUarray a, size_t x, size_t y, size_t z, size_t width,
	size_t height, size_t depth, uint64_t *addr)
{
	if (!handle_is(HANDLE_ARRAY, a))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!within(x, width, a->width * a->format.texel)
		|| !within(y, height, a->height)
		|| !within(z, depth, a->depth))
		return CUDA_ERROR_INVALID_VALUE;
	*addr = a->addr + z * a->slice + y * a->pitch + x;
	return 0;
}

/* Only formats of several planes, which are refused, have planes. */
CUresult
cuArrayGetPlane(CUarray *out, CUarray a, unsigned plane)
{
	(void)plane;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	return handle_is(HANDLE_ARRAY, a) ? CUDA_ERROR_INVALID_VALUE
		: CUDA_ERROR_INVALID_HANDLE;
}

/* These are of arrays whose memory is mapped later, and of sparse ones; both
 * are refused. */
CUresult
cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *m, CUarray a,
	CUdevice dev)
{
	(void)dev;
	if (!m)
		return CUDA_ERROR_INVALID_VALUE;
	return handle_is(HANDLE_ARRAY, a) ? CUDA_ERROR_INVALID_VALUE
		: CUDA_ERROR_INVALID_HANDLE;
}

CUresult
cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *r,
	CUmipmappedArray m, CUdevice dev)
{
	(void)dev;
	if (!r)
		return CUDA_ERROR_INVALID_VALUE;
	return handle_is(HANDLE_MIPMAP, m) ? CUDA_ERROR_INVALID_VALUE
		: CUDA_ERROR_INVALID_HANDLE;
}

CUresult
cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *s, CUarray a)
{
	if (!s)
		return CUDA_ERROR_INVALID_VALUE;
	return handle_is(HANDLE_ARRAY, a) ? CUDA_ERROR_INVALID_VALUE
		: CUDA_ERROR_INVALID_HANDLE;
}

CUresult
cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *s,
	CUmipmappedArray m)
{
	if (!s)
		return CUDA_ERROR_INVALID_VALUE;
	return handle_is(HANDLE_MIPMAP, m) ? CUDA_ERROR_INVALID_VALUE
		: CUDA_ERROR_INVALID_HANDLE;
}

/* before CUDA 3.2 */

CUresult
cuArrayCreate(CUarray *out, const CUDA_ARRAY_DESCRIPTOR_v1 *d)
{
	CUDA_ARRAY_DESCRIPTOR now;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	now = (CUDA_ARRAY_DESCRIPTOR){ d->Width, d->Height, d->Format,
		d->NumChannels };
	return cuArrayCreate_v2(out, &now);
}

CUresult
cuArray3DCreate(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR_v1 *d)
{
	CUDA_ARRAY3D_DESCRIPTOR now;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	now = (CUDA_ARRAY3D_DESCRIPTOR){ d->Width, d->Height, d->Depth,
		d->Format, d->NumChannels, d->Flags };
	return cuArray3DCreate_v2(out, &now);
}

CUresult
cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1 *d, CUarray a)
{
	CUDA_ARRAY_DESCRIPTOR now;
	CUresult err;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	err = cuArrayGetDescriptor_v2(&now, a);
	if (!err)
		*d = (CUDA_ARRAY_DESCRIPTOR_v1){ (unsigned)now.Width,
			(unsigned)now.Height, now.Format, now.NumChannels };
	return err;
}

CUresult
cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1 *d, CUarray a)
{
	CUDA_ARRAY3D_DESCRIPTOR now;
	CUresult err;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	err = cuArray3DGetDescriptor_v2(&now, a);
	if (!err)
		*d = (CUDA_ARRAY3D_DESCRIPTOR_v1){ (unsigned)now.Width,
			(unsigned)now.Height, (unsigned)now.Depth, now.Format,
			now.NumChannels, now.Flags };
	return err;
}
