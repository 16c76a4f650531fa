/* cpu_vmm.c - virtual memory of the CPU device: files of memory, mapped into
 * ranges of this process that nobody else gets.
 */
#include "cpu_int.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct backing {
	struct dev *dev;
	size_t size;
	int fd;                  /* its own, or -1: dev's ranges */
	uint64_t offset;
};

static void *
at(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

/* addresses without memory */
static void *
hollow(void *wish, size_t size, int flags)
{
	return mmap(wish, size, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

/* the wish is fulfilled if the system can */
CUresult
cpu_reserve(struct dev *d, size_t size, size_t align, uint64_t wish,
	uint64_t *addr)
{
	size_t before;
	uint8_t *p;

	(void)d;
	if (align < VMM_PAGE)
		align = VMM_PAGE;
	if (size > SIZE_MAX / 2 - align)
		return CUDA_ERROR_OUT_OF_MEMORY;
	p = wish % align ? MAP_FAILED : hollow(at(wish), size, 0);
	if (p != MAP_FAILED && (uintptr_t)p % align) {
		munmap(p, size);
		p = MAP_FAILED;
	}
	if (p == MAP_FAILED) {
		p = hollow(0, size + align, 0);
		if (p == MAP_FAILED)
			return CUDA_ERROR_OUT_OF_MEMORY;
		before = -(uintptr_t)p & (align - 1);
		if (before)
			munmap(p, before);
		p += before;
		munmap(p + size, align - before);
	}
	*addr = (uint64_t)(uintptr_t)p;
	return CUDA_SUCCESS;
}

CUresult
cpu_unreserve(struct dev *d, uint64_t addr, size_t size)
{
	(void)d;
	return munmap(at(addr), size) ? CUDA_ERROR_INVALID_VALUE :
		CUDA_SUCCESS;
}

static struct backing *
backing_new(struct dev *d, int fd, size_t size)
{
	struct backing *b = malloc(sizeof *b);

	if (!b)
		return 0;
	b->dev = d;
	b->fd = fd;
	b->offset = 0;
	b->size = size;
	if (fd >= 0)
		atomic_fetch_add(&d->files, 1);
	atomic_fetch_add(&d->backed, size);
	return b;
}

/* the program needs most of the files that it may open */
static bool
may_have_file(struct dev *d)
{
	struct rlimit r;

	return getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == RLIM_INFINITY ||
		atomic_load(&d->files) < r.rlim_cur / 4;
}

static struct backing *
backing_in_ranges(struct dev *d, size_t size)
{
	struct backing *b;
	uint64_t offset;

	if (!ranges_take(&d->ranges, size, &offset))
		return 0;
	b = backing_new(d, -1, size);
	if (b)
		b->offset = offset;
	else
		ranges_give(&d->ranges, offset, size);
	return b;
}

/* what is to be exported and cannot have a file comes without */
CUresult
cpu_back(struct dev *d, size_t size, bool exported, struct backing **out)
{
	uint64_t used = extents_used(d->heap) + atomic_load(&d->backed);
	int fd;

	if (used > d->memory || size > d->memory - used)
		return CUDA_ERROR_OUT_OF_MEMORY;
	fd = exported && may_have_file(d) ? memory_file(size) : -1;
	*out = fd < 0 ? backing_in_ranges(d, size) : backing_new(d, fd, size);
	if (!*out && fd >= 0)
		close(fd);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void
cpu_unback(struct backing *b)
{
	atomic_fetch_sub(&b->dev->backed, b->size);
	if (b->fd >= 0) {
		atomic_fetch_sub(&b->dev->files, 1);
		close(b->fd);
	} else {
		ranges_give(&b->dev->ranges, b->offset, b->size);
	}
	free(b);
}

CUresult
cpu_map(struct backing *b, size_t offset, uint64_t addr, size_t size)
{
	void *p = mmap(at(addr), size, PROT_NONE, MAP_SHARED | MAP_FIXED,
		b->fd < 0 ? b->dev->ranges.fd : b->fd,
		(off_t)(b->offset + offset));

	return p == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult
cpu_unmap(struct dev *d, uint64_t addr, size_t size)
{
	(void)d;
	return hollow(at(addr), size, MAP_FIXED) == MAP_FAILED ?
		CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult
cpu_protect(struct dev *d, uint64_t addr, size_t size, CUmemAccess_flags f)
{
	int prot = PROT_NONE;

	(void)d;
	if (f & CU_MEM_ACCESS_FLAGS_PROT_READ)
		prot = PROT_READ;
	if (f == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		prot |= PROT_WRITE;
	return mprotect(at(addr), size, prot) ? CUDA_ERROR_OUT_OF_MEMORY :
		CUDA_SUCCESS;
}

CUresult
cpu_backing_fd(struct backing *b, int *fd)
{
	if (b->fd < 0)
		return CUDA_ERROR_OPERATING_SYSTEM;
	*fd = fcntl(b->fd, F_DUPFD_CLOEXEC, 0);
	return *fd < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

/* a file of ours, or of another process's of us */
CUresult
cpu_backing_of(struct dev *d, int fd, size_t *size, struct backing **out)
{
	struct stat st;
	int own;

	if (fstat(fd, &st))
		return CUDA_ERROR_UNKNOWN;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    st.st_size % VMM_PAGE)
		return CUDA_ERROR_INVALID_VALUE;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return CUDA_ERROR_OPERATING_SYSTEM;
	*size = (size_t)st.st_size;
	*out = backing_new(d, own, *size);
	if (!*out)
		close(own);
	return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
