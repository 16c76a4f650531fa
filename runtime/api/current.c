/* current.c - the API of contexts: make, destroy, make current. */
#include "api.h"

/* one way of waiting at most, and no bits that CUDA does not know */
static bool
flags_fit(unsigned flags)
{
	unsigned sched = flags & CU_CTX_SCHED_MASK;

	return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		&& (sched & (sched - 1)) == 0;
}

static CUresult
create(CUcontext *out, unsigned flags, CUdevice dev, unsigned api)
{
	struct device *d = device_of(dev);
	CUcontext c;
	CUresult r;

	if (!out || !flags_fit(flags))
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	r = context_new(d, flags, false, &c);
	if (r)
		return r;
	c->api_version = api;
	r = context_push(c);
	if (r) {
		context_end(c);
		return r;
	}
	*out = c;
	return 0;
}

CUresult
cuCtxCreate(CUcontext *out, unsigned flags, CUdevice dev)
{
	return create(out, flags, dev, 3010);
}

CUresult
cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice dev)
{
	return create(out, flags, dev, 3020);
}

/* A context on some of the multiprocessors is not possible here. */
CUresult
cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *param, int n,
	unsigned flags, CUdevice dev)
{
	if (n < 0 || (n && !param))
		return CUDA_ERROR_INVALID_VALUE;
	if (n)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	return create(out, flags, dev, 3020);
}

CUresult
cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *p, unsigned flags,
	CUdevice dev)
{
	if (p && p->cigParams)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (p)
		return cuCtxCreate_v3(out, p->execAffinityParams,
			p->numExecAffinityParams, flags, dev);
	return create(out, flags, dev, 3020);
}

static CUcontext
top(void)
{
	const struct thread *t = &rt_thread;

	return t->depth ? t->stack[t->depth - 1] : 0;
}

CUresult
cuCtxDestroy_v2(CUcontext c)
{
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_CONTEXT, c) || c->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!context_end(c))
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	if (top() == c) /* so it is still there */
		context_pop();
	return 0;
}

CUresult
cuCtxDestroy(CUcontext c)
{
	return cuCtxDestroy_v2(c);
}

CUresult
cuCtxPushCurrent_v2(CUcontext c)
{
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	/* one that was destroyed, but is on some stack, can be pushed */
	return handle_is(HANDLE_CONTEXT, c)
		? context_push(c) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult
cuCtxPushCurrent(CUcontext c)
{
	return cuCtxPushCurrent_v2(c);
}

CUresult
cuCtxPopCurrent_v2(CUcontext *out)
{
	CUcontext c = top();

	if (!context_pop())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (out)
		*out = c;
	return 0;
}

CUresult
cuCtxPopCurrent(CUcontext *out)
{
	return cuCtxPopCurrent_v2(out);
}

CUresult
cuCtxSetCurrent(CUcontext c)
{
	if (c && !handle_is(HANDLE_CONTEXT, c))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (c && c == top())
		return 0;
	context_pop();
	return c ? context_push(c) : 0;
}

CUresult
cuCtxGetCurrent(CUcontext *out)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = top();
	return 0;
}

CUresult
cuCtxAttach(CUcontext *out, unsigned flags)
{
	CUcontext c = context_current();

	if (!out || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&c->lock);
	c->attached++;
	pthread_mutex_unlock(&c->lock);
	*out = c;
	return 0;
}

CUresult
cuCtxDetach(CUcontext c)
{
	bool last;

	if (!context_is(c) || c != top())
		return CUDA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&c->lock);
	last = c->attached == 1;
	if (!last)
		c->attached--;
	pthread_mutex_unlock(&c->lock);
	return last ? cuCtxDestroy_v2(c) : 0;
}
