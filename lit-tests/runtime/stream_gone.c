/* Threads create streams, work on them, wait for them, and destroy them under
 * each other's hands: what is gone answers CUDA_ERROR_INVALID_HANDLE. */
#include "check.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 6, STREAMS = 8, ROUNDS = 8000 };

static _Atomic(CUstream) stream[STREAMS];
static _Atomic(CUevent) event[STREAMS];
static CUcontext context;
static CUdeviceptr memory;

static CUresult
act(unsigned what, _Atomic(CUstream) *s)
{
	CUstream fresh;

	switch (what) {
	case 0:
		if (!cuStreamCreate(&fresh, 1))
			*s = fresh;
		return CUDA_SUCCESS;
	case 1:
		return cuStreamDestroy_v2(*s);
	case 2:
		return cuMemsetD8Async(memory, 1, 64, *s);
	default:
		return cuStreamSynchronize(*s);
	}
}

static CUresult
act_event(unsigned what, _Atomic(CUevent) *e)
{
	CUevent fresh;

	if (what)
		return cuEventDestroy_v2(*e);
	if (!cuEventCreate(&fresh, 0))
		*e = fresh;
	return CUDA_SUCCESS;
}

static void *
run(void *arg)
{
	unsigned bad = 0, seed = (unsigned)(size_t)arg, i;
	CUresult err;

	cuCtxSetCurrent(context);
	for (i = 0; i < ROUNDS; i++) {
		seed = seed * 1103515245u + 12345u;
		err = act(seed >> 20 & 3, &stream[seed >> 16 & (STREAMS - 1)]);
		if (!err)
			err = act_event(seed >> 24 & 1,
				&event[seed >> 26 & (STREAMS - 1)]);
		bad += err && err != CUDA_ERROR_INVALID_HANDLE;
	}
	return (void *)(size_t)bad;
}

int
main(void)
{
	pthread_t thread[THREADS];
	size_t i, bad = 0;
	void *result;

	cuInit(0);
	cuCtxCreate_v2(&context, 0, 0);
	cuMemAlloc_v2(&memory, 64);
	for (i = 0; i < STREAMS; i++)
		act(0, &stream[i]);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], 0, run, (void *)(i + 1));
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &result);
		bad += (size_t)result;
	}
	printf("%zu other answers, %d\n", bad, cuCtxSynchronize());
	return 0;
}
