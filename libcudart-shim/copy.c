/* copy.c - copies: lines, boxes, between devices.
 *
 * The kind says which sides are the host's; the driver checks it by the calls
 * and memory types that are chosen here.  How a copy that waits differs from
 * one in a stream is the driver's matter, too: both forms are below.
 */
#include "image.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

static bool
is_kind(int kind)
{
	return kind >= COPY_HOST_TO_HOST && kind <= COPY_DEFAULT;
}

cudaError_t
cudaMemcpy(void *dst, const void *src, size_t n, int kind)
{
	if (!n)
		return is_kind(kind) ? 0 : cudaErrorInvalidMemcpyDirection;
	switch (kind) {
	case COPY_HOST_TO_DEVICE:
		return DS(cuMemcpyHtoD_v2)(ADDRESS(dst), src, n);
	case COPY_DEVICE_TO_HOST:
		return DS(cuMemcpyDtoH_v2)(dst, ADDRESS(src), n);
	case COPY_DEVICE_TO_DEVICE:
		return DS(cuMemcpyDtoD_v2)(ADDRESS(dst), ADDRESS(src), n);
	case COPY_HOST_TO_HOST:
	case COPY_DEFAULT:
		return DS(cuMemcpy)(ADDRESS(dst), ADDRESS(src), n);
	default:
		return cudaErrorInvalidMemcpyDirection;
	}
}

cudaError_t
cudaMemcpyAsync(void *dst, const void *src, size_t n, int kind, CUstream s)
{
	if (!n)
		return is_kind(kind) ? 0 : cudaErrorInvalidMemcpyDirection;
	switch (kind) {
	case COPY_HOST_TO_DEVICE:
		return SZ(cuMemcpyHtoDAsync_v2)(ADDRESS(dst), src, n, s);
	case COPY_DEVICE_TO_HOST:
		return SZ(cuMemcpyDtoHAsync_v2)(dst, ADDRESS(src), n, s);
	case COPY_DEVICE_TO_DEVICE:
		return SZ(cuMemcpyDtoDAsync_v2)(ADDRESS(dst), ADDRESS(src), n,
			s);
	case COPY_HOST_TO_HOST:
	case COPY_DEFAULT:
		return SZ(cuMemcpyAsync)(ADDRESS(dst), ADDRESS(src), n, s);
	default:
		return cudaErrorInvalidMemcpyDirection;
	}
}

/* boxes */

static CUmemorytype
type_of(int kind, bool source)
{
	static const CUmemorytype type[][2] = {
		[COPY_HOST_TO_HOST] = { CU_MEMORYTYPE_HOST,
			CU_MEMORYTYPE_HOST },
		[COPY_HOST_TO_DEVICE] = { CU_MEMORYTYPE_DEVICE,
			CU_MEMORYTYPE_HOST },
		[COPY_DEVICE_TO_HOST] = { CU_MEMORYTYPE_HOST,
			CU_MEMORYTYPE_DEVICE },
		[COPY_DEVICE_TO_DEVICE] = { CU_MEMORYTYPE_DEVICE,
			CU_MEMORYTYPE_DEVICE },
		[COPY_DEFAULT] = { CU_MEMORYTYPE_UNIFIED,
			CU_MEMORYTYPE_UNIFIED },
	};

	return type[kind][source];
}

static cudaError_t
box_2d(CUDA_MEMCPY2D *c, void *dst, size_t dpitch, const void *src,
	size_t spitch, size_t width, size_t height, int kind)
{
	if (!is_kind(kind))
		return cudaErrorInvalidMemcpyDirection;
	if (height > 1 && (width > dpitch || width > spitch))
		return cudaErrorInvalidPitchValue;
	*c = (CUDA_MEMCPY2D){
		.srcMemoryType = type_of(kind, true),
		.srcHost = src, .srcDevice = ADDRESS(src), .srcPitch = spitch,
		.dstMemoryType = type_of(kind, false),
		.dstHost = dst, .dstDevice = ADDRESS(dst), .dstPitch = dpitch,
		.WidthInBytes = width, .Height = height
	};
	return 0;
}

cudaError_t
cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
	size_t width, size_t height, int kind)
{
	CUDA_MEMCPY2D c;
	cudaError_t r = box_2d(&c, dst, dpitch, src, spitch, width, height,
		kind);

	if (r || !width || !height)
		return r;
	return DS(cuMemcpy2DUnaligned_v2)(&c);
}

cudaError_t
cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
	size_t width, size_t height, int kind, CUstream s)
{
	CUDA_MEMCPY2D c;
	cudaError_t r = box_2d(&c, dst, dpitch, src, spitch, width, height,
		kind);

	if (r || !width || !height)
		return r;
	return SZ(cuMemcpy2DAsync_v2)(&c, s);
}

/* the size of an array's element; 1 without an array; 0: no such array */
size_t
array_element(CUarray a)
{
	CUDA_ARRAY3D_DESCRIPTOR d;

	if (!a)
		return 1;
	return cuArray3DGetDescriptor_v2(&d, a) ? 0 :
		channel_size(d.Format, d.NumChannels);
}

/* an array is not the host's */
static bool
is_sane(const struct copy_3d *p)
{
	return !(p->src_array && p->kind == COPY_HOST_TO_DEVICE) &&
		!(p->dst_array && p->kind == COPY_DEVICE_TO_HOST);
}

/* positions and the width count elements of the array, if there is one; the
 * other side, if it is none, then has its width in the same elements */
cudaError_t
box_lower(CUDA_MEMCPY3D *c, const struct copy_3d *p)
{
	size_t from, to, unit;

	if (!p)
		return cudaErrorInvalidValue;
	if (!is_kind(p->kind))
		return cudaErrorInvalidMemcpyDirection;
	/* exactly one of array and pointer on each side */
	if (!p->src_array == !p->src.ptr || !p->dst_array == !p->dst.ptr ||
	    !is_sane(p))
		return cudaErrorInvalidValue;
	from = array_element(p->src_array);
	to = array_element(p->dst_array);
	if (!from || !to)
		return cudaErrorInvalidResourceHandle;
	unit = p->src_array ? from : to;
	*c = (CUDA_MEMCPY3D){
		.srcXInBytes = p->src_pos.x * from,
		.srcY = p->src_pos.y, .srcZ = p->src_pos.z,
		.srcMemoryType = p->src_array ? CU_MEMORYTYPE_ARRAY :
			type_of(p->kind, true),
		.srcHost = p->src.ptr, .srcDevice = ADDRESS(p->src.ptr),
		.srcArray = p->src_array,
		.srcPitch = p->src.pitch, .srcHeight = p->src.ysize,
		.dstXInBytes = p->dst_pos.x * to,
		.dstY = p->dst_pos.y, .dstZ = p->dst_pos.z,
		.dstMemoryType = p->dst_array ? CU_MEMORYTYPE_ARRAY :
			type_of(p->kind, false),
		.dstHost = p->dst.ptr, .dstDevice = ADDRESS(p->dst.ptr),
		.dstArray = p->dst_array,
		.dstPitch = p->dst.pitch, .dstHeight = p->dst.ysize,
		.WidthInBytes = p->extent.width * unit,
		.Height = p->extent.height, .Depth = p->extent.depth
	};
	return 0;
}

static bool
is_empty(struct extent e)
{
	return !e.width || !e.height || !e.depth;
}

cudaError_t
cudaMemcpy3D(const struct copy_3d *p)
{
	CUDA_MEMCPY3D c;
	cudaError_t r = box_lower(&c, p);

	return r || is_empty(p->extent) ? r : DS(cuMemcpy3D_v2)(&c);
}

cudaError_t
cudaMemcpy3DAsync(const struct copy_3d *p, CUstream s)
{
	CUDA_MEMCPY3D c;
	cudaError_t r = box_lower(&c, p);

	return r || is_empty(p->extent) ? r : SZ(cuMemcpy3DAsync_v2)(&c, s);
}

/* between devices */

static cudaError_t
box_peer(CUDA_MEMCPY3D_PEER *d, const struct copy_3d_peer *p)
{
	struct copy_3d same;
	CUDA_MEMCPY3D c;
	CUcontext from, to;
	cudaError_t r;

	if (!p)
		return cudaErrorInvalidValue;
	same = (struct copy_3d){
		p->src_array, p->src_pos, p->src, p->dst_array, p->dst_pos,
		p->dst, p->extent, COPY_DEVICE_TO_DEVICE
	};
	r = box_lower(&c, &same);
	if (!r)
		r = context_of(p->src_device, &from);
	if (!r)
		r = context_of(p->dst_device, &to);
	if (r)
		return r;
	*d = (CUDA_MEMCPY3D_PEER){
		c.srcXInBytes, c.srcY, c.srcZ, 0, c.srcMemoryType, c.srcHost,
		c.srcDevice, c.srcArray, from, c.srcPitch, c.srcHeight,
		c.dstXInBytes, c.dstY, c.dstZ, 0, c.dstMemoryType, c.dstHost,
		c.dstDevice, c.dstArray, to, c.dstPitch, c.dstHeight,
		c.WidthInBytes, c.Height, c.Depth
	};
	return 0;
}

cudaError_t
cudaMemcpy3DPeer(const struct copy_3d_peer *p)
{
	CUDA_MEMCPY3D_PEER c;
	cudaError_t r = box_peer(&c, p);

	return r || is_empty(p->extent) ? r : DS(cuMemcpy3DPeer)(&c);
}

cudaError_t
cudaMemcpy3DPeerAsync(const struct copy_3d_peer *p, CUstream s)
{
	CUDA_MEMCPY3D_PEER c;
	cudaError_t r = box_peer(&c, p);

	return r || is_empty(p->extent) ? r : SZ(cuMemcpy3DPeerAsync)(&c, s);
}

cudaError_t
cudaMemcpyPeer(CUdeviceptr dst, int dst_device, CUdeviceptr src,
	int src_device, size_t n)
{
	CUcontext from, to;
	cudaError_t r = context_of(src_device, &from);

	if (!r)
		r = context_of(dst_device, &to);
	return r || !n ? r : cuMemcpyPeer(dst, to, src, from, n);
}

cudaError_t
cudaMemcpyPeerAsync(CUdeviceptr dst, int dst_device, CUdeviceptr src,
	int src_device, size_t n, CUstream s)
{
	CUcontext from, to;
	cudaError_t r = context_of(src_device, &from);

	if (!r)
		r = context_of(dst_device, &to);
	return r || !n ? r : cuMemcpyPeerAsync(dst, to, src, from, n, s);
}
