/* hip_vmm.c - virtual memory, and memory of other processes, by HIP's own
 * functions for it, where it has them. */
#include "hip_int.h"

#include <stdlib.h>
#include <string.h>

struct backing {
	struct dev *dev;
	void *handle;
};

static void *
at(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

static struct hip_memory
properties(const struct dev *d)
{
	return (struct hip_memory){ .type = HIP_MEMORY_PINNED,
		.location = { HIP_ON_A_DEVICE, d->index } };
}

size_t
hip_page(struct dev *d)
{
	const struct hip_api *h = d->h;
	struct hip_memory p = properties(d);
	size_t page = 0;

	if (!h->hipMemAddressReserve || !h->hipMemAddressFree ||
	    !h->hipMemCreate || !h->hipMemRelease || !h->hipMemMap ||
	    !h->hipMemUnmap || !h->hipMemSetAccess ||
	    !h->hipMemGetAllocationGranularity ||
	    h->hipMemGetAllocationGranularity(&page, &p, 1))
		return 0;
	return page;
}

CUresult
hip_reserve(struct dev *d, size_t size, size_t align, uint64_t wish,
	uint64_t *addr)
{
	void *p = 0;
	int err;

	d->h->hipSetDevice(d->index);
	err = d->h->hipMemAddressReserve(&p, size, align, at(wish), 0);
	*addr = (uint64_t)(uintptr_t)p;
	return hip_error(err);
}

CUresult
hip_unreserve(struct dev *d, uint64_t addr, size_t size)
{
	return hip_error(d->h->hipMemAddressFree(at(addr), size));
}

CUresult
hip_back(struct dev *d, size_t size, bool exported, struct backing **out)
{
	struct hip_memory p = properties(d);
	struct backing *b = malloc(sizeof *b);
	int err;

	(void)exported;
	if (!b)
		return CUDA_ERROR_OUT_OF_MEMORY;
	b->dev = d;
	d->h->hipSetDevice(d->index);
	err = d->h->hipMemCreate(&b->handle, size, &p, 0);
	if (err)
		free(b);
	else
		*out = b;
	return hip_error(err);
}

void
hip_unback(struct backing *b)
{
	b->dev->h->hipMemRelease(b->handle);
	free(b);
}

CUresult
hip_map(struct backing *b, size_t offset, uint64_t addr, size_t size)
{
	return hip_error(b->dev->h->hipMemMap(at(addr), size, offset,
		b->handle, 0));
}

CUresult
hip_unmap(struct dev *d, uint64_t addr, size_t size)
{
	return hip_error(d->h->hipMemUnmap(at(addr), size));
}

CUresult
hip_protect(struct dev *d, uint64_t addr, size_t size, CUmemAccess_flags f)
{
	const struct hip_access a = { { HIP_ON_A_DEVICE, d->index }, (int)f };

	return hip_error(d->h->hipMemSetAccess(at(addr), size, &a, 1));
}

/* HIP does not tell the size of what comes from another process: info.exports
 * says no, and nobody calls these */
CUresult
hip_backing_fd(struct backing *b, int *fd)
{
	(void)b;
	(void)fd;
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult
hip_backing_of(struct dev *d, int fd, size_t *size, struct backing **out)
{
	(void)d;
	(void)fd;
	(void)size;
	(void)out;
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* an allocation has a name, its parts have none */
CUresult
hip_share(struct dev *d, const struct slice *s, char name[64])
{
	struct hip_name n;
	int err;

	if (s->offset || s->size != s->all)
		return CUDA_ERROR_NOT_SUPPORTED;
	d->h->hipSetDevice(d->index);
	err = d->h->hipIpcGetMemHandle(&n, at(s->addr));
	memcpy(name, n.bytes, sizeof n.bytes);
	return hip_error(err);
}

CUresult
hip_shared_open(struct dev *d, const char name[64], uint64_t *addr,
	size_t *size)
{
	struct hip_name n;
	void *p, *base;
	int err;

	memcpy(n.bytes, name, sizeof n.bytes);
	d->h->hipSetDevice(d->index);
	err = d->h->hipIpcOpenMemHandle(&p, n, HIP_IPC_LAZY_PEER);
	if (err)
		return hip_error(err);
	*addr = (uint64_t)(uintptr_t)p;
	err = d->h->hipMemGetAddressRange(&base, size, p);
	if (err)
		d->h->hipIpcCloseMemHandle(p);
	return hip_error(err);
}

CUresult
hip_shared_close(struct dev *d, uint64_t addr)
{
	d->h->hipSetDevice(d->index);
	return hip_error(d->h->hipIpcCloseMemHandle(at(addr)));
}
