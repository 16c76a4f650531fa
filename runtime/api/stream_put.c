/* stream_put.c - what streams are given goes into their queue, or, while they
 * are captured, becomes a node of the graph. */
#include "capture.h"

static bool
is_captured(CUstream s)
{
	return atomic_load_explicit(&s->capture, memory_order_acquire);
}

bool
stream_captured(CUstream h)
{
	CUstream s;

	return atomic_load_explicit(&capture_count, memory_order_relaxed)
		&& !stream_find(h, &s) && is_captured(s);
}

CUresult
stream_launch(CUstream s, CUfunction f, const struct launch_shape *shape,
	const struct dev_launch *l)
{
	return is_captured(s) ? capture_kernel(s, f, shape, l) :
		s->context->device->ops->launch(s->queue, l);
}

CUresult
stream_copy(CUstream s, const struct copy *c)
{
	return is_captured(s) ? capture_copy(s, c) :
		s->context->device->ops->copy(s->queue, c);
}

CUresult
stream_fill(CUstream s, const struct fill *f)
{
	return is_captured(s) ? capture_fill(s, f) :
		s->context->device->ops->fill(s->queue, f);
}
