/* memcpy_box.c - copies of boxes: cuMemcpy2D, cuMemcpy3D and their like.
 *
 * The two-dimensional form is the other with depth 1; the one between peers
 * names contexts besides.  A side in an array has the array's strides.
 */
#include "copy.h"
#include "array.h"

enum { PITCH_MOST = 0x7fffffff };  /* MAX_PITCH of attr.def */

/* one side of a box, as a program gives it */
struct part {
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	CUarray array;
	size_t x, y, z, level, pitch, height;
};

static CUresult
side_of(const struct part *p, enum side *side, uint64_t *addr)
{
	switch (p->type) {
	case CU_MEMORYTYPE_HOST:
		*side = SIDE_HOST;
		*addr = (uintptr_t)p->host;
		return 0;
	case CU_MEMORYTYPE_DEVICE:
	case CU_MEMORYTYPE_UNIFIED:
		*side = p->type == CU_MEMORYTYPE_DEVICE
			? SIDE_DEVICE : SIDE_ANY;
		*addr = p->device;
		return 0;
	case CU_MEMORYTYPE_ARRAY:
		break;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static CUresult
place_in_array(const struct part *p, const struct copy *c, enum side *side,
	uint64_t *addr, size_t *pitch, size_t *slice)
{
	CUresult r;

	/* a level is an array of its own */
	if (p->level)
		return CUDA_ERROR_INVALID_VALUE;
	r = array_box(p->array, p->x, p->y, p->z, c->width, c->height,
		c->depth, addr);
	if (r)
		return r;
	*side = SIDE_DEVICE;
	*pitch = p->array->pitch;
	*slice = p->array->slice;
	return 0;
}

/* where the box begins, and its strides; a pitch or height of 0 is that of
 * the box, where only one row or slice needs it */
static CUresult
place_in_memory(const struct part *p, const struct copy *c, enum side *side,
	uint64_t *addr, size_t *pitch, size_t *slice)
{
	CUresult r = side_of(p, side, addr);
	size_t rows = p->height ? p->height : p->y + c->height;
	size_t at;

	if (r)
		return r;
	*pitch = p->pitch ? p->pitch : p->x + c->width;
	if (*pitch > PITCH_MOST
		|| (c->height * c->depth > 1 && p->x + c->width > *pitch)
		|| (c->depth > 1 && p->y + c->height > rows)
		|| __builtin_mul_overflow(*pitch, rows, slice)
		|| __builtin_mul_overflow(*slice, p->z, &at)
		|| !*addr)
		return CUDA_ERROR_INVALID_VALUE;
	*addr += at + p->y * *pitch + p->x;
	return 0;
}

static CUresult
place(const struct part *p, const struct copy *c, enum side *side,
	uint64_t *addr, size_t *pitch, size_t *slice)
{
	return p->type == CU_MEMORYTYPE_ARRAY
		? place_in_array(p, c, side, addr, pitch, slice)
		: place_in_memory(p, c, side, addr, pitch, slice);
}

static CUresult
place_both(const struct part *dst, const struct part *src, struct copy *c,
	enum side *to, enum side *from)
{
	CUresult r = place(dst, c, to, &c->dst.addr, &c->dst.pitch,
		&c->dst.slice);

	return r ? r : place(src, c, from, &c->src.addr, &c->src.pitch,
		&c->src.slice);
}

static CUresult
run(const struct part *dst, const struct part *src, struct copy *c,
	CUstream s, bool async)
{
	enum side to, from;
	CUresult r;

	if (!c->width || !c->height || !c->depth)
		return 0;
	r = place_both(dst, src, c, &to, &from);
	return r ? r : copy_box(c, to, from, s, async);
}

static CUresult
run_2d(const CUDA_MEMCPY2D *p, CUstream s, bool async)
{
	struct copy c = { .depth = 1 };
	struct part dst, src;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	c.width = p->WidthInBytes;
	c.height = p->Height;
	dst = (struct part){ .type = p->dstMemoryType, .host = p->dstHost,
		.device = p->dstDevice, .array = p->dstArray,
		.x = p->dstXInBytes, .y = p->dstY, .pitch = p->dstPitch };
	src = (struct part){ .type = p->srcMemoryType, .host = p->srcHost,
		.device = p->srcDevice, .array = p->srcArray,
		.x = p->srcXInBytes, .y = p->srcY, .pitch = p->srcPitch };
	return run(&dst, &src, &c, s, async);
}

/* CUDA_MEMCPY3D and CUDA_MEMCPY3D_PEER differ in what we do not read here */
#define PART(p, side) (struct part){ .type = (p)->side##MemoryType, \
	.host = (p)->side##Host, .device = (p)->side##Device, \
	.array = (p)->side##Array, \
	.x = (p)->side##XInBytes, .y = (p)->side##Y, .z = (p)->side##Z, \
	.level = (p)->side##LOD, \
	.pitch = (p)->side##Pitch, .height = (p)->side##Height }

static CUresult
run_3d(const CUDA_MEMCPY3D *p, CUstream s, bool async)
{
	struct copy c = { .width = 0 };
	struct part dst, src;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	c.width = p->WidthInBytes;
	c.height = p->Height;
	c.depth = p->Depth;
	dst = PART(p, dst);
	src = PART(p, src);
	return run(&dst, &src, &c, s, async);
}

CUresult
copy_lower(const CUDA_MEMCPY3D *p, struct copy *c)
{
	struct part dst = PART(p, dst), src = PART(p, src);
	enum side to, from;
	CUresult r;

	*c = (struct copy){ .width = p->WidthInBytes, .height = p->Height,
		.depth = p->Depth };
	r = place_both(&dst, &src, c, &to, &from);
	return r ? r : copy_check(c, to, from);
}

static CUresult
run_peer(const CUDA_MEMCPY3D_PEER *p, CUstream s, bool async)
{
	struct copy c = { .width = 0 };
	struct part dst, src;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_of(p->dstContext) || !context_of(p->srcContext))
		return CUDA_ERROR_INVALID_CONTEXT;
	c.width = p->WidthInBytes;
	c.height = p->Height;
	c.depth = p->Depth;
	dst = PART(p, dst);
	src = PART(p, src);
	return run(&dst, &src, &c, s, async);
}

CUresult
cuMemcpy2D_v2(const CUDA_MEMCPY2D *p)
{
	return run_2d(p, 0, false);
}

CUresult
cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *p)
{
	return run_2d(p, 0, false);
}

CUresult
cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *p, CUstream s)
{
	return run_2d(p, s, true);
}

CUresult
cuMemcpy3D_v2(const CUDA_MEMCPY3D *p)
{
	return run_3d(p, 0, false);
}

CUresult
cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *p, CUstream s)
{
	return run_3d(p, s, true);
}

CUresult
cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *p)
{
	return run_peer(p, 0, false);
}

CUresult
cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *p, CUstream s)
{
	return run_peer(p, s, true);
}

/* a side of one of the boxes of a batch; extents and offsets are in bytes,
 * but in elements where an array is on either side */
static struct part
part_of(const CUmemcpy3DOperand *o, size_t texel)
{
	if (o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY)
		return (struct part){ .type = CU_MEMORYTYPE_ARRAY,
			.array = o->op.array.array,
			.x = o->op.array.offset.x * texel,
			.y = o->op.array.offset.y,
			.z = o->op.array.offset.z };
	return (struct part){ .type = CU_MEMORYTYPE_UNIFIED,
		.device = o->op.ptr.ptr, .pitch = o->op.ptr.rowLength * texel,
		.height = o->op.ptr.layerHeight };
}

static size_t
texel_of(const CUmemcpy3DOperand *o)
{
	return o->type == CU_MEMCPY_OPERAND_TYPE_ARRAY
		&& handle_is(HANDLE_ARRAY, o->op.array.array)
		? o->op.array.array->format.texel : 1;
}

static CUresult
run_op(const CUDA_MEMCPY3D_BATCH_OP *op, CUstream s)
{
	size_t to = texel_of(&op->dst), from = texel_of(&op->src);
	size_t texel = to > from ? to : from;
	struct copy c = { .width = op->extent.width * texel,
		.height = op->extent.height, .depth = op->extent.depth };
	struct part dst = part_of(&op->dst, texel);
	struct part src = part_of(&op->src, texel);

	if (op->srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_INVALID ||
	    op->srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY)
		return CUDA_ERROR_INVALID_VALUE;
	return run(&dst, &src, &c, s, true);
}

CUresult
cuMemcpy3DBatchAsync_v2(size_t n, CUDA_MEMCPY3D_BATCH_OP *op,
	unsigned long long flags, CUstream s)
{
	CUresult r = 0;
	size_t i;

	if (!n || !op || flags || !s)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !r; i++)
		r = run_op(&op[i], s);
	return r;
}

CUresult
cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *op, size_t *failed,
	unsigned long long flags, CUstream s)
{
	CUresult r = cuMemcpy3DBatchAsync_v2(n, op, flags, s);

	if (r && failed)
		*failed = SIZE_MAX; /* not one of them in particular */
	return r;
}
