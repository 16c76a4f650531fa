/* memcpy_array.c - copies of lines to and from arrays.
 *
 * Such a line lies in the first row of the array.
 */
#include "copy.h"
#include "array.h"

/* a side that lies in an array */
static CUresult
row_part(CUarray a, size_t at, size_t n, uint64_t *addr)
{
	return array_box(a, at, 0, 0, n, 1, 1, addr);
}

static CUresult
to_array(CUarray a, size_t at, uint64_t src, enum side from, size_t n,
	CUstream s, bool async)
{
	uint64_t dst;
	CUresult err = row_part(a, at, n, &dst);

	if (!err && n && !src)
		err = CUDA_ERROR_INVALID_VALUE;
	return err ? err : copy_line(dst, SIDE_DEVICE, src, from, n, s, async);
}

static CUresult
from_array(uint64_t dst, enum side to, CUarray a, size_t at, size_t n,
	CUstream s, bool async)
{
	uint64_t src;
	CUresult err = row_part(a, at, n, &src);

	if (!err && n && !dst)
		err = CUDA_ERROR_INVALID_VALUE;
	return err ? err : copy_line(dst, to, src, SIDE_DEVICE, n, s, async);
}

CUresult
cuMemcpyHtoA_v2(CUarray a, size_t at, const void *p, size_t n)
{
	return to_array(a, at, (uintptr_t)p, SIDE_HOST, n, 0, false);
}

CUresult
cuMemcpyHtoAAsync_v2(CUarray a, size_t at, const void *p, size_t n,
	CUstream s)
{
	return to_array(a, at, (uintptr_t)p, SIDE_HOST, n, s, true);
}

CUresult
cuMemcpyAtoH_v2(void *p, CUarray a, size_t at, size_t n)
{
	return from_array((uintptr_t)p, SIDE_HOST, a, at, n, 0, false);
}

CUresult
cuMemcpyAtoHAsync_v2(void *p, CUarray a, size_t at, size_t n, CUstream s)
{
	return from_array((uintptr_t)p, SIDE_HOST, a, at, n, s, true);
}

CUresult
cuMemcpyDtoA_v2(CUarray a, size_t at, CUdeviceptr p, size_t n)
{
	return to_array(a, at, p, SIDE_DEVICE, n, 0, false);
}

CUresult
cuMemcpyAtoD_v2(CUdeviceptr p, CUarray a, size_t at, size_t n)
{
	return from_array(p, SIDE_DEVICE, a, at, n, 0, false);
}

CUresult
cuMemcpyAtoA_v2(CUarray dst, size_t to, CUarray src, size_t from, size_t n)
{
	uint64_t p;
	CUresult err = row_part(src, from, n, &p);

	return err ? err : to_array(dst, to, p, SIDE_DEVICE, n, 0, false);
}

/* before CUDA 3.2: those without device addresses, which had half the bits */

CUresult
cuMemcpyHtoA(CUarray a, unsigned at, const void *p, unsigned n)
{
	return cuMemcpyHtoA_v2(a, at, p, n);
}

CUresult
cuMemcpyHtoAAsync(CUarray a, unsigned at, const void *p, unsigned n,
	CUstream s)
{
	return cuMemcpyHtoAAsync_v2(a, at, p, n, s);
}

CUresult
cuMemcpyAtoH(void *p, CUarray a, unsigned at, unsigned n)
{
	return cuMemcpyAtoH_v2(p, a, at, n);
}

CUresult
cuMemcpyAtoHAsync(void *p, CUarray a, unsigned at, unsigned n, CUstream s)
{
	return cuMemcpyAtoHAsync_v2(p, a, at, n, s);
}

CUresult
cuMemcpyAtoA(CUarray dst, unsigned to, CUarray src, unsigned from,
	unsigned n)
{
	return cuMemcpyAtoA_v2(dst, to, src, from, n);
}
