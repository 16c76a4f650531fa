/* graph_memory.c - memory that graphs allocate and free.
 *
 * A node's memory is allocated when the node is made, since its address is
 * told then, and stays until neither a graph nor the program counts on it.
 * Between the launch of its node and its being freed it is the program's.
 */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

struct graph_memory {
	atomic_uint holds;       /* of nodes and steps, and live */
	atomic_bool live;
	uint64_t addr;
	size_t size;
	CUcontext context;
	CUDA_MEM_ALLOC_NODE_PARAMS asked;
	struct graph_memory *next, **link;
};

/* what there is, and how much of each device's is used */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph_memory *all;
static struct usage {
	uint64_t used, used_high, reserved, reserved_high;
} usage[64];

static struct usage *
usage_of(const struct graph_memory *m)
{
	return &usage[m->context->device->index % 64];
}

static void
count(uint64_t *now, uint64_t *high, size_t size, bool more)
{
	*now = more ? *now + size : *now - size;
	if (*now > *high)
		*high = *now;
}

struct graph_memory *
graph_memory_hold(struct graph_memory *m)
{
	atomic_fetch_add(&m->holds, 1);
	return m;
}

/* the end of its context may have freed it already */
void
graph_memory_drop(struct graph_memory *m)
{
	struct usage *u = usage_of(m);
	struct region r;

	if (atomic_fetch_sub(&m->holds, 1) > 1)
		return;
	pthread_mutex_lock(&lock);
	*m->link = m->next;
	if (m->next)
		m->next->link = m->link;
	count(&u->reserved, &u->reserved_high, m->size, false);
	pthread_mutex_unlock(&lock);
	if (atomic_load(&m->context->alive)
		&& region_take(m->addr, 1u << REGION_GRAPH, &r))
		memory_release(&r);
	free(m);
}

bool
graph_memory_live(const struct graph_memory *m)
{
	return atomic_load(&m->live);
}

bool
graph_memory_set(struct graph_memory *m, bool live)
{
	struct usage *u = usage_of(m);

	if (atomic_exchange(&m->live, live) == live)
		return false;
	pthread_mutex_lock(&lock);
	count(&u->used, &u->used_high, m->size, live);
	pthread_mutex_unlock(&lock);
	if (live)
		graph_memory_hold(m);
	else
		graph_memory_drop(m);
	return true;
}

/* held; 0: no such */
static struct graph_memory *
find(CUdeviceptr addr)
{
	struct graph_memory *m;

	pthread_mutex_lock(&lock);
	for (m = all; m && m->addr != addr; m = m->next)
		;
	if (m)
		graph_memory_hold(m);
	pthread_mutex_unlock(&lock);
	return m;
}

bool
graph_memory_free(CUdeviceptr addr)
{
	struct graph_memory *m = find(addr);
	bool was = m && graph_memory_live(m);

	if (was) {
		streams_sync(m->context);
		was = graph_memory_set(m, false);
	}
	if (m)
		graph_memory_drop(m);
	return was;
}

static CUresult
enter(struct graph_memory *m)
{
	struct region r = { .size = m->size, .kind = REGION_GRAPH,
		.context = m->context, .device = m->context->device };
	const struct device *d = m->context->device;
	struct usage *u = usage_of(m);
	CUresult err;

	if (m->size > d->info.memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = d->ops->alloc(d->dev, m->size, &m->addr);
	if (err)
		return err;
	r.addr = m->addr;
	err = region_add(&r);
	if (err) {
		d->ops->free(d->dev, m->addr);
		return err;
	}
	pthread_mutex_lock(&lock);
	m->next = all;
	m->link = &all;
	if (all)
		all->link = &m->next;
	all = m;
	count(&u->reserved, &u->reserved_high, m->size, true);
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

/* the work of nodes */



static CUresult
make_alloc(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	const CUmemPoolProps *props = &p->alloc.poolProps;
	CUcontext c = context_current();
	struct graph_memory *m;
	CUresult err;

	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!p->alloc.bytesize
		|| props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED
		|| props->location.type != CU_MEM_LOCATION_TYPE_DEVICE
		|| !device_of(props->location.id))
		return CUDA_ERROR_INVALID_VALUE;
	if (props->handleTypes || g->owner
		|| device_of(props->location.id) != c->device)
		return CUDA_ERROR_NOT_SUPPORTED;
	m = calloc(1, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_init(&m->holds, 1);
	m->size = p->alloc.bytesize;
	m->context = c;
	err = enter(m);
	if (err) {
		free(m);
		return err;
	}
	p->alloc.dptr = m->addr;
	m->asked = p->alloc;
	m->asked.accessDescs = 0;
	m->asked.accessDescCount = 0;
	w->memory = m;
	w->context = c;
	return CUDA_SUCCESS;
}

static void
get_alloc(struct work *w, CUgraphNodeParams *p)
{
	p->alloc = w->memory->asked;
}

/* of this graph, and not freed by it already; or of another one */
static CUresult
make_free(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	CUgraphNode n;

	for (n = g->first; n; n = n->next)
		if (n->work.kind == CU_GRAPH_NODE_TYPE_MEM_FREE
			&& n->work.memory->addr == p->free.dptr)
			return CUDA_ERROR_INVALID_VALUE;
	w->memory = find(p->free.dptr);
	if (!w->memory)
		return CUDA_ERROR_INVALID_VALUE;
	w->context = w->memory->context;
	return CUDA_SUCCESS;
}

static void
get_free(struct work *w, CUgraphNodeParams *p)
{
	p->free.dptr = w->memory->addr;
}

static CUresult
copy(struct work *w)
{
	graph_memory_hold(w->memory);
	return CUDA_SUCCESS;
}

static void
drop(struct work *w)
{
	graph_memory_drop(w->memory);
}

static CUgraphExecUpdateResult
change(const struct work *is, const struct work *want)
{
	return is->memory == want->memory ? CU_GRAPH_EXEC_UPDATE_SUCCESS :
		CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
}

const struct work_kind work_mem_alloc = {
	"mem alloc", make_alloc, get_alloc, copy, drop, 0, change
};
const struct work_kind work_mem_free = {
	"mem free", make_free, get_free, copy, drop, 0, change
};

/* the API */

CUresult
cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute a,
	void *out)
{
	const struct device *d = device_of(device);
	const struct usage *u;
	uint64_t v;

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!out || (unsigned)a > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
		return CUDA_ERROR_INVALID_VALUE;
	u = &usage[d->index % 64];
	pthread_mutex_lock(&lock);
	v = a == CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT ? u->used :
		a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ? u->used_high :
		a == CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT ? u->reserved :
		u->reserved_high;
	pthread_mutex_unlock(&lock);
	memcpy(out, &v, sizeof v);
	return CUDA_SUCCESS;
}

/* a high water mark starts anew from what there is now */
CUresult
cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute a,
	void *value)
{
	const struct device *d = device_of(device);
	struct usage *u;
	uint64_t v = 1;

	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	if (value)
		memcpy(&v, value, sizeof v);
	if (v || (a != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH
		&& a != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
		return CUDA_ERROR_INVALID_VALUE;
	u = &usage[d->index % 64];
	pthread_mutex_lock(&lock);
	if (a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
		u->used_high = u->used;
	else
		u->reserved_high = u->reserved;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

/* no graph holds more than its nodes have */
CUresult
cuDeviceGraphMemTrim(CUdevice device)
{
	return device_of(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
