/* array.c - arrays, mipmapped arrays, and what is known of them. */
#include "image.h"

static cudaError_t
describe(CUDA_ARRAY3D_DESCRIPTOR *a, const struct channel_desc *d,
	struct extent e, unsigned flags)
{
	a->Width = e.width;
	a->Height = e.height;
	a->Depth = e.depth;
	a->Flags = flags;
	return channel_format(d, &a->Format, &a->NumChannels);
}

cudaError_t
cudaMalloc3DArray(CUarray *out, const struct channel_desc *d,
	struct extent e, unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t r;

	if (!out || !d)
		return cudaErrorInvalidValue;
	r = describe(&a, d, e, flags);
	return r ? r : cuArray3DCreate_v2(out, &a);
}

cudaError_t
cudaMallocArray(CUarray *out, const struct channel_desc *d, size_t width,
	size_t height, unsigned flags)
{
	return cudaMalloc3DArray(out, d, (struct extent){ width, height, 0 },
		flags);
}

cudaError_t
cudaMallocMipmappedArray(CUmipmappedArray *out, const struct channel_desc *d,
	struct extent e, unsigned levels, unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t r;

	if (!out || !d)
		return cudaErrorInvalidValue;
	r = describe(&a, d, e, flags);
	return r ? r : cuMipmappedArrayCreate(out, &a, levels);
}

cudaError_t
cudaFreeArray(CUarray a)
{
	return a ? cuArrayDestroy(a) : 0;
}

cudaError_t
cudaFreeMipmappedArray(CUmipmappedArray m)
{
	return m ? cuMipmappedArrayDestroy(m) : 0;
}

cudaError_t
cudaArrayGetInfo(struct channel_desc *d, struct extent *e, unsigned *flags,
	CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR a;
	cudaError_t r = cuArray3DGetDescriptor_v2(&a, array);

	if (r)
		return r;
	if (d)
		*d = channel_desc(a.Format, a.NumChannels);
	if (e)
		*e = (struct extent){ a.Width, a.Height, a.Depth };
	if (flags)
		*flags = a.Flags;
	return 0;
}

cudaError_t
cudaGetChannelDesc(struct channel_desc *d, CUarray array)
{
	return d ? cudaArrayGetInfo(d, 0, 0, array) : cudaErrorInvalidValue;
}

cudaError_t
cudaDeviceGetTexture1DLinearMaxWidth(size_t *n, const struct channel_desc *d,
	int device)
{
	CUarray_format format;
	unsigned channels;
	cudaError_t r;

	if (!n || !d)
		return cudaErrorInvalidValue;
	r = channel_format(d, &format, &channels);
	return r ? r : cuDeviceGetTexture1DLinearMaxWidth(n, format, channels,
		device);
}
