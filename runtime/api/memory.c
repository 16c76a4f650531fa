/* memory.c - memory of the device, of the host for the device, and of both. */
#include "api.h"

/* gives memory back to the device that it came from */
static CUresult
release(const struct region *r)
{
	const struct device *d = r->context->device;

	switch (r->kind) {
	case REGION_DEVICE:
	case REGION_MANAGED:
		return d->ops->free(d->dev, r->addr);
	case REGION_HOST:
		return d->ops->host_free(d->dev,
			(void *)(uintptr_t)r->host);
	case REGION_REGISTERED:
		return d->ops->host_unregister(d->dev,
			(void *)(uintptr_t)r->host);
	case REGION_VARIABLE:
		break;
	}
	return 0;
}

void
memory_context_end(CUcontext c)
{
	struct region r;

	while (region_take_of(c, &r))
		release(&r);
}
