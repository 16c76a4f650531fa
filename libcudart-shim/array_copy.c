/* array_copy.c - copies to, from and between arrays, but for boxes of three
 * dimensions, which are in copy.c.
 *
 * Offsets and widths in a row are bytes.  The older forms copy a line of bytes
 * that goes on in the array's next row: rows that are not whole are copies of
 * their own.
 */
#include "image.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

/* how a copy is put: 0 is the default stream, and waiting */
struct way {
	bool async;
	CUstream stream;
};

static cudaError_t
put(const CUDA_MEMCPY2D *c, const struct way *w)
{
	return w->async ? SZ(cuMemcpy2DAsync_v2)(c, w->stream) :
		DS(cuMemcpy2DUnaligned_v2)(c);
}

/* a side of a copy: an array, or memory */
struct side {
	CUarray array;
	size_t x, y;             /* in the array */
	const void *p;
	size_t pitch;
	CUmemorytype type;       /* of the memory */
};

static struct side
in_array(CUarray a, size_t x, size_t y)
{
	return (struct side){ .array = a, .x = x, .y = y,
		.type = CU_MEMORYTYPE_ARRAY };
}

/* memory of the host where the kind is this one, else of a device */
static cudaError_t
in_memory(struct side *s, const void *p, size_t pitch, int kind, int host)
{
	*s = (struct side){ .p = p, .pitch = pitch };
	if (kind == host)
		s->type = CU_MEMORYTYPE_HOST;
	else if (kind == COPY_DEVICE_TO_DEVICE)
		s->type = CU_MEMORYTYPE_DEVICE;
	else if (kind == COPY_DEFAULT)
		s->type = CU_MEMORYTYPE_UNIFIED;
	else
		return cudaErrorInvalidMemcpyDirection;
	return p ? 0 : cudaErrorInvalidValue;
}

static cudaError_t
box(const struct side *dst, const struct side *src, size_t width,
	size_t height, const struct way *w)
{
	CUDA_MEMCPY2D c = {
		.srcXInBytes = src->x, .srcY = src->y,
		.srcMemoryType = src->type, .srcHost = src->p,
		.srcDevice = ADDRESS(src->p), .srcArray = src->array,
		.srcPitch = src->pitch,
		.dstXInBytes = dst->x, .dstY = dst->y,
		.dstMemoryType = dst->type, .dstHost = (void *)dst->p,
		.dstDevice = ADDRESS(dst->p), .dstArray = dst->array,
		.dstPitch = dst->pitch,
		.WidthInBytes = width, .Height = height
	};

	return width && height ? put(&c, w) : 0;
}

/* planes */

static cudaError_t
to_plane(CUarray a, size_t x, size_t y, const void *p, size_t pitch,
	size_t width, size_t height, int kind, const struct way *w)
{
	struct side src, dst = in_array(a, x, y);
	cudaError_t r = in_memory(&src, p, pitch, kind, COPY_HOST_TO_DEVICE);

	if (!r && width > pitch)
		r = cudaErrorInvalidPitchValue;
	return r ? r : box(&dst, &src, width, height, w);
}

static cudaError_t
from_plane(void *p, size_t pitch, CUarray a, size_t x, size_t y, size_t width,
	size_t height, int kind, const struct way *w)
{
	struct side dst, src = in_array(a, x, y);
	cudaError_t r = in_memory(&dst, p, pitch, kind, COPY_DEVICE_TO_HOST);

	if (!r && width > pitch)
		r = cudaErrorInvalidPitchValue;
	return r ? r : box(&dst, &src, width, height, w);
}

cudaError_t
cudaMemcpy2DToArray(CUarray a, size_t x, size_t y, const void *p,
	size_t pitch, size_t width, size_t height, int kind)
{
	return to_plane(a, x, y, p, pitch, width, height, kind,
		&(struct way){ false, 0 });
}

cudaError_t
cudaMemcpy2DToArrayAsync(CUarray a, size_t x, size_t y, const void *p,
	size_t pitch, size_t width, size_t height, int kind, CUstream s)
{
	return to_plane(a, x, y, p, pitch, width, height, kind,
		&(struct way){ true, s });
}

cudaError_t
cudaMemcpy2DFromArray(void *p, size_t pitch, CUarray a, size_t x, size_t y,
	size_t width, size_t height, int kind)
{
	return from_plane(p, pitch, a, x, y, width, height, kind,
		&(struct way){ false, 0 });
}

cudaError_t
cudaMemcpy2DFromArrayAsync(void *p, size_t pitch, CUarray a, size_t x,
	size_t y, size_t width, size_t height, int kind, CUstream s)
{
	return from_plane(p, pitch, a, x, y, width, height, kind,
		&(struct way){ true, s });
}

static bool
is_on_device(int kind)
{
	return kind == COPY_DEVICE_TO_DEVICE || kind == COPY_DEFAULT;
}

cudaError_t
cudaMemcpy2DArrayToArray(CUarray to, size_t dx, size_t dy, CUarray from,
	size_t sx, size_t sy, size_t width, size_t height, int kind)
{
	struct side dst = in_array(to, dx, dy), src = in_array(from, sx, sy);

	if (!is_on_device(kind))
		return cudaErrorInvalidMemcpyDirection;
	return box(&dst, &src, width, height, &(struct way){ false, 0 });
}

/* lines */

/* bytes of a row, and rows; of memory: as many as you like */
static cudaError_t
extents(const struct side *s, size_t *width, size_t *height)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	cudaError_t r;

	*width = *height = SIZE_MAX;
	if (!s->array)
		return 0;
	r = cuArray3DGetDescriptor_v2(&d, s->array);
	if (r)
		return r;
	*width = d.Width * channel_size(d.Format, d.NumChannels);
	*height = d.Height ? d.Height : 1;
	return 0;
}

static bool
has_room(const struct side *s, size_t width, size_t height, size_t n)
{
	return !s->array || (s->x <= width && s->y < height
		&& n <= (height - s->y) * width - s->x);
}

static void
advance(struct side *s, size_t width, size_t n, size_t rows)
{
	if (!s->array) {
		s->p = (const char *)s->p + n * rows;
		return;
	}
	s->x += n;
	if (s->x == width) {
		s->x = 0;
		s->y += rows;
	}
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* as long a part of the line as is in one row of both; or whole rows */
static cudaError_t
line(struct side dst, struct side src, size_t n, const struct way *w)
{
	size_t dw, dh, sw, sh, part, rows;
	cudaError_t r = extents(&dst, &dw, &dh);

	if (!r)
		r = extents(&src, &sw, &sh);
	if (!r && (!has_room(&dst, dw, dh, n) || !has_room(&src, sw, sh, n)))
		r = cudaErrorInvalidValue;
	for (; n && !r; n -= part * rows) {
		part = least(n, least(dw - dst.x, sw - src.x));
		rows = part == least(dw, sw) && (dw == sw || !dst.array ||
			!src.array) ? n / part : 1;
		dst.pitch = src.pitch = part;
		r = box(&dst, &src, part, rows, w);
		advance(&dst, dw, part, rows);
		advance(&src, sw, part, rows);
	}
	return r;
}

static cudaError_t
to_line(CUarray a, size_t x, size_t y, const void *p, size_t n, int kind,
	const struct way *w)
{
	struct side src;
	cudaError_t r = in_memory(&src, p, 0, kind, COPY_HOST_TO_DEVICE);

	return r ? r : line(in_array(a, x, y), src, n, w);
}

static cudaError_t
from_line(void *p, CUarray a, size_t x, size_t y, size_t n, int kind,
	const struct way *w)
{
	struct side dst;
	cudaError_t r = in_memory(&dst, p, 0, kind, COPY_DEVICE_TO_HOST);

	return r ? r : line(dst, in_array(a, x, y), n, w);
}

cudaError_t
cudaMemcpyToArray(CUarray a, size_t x, size_t y, const void *p, size_t n,
	int kind)
{
	return to_line(a, x, y, p, n, kind, &(struct way){ false, 0 });
}

cudaError_t
cudaMemcpyToArrayAsync(CUarray a, size_t x, size_t y, const void *p,
	size_t n, int kind, CUstream s)
{
	return to_line(a, x, y, p, n, kind, &(struct way){ true, s });
}

cudaError_t
cudaMemcpyFromArray(void *p, CUarray a, size_t x, size_t y, size_t n,
	int kind)
{
	return from_line(p, a, x, y, n, kind, &(struct way){ false, 0 });
}

cudaError_t
cudaMemcpyFromArrayAsync(void *p, CUarray a, size_t x, size_t y, size_t n,
	int kind, CUstream s)
{
	return from_line(p, a, x, y, n, kind, &(struct way){ true, s });
}

cudaError_t
cudaMemcpyArrayToArray(CUarray to, size_t dx, size_t dy, CUarray from,
	size_t sx, size_t sy, size_t n, int kind)
{
	if (!is_on_device(kind))
		return cudaErrorInvalidMemcpyDirection;
	return line(in_array(to, dx, dy), in_array(from, sx, sy), n,
		&(struct way){ false, 0 });
}
