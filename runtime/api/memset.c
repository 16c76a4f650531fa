/* memset.c - fills: cuMemsetD8, D16, D32, their 2D and Async forms.
 *
 * As CUDA has it, a fill of memory of the device returns at once, also where
 * its name does not say Async; the host sees other memory only when it asks
 * in the stream, so there the plain ones wait.
 */
#include "copy.h"
#include "stream.h"

CUresult
fill_check(const struct fill *f, struct region *r)
{
	size_t row, all;

	if (f->addr % f->element || (f->height > 1 && f->pitch % f->element))
		return CUDA_ERROR_INVALID_VALUE;
	if (__builtin_mul_overflow(f->width, f->element, &row)
		|| (f->height > 1 && f->pitch < row)
		|| __builtin_mul_overflow(f->height - 1, f->pitch, &all)
		|| __builtin_add_overflow(all, row, &all)
		|| !region_find(f->addr, all, r))
		return CUDA_ERROR_INVALID_VALUE;
	return 0;
}

static CUresult
fill(struct fill *f, CUstream handle, bool async)
{
	struct region r;
	struct queue *q;
	CUstream s;
	CUresult err;

	if (f->addr % f->element || (f->height > 1 && f->pitch % f->element))
		return CUDA_ERROR_INVALID_VALUE;
	if (!f->width || !f->height)
		return 0;
	err = fill_check(f, &r);
	if (!err)
		err = async ? stream_enter(handle, &s) :
			stream_begin(handle, &s, &q);
	if (err)
		return err;
	err = stream_fill(s, f);
	stream_end(s);
	if (err || async || (r.kind == REGION_DEVICE && !r.sync_memops))
		return err;
	return stream_sync(handle);
}

static CUresult
line(CUdeviceptr p, uint32_t value, unsigned element, size_t n, CUstream s,
	bool async)
{
	struct fill f = { p, 0, n, 1, value, element };

	return fill(&f, s, async);
}

static CUresult
rows(CUdeviceptr p, size_t pitch, uint32_t value, unsigned element,
	size_t width, size_t height, CUstream s, bool async)
{
	struct fill f = { p, pitch, width, height, value, element };

	return fill(&f, s, async);
}

CUresult
cuMemsetD8_v2(CUdeviceptr p, unsigned char v, size_t n)
{
	return line(p, v, 1, n, 0, false);
}

CUresult
cuMemsetD16_v2(CUdeviceptr p, unsigned short v, size_t n)
{
	return line(p, v, 2, n, 0, false);
}

CUresult
cuMemsetD32_v2(CUdeviceptr p, unsigned v, size_t n)
{
	return line(p, v, 4, n, 0, false);
}

CUresult
cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s)
{
	return line(p, v, 1, n, s, true);
}

CUresult
cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s)
{
	return line(p, v, 2, n, s, true);
}

CUresult
cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream s)
{
	return line(p, v, 4, n, s, true);
}

CUresult
cuMemsetD2D8_v2(CUdeviceptr p, size_t pitch, unsigned char v, size_t width,
	size_t height)
{
	return rows(p, pitch, v, 1, width, height, 0, false);
}

CUresult
cuMemsetD2D16_v2(CUdeviceptr p, size_t pitch, unsigned short v, size_t width,
	size_t height)
{
	return rows(p, pitch, v, 2, width, height, 0, false);
}

CUresult
cuMemsetD2D32_v2(CUdeviceptr p, size_t pitch, unsigned v, size_t width,
	size_t height)
{
	return rows(p, pitch, v, 4, width, height, 0, false);
}

CUresult
cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char v, size_t width,
	size_t height, CUstream s)
{
	return rows(p, pitch, v, 1, width, height, s, true);
}

CUresult
cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short v,
	size_t width, size_t height, CUstream s)
{
	return rows(p, pitch, v, 2, width, height, s, true);
}

CUresult
cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned v, size_t width,
	size_t height, CUstream s)
{
	return rows(p, pitch, v, 4, width, height, s, true);
}
