/* hip_vmm.c - virtual memory: files of memory, mapped into reserved ranges.
 *
 * Kernels see what is mapped as soon as somebody has been given access, and
 * then all may read and write it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "hip.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 2 << 20 };

struct physical {
	int fd;
	size_t size;
};

static void *
hollow(void *at, size_t size, int flags)
{
	return mmap(at, size, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

int
hipMemGetAllocationGranularity(size_t *out, const struct hip_memory *p,
	int option)
{
	if (!out || !p || p->type != HIP_MEMORY_PINNED || option < 0 ||
	    option > 1)
		return hip_result(hipErrorInvalidValue);
	*out = PAGE;
	return hipSuccess;
}

int
hipMemAddressReserve(void **out, size_t size, size_t align, void *wish,
	unsigned long long flags)
{
	char *p;
	size_t before;

	(void)wish;
	if (!out || !size || size % PAGE || flags)
		return hip_result(hipErrorInvalidValue);
	if (align < PAGE)
		align = PAGE;
	p = hollow(0, size + align, 0);
	if (p == MAP_FAILED)
		return hip_result(hipErrorOutOfMemory);
	before = -(uintptr_t)p & (align - 1);
	if (before)
		munmap(p, before);
	munmap(p + before + size, align - before);
	*out = p + before;
	return hipSuccess;
}

int
hipMemAddressFree(void *p, size_t size)
{
	return hip_result(munmap(p, size) ? hipErrorInvalidValue : hipSuccess);
}

int
hipMemCreate(void **out, size_t size, const struct hip_memory *p,
	unsigned long long flags)
{
	struct physical *m;

	if (!out || !size || size % PAGE || !p || flags)
		return hip_result(hipErrorInvalidValue);
	m = malloc(sizeof *m);
	if (!m)
		return hip_result(hipErrorOutOfMemory);
	m->size = size;
	m->fd = memfd_create("emu", MFD_CLOEXEC);
	if (m->fd < 0 || ftruncate(m->fd, (off_t)size)) {
		if (m->fd >= 0)
			close(m->fd);
		free(m);
		return hip_result(hipErrorOutOfMemory);
	}
	*out = m;
	return hipSuccess;
}

int
hipMemRelease(void *handle)
{
	struct physical *m = handle;

	close(m->fd);
	free(m);
	return hipSuccess;
}

int
hipMemMap(void *p, size_t size, size_t offset, void *handle,
	unsigned long long flags)
{
	struct physical *m = handle;

	if (size % PAGE || offset > m->size || size > m->size - offset ||
	    flags)
		return hip_result(hipErrorInvalidValue);
	return hip_result(mmap(p, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_FIXED, m->fd, (off_t)offset) == MAP_FAILED ?
		hipErrorOutOfMemory : hipSuccess);
}

int
hipMemUnmap(void *p, size_t size)
{
	uint64_t at = (uint64_t)(uintptr_t)p, end = at + size, base, n;

	streams_finish();
	for (; at < end; at += PAGE)
		if (region_find(at, &base, &n))
			region_remove(at);
	return hip_result(hollow(p, size, MAP_FIXED) == MAP_FAILED ?
		hipErrorOutOfMemory : hipSuccess);
}

/* page by page, since what is allowed together may be unmapped in parts */
int
hipMemSetAccess(void *p, size_t size, const struct hip_access *a, size_t n)
{
	uint64_t at = (uint64_t)(uintptr_t)p, end = at + size, base, there;

	if (!a || !n || size % PAGE)
		return hip_result(hipErrorInvalidValue);
	for (; at < end; at += PAGE) {
		bool known = region_find(at, &base, &there);

		if (a->flags && !known)
			region_add(at, PAGE);
		else if (!a->flags && known)
			region_remove(at);
	}
	return hipSuccess;
}
