/* copy.c - one way for all copies: check both sides, put a box into a queue.
 *
 * What CUDA says of when a copy returns: one with the device on both sides
 * does not wait, but for memory that the host may use (managed, or by
 * CU_POINTER_ATTRIBUTE_SYNC_MEMOPS); one that is not Async waits; an Async one
 * with memory of the host that is not page-locked returns when that memory
 * has been read or written, so that programs may use it at once.
 */
#include "copy.h"
#include "stream.h"
#include <stdlib.h>
#include <string.h>

/* what a box of rows spans: from its first byte to behind its last */
static bool
span(const struct copy *c, size_t pitch, size_t slice, size_t *size)
{
	size_t rows, slices;

	if (__builtin_mul_overflow(c->height - 1, pitch, &rows)
		|| __builtin_mul_overflow(c->depth - 1, slice, &slices)
		|| __builtin_add_overflow(rows, slices, size))
		return false;
	return !__builtin_add_overflow(*size, c->width, size);
}

/* no process has memory in the first pages, nor beyond 47 bits */
static bool
is_plausible(uint64_t addr, size_t size)
{
	return addr >= 1 << 16 && addr < 1ull << 47
		&& size <= (1ull << 47) - addr;
}

/* what the memory on one side of a copy is like */
struct memory {
	bool pinned;             /* the device may use it at any time */
	bool waits;              /* the host may use it at any time */
};

/* Is that side where the copy says it is? */
static CUresult
check_side(enum side side, uint64_t addr, size_t size, bool *is_host,
	struct memory *m)
{
	struct region r;
	bool known = region_find(addr, size, &r);

	m->pinned = known;
	m->waits = known && r.sync_memops;
	*is_host = side == SIDE_HOST || (side == SIDE_ANY
		&& (!known || r.kind == REGION_HOST
		|| r.kind == REGION_REGISTERED));
	if (!known && (side == SIDE_DEVICE || !is_plausible(addr, size)))
		return CUDA_ERROR_INVALID_VALUE;
	/* the end of an allocation is the end of what may be used of it */
	if (side == SIDE_ANY && !known && region_find(addr, 1, &r)
		&& r.kind != REGION_REGISTERED)
		return CUDA_ERROR_INVALID_VALUE;
	return 0;
}

/* A copy of rows without gaps is a copy of one row: cheaper for everyone. */
static void
flatten(struct copy *c)
{
	if (c->depth > 1 && c->src.slice == c->dst.slice
		&& c->src.pitch == c->dst.pitch && c->src.pitch
		&& c->src.slice == c->height * c->src.pitch) {
		c->height *= c->depth;
		c->depth = 1;
	}
	if (c->depth == 1 && c->height > 1 && c->src.pitch == c->width
		&& c->dst.pitch == c->width) {
		c->width *= c->height;
		c->height = 1;
	}
}

static CUresult
put(const struct copy *c, CUstream handle, bool wait, void *staged)
{
	struct queue *q;
	CUstream s;
	CUresult r = stream_begin(handle, &s, &q);
	const struct dev_ops *ops;

	if (r) {
		free(staged);
		return r;
	}
	ops = s->context->device->ops;
	r = ops->copy(q, c);
	if (staged && (r || ops->call(q, free, staged) != 0))
		free(staged);
	stream_end(s);
	return r || !wait ? r : stream_sync(handle);
}

/* A small copy from pageable memory goes by way of a copy of our own, so that
 * it need not wait for what is in the queue before it. */
static CUresult
put_staged(struct copy *c, CUstream handle)
{
	void *p = malloc(c->width);

	if (!p)
		return put(c, handle, true, 0);
	memcpy(p, (const void *)(uintptr_t)c->src.addr, c->width);
	c->src.addr = (uintptr_t)p;
	return put(c, handle, false, p);
}

/* into a stream that is captured: what the memory is like is looked at when
 * the graph is launched */
static CUresult
put_captured(const struct copy *c, CUstream handle)
{
	CUstream s;
	CUresult r = stream_enter(handle, &s);

	if (r)
		return r;
	r = stream_copy(s, c);
	stream_end(s);
	return r;
}

static CUresult
check(struct copy *c, enum side dst, enum side src, struct memory *dst_is,
	struct memory *src_is)
{
	size_t from, to;
	CUresult r;

	flatten(c);
	if (!span(c, c->dst.pitch, c->dst.slice, &to)
		|| !span(c, c->src.pitch, c->src.slice, &from))
		return CUDA_ERROR_INVALID_VALUE;
	r = check_side(dst, c->dst.addr, to, &c->to_host, dst_is);
	return r ? r : check_side(src, c->src.addr, from, &c->from_host,
		src_is);
}

CUresult
copy_check(struct copy *c, enum side dst, enum side src)
{
	struct memory dst_is, src_is;

	return check(c, dst, src, &dst_is, &src_is);
}

CUresult
copy_box(struct copy *c, enum side dst, enum side src, CUstream s, bool async)
{
	enum { STAGE_MOST = 64 << 10 };
	struct memory dst_is, src_is;
	CUresult r;

	if (!c->width || !c->height || !c->depth)
		return 0;
	r = check(c, dst, src, &dst_is, &src_is);
	if (r)
		return r;
	if (async && stream_captured(s))
		return put_captured(c, s);
	if (!c->to_host && !c->from_host)
		return put(c, s, !async && (dst_is.waits || src_is.waits), 0);
	if (!async || (c->to_host && !dst_is.pinned))
		return put(c, s, true, 0);
	if (!c->from_host || src_is.pinned)
		return put(c, s, false, 0);
	if (c->height == 1 && c->depth == 1 && c->width <= STAGE_MOST)
		return put_staged(c, s);
	return put(c, s, true, 0);
}

CUresult
copy_line(uint64_t dst, enum side to, uint64_t src, enum side from,
	size_t size, CUstream s, bool async)
{
	struct copy c = { .dst.addr = dst, .src.addr = src, .width = size,
		.height = 1, .depth = 1 };

	return copy_box(&c, to, from, s, async);
}
