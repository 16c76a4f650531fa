/* cpu.c - this machine's processor as a device: struct dev_ops dev_cpu. */
#include "cpu_int.h"
#include "cpu_info.h"
#include "service.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_DEVICES = 64 };

/* one; for tests of programs that want several: PTXAMD_CPU_DEVICES */
static int
cpu_count(const char **why)
{
	const char *s = getenv("PTXAMD_CPU_DEVICES");
	int n = s ? atoi(s) : 1;

	(void)why;
	return n < 1 ? 1 : n > MAX_DEVICES ? MAX_DEVICES : n;
}

static CUresult
malloc_more(void *dev, size_t size, uint64_t *addr)
{
	return extents_alloc(((struct dev *)dev)->heap, size, addr);
}

static void
malloc_less(void *dev, uint64_t addr, size_t size)
{
	(void)size;
	extents_free(((struct dev *)dev)->heap, addr);
}

static void
cpu_close(struct dev *d)
{
	if (!d)
		return;
	server_close(d->server);
	free(d->ring);
	extents_delete(d->malloc);
	extents_delete(d->heap);
	extents_delete(d->host);
	heap_file_close(&d->file);
	ranges_close(&d->ranges);
	free(d);
}

static CUresult
cpu_open(int index, struct dev **out, struct dev_info *info)
{
	struct dev *d = calloc(1, sizeof *d);
	const struct extent_source s = { malloc_more, malloc_less, d, 16,
		1 << 20, 16 << 20, UINT64_MAX };

	if (!d)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pool_cpus();
	d->index = index;
	d->memory = info_memory();
	heap_file_open(&d->file);
	ranges_open(&d->ranges);
	d->heap = heap_new(d->memory, &d->file);
	d->host = heap_new(UINT64_MAX, 0);
	d->malloc = extents_new(&s);
	d->ring = aligned_alloc(64, SERVER_SIZE);
	if (d->ring && d->malloc)
		d->server = server_open(d->ring, (uint64_t)(uintptr_t)d->ring,
			d->malloc);
	if (!d->heap || !d->host || !d->server) {
		cpu_close(d);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	info_fill(info, index, d->memory);
	info->page = d->file.fd < 0 ? 0 : VMM_PAGE;
	info->exports = info->shares = d->file.fd >= 0;
	info->words = true;
	*out = d;
	return CUDA_SUCCESS;
}

static CUresult
cpu_memory(struct dev *d, size_t *free_bytes, size_t *total)
{
	uint64_t used;

	*total = d->memory;
	used = extents_used(d->heap) + atomic_load(&d->backed);
	*free_bytes = used < d->memory ? d->memory - used : 0;
	return CUDA_SUCCESS;
}

static CUresult
cpu_alloc(struct dev *d, size_t size, uint64_t *addr)
{
	return extents_alloc(d->heap, size ? size : 1, addr);
}

static CUresult
cpu_free(struct dev *d, uint64_t addr)
{
	share_end(d, addr);
	return extents_free(d->heap, addr);
}

static CUresult
cpu_host_alloc(struct dev *d, size_t size, unsigned flags, void **p,
	uint64_t *addr)
{
	CUresult err = extents_alloc(d->host, size ? size : 1, addr);

	(void)flags;
	if (!err)
		*p = (void *)(uintptr_t)*addr;
	return err;
}

static CUresult
cpu_host_free(struct dev *d, void *p)
{
	return extents_free(d->host, (uint64_t)(uintptr_t)p);
}

/* all of the program's memory is the device's; but it must be there */
static CUresult
cpu_host_register(struct dev *d, void *p, size_t size, uint64_t *addr)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n;
	uintptr_t from = (uintptr_t)p & ~(page - 1);
	unsigned char there[256];

	(void)d;
	if (!size || (uintptr_t)p + size < (uintptr_t)p)
		return CUDA_ERROR_INVALID_VALUE;
	for (; from < (uintptr_t)p + size; from += n) {
		n = (uintptr_t)p + size - from;
		if (n > sizeof there * page)
			n = sizeof there * page;
		if (mincore((void *)from, n, there))
			return CUDA_ERROR_INVALID_VALUE;
	}
	*addr = (uint64_t)(uintptr_t)p;
	return CUDA_SUCCESS;
}

static CUresult
cpu_host_unregister(struct dev *d, void *p)
{
	(void)d;
	(void)p;
	return CUDA_SUCCESS;
}

static void
cpu_malloc_limit(struct dev *d, size_t limit)
{
	extents_limit(d->malloc, limit);
}

static unsigned
cpu_occupancy(struct entry *e, unsigned threads, size_t shared)
{
	const struct host_kernel *k = atomic_load(&e->any)->host;
	unsigned warps = (threads + HOST_LANES - 1) / HOST_LANES, n;

	if (!threads || threads > 1024)
		return 0;
	shared += k->dynamic;
	n = 2048 / HOST_LANES / warps;
	if (n > 32)
		n = 32;
	if (shared > 227 << 10)
		return 0;
	if (shared && n > (228u << 10) / shared)
		n = (unsigned)((228u << 10) / shared);
	return n;
}

const struct dev_ops dev_cpu = {
	.name = "cpu",
	.count = cpu_count,
	.open = cpu_open,
	.close = cpu_close,
	.memory = cpu_memory,
	.alloc = cpu_alloc,
	.free = cpu_free,
	.host_alloc = cpu_host_alloc,
	.host_free = cpu_host_free,
	.host_register = cpu_host_register,
	.host_unregister = cpu_host_unregister,
	.managed_alloc = cpu_alloc,
	.reserve = cpu_reserve,
	.unreserve = cpu_unreserve,
	.back = cpu_back,
	.unback = cpu_unback,
	.map = cpu_map,
	.unmap = cpu_unmap,
	.protect = cpu_protect,
	.backing_fd = cpu_backing_fd,
	.backing_of = cpu_backing_of,
	.share = cpu_share,
	.shared_open = cpu_shared_open,
	.shared_close = cpu_shared_close,
	.malloc_limit = cpu_malloc_limit,
	.load = cpu_load,
	.unload = cpu_unload,
	.entry = cpu_entry,
	.variable = cpu_variable,
	.occupancy = cpu_occupancy,
	.queue_open = cpu_queue_open,
	.queue_close = cpu_queue_close,
	.copy = cpu_copy,
	.fill = cpu_fill,
	.launch = cpu_launch,
	.write = cpu_write,
	.await = cpu_await,
	.call = cpu_call,
	.mark = cpu_mark,
	.unmark = cpu_unmark,
	.query = cpu_query,
	.reached = cpu_reached,
	.elapsed = cpu_elapsed,
	.wait = cpu_wait,
	.sync = cpu_sync,
	.idle = cpu_idle,
	.measure = cpu_measure,
};
