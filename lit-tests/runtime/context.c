/* context.c - contexts: stacks of threads, primary ones, use after the end. */
#include "check.h"
#include <pthread.h>

static CUdevice dev;

static CUcontext
current(void)
{
	CUcontext c = (CUcontext)1;

	OK(cuCtxGetCurrent(&c));
	return c;
}

static void
stack(void)
{
	CUcontext a, b, c = 0;
	CUdevice d = -1;

	IS(cuCtxPopCurrent_v2(&c), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuCtxCreate_v2(&a, 0, dev));
	OK(cuCtxCreate_v2(&b, CU_CTX_SCHED_SPIN, dev));
	TRUE(a != b && current() == b);
	OK(cuCtxPopCurrent_v2(&c));
	TRUE(c == b && current() == a);
	OK(cuCtxPushCurrent_v2(b));
	OK(cuCtxPushCurrent_v2(b));
	OK(cuCtxPopCurrent_v2(0));
	TRUE(current() == b);
	OK(cuCtxSetCurrent(a));
	TRUE(current() == a);
	OK(cuCtxSetCurrent(0));
	TRUE(current() == a); /* what lay below */
	OK(cuCtxGetDevice(&d));
	IS(d, dev);
	d = -1;
	OK(cuCtxGetDevice_v2(&d, b));
	/* as programs call it that mean the first form */
	OK(cuCtxGetDevice_v2(&d, (CUcontext)16));
	OK(cuCtxSynchronize_v2((CUcontext)16));
	IS(d, dev);
	OK(cuCtxDestroy_v2(b));
	IS(cuCtxDestroy_v2(b), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuCtxDestroy_v2(a));
	TRUE(!current());
}

static void
creation(void)
{
	CUexecAffinityParam few = { .type = CU_EXEC_AFFINITY_TYPE_SM_COUNT };
	CUctxCreateParams p = { 0, 0, 0 };
	unsigned long long id, id2;
	CUcontext a, b;
	unsigned u;
	int yes = 7;

	IS(cuCtxCreate_v2(&a, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, dev),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuCtxCreate_v2(&a, 0x100, dev), CUDA_ERROR_INVALID_VALUE);
	IS(cuCtxCreate_v2(&a, 0, 12345), CUDA_ERROR_INVALID_DEVICE);
	IS(cuCtxCreate_v3(&a, &few, 1, 0, dev),
		CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
	IS(cuCtxCreate_v3(&a, 0, 1, 0, dev), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceGetExecAffinitySupport(&yes, CU_EXEC_AFFINITY_TYPE_SM_COUNT,
		dev));
	IS(yes, 0);
	OK(cuCtxCreate_v3(&a, 0, 0, 0, dev));
	OK(cuCtxCreate_v4(&b, &p, 0, dev));
	OK(cuCtxGetId(a, &id));
	OK(cuCtxGetId(b, &id2));
	TRUE(id != id2);
	OK(cuCtxGetId(0, &id));
	IS(id, id2);
	OK(cuCtxDestroy(b));
	OK(cuCtxCreate_v4(&b, 0, CU_CTX_SCHED_YIELD, dev));
	OK(cuCtxGetFlags(&u));
	IS(u, CU_CTX_SCHED_YIELD | CU_CTX_MAP_HOST);
	OK(cuCtxSetFlags(CU_CTX_SCHED_SPIN));
	OK(cuCtxGetFlags(&u));
	IS(u, CU_CTX_SCHED_SPIN);
	OK(cuCtxDestroy(b));
	OK(cuCtxCreate(&b, 0, dev));
	OK(cuCtxGetApiVersion(b, &u));
	IS(u, 3010);
	OK(cuCtxDestroy(b));
	OK(cuCtxDestroy(a));
}

static void
attach(void)
{
	CUcontext a, b;

	IS(cuCtxAttach(&a, 0), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuCtxCreate_v2(&a, 0, dev));
	IS(cuCtxAttach(&b, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxAttach(&b, 0));
	TRUE(a == b);
	OK(cuCtxDetach(a));
	TRUE(current() == a);
	OK(cuCtxDetach(a));
	TRUE(!current());
	IS(cuCtxDetach(a), CUDA_ERROR_INVALID_CONTEXT);
}

static void
limits(void)
{
	CUcontext a;
	CUsharedconfig shared;
	CUfunc_cache cache;
	size_t n;
	int k;

	OK(cuCtxCreate_v2(&a, 0, dev));
	OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1001));
	OK(cuCtxGetLimit(&n, CU_LIMIT_STACK_SIZE));
	TRUE(n >= 1001 && n < 1100);
	OK(cuCtxGetLimit(&n, CU_LIMIT_SHMEM_SIZE));
	TRUE(n >= 48 << 10);
	OK(cuCtxGetLimit(&n, CU_LIMIT_CIG_ENABLED));
	IS(n, 0);
	IS(cuCtxSetLimit(CU_LIMIT_CIG_ENABLED, 1),
		CUDA_ERROR_UNSUPPORTED_LIMIT);
	IS(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20));
	OK(cuCtxGetLimit(&n, CU_LIMIT_MALLOC_HEAP_SIZE));
	IS(n, 64 << 20);
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 16));
	IS(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 129),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2),
		CUDA_ERROR_UNSUPPORTED_LIMIT);
	IS(cuCtxGetLimit(&n, CU_LIMIT_PERSISTING_L2_CACHE_SIZE),
		CUDA_ERROR_UNSUPPORTED_LIMIT);
	for (k = 0; k < 4; k++) {
		OK(cuCtxSetCacheConfig((CUfunc_cache)k));
		OK(cuCtxGetCacheConfig(&cache));
		IS(cache, k);
	}
	OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
	OK(cuCtxGetSharedMemConfig(&shared));
	IS(shared, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
	OK(cuProfilerStart());
	OK(cuProfilerStop());
	OK(cuCtxDestroy_v2(a));
	IS(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1),
		CUDA_ERROR_INVALID_CONTEXT);
}

static void
primary(void)
{
	CUcontext a, b;
	CUdeviceptr p;
	unsigned flags;
	int active;

	IS(cuDevicePrimaryCtxRelease_v2(dev), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuDevicePrimaryCtxRetain(&a, dev));
	IS(cuDevicePrimaryCtxSetFlags(dev, 1),
		CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE);
	OK(cuDevicePrimaryCtxSetFlags_v2(dev, 1));
	OK(cuDevicePrimaryCtxGetState(dev, &flags, &active));
	TRUE(flags == 1 && active == 1);
	OK(cuDevicePrimaryCtxRetain(&b, dev));
	TRUE(a == b);
	OK(cuDevicePrimaryCtxRelease(dev));
	OK(cuCtxSetCurrent(a));
	OK(cuMemAlloc_v2(&p, 100));
	OK(cuDevicePrimaryCtxReset_v2(dev));
	/* the memory is gone, the context is there again */
	IS(cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAlloc_v2(&p, 100));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	IS(cuMemAlloc_v2(&p, 100), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	OK(cuCtxPushCurrent_v2(a));
	OK(cuCtxPopCurrent_v2(0));
	OK(cuDevicePrimaryCtxGetState(dev, &flags, &active));
	IS(active, 0);
	OK(cuDevicePrimaryCtxRetain(&b, dev));
	OK(cuMemAlloc_v2(&p, 100));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	OK(cuCtxSetCurrent(0));
	OK(cuDevicePrimaryCtxReset(dev));
}

/* what is current in one thread is ended by another */
static pthread_barrier_t step;
static CUcontext shared;

static void *
user(void *arg)
{
	CUdeviceptr p;

	(void)arg;
	TRUE(!current());
	IS(cuMemAlloc_v2(&p, 64), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuCtxSetCurrent(shared));
	OK(cuMemAlloc_v2(&p, 64));
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	TRUE(current() == shared);
	IS(cuMemAlloc_v2(&p, 64), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	IS(cuCtxDestroy_v2(shared), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	OK(cuCtxPushCurrent_v2(shared));
	OK(cuCtxPopCurrent_v2(0));
	OK(cuCtxSetCurrent(shared));
	OK(cuCtxPopCurrent_v2(0));
	IS(cuCtxPushCurrent_v2(shared), CUDA_ERROR_INVALID_CONTEXT);
	return 0;
}

static void
threads(void)
{
	pthread_t t;

	pthread_barrier_init(&step, 0, 2);
	OK(cuCtxCreate_v2(&shared, 0, dev));
	OK(cuCtxPopCurrent_v2(0));
	OK(pthread_create(&t, 0, user, 0));
	pthread_barrier_wait(&step);
	OK(cuCtxDestroy_v2(shared));
	pthread_barrier_wait(&step);
	pthread_join(t, 0);
}

/* many at once, each with memory of its own */
static void *
churn(void *arg)
{
	CUcontext c;
	CUdeviceptr p;
	int i, k;

	(void)arg;
	for (i = 0; i < 200; i++) {
		if (cuCtxCreate_v2(&c, 0, dev))
			return "create";
		for (k = 0; k < 5; k++)
			if (cuMemAlloc_v2(&p, 1000))
				return "alloc";
		if (i % 2 && cuCtxPopCurrent_v2(0))
			return "pop";
		if (cuCtxDestroy_v2(c))
			return "destroy";
		if (cuCtxPushCurrent_v2(c) != CUDA_ERROR_INVALID_CONTEXT)
			return "push of a dead one";
	}
	return 0;
}

static void
many(void)
{
	enum { N = 4 };
	pthread_t t[N];
	int i;

	for (i = 0; i < N; i++)
		OK(pthread_create(&t[i], 0, churn, 0));
	for (i = 0; i < N; i++) {
		void *what = 0;

		pthread_join(t[i], &what);
		if (what)
			printf("%s failed\n", (char *)what);
		TRUE(!what);
	}
}

static void
wild(void)
{
	static char some[4096];
	CUdevice d;

	IS(cuCtxSetCurrent((CUcontext)(void *)some),
		CUDA_ERROR_INVALID_CONTEXT);
	IS(cuCtxSetCurrent((CUcontext)8), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuCtxDestroy_v2((CUcontext)-1), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuCtxGetDevice_v2(&d, (CUcontext)(void *)(some + 16)),
		CUDA_ERROR_INVALID_CONTEXT);
}

int
main(void)
{
	CUcontext c;

	IS(cuCtxGetCurrent(&c), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
	OK(cuInit(0));
	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	stack();
	creation();
	attach();
	limits();
	primary();
	threads();
	many();
	wild();
	return check_end();
}
