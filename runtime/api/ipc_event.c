/* ipc_event.c - events shared between processes.
 *
 * Two words in shared memory: how often the event was recorded, and how many
 * of these records have been reached.  So it works where the host can use the
 * device's memory.
 */
#include "ipc.h"
#include <stdlib.h>
#include <time.h>

struct words {
	_Atomic uint64_t recorded, reached;
};

struct shared_event {
	struct device *device;
	struct words *w;         /* the device's address, too */
	bool opened;             /* of another process */
	bool exported;           /* others may still use the words */
};

bool
shares_events(const struct device *d)
{
	return d->info.shares && d->info.words && d->info.host_visible;
}

struct shared_event *
shared_event_new(struct device *d)
{
	struct shared_event *e;
	uint64_t addr;

	if (!shares_events(d))
		return 0;
	e = calloc(1, sizeof *e);
	if (!e || d->ops->alloc(d->dev, sizeof *e->w, &addr)) {
		free(e);
		return 0;
	}
	e->device = d;
	e->w = (struct words *)(uintptr_t)addr;
	atomic_init(&e->w->recorded, 0);
	atomic_init(&e->w->reached, 0);
	return e;
}

void
shared_event_free(struct shared_event *e)
{
	const struct dev_ops *ops;

	if (!e)
		return;
	ops = e->device->ops;
	if (e->opened)
		ops->shared_close(e->device->dev, (uintptr_t)e->w);
	else if (!e->exported)
		ops->free(e->device->dev, (uintptr_t)e->w);
	free(e);
}

struct record {
	struct words *w;
	uint64_t n;
};

/* records of several streams may be reached in any order */
static void
reach(void *arg)
{
	struct record r = *(struct record *)arg;
	uint64_t now = atomic_load(&r.w->reached);

	free(arg);
	while (now < r.n && !atomic_compare_exchange_weak(&r.w->reached, &now,
	    r.n))
		;
}

CUresult
shared_event_record(struct shared_event *e, CUstream s)
{
	struct record *r = malloc(sizeof *r);
	CUresult err;

	if (!r)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->w = e->w;
	r->n = atomic_fetch_add(&e->w->recorded, 1) + 1;
	err = s->context->device->ops->call(s->queue, reach, r);
	if (err)
		free(r);
	return err;
}

CUresult
shared_event_wait(struct shared_event *e, CUstream s)
{
	struct word w = { .addr = (uintptr_t)&e->w->reached, .size = 8,
		.value = atomic_load(&e->w->recorded),
		.how = CU_STREAM_WAIT_VALUE_GEQ };

	if (shared_event_query(e) == CUDA_SUCCESS)
		return CUDA_SUCCESS;
	return s->context->device->ops->await(s->queue, &w);
}

CUresult
shared_event_query(struct shared_event *e)
{
	uint64_t n = atomic_load(&e->w->recorded);

	return atomic_load(&e->w->reached) >= n ? CUDA_SUCCESS :
		CUDA_ERROR_NOT_READY;
}

/* nobody in another process wakes us */
CUresult
shared_event_sync(struct shared_event *e, CUcontext c)
{
	const struct timespec soon = { 0, 20000 }, later = { 0, 500000 };
	uint64_t n = atomic_load(&e->w->recorded);
	unsigned i;

	for (i = 0; atomic_load(&e->w->reached) < n; i++) {
		if (atomic_load(&c->error))
			return (CUresult)atomic_load(&c->error);
		nanosleep(i < 1000 ? &soon : &later, 0);
	}
	return CUDA_SUCCESS;
}

CUresult
shared_event_name(struct shared_event *e, char name[64])
{
	e->exported = true;
	return e->device->ops->share(e->device->dev, &(struct slice){
		(uintptr_t)e->w, sizeof *e->w, 0, sizeof *e->w }, name);
}

CUresult
shared_event_open(struct device *d, const char name[64],
	struct shared_event **out)
{
	struct shared_event *e;
	uint64_t addr;
	size_t size;
	CUresult err;

	if (!shares_events(d))
		return CUDA_ERROR_NOT_SUPPORTED;
	err = d->ops->shared_open(d->dev, name, &addr, &size);
	if (err)
		return err;
	e = calloc(1, sizeof *e);
	if (!e || size != sizeof *e->w) {
		free(e);
		d->ops->shared_close(d->dev, addr);
		return e ? CUDA_ERROR_INVALID_VALUE :
			CUDA_ERROR_OUT_OF_MEMORY;
	}
	e->device = d;
	e->w = (struct words *)(uintptr_t)addr;
	e->opened = true;
	*out = e;
	return CUDA_SUCCESS;
}
