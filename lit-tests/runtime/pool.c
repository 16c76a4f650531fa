/* pool.c - memory that comes and goes in the order of streams. */
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MIB = 1 << 20 };

static CUdevice dev;
static CUstream a, b;

/* a stream that stands until the gate is opened */
static void
stand(void *gate)
{
	while (!*(atomic_int *)gate)
		sched_yield();
}

static CUmemoryPool
make(size_t most)
{
	CUmemPoolProps p = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
		.maxSize = most };
	CUmemoryPool pool = 0;

	OK(cuMemPoolCreate(&pool, &p));
	return pool;
}

static uint64_t
ask(CUmemoryPool p, CUmemPool_attribute a_)
{
	uint64_t v = 0;

	OK(cuMemPoolGetAttribute(p, a_, &v));
	return v;
}

static void
tell(CUmemoryPool p, CUmemPool_attribute a_, uint64_t v)
{
	OK(cuMemPoolSetAttribute(p, a_, &v));
}

static CUdeviceptr
take(CUmemoryPool p, size_t n, CUstream s)
{
	CUdeviceptr at = 0;

	OK(cuMemAllocFromPoolAsync(&at, n, p, s));
	return at;
}

static void
defaults(void)
{
	CUmemoryPool p, q, mine = make(0);
	CUmemLocation l = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
	CUmemAccessDesc d = { l, CU_MEM_ACCESS_FLAGS_PROT_NONE };
	CUmemAccess_flags f = 0;
	int there = 0;

	OK(cuDeviceGetAttribute(&there, 115, dev));
	IS(there, 1);
	OK(cuDeviceGetDefaultMemPool(&p, dev));
	OK(cuDeviceGetMemPool(&q, dev));
	TRUE(p == q);
	IS(cuMemPoolDestroy(p), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceSetMemPool(dev, mine));
	OK(cuMemGetMemPool(&q, &l, CU_MEM_ALLOCATION_TYPE_PINNED));
	TRUE(q == mine);
	OK(cuMemGetDefaultMemPool(&q, &l, CU_MEM_ALLOCATION_TYPE_PINNED));
	TRUE(q == p);
	OK(cuMemPoolGetAccess(&f, mine, &l));
	IS(f, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	IS(cuMemPoolSetAccess(mine, &d, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuMemPoolDestroy(mine));
	IS(cuMemPoolDestroy(mine), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceGetMemPool(&q, dev));
	TRUE(q == p);
	IS(ask(p, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0);
	IS(ask(p, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC), 1);
	IS(cuDeviceGetMemPool(&q, 99), CUDA_ERROR_INVALID_VALUE);
}

static void
use(void)
{
	CUdeviceptr p, base;
	CUmemoryPool pool, in;
	unsigned char h[1000];
	size_t size;

	OK(cuMemAllocAsync(&p, 1000, a));
	OK(cuMemGetAddressRange_v2(&base, &size, p + 999));
	TRUE(base == p && size >= 1000);
	OK(cuMemsetD8Async(p, 7, 1000, a));
	OK(cuMemcpyDtoHAsync_v2(h, p, 1000, a));
	OK(cuStreamSynchronize(a));
	TRUE(h[0] == 7 && h[999] == 7);
	OK(cuDeviceGetMemPool(&pool, dev));
	OK(cuPointerGetAttribute(&in, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
	TRUE(in == pool);
	OK(cuMemFreeAsync(p, a));
	IS(cuMemFreeAsync(p, a), CUDA_ERROR_INVALID_VALUE);
	/* each way to free takes what the other allocated */
	OK(cuMemAllocAsync(&p, 5, 0));
	OK(cuMemFree_v2(p));
	OK(cuMemAlloc_v2(&p, 5));
	OK(cuMemFreeAsync(p, a));
	IS(cuMemAllocAsync(&p, (size_t)1 << 50, a), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuStreamSynchronize(a));
}

/* what a has given back, a has again at once; b has it when it comes after
 * that, or when that is over */
static void
order(bool by_event)
{
	CUmemoryPool pool = make(0);
	atomic_int gate = 0;
	CUdeviceptr p, q, r;
	CUevent e;

	OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
	tell(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX);
	OK(cuLaunchHostFunc(a, stand, &gate));
	p = take(pool, 64 * MIB, a);
	OK(cuMemFreeAsync(p, a));
	q = take(pool, 64 * MIB, a);
	TRUE(p == q);
	OK(cuMemFreeAsync(q, a));
	r = take(pool, 64 * MIB, b);
	TRUE(r != p);
	if (by_event) {
		OK(cuEventRecord(e, a));
		OK(cuStreamWaitEvent(b, e, 0));
	} else {
		gate = 1;
		OK(cuStreamSynchronize(a));
	}
	q = take(pool, 64 * MIB, b);
	TRUE(p == q);
	gate = 1;
	OK(cuMemFreeAsync(q, b));
	OK(cuMemFreeAsync(r, b));
	OK(cuStreamSynchronize(b));
	IS(ask(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0);
	OK(cuMemPoolDestroy(pool));
	OK(cuEventDestroy_v2(e));
}

/* a pool that may have no more memory lets b wait for a, unless it must not */
static void
shortage(int may_wait)
{
	CUmemoryPool pool = make(64 * MIB);
	atomic_int gate = 0;
	CUdeviceptr p, q = 0;

	OK(cuMemPoolSetAttribute(pool,
		CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &may_wait));
	OK(cuLaunchHostFunc(a, stand, &gate));
	p = take(pool, 64 * MIB, a);
	OK(cuMemFreeAsync(p, a));
	if (may_wait) {
		q = take(pool, 64 * MIB, b);
		TRUE(p == q);
		IS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
		OK(cuMemFreeAsync(q, b));
	} else {
		IS(cuMemAllocFromPoolAsync(&q, 64 * MIB, pool, b),
			CUDA_ERROR_OUT_OF_MEMORY);
	}
	gate = 1;
	OK(cuStreamSynchronize(b));
	OK(cuMemPoolDestroy(pool));
}

static void
numbers(void)
{
	CUmemoryPool pool = make(0);
	CUdeviceptr p, q;
	uint64_t one = 1;

	p = take(pool, 40 * MIB, a);
	q = take(pool, 40 * MIB, a);
	IS(ask(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 80 * MIB);
	TRUE(ask(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= 80 * MIB);
	tell(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 50 * MIB);
	OK(cuMemFreeAsync(p, a));
	OK(cuMemFreeAsync(q, a));
	IS(ask(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0);
	IS(ask(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 80 * MIB);
	TRUE(ask(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) >= 80 * MIB);
	OK(cuMemPoolTrimTo(pool, 0));
	tell(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 0);
	OK(cuStreamSynchronize(a));
	IS(ask(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0);
	tell(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
	IS(ask(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0);
	IS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &one),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuMemPoolGetAttribute(pool, 0, &one), CUDA_ERROR_INVALID_VALUE);
	/* what is out outlives the pool's handle */
	p = take(pool, 100, a);
	OK(cuMemPoolDestroy(pool));
	OK(cuMemsetD8Async(p, 1, 100, a));
	IS(cuMemAllocFromPoolAsync(&q, 1, pool, a), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFreeAsync(p, a));
	OK(cuStreamSynchronize(a));
}

/* thousands of pieces in two streams: none that are out together overlap */
static void
many(void)
{
	enum { N = 200, STEPS = 20000 };
	static CUdeviceptr at[N];
	static size_t size[N];
	static CUstream of[N];
	CUmemoryPool pool = make(0);
	CUdeviceptr base;
	unsigned seed = 1, i, wrong = 0;
	size_t n;

	for (i = 0; i < STEPS; i++) {
		unsigned k = (seed = seed * 1103515245 + 12345) >> 8 & 1023;
		CUstream s = seed >> 20 & 1 ? a : b;

		k %= N;
		if (at[k]) {
			wrong += cuMemGetAddressRange_v2(&base, &n,
				at[k] + seed % size[k]) || base != at[k];
			OK(cuMemFreeAsync(at[k], of[k]));
			at[k] = 0;
			continue;
		}
		size[k] = 1u << (seed >> 28 & 7) << 12;
		size[k] += seed >> 8 & 4095;
		at[k] = take(pool, size[k], of[k] = s);
		wrong += cuMemsetD8Async(at[k], 1, size[k], s) != 0;
	}
	for (i = 0; i < N; i++)
		if (at[i])
			OK(cuMemFreeAsync(at[i], of[i]));
	IS(wrong, 0);
	OK(cuCtxSynchronize());
	IS(ask(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0);
	OK(cuMemPoolDestroy(pool));
}

/* four threads, a stream each, one pool: each reads what it wrote */
static void *
work(void *arg)
{
	enum { ROUNDS = 300, MOST = 40000 };
	unsigned seed = (unsigned)(uintptr_t)arg, i, k, wrong = 0;
	unsigned char *h;
	CUcontext c;
	CUstream s;

	OK(cuDevicePrimaryCtxRetain(&c, dev));
	OK(cuCtxSetCurrent(c));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuMemHostAlloc((void **)&h, MOST, 0));
	for (i = 0; i < ROUNDS; i++) {
		CUdeviceptr p, q;
		size_t n;

		seed = seed * 1103515245 + 12345;
		n = seed % MOST + 1;
		OK(cuMemAllocAsync(&p, n, s));
		OK(cuMemAllocAsync(&q, n, s));
		OK(cuMemsetD8Async(p, (unsigned char)seed, n, s));
		OK(cuMemcpyDtoDAsync_v2(q, p, n, s));
		OK(cuMemFreeAsync(p, s));
		OK(cuMemcpyDtoHAsync_v2(h, q, n, s));
		OK(cuMemFreeAsync(q, s));
		if (i % 3 == 0)
			continue;
		OK(cuStreamSynchronize(s));
		for (k = 0; k < n; k++)
			wrong += h[k] != (unsigned char)seed;
	}
	IS(wrong, 0);
	OK(cuStreamDestroy_v2(s));
	OK(cuCtxSynchronize());
	OK(cuMemFreeHost(h));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	return 0;
}

static void
threads(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++)
		IS(pthread_create(&t[i], 0, work, (void *)(intptr_t)(i + 1)),
			0);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], 0);
}

static void
refused(void)
{
	CUmemPoolProps p = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, 7 } };
	CUmemoryPool pool;
	CUdeviceptr d;

	IS(cuMemPoolCreate(&pool, &p), CUDA_ERROR_INVALID_VALUE);
	p.location.id = 0;
	p.allocType = 0;
	IS(cuMemPoolCreate(&pool, &p), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemPoolCreate(&pool, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemAllocAsync(0, 1, a), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAllocAsync(&d, 0, a));
	OK(cuMemFreeAsync(0, a));
	IS(cuMemFreeAsync(12345, a), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemPoolTrimTo(0, 0), CUDA_ERROR_INVALID_VALUE);
}

int
main(void)
{
	CUcontext c;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuDevicePrimaryCtxRetain(&c, dev));
	OK(cuCtxSetCurrent(c));
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	defaults();
	use();
	order(true);
	order(false);
	shortage(1);
	shortage(0);
	numbers();
	many();
	threads();
	refused();
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	return check_end();
}
