/* external.c - memory that comes from elsewhere as a file descriptor.
 *
 * Where the device's memory is the host's, each buffer is a mapping of the
 * file.  The descriptor is ours from the import on.
 */
#include "ipc.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct CUextMemory_st {
	uint64_t size;
	int fd;
};

/* what a buffer is mapped as: whole pages */
struct map {
	void *base;
	size_t size;
};

CUresult
cuImportExternalMemory(CUexternalMemory *out,
	const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d)
{
	CUexternalMemory m;
	off_t end;

	if (!out || !d || !d->size || d->type < 1 ||
	    d->type > CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD
	    || d->flags & ~(unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED)
		return CUDA_ERROR_INVALID_VALUE;
	if ((d->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD &&
	    d->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD) ||
	    !context_current()->device->info.host_visible)
		return CUDA_ERROR_NOT_SUPPORTED;
	end = lseek(d->handle.fd, 0, SEEK_END);
	if (end < (off_t)d->size)
		return end < 0 ? CUDA_ERROR_UNKNOWN : CUDA_ERROR_INVALID_VALUE;
	m = handle_new(HANDLE_EXTERNAL, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->size = d->size;
	m->fd = d->handle.fd;
	*out = m;
	return CUDA_SUCCESS;
}

/* buffers that are mapped stay */
CUresult
cuDestroyExternalMemory(CUexternalMemory m)
{
	if (!handle_is(HANDLE_EXTERNAL, m))
		return CUDA_ERROR_INVALID_HANDLE;
	close(m->fd);
	handle_free(HANDLE_EXTERNAL, m);
	return CUDA_SUCCESS;
}

static struct map *
map_pages(int fd, uint64_t offset, uint64_t size)
{
	struct map *m = malloc(sizeof *m);

	if (!m)
		return 0;
	m->size = size;
	m->base = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		(off_t)offset);
	if (m->base != MAP_FAILED)
		return m;
	free(m);
	return 0;
}

CUresult
cuExternalMemoryGetMappedBuffer(CUdeviceptr *out, CUexternalMemory m,
	const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), head;
	struct region r = { .kind = REGION_EXTERNAL };
	struct map *map;
	CUresult err;

	if (!out || !d || !d->size || d->flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_EXTERNAL, m))
		return CUDA_ERROR_INVALID_HANDLE;
	if (d->offset > m->size || d->size > m->size - d->offset)
		return CUDA_ERROR_INVALID_VALUE;
	head = d->offset % page;
	map = map_pages(m->fd, d->offset - head, d->size + head);
	if (!map)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r.owner = map;
	r.addr = (uintptr_t)map->base + head;
	r.size = d->size;
	err = memory_enter(&r);
	if (!err)
		*out = r.addr;
	return err;
}

void
external_release(const struct region *r)
{
	struct map *m = r->owner;

	munmap(m->base, m->size);
	free(m);
}
