/* hip.c - AMD GPUs as devices: struct dev_ops dev_hip. */
#include "hip_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
hip_count(const char **why)
{
	const struct hip_api *h = hip_library(why);
	int n = 0;

	if (!h || h->hipGetDeviceCount(&n))
		return 0;
	return n < 0 ? 0 : n;
}

static unsigned
attribute(const struct dev *d, int a, unsigned otherwise)
{
	int v;

	if (d->h->hipDeviceGetAttribute(&v, a, d->index) || v <= 0)
		return otherwise;
	return (unsigned)v;
}

/* the processor's name without its features: "gfx90a:sramecc+:xnack-" */
static CUresult
read_properties(struct dev *d, struct dev_info *i)
{
	char *p = calloc(1, HIP_PROPERTIES_SIZE);
	size_t at = HIP_ARCH_R0600;
	int err;

	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (d->h->hipGetDevicePropertiesR0600) {
		err = d->h->hipGetDevicePropertiesR0600(p, d->index);
	} else {
		err = d->h->hipGetDeviceProperties(p, d->index);
		at = HIP_ARCH_R0000;
	}
	snprintf(i->name, sizeof i->name, "%.95s", p);
	snprintf(i->arch, sizeof i->arch, "%.*s", (int)strcspn(p + at, ":"),
		p + at);
	memcpy(d->arch, i->arch, sizeof d->arch);
	free(p);
	return hip_error(err);
}

/* what not every HIP has */
static void
describe_more(struct dev *d, struct dev_info *i)
{
	const struct hip_api *h = d->h;

	i->page = hip_page(d);
	/* a file descriptor does not tell the size of what it is of */
	i->exports = false;
	i->shares = h->hipIpcGetMemHandle && h->hipIpcOpenMemHandle &&
		h->hipIpcCloseMemHandle && h->hipMemGetAddressRange;
	i->words = h->hipStreamWriteValue32 && h->hipStreamWriteValue64 &&
		h->hipStreamWaitValue32 && h->hipStreamWaitValue64 &&
		attribute(d, HIP_CAN_WAIT_VALUE, 0);
}

static CUresult
describe(struct dev *d, struct dev_info *i)
{
	size_t left = 0, total = 0;
	CUresult err;

	memset(i, 0, sizeof *i);
	err = read_properties(d, i);
	if (err)
		return err;
	d->h->hipDeviceGetUuid(i->uuid, d->index);
	d->h->hipMemGetInfo(&left, &total);
	i->memory = total;
	i->pci_domain = (int)attribute(d, HIP_PCI_DOMAIN, 0);
	i->pci_bus = (int)attribute(d, HIP_PCI_BUS, 0);
	i->pci_device = (int)attribute(d, HIP_PCI_DEVICE, 0);
	i->warp = attribute(d, HIP_WARP, 32);
	i->units = d->units = attribute(d, HIP_UNITS, 1);
	i->clock_khz = attribute(d, HIP_CLOCK_RATE, 1000000);
	i->memory_clock_khz = attribute(d, HIP_MEMORY_CLOCK, 1000000);
	i->bus_width = attribute(d, HIP_BUS_WIDTH, 128);
	i->l2 = attribute(d, HIP_L2_SIZE, 1 << 20);
	i->shared_per_block = attribute(d, HIP_SHARED_BLOCK, 65536);
	i->shared_per_unit = attribute(d, HIP_SHARED_UNIT, 65536);
	i->registers_per_block = attribute(d, HIP_REGISTERS_BLOCK, 65536);
	i->threads_per_unit = attribute(d, HIP_MAX_THREADS_UNIT, 2048);
	i->integrated = attribute(d, HIP_INTEGRATED, 0);
	i->cooperative = attribute(d, HIP_COOPERATIVE_LAUNCH, 0);
	i->coherent = true;
	describe_more(d, i);
	return CUDA_SUCCESS;
}

static void
hip_close(struct dev *d)
{
	if (!d)
		return;
	d->h->hipSetDevice(d->index);
	hip_service_close(d);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->wake);
	free(d);
}

static CUresult
hip_open(int index, struct dev **out, struct dev_info *info)
{
	const struct hip_api *h = hip_library(0);
	struct dev *d;
	CUresult err;

	if (!h)
		return CUDA_ERROR_NO_DEVICE;
	d = calloc(1, sizeof *d);
	if (!d)
		return CUDA_ERROR_OUT_OF_MEMORY;
	d->h = h;
	d->index = index;
	pthread_mutex_init(&d->lock, 0);
	pthread_cond_init(&d->wake, 0);
	err = hip_error(h->hipSetDevice(index));
	if (!err)
		err = describe(d, info);
	if (!err)
		err = hip_service_open(d);
	if (err)
		hip_close(d);
	else
		*out = d;
	return err;
}

static CUresult
hip_memory(struct dev *d, size_t *left, size_t *total)
{
	d->h->hipSetDevice(d->index);
	return hip_error(d->h->hipMemGetInfo(left, total));
}

static CUresult
hip_alloc(struct dev *d, size_t size, uint64_t *addr)
{
	void *p = 0;
	int err;

	d->h->hipSetDevice(d->index);
	err = d->h->hipMalloc(&p, size);
	*addr = (uint64_t)(uintptr_t)p;
	return hip_error(err);
}

static CUresult
hip_free(struct dev *d, uint64_t addr)
{
	d->h->hipSetDevice(d->index);
	return hip_error(d->h->hipFree((void *)(uintptr_t)addr));
}

/* the address by which the device reaches p */
static CUresult
device_address(struct dev *d, void *p, uint64_t *addr)
{
	void *q = 0;
	int err = d->h->hipHostGetDevicePointer(&q, p, 0);

	*addr = (uint64_t)(uintptr_t)q;
	return hip_error(err);
}

static CUresult
hip_host_alloc(struct dev *d, size_t size, unsigned flags, void **p,
	uint64_t *addr)
{
	CUresult err;

	(void)flags;
	d->h->hipSetDevice(d->index);
	err = hip_error(d->h->hipHostMalloc(p, size, HIP_HOST_COHERENT));
	return err ? err : device_address(d, *p, addr);
}

static CUresult
hip_host_free(struct dev *d, void *p)
{
	d->h->hipSetDevice(d->index);
	return hip_error(d->h->hipHostFree(p));
}

static CUresult
hip_host_register(struct dev *d, void *p, size_t size, uint64_t *addr)
{
	CUresult err;

	d->h->hipSetDevice(d->index);
	err = hip_error(d->h->hipHostRegister(p, size, 0));
	return err ? err : device_address(d, p, addr);
}

static CUresult
hip_host_unregister(struct dev *d, void *p)
{
	d->h->hipSetDevice(d->index);
	return hip_error(d->h->hipHostUnregister(p));
}

static CUresult
hip_managed_alloc(struct dev *d, size_t size, uint64_t *addr)
{
	void *p = 0;
	int err;

	d->h->hipSetDevice(d->index);
	err = d->h->hipMallocManaged(&p, size, HIP_ATTACH_GLOBAL);
	*addr = (uint64_t)(uintptr_t)p;
	return hip_error(err);
}

const struct dev_ops dev_hip = {
	.name = "hip",
	.count = hip_count, .open = hip_open, .close = hip_close,
	.memory = hip_memory,
	.alloc = hip_alloc, .free = hip_free,
	.host_alloc = hip_host_alloc, .host_free = hip_host_free,
	.host_register = hip_host_register,
	.host_unregister = hip_host_unregister,
	.managed_alloc = hip_managed_alloc,
	.reserve = hip_reserve, .unreserve = hip_unreserve,
	.back = hip_back, .unback = hip_unback,
	.map = hip_map, .unmap = hip_unmap, .protect = hip_protect,
	.backing_fd = hip_backing_fd, .backing_of = hip_backing_of,
	.share = hip_share, .shared_open = hip_shared_open,
	.shared_close = hip_shared_close,
	.malloc_limit = hip_malloc_limit,
	.load = hip_load, .unload = hip_unload,
	.entry = hip_entry, .variable = hip_variable,
	.occupancy = hip_occupancy,
	.queue_open = hip_queue_open, .queue_close = hip_queue_close,
	.copy = hip_copy, .fill = hip_fill, .launch = hip_launch,
	.write = hip_write, .await = hip_await,
	.call = hip_call,
	.mark = hip_mark, .unmark = hip_unmark, .query = hip_query,
	.reached = hip_reached, .elapsed = hip_elapsed,
	.wait = hip_wait, .sync = hip_sync, .idle = hip_idle,
	.measure = hip_measure,
};
