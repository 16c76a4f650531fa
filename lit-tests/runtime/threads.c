/* threads.c - threads that allocate, copy and free beside each other: in one
 * context, in the stream of each, and in streams that come and go. */
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300, N = 3000 };

static CUcontext context;

/* 0, or what went wrong first */
static const char *
round_trip(unsigned char seed, CUstream s, unsigned char *in,
	unsigned char *out)
{
	CUdeviceptr p, q;
	size_t size;

	memset(in, seed, N);
	memset(out, ~seed, N);
	if (cuMemAlloc_v2(&p, N) || cuMemAlloc_v2(&q, N))
		return "alloc";
	if (cuMemGetAddressRange_v2(0, &size, p + N - 1) || size != N)
		return "range";
	if (cuMemcpyHtoDAsync_v2_ptsz(p, in, N, s)
		|| cuMemcpyDtoDAsync_v2_ptsz(q, p, N, s)
		|| cuMemsetD8Async_ptsz(p, seed ^ 1, N / 2, s)
		|| cuMemcpyDtoDAsync_v2_ptsz(p + N / 2, q, N / 2, s)
		|| cuMemcpyDtoHAsync_v2_ptsz(out, p, N, s))
		return "copy";
	if (cuStreamSynchronize_ptsz(s))
		return "synchronize";
	if (out[0] != (seed ^ 1) || out[N / 2 - 1] != (seed ^ 1)
		|| out[N / 2] != seed || out[N - 1] != seed)
		return "what was copied";
	if (cuMemFree_v2(q) || cuMemFree_v2(p))
		return "free";
	return 0;
}

static void *
worker(void *arg)
{
	unsigned char in[N], out[N];
	const char *bad = 0;
	int i;

	if (cuCtxSetCurrent(context))
		return "current";
	for (i = 0; i < ROUNDS && !bad; i++) {
		unsigned char seed = (unsigned char)(i * 7 + *(int *)arg);
		CUstream s = 0;

		if (i % 8 == 1 && cuStreamCreate(&s, i & 16
			? CU_STREAM_NON_BLOCKING : 0))
			return "stream";
		bad = round_trip(seed, s, in, out);
		if (s && cuStreamDestroy_v2(s))
			return "end of the stream";
	}
	return (void *)(uintptr_t)bad;
}

int
main(void)
{
	pthread_t t[THREADS];
	int i, number[THREADS];

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&context, 0, 0));
	for (i = 0; i < THREADS; i++) {
		number[i] = i;
		OK(pthread_create(&t[i], 0, worker, &number[i]));
	}
	for (i = 0; i < THREADS; i++) {
		void *bad = "join";

		pthread_join(t[i], &bad);
		if (bad)
			printf("thread %d: %s\n", i, (char *)bad);
		TRUE(!bad);
	}
	OK(cuCtxSynchronize());
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
