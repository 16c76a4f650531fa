/* stream_api.c - the API of streams. */
#include "capture.h"
#include "pool.h"
#include <string.h>

CUresult
cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
	if (!out || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
		return CUDA_ERROR_INVALID_VALUE;
	if (priority > STREAM_PRIORITY_LEAST)
		priority = STREAM_PRIORITY_LEAST;
	if (priority < STREAM_PRIORITY_GREATEST)
		priority = STREAM_PRIORITY_GREATEST;
	return stream_new(context_current(), STREAM_OWN, flags, priority,
		out);
}

CUresult
cuStreamCreate(CUstream *out, unsigned flags)
{
	return cuStreamCreateWithPriority(out, flags, 0);
}

CUresult
cuStreamDestroy_v2(CUstream s)
{
	if (!handle_is(HANDLE_STREAM, s) || s->kind != STREAM_OWN ||
	    atomic_exchange(&s->gone, true))
		return CUDA_ERROR_INVALID_HANDLE;
	stream_destroy(s);
	return CUDA_SUCCESS;
}

CUresult
cuStreamDestroy(CUstream s)
{
	return cuStreamDestroy_v2(s);
}

CUresult
cuStreamSynchronize(CUstream s)
{
	CUresult err = stream_sync(s);

	pools_settle();
	return err;
}

/* of the legacy stream: the others that it would wait for count, too */
CUresult
cuStreamQuery(CUstream h)
{
	struct queue *queue;
	CUstream s;
	CUresult err, fault;

	err = stream_find(h, &s);
	if (!err && atomic_load(&s->capture))
		err = capture_refuse(s);
	if (!err && s->kind == STREAM_LEGACY) {
		err = stream_begin(h, &s, &queue);
		if (!err)
			stream_end(s);
	}
	if (err)
		return err;
	err = s->context->device->ops->idle(s->queue);
	fault = stream_error(s);
	return fault ? fault : err;
}

CUresult
cuStreamGetPriority(CUstream h, int *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = s->priority;
	return err;
}

CUresult
cuStreamGetFlags(CUstream h, unsigned *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = s->flags;
	return err;
}

CUresult
cuStreamGetId(CUstream h, unsigned long long *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = s->id;
	return err;
}

CUresult
cuStreamGetDevice(CUstream h, CUdevice *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = s->context->device->index;
	return err;
}

CUresult
cuStreamGetCtx(CUstream h, CUcontext *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = s->context;
	return err;
}

CUresult
cuStreamGetCtx_v2(CUstream h, CUcontext *out, CUgreenCtx *green)
{
	if (green)
		*green = 0;
	return cuStreamGetCtx(h, out);
}

/* attributes: kept, and hints to us */

static bool
is_attribute(CUstreamAttrID a)
{
	switch (a) {
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
	case CU_LAUNCH_ATTRIBUTE_PRIORITY:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
		return true;
	default:
		return false;
	}
}

CUresult
cuStreamGetAttribute(CUstream h, CUstreamAttrID a, CUstreamAttrValue *out)
{
	CUstream s;
	CUresult err;

	if (!out || !is_attribute(a))
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (err)
		return err;
	pthread_mutex_lock(&s->lock);
	*out = s->attribute[a];
	if (a == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		out->priority = s->priority;
	pthread_mutex_unlock(&s->lock);
	return CUDA_SUCCESS;
}

CUresult
cuStreamSetAttribute(CUstream h, CUstreamAttrID a,
	const CUstreamAttrValue *value)
{
	CUstream s;
	CUresult err;

	if (!value || !is_attribute(a))
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (err)
		return err;
	pthread_mutex_lock(&s->lock);
	s->attribute[a] = *value;
	if (a == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		s->priority = value->priority;
	pthread_mutex_unlock(&s->lock);
	return CUDA_SUCCESS;
}

CUresult
cuStreamCopyAttributes(CUstream to, CUstream from)
{
	CUlaunchAttributeValue copy[20];
	CUstream d, s;
	CUresult err;

	err = stream_find(to, &d);
	if (!err)
		err = stream_find(from, &s);
	if (err || d == s)
		return err;
	pthread_mutex_lock(&s->lock);
	memcpy(copy, s->attribute, sizeof copy);
	pthread_mutex_unlock(&s->lock);
	pthread_mutex_lock(&d->lock);
	memcpy(d->attribute, copy, sizeof copy);
	pthread_mutex_unlock(&d->lock);
	return CUDA_SUCCESS;
}

/* who may see managed memory when: everybody always may */
CUresult
cuStreamAttachMemAsync(CUstream h, CUdeviceptr addr, size_t length,
	unsigned flags)
{
	struct region r;
	CUstream s;
	CUresult err;

	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST &&
	    flags != CU_MEM_ATTACH_SINGLE)
		return CUDA_ERROR_INVALID_VALUE;
	if (!region_find(addr, length, &r) || r.kind != REGION_MANAGED)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err && atomic_load(&s->capture))
		err = capture_refuse(s);
	if (!err && flags == CU_MEM_ATTACH_SINGLE && s->kind == STREAM_LEGACY)
		err = CUDA_ERROR_INVALID_VALUE;
	return err;
}
