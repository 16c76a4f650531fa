/* advise.c - where managed memory should be.
 *
 * It is where it is: host and device share it.  What programs say is kept,
 * and told when they ask.
 */
#include "api.h"

enum { HOST_BIT = 63 };

/* as cuMemAdvise before CUDA 12.2 named places */
static CUmemLocation
location_of(CUdevice d)
{
	CUmemLocation l = { CU_MEM_LOCATION_TYPE_DEVICE, d };

	if (d == CU_DEVICE_CPU)
		l.type = CU_MEM_LOCATION_TYPE_HOST;
	return l;
}

static bool
is_host(const CUmemLocation *l)
{
	return l->type == CU_MEM_LOCATION_TYPE_HOST
		|| l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA
		|| l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

static CUresult
check(uint64_t addr, size_t size, const CUmemLocation *l)
{
	struct region r;

	if (!size || !region_find(addr, size, &r) || r.kind != REGION_MANAGED)
		return CUDA_ERROR_INVALID_VALUE;
	if (!l || is_host(l))
		return 0;
	if (l->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	return device_of(l->id) ? 0 : CUDA_ERROR_INVALID_DEVICE;
}

struct advice {
	CUmem_advise what;
	CUmemLocation where;
};

static void
keep(struct region *r, const void *arg)
{
	const struct advice *a = arg;
	uint64_t bit = 1ull << (is_host(&a->where) ? HOST_BIT
		: a->where.id & HOST_BIT);
	const CUmemLocation nowhere = { CU_MEM_LOCATION_TYPE_INVALID,
		CU_DEVICE_INVALID };

	switch (a->what) {
	case CU_MEM_ADVISE_SET_READ_MOSTLY:
	case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
		r->read_mostly = a->what == CU_MEM_ADVISE_SET_READ_MOSTLY;
		break;
	case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
		r->preferred = a->where;
		break;
	case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
		r->preferred = nowhere;
		break;
	case CU_MEM_ADVISE_SET_ACCESSED_BY:
		r->accessed_by |= bit;
		break;
	case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
		r->accessed_by &= ~bit;
		break;
	}
}

CUresult
cuMemAdvise_v2(CUdeviceptr addr, size_t size, CUmem_advise what,
	CUmemLocation where)
{
	struct advice a = { what, where };
	bool anywhere = what == CU_MEM_ADVISE_SET_READ_MOSTLY
		|| what == CU_MEM_ADVISE_UNSET_READ_MOSTLY
		|| what == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
	CUresult err;

	if (what < CU_MEM_ADVISE_SET_READ_MOSTLY
		|| what > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
		return CUDA_ERROR_INVALID_VALUE;
	err = check(addr, size, anywhere ? 0 : &where);
	if (!err)
		region_edit(addr, size, keep, &a);
	return err;
}

CUresult
cuMemAdvise(CUdeviceptr addr, size_t size, CUmem_advise what, CUdevice d)
{
	return cuMemAdvise_v2(addr, size, what, location_of(d));
}

static void
keep_prefetch(struct region *r, const void *where)
{
	r->prefetched = *(const CUmemLocation *)where;
}

CUresult
cuMemPrefetchAsync_v2(CUdeviceptr addr, size_t size, CUmemLocation where,
	unsigned flags, CUstream s)
{
	CUresult err;

	(void)s; /* there is nothing to wait for */
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	err = check(addr, size, &where);
	if (!err)
		region_edit(addr, size, keep_prefetch, &where);
	return err;
}

CUresult
cuMemPrefetchAsync(CUdeviceptr addr, size_t size, CUdevice d, CUstream s)
{
	return cuMemPrefetchAsync_v2(addr, size, location_of(d), 0, s);
}

/* range i goes to the last place whose index is not above i */
CUresult
cuMemPrefetchBatchAsync(CUdeviceptr *addr, size_t *size, size_t n,
	CUmemLocation *where, size_t *at, size_t nwhere,
	unsigned long long flags, CUstream s)
{
	CUresult err = 0;
	size_t i, k = 0;

	if (!addr || !size || !n || !where || !at || !nwhere || nwhere > n
		|| at[0] != 0 || flags)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !err; i++) {
		while (k + 1 < nwhere && at[k + 1] <= i)
			k++;
		err = cuMemPrefetchAsync_v2(addr[i], size[i], where[k], 0, s);
	}
	return err;
}

/* What was discarded may keep its contents, and does. */
CUresult
cuMemDiscardBatchAsync(CUdeviceptr *addr, size_t *size, size_t n,
	unsigned long long flags, CUstream s)
{
	CUresult err = 0;
	size_t i;

	(void)s;
	if (!addr || !size || !n || flags)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !err; i++)
		err = check(addr[i], size[i], 0);
	return err;
}

CUresult
cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *addr, size_t *size, size_t n,
	CUmemLocation *where, size_t *at, size_t nwhere,
	unsigned long long flags, CUstream s)
{
	return cuMemPrefetchBatchAsync(addr, size, n, where, at, nwhere, flags,
		s);
}

static int
ordinal(const CUmemLocation *l)
{
	if (l->type == CU_MEM_LOCATION_TYPE_DEVICE)
		return l->id;
	return is_host(l) ? CU_DEVICE_CPU : CU_DEVICE_INVALID;
}

/* devices first, then the host; what is left says none */
static void
list_accessors(int *out, size_t n, uint64_t set)
{
	size_t i = 0;
	int d;

	for (d = 0; d < HOST_BIT && i < n; d++)
		if (set >> d & 1)
			out[i++] = d;
	if (set >> HOST_BIT && i < n)
		out[i++] = CU_DEVICE_CPU;
	while (i < n)
		out[i++] = CU_DEVICE_INVALID;
}

static bool
tell(int *out, size_t n, CUmem_range_attribute a, const struct region *r)
{
	switch (a) {
	case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
		*out = r->read_mostly;
		break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
		*out = ordinal(&r->preferred);
		break;
	case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
		list_accessors(out, n, r->accessed_by);
		return true;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
		*out = ordinal(&r->prefetched);
		break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
		*out = (int)r->preferred.type;
		break;
	case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
		*out = r->preferred.id;
		break;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
		*out = (int)r->prefetched.type;
		break;
	case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
		*out = r->prefetched.id;
		break;
	default:
		return false;
	}
	return n == 1;
}

CUresult
cuMemRangeGetAttribute(void *out, size_t bytes, CUmem_range_attribute a,
	CUdeviceptr addr, size_t size)
{
	struct region r;

	if (!out || !bytes || bytes % sizeof(int) || !size
		|| !region_find(addr, size, &r) || r.kind != REGION_MANAGED
		|| !tell(out, bytes / sizeof(int), a, &r))
		return CUDA_ERROR_INVALID_VALUE;
	return 0;
}

CUresult
cuMemRangeGetAttributes(void **out, size_t *bytes, CUmem_range_attribute *a,
	size_t n, CUdeviceptr addr, size_t size)
{
	CUresult err = 0;
	size_t i;

	if (!out || !bytes || !a || !n)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !err; i++)
		err = cuMemRangeGetAttribute(out[i], bytes[i], a[i], addr,
			size);
	return err;
}
