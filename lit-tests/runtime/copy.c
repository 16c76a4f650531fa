/* copy.c - copies and fills: every form against what the host computes. */
#include "check.h"

enum { N = 1 << 16 };

static CUdeviceptr a, b;
static unsigned char host[N], back[N], want_a[N], want_b[N];
static CUstream stream;

static unsigned
next(unsigned below)
{
	static unsigned seed = 7;

	seed = seed * 1664525 + 1013904223;
	return (unsigned)((unsigned long long)(seed >> 4) * below >> 28);
}

static void
fill_host(void)
{
	int i;

	for (i = 0; i < N; i++)
		host[i] = (unsigned char)next(256);
}

/* both are what they should be; says where not */
static void
compare(int line)
{
	check(__FILE__, line, "cuMemcpyDtoH_v2", cuMemcpyDtoH_v2(back, a, N),
		0);
	check(__FILE__, line, "a", memcmp(back, want_a, N), 0);
	check(__FILE__, line, "cuMemcpyDtoH_v2", cuMemcpyDtoH_v2(back, b, N),
		0);
	check(__FILE__, line, "b", memcmp(back, want_b, N), 0);
}
#define SAME() compare(__LINE__)

static void
lines(void)
{
	OK(cuMemcpyHtoD_v2(a, host, N));
	memcpy(want_a, host, N);
	OK(cuMemsetD8_v2(b, 3, N));
	memset(want_b, 3, N);
	SAME();
	OK(cuMemcpyDtoD_v2(b + 7, a + 100, 1001));
	memcpy(want_b + 7, want_a + 100, 1001);
	SAME();
	OK(cuMemcpy(b + 5000, (uintptr_t)host + 11, 77));
	memcpy(want_b + 5000, host + 11, 77);
	SAME();
	OK(cuMemcpy((uintptr_t)back, a + 9, 50));
	IS(memcmp(back, want_a + 9, 50), 0);
	OK(cuMemcpy(a + 60000, b + 5000, 77));
	memcpy(want_a + 60000, want_b + 5000, 77);
	SAME();
	OK(cuMemcpyHtoDAsync_v2(a + 1, host + 2, 3000, stream));
	memcpy(want_a + 1, host + 2, 3000);
	OK(cuMemcpyDtoDAsync_v2(b, a, 4000, stream));
	memcpy(want_b, want_a, 4000);
	OK(cuMemcpyDtoHAsync_v2(back, b, 4000, stream));
	OK(cuStreamSynchronize(stream));
	IS(memcmp(back, want_b, 4000), 0);
	OK(cuMemcpyAsync(a, b + 3, 4000, stream));
	memcpy(want_a, want_b + 3, 4000);
	OK(cuStreamSynchronize(stream));
	SAME();
}

/* memory of the host that a copy was given is the program's again */
static void
staged(void)
{
	static unsigned char once[N];
	int i;

	for (i = 0; i < 300; i++) {
		size_t n = i % 10 ? 1 + next(4000) : N;

		memset(once, i, n);
		OK(cuMemcpyHtoDAsync_v2(a, once, n, stream));
		memset(once, 0xee, n);
		memset(want_a, i, n);
	}
	OK(cuStreamSynchronize(stream));
	SAME();
}

static void
page_locked(void)
{
	unsigned char *p;
	CUdeviceptr d;

	OK(cuMemHostAlloc((void **)&p, 4096, 0));
	memset(p, 9, 4096);
	OK(cuMemHostGetDevicePointer_v2(&d, p, 0));
	OK(cuMemcpyHtoDAsync_v2(a, p, 4096, stream));
	OK(cuStreamSynchronize(stream));
	memset(want_a, 9, 4096);
	OK(cuMemsetD32_v2(d, 0x01020304, 1024));
	IS(p[4095], 1);
	OK(cuMemcpyDtoD_v2(b, d, 4096));
	memcpy(want_b, p, 4096);
	SAME();
	OK(cuMemcpy(d, a + 4096, 4096));
	IS(memcmp(p, want_a + 4096, 4096), 0);
	OK(cuMemFreeHost(p));
	IS(cuMemcpyDtoD_v2(b, d, 4096), CUDA_ERROR_INVALID_VALUE);
}

/* what the host sees once a copy that is not Async has returned */
static void
managed(void)
{
	unsigned char *m;
	CUdeviceptr p;
	int i, wrong = 0;

	OK(cuMemAllocManaged(&p, N, CU_MEM_ATTACH_GLOBAL));
	m = (unsigned char *)(uintptr_t)p;
	for (i = 0; i < 200; i++) {
		memset(want_a, i, N);
		OK(cuMemcpyHtoD_v2(a, want_a, N));
		OK(cuMemcpyDtoD_v2(p, a, N));
		wrong += memcmp(m, want_a, N) != 0;
		OK(cuMemsetD8_v2(p, (unsigned char)~i, N));
		wrong += m[0] != (~i & 255) || m[N - 1] != (~i & 255);
	}
	IS(wrong, 0);
	OK(cuMemFree_v2(p));
}

/* a box within N bytes */
struct box {
	size_t x, y, z, pitch, height;
};

static size_t
random_box(struct box *p, size_t w, size_t h, size_t d)
{
	p->x = next(9);
	p->y = next(4);
	p->z = next(3);
	p->pitch = p->x + w + next(20);
	p->height = p->y + h + next(5);
	return (p->z + d) * p->pitch * p->height;
}

static void
copy_on_host(unsigned char *to, const struct box *t, const unsigned char *from,
	const struct box *f, size_t w, size_t h, size_t d)
{
	size_t z, y;

	for (z = 0; z < d; z++)
		for (y = 0; y < h; y++)
			memcpy(to + ((t->z + z) * t->height + t->y + y)
				* t->pitch + t->x,
				from + ((f->z + z) * f->height + f->y + y)
				* f->pitch + f->x, w);
}

/* where: 0 host, 1 device, 2 unified of the host, 3 unified of the device */
#define SET(p, side, box, where, mem, addr) do { \
	(p).side##XInBytes = (box).x; \
	(p).side##Y = (box).y; \
	(p).side##Z = (box).z; \
	(p).side##Pitch = (box).pitch; \
	(p).side##Height = (box).height; \
	(p).side##MemoryType = (where) == 0 ? CU_MEMORYTYPE_HOST \
		: (where) == 1 ? CU_MEMORYTYPE_DEVICE \
		: CU_MEMORYTYPE_UNIFIED; \
	(p).side##Host = (mem); \
	(p).side##Device = (where) == 2 ? (uintptr_t)(mem) : (addr); \
} while (0)

static CUcontext context;

static CUresult
one_box(int how, const CUDA_MEMCPY3D *p)
{
	CUDA_MEMCPY3D_PEER peer;

	memcpy(&peer, p, sizeof peer);
	peer.srcContext = peer.dstContext = context;
	switch (how) {
	case 0: return cuMemcpy3D_v2(p);
	case 1: return cuMemcpy3DAsync_v2(p, stream);
	case 2: return cuMemcpy3DPeer(&peer);
	default: return cuMemcpy3DPeerAsync(&peer, stream);
	}
}

static void
boxes(void)
{
	int i;

	for (i = 0; i < 400; i++) {
		size_t w = 1 + next(40), h = 1 + next(12), d = 1 + next(8);
		int to = 1 + 2 * (int)next(2), from = (int)next(4);
		CUDA_MEMCPY3D p = { .WidthInBytes = w, .Height = h,
			.Depth = d };
		struct box t, f;

		if (random_box(&t, w, h, d) > N || random_box(&f, w, h, d) > N)
			continue;
		SET(p, dst, t, to, back, b);
		SET(p, src, f, from, host, a);
		OK(one_box(i % 4, &p));
		copy_on_host(want_b, &t, from & 1 ? want_a : host, &f, w, h, d);
		OK(cuStreamSynchronize(stream));
		SAME();
	}
}

static void
rows(void)
{
	int i;

	for (i = 0; i < 200; i++) {
		size_t w = 1 + next(200), h = 1 + next(60);
		CUDA_MEMCPY3D q;
		CUDA_MEMCPY2D p;
		struct box t, f;
		int from = (int)next(4);

		random_box(&t, w, h, 1);
		random_box(&f, w, h, 1);
		t.z = f.z = 0;
		SET(q, dst, t, 1, back, b);
		SET(q, src, f, from, host, a);
		p = (CUDA_MEMCPY2D){ .srcXInBytes = f.x, .srcY = f.y,
			.srcMemoryType = q.srcMemoryType, .srcHost = q.srcHost,
			.srcDevice = q.srcDevice, .srcPitch = f.pitch,
			.dstXInBytes = t.x, .dstY = t.y,
			.dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = b,
			.dstPitch = t.pitch, .WidthInBytes = w, .Height = h };
		OK(i % 3 == 0 ? cuMemcpy2D_v2(&p)
			: i % 3 == 1 ? cuMemcpy2DUnaligned_v2(&p)
			: cuMemcpy2DAsync_v2(&p, stream));
		copy_on_host(want_b, &t, from & 1 ? want_a : host, &f, w, h, 1);
		OK(cuStreamSynchronize(stream));
		SAME();
	}
}

static void
refused_boxes(void)
{
	CUDA_MEMCPY2D p = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = host, .srcPitch = 100,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = b,
		.dstPitch = 100, .WidthInBytes = 100, .Height = 10 }, q;
	CUDA_MEMCPY3D r = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = host, .srcPitch = 10, .srcHeight = 4,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = b,
		.dstPitch = 10, .dstHeight = 4, .WidthInBytes = 10,
		.Height = 4, .Depth = 2 };

	OK(cuMemcpy2D_v2(&p));
	q = p, q.dstXInBytes = 1;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_VALUE);
	q = p, q.srcPitch = 99;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_VALUE);
	q = p, q.Height = N;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_VALUE);
	q = p, q.Height = SIZE_MAX / 2;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_VALUE);
	q = p, q.srcHost = 0;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_VALUE);
	q = p, q.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	IS(cuMemcpy2D_v2(&q), CUDA_ERROR_INVALID_HANDLE);
	OK(cuMemcpy3D_v2(&r));
	r.Height = 5;
	IS(cuMemcpy3D_v2(&r), CUDA_ERROR_INVALID_VALUE);
	r.Height = 4, r.srcPitch = r.srcHeight = 0;
	OK(cuMemcpy3D_v2(&r));
	memcpy(want_b, host, 1000);
	SAME();
}

static void
batches(void)
{
	CUdeviceptr to[3] = { a, b, a + 500 };
	CUdeviceptr from[3] = { (uintptr_t)host + 4, a + 1000, b + 2000 };
	size_t size[3] = { 100, 200, 300 }, at = 0, failed = 0;
	CUmemcpyAttributes how = { .srcAccessOrder
		= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM };

	OK(cuMemcpyBatchAsync_v2(to, from, size, 3, &how, &at, 1, stream));
	memcpy(want_a, host + 4, 100);
	memcpy(want_b, want_a + 1000, 200);
	memcpy(want_a + 500, want_b + 2000, 300);
	OK(cuStreamSynchronize(stream));
	SAME();
	to[1] = 64;
	IS(cuMemcpyBatchAsync(to, from, size, 3, &how, &at, 1, &failed,
		stream), CUDA_ERROR_INVALID_VALUE);
	IS(failed, SIZE_MAX);
	IS(cuMemcpyBatchAsync_v2(to, from, size, 0, &how, &at, 1, stream),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuStreamSynchronize(stream));
}

static void
fills(void)
{
	size_t y, x;

	OK(cuMemsetD16_v2(a + 2, 0x1234, 999));
	for (x = 0; x < 999; x++)
		want_a[2 + 2 * x] = 0x34, want_a[3 + 2 * x] = 0x12;
	OK(cuMemsetD32Async(a + 4096, 0xdeadbeef, 5, stream));
	for (x = 0; x < 5; x++)
		memcpy(want_a + 4096 + 4 * x, "\xef\xbe\xad\xde", 4);
	OK(cuMemsetD8Async(b + 1, 0xab, 3, stream));
	memset(want_b + 1, 0xab, 3);
	OK(cuMemsetD2D8_v2(b + 100, 33, 5, 30, 20));
	OK(cuMemsetD2D16_v2(b + 2000, 34, 0x0707, 10, 20));
	OK(cuMemsetD2D32_v2(b + 4000, 64, 0x09090909, 10, 20));
	OK(cuMemsetD2D8Async(a + 100 + 8000, 33, 5, 30, 20, stream));
	OK(cuMemsetD2D16Async(a + 10000, 34, 0x0707, 10, 20, stream));
	OK(cuMemsetD2D32Async(a + 12000, 64, 0x09090909, 10, 20, stream));
	for (y = 0; y < 20; y++) {
		memset(want_b + 100 + y * 33, 5, 30);
		memset(want_b + 2000 + y * 34, 7, 20);
		memset(want_b + 4000 + y * 64, 9, 40);
		memset(want_a + 8100 + y * 33, 5, 30);
		memset(want_a + 10000 + y * 34, 7, 20);
		memset(want_a + 12000 + y * 64, 9, 40);
	}
	OK(cuStreamSynchronize(stream));
	SAME();
	IS(cuMemsetD8_v2(a, 0, N + 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemsetD32_v2(a, 0, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemsetD2D8_v2(a, 256, 0, 1, N), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemsetD2D16_v2(a, 33, 0, 10, 2), CUDA_ERROR_INVALID_VALUE);
	SAME();
}

static void
past_the_end(void)
{
	IS(cuMemcpyHtoD_v2(a + 1, host, N), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyDtoH_v2(back, a + N - 1, 2), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpy(a, b + 1, N), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyDtoD_v2(a, b, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
	IS(cuMemcpyHtoDAsync_v2(a, host, 16, (CUstream)99),
		CUDA_ERROR_INVALID_HANDLE);
	IS(cuMemcpyPeer(a, (CUcontext)8, b, context, 5),
		CUDA_ERROR_INVALID_CONTEXT);
	SAME();
}

/* the forms whose default stream is the thread's */
static void
per_thread(void)
{
	OK(cuMemcpyHtoD_v2_ptds(a, host, 4000));
	memcpy(want_a, host, 4000);
	OK(cuMemsetD8_v2_ptds(b, 1, 4000));
	memset(want_b, 1, 4000);
	OK(cuMemcpyDtoDAsync_v2_ptsz(b, a, 2000, 0));
	memcpy(want_b, want_a, 2000);
	OK(cuMemcpyDtoH_v2_ptds(back, b, 4000));
	IS(memcmp(back, want_b, 4000), 0);
	OK(cuMemcpyHtoDAsync_v2_ptsz(a, host + 9, 400, CU_STREAM_LEGACY));
	memcpy(want_a, host + 9, 400);
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	SAME();
}

int
main(void)
{
	CUdevice dev;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuCtxCreate_v2(&context, 0, dev));
	OK(cuMemAlloc_v2(&a, N));
	OK(cuMemAlloc_v2(&b, N));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	fill_host();
	lines();
	staged();
	page_locked();
	managed();
	boxes();
	rows();
	refused_boxes();
	batches();
	fills();
	past_the_end();
	per_thread();
	OK(cuMemcpyPeer(a, 0, b, context, N));
	memcpy(want_a, want_b, N);
	SAME();
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
