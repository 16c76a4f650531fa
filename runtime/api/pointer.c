/* pointer.c - what can be asked of an address. */
#include "pool.h"
#include "vmm.h"
#include <string.h>

enum { READ_WRITE = 3 }; /* of CU_POINTER_ATTRIBUTE_ACCESS_FLAGS */

union value {
	CUcontext context;
	int number;
	void *pointer;
	uint64_t address;
	size_t size;
};

/* One row an attribute: the member of the value that is answered, what it is
 * for an address that we know, and for one that we do not.  What the manual
 * calls boolean is an int. */
#define ATTRIBUTES \
	A(CONTEXT, context, r->kind == REGION_POOL ? 0 : r->context, 0) \
	A(MEMORY_TYPE, number, is_host(r) \
		? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE, 0) \
	A(DEVICE_POINTER, address, device_address(r, addr), 0) \
	A(HOST_POINTER, pointer, host_address(r, addr), \
		(void *)(uintptr_t)addr) \
	A(SYNC_MEMOPS, number, r->sync_memops, 0) \
	A(BUFFER_ID, address, r->id, 0) \
	A(IS_MANAGED, number, r->kind == REGION_MANAGED, 0) \
	A(DEVICE_ORDINAL, number, r->device->index, \
		CU_DEVICE_INVALID) \
	A(IS_LEGACY_CUDA_IPC_CAPABLE, number, r->kind == REGION_DEVICE \
		&& r->device->info.shares, 0) \
	A(RANGE_START_ADDR, address, whole.addr, 0) \
	A(RANGE_SIZE, size, whole.size, 0) \
	A(MAPPED, number, 1, 0) \
	A(ALLOWED_HANDLE_TYPES, address, handle_types(r), 0) \
	A(IS_GPU_DIRECT_RDMA_CAPABLE, number, 0, 0) \
	A(ACCESS_FLAGS, number, READ_WRITE, 0) \
	A(MEMPOOL_HANDLE, pointer, pool_in(r), 0) \
	A(MAPPING_SIZE, size, mapped.size, 0) \
	A(MAPPING_BASE_ADDR, address, mapped.addr, 0) \
	A(MEMORY_BLOCK_ID, address, r->id, 0) \
	A(IS_HW_DECOMPRESS_CAPABLE, number, 0, 0)

static bool
is_host(const struct region *r)
{
	return r->kind == REGION_HOST || r->kind == REGION_REGISTERED;
}

static CUmemoryPool
pool_in(const struct region *r)
{
	return r->kind == REGION_POOL ? piece_pool(r->owner) : 0;
}

static uint64_t
handle_types(const struct region *r)
{
	if (r->kind == REGION_POOL)
		return pool_in(r)->props.handleTypes;
	return r->kind == REGION_MAPPED ? vmm_handle_types(r->addr) : 0;
}

static uint64_t
device_address(const struct region *r, uint64_t addr)
{
	return addr - r->addr < r->size ? addr
		: r->addr + (addr - r->host);
}

static void *
host_address(const struct region *r, uint64_t addr)
{
	if (!r->host)
		return 0;
	if (addr - r->host >= r->size)
		addr = r->host + (addr - r->addr);
	return (void *)(uintptr_t)addr;
}

struct range {
	uint64_t addr, size;
};

/* the addresses that belong together, and what has memory of them */
static void
ranges(const struct region *r, uint64_t addr, struct range *whole,
	struct range *mapped)
{
	*whole = *mapped = (struct range){ r->addr, r->size };
	if (r->kind != REGION_MAPPED)
		return;
	reservation_range(addr, &whole->addr, &whole->size);
	mapping_range(addr, &mapped->addr, &mapped->size);
}

/* r 0: nothing is known of addr */
static CUresult
answer(void *out, CUpointer_attribute a, const struct region *r, uint64_t addr)
{
	struct range whole = { 0, 0 }, mapped = whole;
	union value v;

	/* of no memory there is no range: left as it was */
	if (!r && (a == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
		|| a == CU_POINTER_ATTRIBUTE_RANGE_SIZE))
		return 0;
	if (r)
		ranges(r, addr, &whole, &mapped);
	switch (a) {
#define A(name, member, known, unknown) \
	case CU_POINTER_ATTRIBUTE_##name: \
		if (r) \
			v.member = known; \
		else \
			v.member = unknown; \
		memcpy(out, &v.member, sizeof v.member); \
		return 0;
	ATTRIBUTES
#undef A
	case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuPointerGetAttribute(void *out, CUpointer_attribute a, CUdeviceptr addr)
{
	struct region r;
	CUresult err;

	if (!out || !region_find(addr, 1, &r))
		return CUDA_ERROR_INVALID_VALUE;
	/* memory of the device has no address for the host */
	err = answer(out, a, &r, addr);
	if (a == CU_POINTER_ATTRIBUTE_HOST_POINTER && !r.host)
		return CUDA_ERROR_INVALID_VALUE;
	return err;
}

/* For addresses that are not ours, the answers are those of no memory. */
CUresult
cuPointerGetAttributes(unsigned n, CUpointer_attribute *a, void **out,
	CUdeviceptr addr)
{
	struct region r;
	bool known = region_find(addr, 1, &r);
	CUresult err;
	unsigned i;

	if (!n || !a || !out)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n; i++) {
		err = out[i] ? answer(out[i], a[i], known ? &r : 0, addr)
			: CUDA_ERROR_INVALID_VALUE;
		if (err)
			return err;
	}
	return 0;
}

static void
set_sync(struct region *r, const void *on)
{
	r->sync_memops = *(const unsigned *)on != 0;
}

CUresult
cuPointerSetAttribute(const void *value, CUpointer_attribute a,
	CUdeviceptr addr)
{
	if (!value || a != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
		return CUDA_ERROR_INVALID_VALUE;
	return region_edit(addr, 1, set_sync, value)
		? 0 : CUDA_ERROR_INVALID_VALUE;
}
