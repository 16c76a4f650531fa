/* fill.c - fills: lines and boxes.  The value's low byte counts. */
#include "rt.h"

cudaError_t
cudaMemset(CUdeviceptr p, int value, size_t n)
{
	return n ? DS(cuMemsetD8_v2)(p, (unsigned char)value, n) : 0;
}

cudaError_t
cudaMemsetAsync(CUdeviceptr p, int value, size_t n, CUstream s)
{
	return n ? SZ(cuMemsetD8Async)(p, (unsigned char)value, n, s) : 0;
}

cudaError_t
cudaMemset2D(CUdeviceptr p, size_t pitch, int value, size_t width,
	size_t height)
{
	if (!width || !height)
		return 0;
	return DS(cuMemsetD2D8_v2)(p, pitch, (unsigned char)value, width,
		height);
}

cudaError_t
cudaMemset2DAsync(CUdeviceptr p, size_t pitch, int value, size_t width,
	size_t height, CUstream s)
{
	if (!width || !height)
		return 0;
	return SZ(cuMemsetD2D8Async)(p, pitch, (unsigned char)value, width,
		height, s);
}

/* slice by slice, since there may be rows between them */
cudaError_t
cudaMemset3D(struct pitched_ptr p, int value, struct extent e)
{
	CUdeviceptr at = (CUdeviceptr)(uintptr_t)p.ptr;
	cudaError_t r = 0;
	size_t z;

	for (z = 0; !r && z < e.depth; z++)
		r = cudaMemset2D(at + z * p.pitch * p.ysize, p.pitch, value,
			e.width, e.height);
	return r;
}

cudaError_t
cudaMemset3DAsync(struct pitched_ptr p, int value, struct extent e,
	CUstream s)
{
	CUdeviceptr at = (CUdeviceptr)(uintptr_t)p.ptr;
	cudaError_t r = 0;
	size_t z;

	for (z = 0; !r && z < e.depth; z++)
		r = cudaMemset2DAsync(at + z * p.pitch * p.ysize, p.pitch,
			value, e.width, e.height, s);
	return r;
}
