/* memory.c - memory of the device, and of host and device both. */
#include "graph.h"
#include "ipc.h"
#include "pool.h"
#include "vmm.h"

static const struct dev_ops *
ops_of(CUcontext c)
{
	return c->device->ops;
}

CUresult
memory_release(const struct region *r)
{
	const struct dev_ops *ops = r->device->ops;
	struct dev *dev = r->device->dev;
	void *host = (void *)(uintptr_t)r->host;

	switch (r->kind) {
	case REGION_DEVICE:
	case REGION_MANAGED:
	case REGION_ARRAY:
	case REGION_GRAPH:
		return ops->free(dev, r->addr);
	case REGION_HOST:
		return ops->host_free(dev, host);
	case REGION_REGISTERED:
		return ops->host_unregister(dev, host);
	case REGION_POOL:
		piece_put(r->owner, 0);
		break;
	case REGION_SHARED:
		ipc_release(r);
		break;
	case REGION_EXTERNAL:
		external_release(r);
		break;
	case REGION_VARIABLE:
	case REGION_MAPPED:
		break;
	}
	return 0;
}

void
memory_context_end(CUcontext c)
{
	struct region r;

	while (region_take_of(c, &r))
		memory_release(&r);
	pools_settle();
}

CUresult
memory_enter(struct region *r)
{
	CUresult err;

	r->context = context_current();
	r->device = r->context->device;
	err = region_add(r);
	if (err)
		memory_release(r);
	return err;
}

CUresult
cuMemAlloc_v2(CUdeviceptr *out, size_t size)
{
	CUcontext c = context_current();
	struct region r = { .size = size, .kind = REGION_DEVICE };
	CUresult err;

	if (!out || !size)
		return CUDA_ERROR_INVALID_VALUE;
	if (size > c->device->info.memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = ops_of(c)->alloc(c->device->dev, size, &r.addr);
	if (!err)
		err = memory_enter(&r);
	if (!err)
		*out = r.addr;
	return err;
}

CUresult
cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width,
	size_t height, unsigned element)
{
	enum { ALIGN = 512 }; /* TEXTURE_ALIGNMENT of attr.def */
	size_t row = (width + ALIGN - 1) / ALIGN * ALIGN;
	CUresult err;

	if (!pitch || !width || !height || row < width
		|| (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	if (height > SIZE_MAX / row)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = cuMemAlloc_v2(out, row * height);
	if (!err)
		*pitch = row;
	return err;
}

CUresult
cuMemAllocManaged(CUdeviceptr *out, size_t size, unsigned flags)
{
	CUcontext c = context_current();
	struct region r = { .size = size, .kind = REGION_MANAGED,
		.flags = flags, .sync_memops = true,
		.preferred.id = CU_DEVICE_INVALID,
		.prefetched.id = CU_DEVICE_INVALID };
	CUresult err;

	if (!out || !size || (flags != CU_MEM_ATTACH_GLOBAL
		&& flags != CU_MEM_ATTACH_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	if (size > c->device->info.memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = ops_of(c)->managed_alloc(c->device->dev, size, &r.addr);
	r.host = r.addr;
	if (!err)
		err = memory_enter(&r);
	if (!err)
		*out = r.addr;
	return err;
}

/* No work that could use the memory is left when it goes: as CUDA has it,
 * freeing waits. */
CUresult
cuMemFree_v2(CUdeviceptr addr)
{
	struct region r;
	CUresult err;

	if (!addr)
		return 0; /* also without a context */
	err = need_HELD();
	if (err)
		return err;
	err = capture_forbids();
	if (err)
		return err;
	if (!region_take(addr, 1u << REGION_DEVICE | 1u << REGION_MANAGED
		| 1u << REGION_POOL | 1u << REGION_EXTERNAL, &r))
		return graph_memory_free(addr) ? CUDA_SUCCESS :
			ipc_close(addr, true);
	streams_sync(r.context);
	return memory_release(&r);
}

CUresult
cuMemGetInfo_v2(size_t *free, size_t *total)
{
	const struct device *d = context_current()->device;
	size_t f, t;
	CUresult err;

	err = d->ops->memory(d->dev, &f, &t);
	if (err)
		return err;
	t = d->info.memory;
	if (total)
		*total = t;
	if (free)
		*free = f < t ? f : t;
	return 0;
}

CUresult
cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr addr)
{
	struct region r;

	if (!region_find(addr, 1, &r))
		return CUDA_ERROR_NOT_FOUND;
	if (r.kind == REGION_MAPPED)
		mapping_range(addr, &r.addr, &r.size);
	if (base)
		*base = r.addr;
	if (size)
		*size = r.size;
	return 0;
}
