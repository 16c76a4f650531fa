/* ipc.c - memory shared between processes.
 *
 * A handle that is opened twice has one address, until it is closed twice.
 */
#include "ipc.h"
#include <stdlib.h>
#include <string.h>

struct opened {
	struct opened *next;
	char name[64];
	uint64_t addr;
	size_t size;
	CUcontext context;
	unsigned refs;
	bool pooled;             /* a piece of a pool */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct opened *list;

unsigned
ipc_handle_types(const struct device *d)
{
	return d->info.shares && d->info.exports ?
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : 0;
}

/* What is queued is done first: the memory may move to other pages. */
CUresult
cuIpcGetMemHandle(CUipcMemHandle *out, CUdeviceptr addr)
{
	struct region r;

	if (!out || !region_find(addr, 1, &r) || r.kind != REGION_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (!r.device->info.shares)
		return CUDA_ERROR_NOT_SUPPORTED;
	streams_sync(r.context);
	return r.device->ops->share(r.device->dev, &(struct slice){ r.addr,
		r.size, 0, r.size }, out->reserved);
}

static struct opened *
find(const char name[64], CUcontext c)
{
	struct opened *o = list;

	while (o && (o->context != c || memcmp(o->name, name, 64) != 0))
		o = o->next;
	return o;
}

static CUresult
open_new(const char name[64], CUcontext c, struct opened *o)
{
	struct device *d = c->device;
	struct region r = { .kind = REGION_SHARED, .owner = o };
	CUresult err = d->ops->shared_open(d->dev, name, &o->addr, &o->size);

	if (err)
		return err;
	memcpy(o->name, name, sizeof o->name);
	o->context = r.context = c;
	r.device = d;
	r.addr = o->addr;
	r.size = o->size;
	err = region_add(&r);
	if (err)
		d->ops->shared_close(d->dev, o->addr);
	return err;
}

static CUresult
open_locked(const char name[64], CUcontext c, struct opened **out)
{
	CUresult err;

	*out = find(name, c);
	if (*out)
		return CUDA_SUCCESS;
	*out = calloc(1, sizeof **out);
	if (!*out)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = open_new(name, c, *out);
	if (err) {
		free(*out);
		return err;
	}
	(*out)->next = list;
	list = *out;
	return CUDA_SUCCESS;
}

CUresult
ipc_open(const char name[64], bool pooled, CUdeviceptr *addr)
{
	CUcontext c = context_current();
	struct opened *o;
	CUresult err;

	if (!c->device->info.shares)
		return CUDA_ERROR_NOT_SUPPORTED;
	pthread_mutex_lock(&lock);
	err = open_locked(name, c, &o);
	if (!err) {
		o->refs++;
		o->pooled = pooled;
		*addr = o->addr;
	}
	pthread_mutex_unlock(&lock);
	return err;
}

CUresult
cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcMemHandle h, unsigned flags)
{
	CUresult err;

	if (!out || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		return CUDA_ERROR_INVALID_VALUE;
	err = need_LIVE();
	return err ? err : ipc_open(h.reserved, false, out);
}

CUresult
cuIpcOpenMemHandle(CUdeviceptr *out, CUipcMemHandle h, unsigned flags)
{
	return cuIpcOpenMemHandle_v2(out, h, flags);
}

void
ipc_release(const struct region *r)
{
	struct opened **at, *o = r->owner;

	pthread_mutex_lock(&lock);
	for (at = &list; *at && *at != o; at = &(*at)->next)
		;
	if (*at)
		*at = o->next;
	pthread_mutex_unlock(&lock);
	r->device->ops->shared_close(r->device->dev, r->addr);
	free(o);
}

/* the record of what is open there, if it is so only once more */
static bool
close_one(struct opened *o)
{
	bool last;

	pthread_mutex_lock(&lock);
	last = !--o->refs;
	pthread_mutex_unlock(&lock);
	return last;
}

CUresult
ipc_close(CUdeviceptr addr, bool pooled)
{
	struct region r;

	if (!region_find(addr, 1, &r) || r.kind != REGION_SHARED ||
	    r.addr != addr || ((struct opened *)r.owner)->pooled != pooled)
		return CUDA_ERROR_INVALID_VALUE;
	streams_sync(r.context);
	if (close_one(r.owner) &&
	    region_take(addr, 1u << REGION_SHARED, &r))
		ipc_release(&r);
	return CUDA_SUCCESS;
}

CUresult
cuIpcCloseMemHandle(CUdeviceptr addr)
{
	return ipc_close(addr, false);
}
