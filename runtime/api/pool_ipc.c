/* pool_ipc.c - pools of another process.
 *
 * The file descriptor that a pool is exported as says no more than that there
 * is one: its pieces are named one by one, as other memory is.  An imported
 * pool has no memory; what is imported from it is freed as memory is.
 */
#include "ipc.h"
#include "pool.h"

_Static_assert(sizeof(CUmemPoolPtrExportData) == 64, "it holds a name");

/* a file of memory, of which nothing is used */
static CUresult
make_file(struct device *d, int *fd)
{
	struct backing *b;
	CUresult err = d->ops->back(d->dev, d->info.page, true, &b);

	if (err)
		return err;
	err = d->ops->backing_fd(b, fd);
	d->ops->unback(b);
	return err;
}

CUresult
cuMemPoolExportToShareableHandle(void *out, CUmemoryPool p,
	CUmemAllocationHandleType type, unsigned long long flags)
{
	if (!out || !pool_is(p) || flags || p->imported ||
	    type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
	    !(p->props.handleTypes & type))
		return CUDA_ERROR_INVALID_VALUE;
	return make_file(p->device, out);
}

CUresult
cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *os,
	CUmemAllocationHandleType type, unsigned long long flags)
{
	struct device *d = context_current()->device;
	const CUmemPoolProps props = {
		.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.handleTypes = type,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, d->index },
	};
	struct backing *b;
	size_t size;
	CUresult err;

	if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
		return CUDA_ERROR_INVALID_VALUE;
	if (!ipc_handle_types(d))
		return CUDA_ERROR_NOT_SUPPORTED;
	err = d->ops->backing_of(d->dev, (int)(intptr_t)os, &size, &b);
	if (err)
		return err;
	d->ops->unback(b);
	*out = pool_new(d, &props);
	if (!*out)
		return CUDA_ERROR_OUT_OF_MEMORY;
	(*out)->imported = true;
	return CUDA_SUCCESS;
}

CUresult
cuMemPoolExportPointer(CUmemPoolPtrExportData *out, CUdeviceptr addr)
{
	struct region r;

	if (!out || !region_find(addr, 1, &r) || r.kind != REGION_POOL ||
	    !piece_pool(r.owner)->props.handleTypes)
		return CUDA_ERROR_INVALID_VALUE;
	return piece_name(r.owner, r.size, (char *)out->reserved);
}

CUresult
cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool p,
	CUmemPoolPtrExportData *data)
{
	if (!out || !data || !pool_is(p) || !p->imported)
		return CUDA_ERROR_INVALID_VALUE;
	return ipc_open((const char *)data->reserved, true, out);
}
