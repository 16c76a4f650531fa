/* graph_copy.c - nodes that copy: boxes, lines, variables of the program. */
#include "rt.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

/* a line is a box of one row */
static cudaError_t
lower_line(CUDA_MEMCPY3D *c, void *dst, const void *src, size_t n, int kind)
{
	const struct copy_3d p = {
		.src = { (void *)(uintptr_t)src, n, n, 1 },
		.dst = { dst, n, n, 1 },
		.extent = { n, 1, 1 }, .kind = kind
	};

	return box_lower(c, &p);
}

/* how large the elements are that an array's side counts in */
static struct pos
position(size_t x, size_t y, size_t z, CUarray a)
{
	size_t unit = array_element(a);

	return (struct pos){ unit ? x / unit : x, y, z };
}

static int
kind_of(const CUDA_MEMCPY3D *c)
{
	bool from = c->srcMemoryType == CU_MEMORYTYPE_HOST;
	bool to = c->dstMemoryType == CU_MEMORYTYPE_HOST;

	if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED ||
	    c->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
		return COPY_DEFAULT;
	if (from)
		return to ? COPY_HOST_TO_HOST : COPY_HOST_TO_DEVICE;
	return to ? COPY_DEVICE_TO_HOST : COPY_DEVICE_TO_DEVICE;
}

static struct pitched_ptr
pointer(CUmemorytype type, const void *host, CUdeviceptr device, size_t pitch,
	size_t height)
{
	struct pitched_ptr p = { 0, pitch, pitch, height };

	if (type == CU_MEMORYTYPE_HOST)
		p.ptr = (void *)(uintptr_t)host;
	else if (type != CU_MEMORYTYPE_ARRAY)
		p.ptr = (void *)(uintptr_t)device;
	return p;
}

cudaError_t
cudaGraphMemcpyNodeGetParams(CUgraphNode node, struct copy_3d *p)
{
	CUDA_MEMCPY3D c;
	CUarray from, to, any;
	cudaError_t r = p ? cuGraphMemcpyNodeGetParams(node, &c) :
		cudaErrorInvalidValue;

	if (r)
		return r;
	from = c.srcMemoryType == CU_MEMORYTYPE_ARRAY ? c.srcArray : 0;
	to = c.dstMemoryType == CU_MEMORYTYPE_ARRAY ? c.dstArray : 0;
	any = from ? from : to;
	*p = (struct copy_3d){
		.src_array = from, .dst_array = to,
		.src_pos = position(c.srcXInBytes, c.srcY, c.srcZ, from),
		.dst_pos = position(c.dstXInBytes, c.dstY, c.dstZ, to),
		.src = pointer(c.srcMemoryType, c.srcHost, c.srcDevice,
			c.srcPitch, c.srcHeight),
		.dst = pointer(c.dstMemoryType, c.dstHost, c.dstDevice,
			c.dstPitch, c.dstHeight),
		.extent = { position(c.WidthInBytes, 0, 0, any).x, c.Height,
			c.Depth },
		.kind = kind_of(&c)
	};
	return 0;
}

/* A copy comes to be in three ways, and so does its other side: FORM makes
 * the functions that add, set and set in an executable graph from how a copy
 * is lowered. */
#define FORM(suffix, lower, ...) \
cudaError_t \
cudaGraphAddMemcpyNode##suffix(CUgraphNode *node, CUgraph g, \
	const CUgraphNode *deps, size_t count, ROW_DECLARE(__VA_ARGS__)) \
{ \
	CUDA_MEMCPY3D c; \
	cudaError_t r = lower; \
	\
	return r ? r : cuGraphAddMemcpyNode(node, g, deps, count, &c, 0); \
} \
cudaError_t \
cudaGraphMemcpyNodeSetParams##suffix(CUgraphNode node, \
	ROW_DECLARE(__VA_ARGS__)) \
{ \
	CUDA_MEMCPY3D c; \
	cudaError_t r = lower; \
	\
	return r ? r : cuGraphMemcpyNodeSetParams(node, &c); \
} \
cudaError_t \
cudaGraphExecMemcpyNodeSetParams##suffix(CUgraphExec e, CUgraphNode node, \
	ROW_DECLARE(__VA_ARGS__)) \
{ \
	CUDA_MEMCPY3D c; \
	cudaError_t r = lower; \
	\
	return r ? r : cuGraphExecMemcpyNodeSetParams(e, node, &c, 0); \
}

FORM(, box_lower(&c, p), const struct copy_3d *, p)
FORM(1D, lower_line(&c, dst, src, n, kind), void *, dst, const void *, src,
	size_t, n, int, kind)

static cudaError_t
lower_to(CUDA_MEMCPY3D *c, const void *symbol, const void *src, size_t n,
	size_t offset, int kind)
{
	void *p;
	cudaError_t r = symbol_part(symbol, n, offset, &p);

	return r ? r : lower_line(c, p, src, n, kind);
}

static cudaError_t
lower_from(CUDA_MEMCPY3D *c, void *dst, const void *symbol, size_t n,
	size_t offset, int kind)
{
	void *p;
	cudaError_t r = symbol_part(symbol, n, offset, &p);

	return r ? r : lower_line(c, dst, p, n, kind);
}

FORM(ToSymbol, lower_to(&c, symbol, src, n, offset, kind), const void *,
	symbol, const void *, src, size_t, n, size_t, offset, int, kind)
FORM(FromSymbol, lower_from(&c, dst, symbol, n, offset, kind), void *, dst,
	const void *, symbol, size_t, n, size_t, offset, int, kind)
