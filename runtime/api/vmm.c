/* vmm.c - virtual memory: ranges of addresses, and what is mapped there. */
#include "vmm.h"
#include <stdlib.h>
#include <string.h>

struct reservation {
	struct reservation *next;
	struct device *device;
	uint64_t addr, size;
};

static struct reservation *reservations;
static struct mapping *mappings;

/* the link to the first mapping that ends behind addr */
static struct mapping **
from(uint64_t addr)
{
	struct mapping **at = &mappings;

	while (*at && (*at)->addr + (*at)->size <= addr)
		at = &(*at)->next;
	return at;
}

struct mapping *
mapping_at(uint64_t addr)
{
	struct mapping *m = *from(addr);

	return m && addr >= m->addr ? m : 0;
}

bool
mapping_range(uint64_t addr, uint64_t *base, uint64_t *size)
{
	struct mapping *m;

	pthread_mutex_lock(&vmm_lock);
	m = mapping_at(addr);
	if (m) {
		*base = m->addr;
		*size = m->size;
	}
	pthread_mutex_unlock(&vmm_lock);
	return m != 0;
}

/* the one that holds all of a range */
static struct reservation *
reserved(uint64_t addr, uint64_t size)
{
	struct reservation *r = reservations;

	while (r && (addr - r->addr >= r->size ||
	    size > r->size - (addr - r->addr)))
		r = r->next;
	return r;
}

bool
reservation_range(uint64_t addr, uint64_t *base, uint64_t *size)
{
	struct reservation *r;

	pthread_mutex_lock(&vmm_lock);
	r = reserved(addr, 1);
	if (r) {
		*base = r->addr;
		*size = r->size;
	}
	pthread_mutex_unlock(&vmm_lock);
	return r != 0;
}

CUresult
cuMemAddressReserve(CUdeviceptr *out, size_t size, size_t align,
	CUdeviceptr wish, unsigned long long flags)
{
	struct device *d = context_current()->device;
	struct reservation *r;
	CUresult err;

	if (!d->info.page)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!out || !size || size % d->info.page || (align & (align - 1)) ||
	    flags)
		return CUDA_ERROR_INVALID_VALUE;
	r = malloc(sizeof *r);
	if (!r)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->device = d;
	r->size = size;
	err = d->ops->reserve(d->dev, size, align, wish, &r->addr);
	if (err) {
		free(r);
		return err;
	}
	*out = r->addr;
	pthread_mutex_lock(&vmm_lock);
	r->next = reservations;
	reservations = r;
	pthread_mutex_unlock(&vmm_lock);
	return CUDA_SUCCESS;
}

/* all of one reservation, with nothing in it */
CUresult
cuMemAddressFree(CUdeviceptr addr, size_t size)
{
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct reservation **at, *r;
	struct mapping *m;

	pthread_mutex_lock(&vmm_lock);
	for (at = &reservations; (r = *at); at = &r->next)
		if (r->addr == addr && r->size == size)
			break;
	m = *from(addr);
	if (r && (!m || m->addr >= addr + size)) {
		err = r->device->ops->unreserve(r->device->dev, addr, size);
		*at = r->next;
		free(r);
	}
	pthread_mutex_unlock(&vmm_lock);
	return err;
}

/* regions: all that is mapped without a gap is one */

static CUresult
region_enter(uint64_t addr, uint64_t size, struct device *d)
{
	struct region r = { .addr = addr, .size = size,
		.kind = REGION_MAPPED, .device = d };

	return size ? region_add(&r) : CUDA_SUCCESS;
}

/* takes out the region that ends, or begins, at addr within a reservation */
static bool
take_beside(uint64_t addr, const struct reservation *in, struct region *r)
{
	return region_find(addr, 1, r) && r->kind == REGION_MAPPED &&
		r->addr >= in->addr && r->addr - in->addr < in->size &&
		region_take(r->addr, 1u << REGION_MAPPED, r);
}

static CUresult
region_grow(uint64_t addr, uint64_t size, const struct reservation *in)
{
	uint64_t end = addr + size;
	struct region r;

	if (addr > in->addr && take_beside(addr - 1, in, &r))
		addr = r.addr;
	if (end < in->addr + in->size && take_beside(end, in, &r))
		end = r.addr + r.size;
	return region_enter(addr, end - addr, in->device);
}

static CUresult
region_cut(uint64_t addr, uint64_t size)
{
	struct region r;
	CUresult err;

	if (!region_find(addr, size, &r) ||
	    !region_take(r.addr, 1u << REGION_MAPPED, &r))
		return CUDA_ERROR_INVALID_VALUE;
	err = region_enter(r.addr, addr - r.addr, r.device);
	return err ? err : region_enter(addr + size,
		r.addr + r.size - (addr + size), r.device);
}

/* may anybody use it? */
static CUresult
open_mapping(struct mapping *m, bool open)
{
	CUresult err = CUDA_SUCCESS;

	if (open && !m->open)
		err = region_grow(m->addr, m->size,
			reserved(m->addr, m->size));
	else if (!open && m->open)
		err = region_cut(m->addr, m->size);
	m->open = open;
	return err;
}

static CUresult
map(uint64_t addr, size_t size, size_t offset, struct allocation *a)
{
	struct mapping **at = from(addr), *m;
	CUresult err;

	if (*at && (*at)->addr < addr + size)
		return CUDA_ERROR_INVALID_VALUE;
	m = calloc(1, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->addr = addr;
	m->size = size;
	m->allocation = a;
	err = a->device->ops->map(a->backing, offset, addr, size);
	if (err) {
		free(m);
		return err;
	}
	a->maps++;
	m->next = *at;
	*at = m;
	return CUDA_SUCCESS;
}

CUresult
cuMemMap(CUdeviceptr addr, size_t size, size_t offset,
	CUmemGenericAllocationHandle h, unsigned long long flags)
{
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct reservation *in;
	struct allocation *a;

	pthread_mutex_lock(&vmm_lock);
	a = allocation_of(h);
	in = reserved(addr, size);
	if (a && in && size && !flags && offset <= a->size &&
	    size <= a->size - offset && in->device->ops == a->device->ops &&
	    !((addr | size | offset) % a->device->info.page))
		err = map(addr, size, offset, a);
	pthread_mutex_unlock(&vmm_lock);
	return err;
}

/* does the range begin and end where mappings do, and is it full? */
static bool
is_whole(uint64_t addr, uint64_t size)
{
	struct mapping *m = *from(addr);
	uint64_t at = addr;

	while (m && m->addr == at && at < addr + size) {
		at += m->size;
		m = m->next;
	}
	return size && at == addr + size;
}

static void
unmap(struct mapping **at)
{
	struct mapping *m = *at;
	struct allocation *a = m->allocation;

	*at = m->next;
	a->device->ops->unmap(a->device->dev, m->addr, m->size);
	a->maps--;
	allocation_drop(a);
	free(m);
}

/* does the range cut no mapping in two? */
static bool
is_even(uint64_t addr, uint64_t size)
{
	const struct mapping *m;

	for (m = *from(addr); m && m->addr < addr + size; m = m->next)
		if (m->addr < addr || m->size > addr + size - m->addr)
			return false;
	return true;
}

/* Work of the context that may use it is done first.  There need not be
 * anything. */
CUresult
cuMemUnmap(CUdeviceptr addr, size_t size)
{
	CUresult err = CUDA_ERROR_INVALID_VALUE;
	struct mapping **at;

	streams_sync(context_current());
	pthread_mutex_lock(&vmm_lock);
	if (reserved(addr, size) && is_even(addr, size)) {
		err = CUDA_SUCCESS;
		at = from(addr);
		while (!err && *at && (*at)->addr < addr + size) {
			err = open_mapping(*at, false);
			unmap(at);
		}
	}
	pthread_mutex_unlock(&vmm_lock);
	return err;
}

/* access: on this machine's own memory a page has one for all devices */

static CUresult
check_access(const CUmemAccessDesc *d, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (d[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
		    (d[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
		    d[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
		    d[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
			return CUDA_ERROR_INVALID_VALUE;
		if (!device_of(d[i].location.id) || d[i].location.id >= 64)
			return CUDA_ERROR_INVALID_DEVICE;
	}
	return CUDA_SUCCESS;
}

static CUresult
set_access(struct mapping *m, const CUmemAccessDesc *d, size_t n)
{
	const struct device *dev;
	CUresult err = CUDA_SUCCESS;
	uint8_t most = 0;
	size_t i;

	for (i = 0; i < n; i++)
		m->access[d[i].location.id] = (uint8_t)d[i].flags;
	for (i = 0; i < sizeof m->access; i++)
		most |= m->access[i];
	err = open_mapping(m, most != 0);
	dev = m->allocation->device;
	if (dev->info.host_visible)
		return err ? err : dev->ops->protect(dev->dev, m->addr, m->size,
			(CUmemAccess_flags)most);
	for (i = 0; i < n && !err; i++) {
		dev = device_of(d[i].location.id);
		err = dev->ops->protect(dev->dev, m->addr, m->size,
			d[i].flags);
	}
	return err;
}

CUresult
cuMemSetAccess(CUdeviceptr addr, size_t size, const CUmemAccessDesc *d,
	size_t n)
{
	struct mapping *m;
	CUresult err;

	if (!d || !n)
		return CUDA_ERROR_INVALID_VALUE;
	err = check_access(d, n);
	if (err)
		return err;
	pthread_mutex_lock(&vmm_lock);
	if (!is_whole(addr, size))
		err = CUDA_ERROR_INVALID_VALUE;
	for (m = *from(addr); !err && m && m->addr < addr + size; m = m->next)
		err = set_access(m, d, n);
	pthread_mutex_unlock(&vmm_lock);
	return err;
}

CUresult
cuMemGetAccess(unsigned long long *out, const CUmemLocation *l,
	CUdeviceptr addr)
{
	struct mapping *m;

	if (!out || !l || l->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_of(l->id) || l->id >= 64)
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&vmm_lock);
	m = mapping_at(addr);
	if (m)
		*out = m->access[l->id];
	pthread_mutex_unlock(&vmm_lock);
	return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
