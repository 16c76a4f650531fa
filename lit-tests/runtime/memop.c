/* memop.c - words of memory that streams write and wait for. */
#include "check.h"
#include <stdatomic.h>
#include <unistd.h>

static CUdevice dev;
static CUstream a, b;
static CUdeviceptr word;

static uint64_t
read64(CUdeviceptr at)
{
	uint64_t v = 0;

	OK(cuMemcpyDtoH_v2(&v, at, 8));
	return v;
}

/* b waits until the word is as said, a writes what does not and what does */
static void
wait_for(unsigned how, uint64_t want, uint64_t not, uint64_t yes, bool wide)
{
	CUresult (*wait)(CUstream, CUdeviceptr, uint64_t, unsigned) =
		cuStreamWaitValue64_v2;

	OK(cuMemsetD8_v2(word, 0, 64));
	OK(cuCtxSynchronize());
	OK(cuStreamWriteValue64_v2(a, word, not, 0));
	OK(cuStreamSynchronize(a));
	if (wide)
		OK(wait(b, word, want, how));
	else
		OK(cuStreamWaitValue32_v2(b, word, (uint32_t)want, how));
	OK(cuStreamWriteValue32_v2(b, word + 32, 5, 0));
	usleep(1000);
	IS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
	IS(read64(word + 32), 0);
	OK(cuStreamWriteValue64_v2(a, word, yes, 0));
	OK(cuStreamSynchronize(b));
	IS(read64(word + 32), 5);
}

static void
conditions(void)
{
	const uint64_t high = (uint64_t)1 << 40;

	wait_for(CU_STREAM_WAIT_VALUE_GEQ, 10, 9, 11, false);
	wait_for(CU_STREAM_WAIT_VALUE_GEQ, 3, 0xfffffffe, 4, false);
	wait_for(CU_STREAM_WAIT_VALUE_GEQ, high, high - 1, high, true);
	wait_for(CU_STREAM_WAIT_VALUE_EQ, 7, 8, 7, false);
	wait_for(CU_STREAM_WAIT_VALUE_EQ, high + 7, 7, high + 7, true);
	wait_for(CU_STREAM_WAIT_VALUE_AND, 6, 8 + 1, 4, false);
	wait_for(CU_STREAM_WAIT_VALUE_AND, high, 8, high + 8, true);
	wait_for(CU_STREAM_WAIT_VALUE_NOR, 0xfffffff0, 15, 14, false);
	wait_for(CU_STREAM_WAIT_VALUE_NOR, ~(uint64_t)1, 1, 0, true);
}

/* the program itself lets a stream go on */
static void
from_host(void)
{
	atomic_uint *h;
	CUdeviceptr d;

	OK(cuMemHostAlloc((void **)&h, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemHostGetDevicePointer_v2(&d, h, 0));
	*h = 0;
	OK(cuStreamWaitValue32_v2(b, d, 1, 0));
	IS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
	*h = 1;
	OK(cuStreamSynchronize(b));
	OK(cuStreamWriteValue32_v2(b, d, 77, 0));
	OK(cuStreamSynchronize(b));
	IS(*h, 77);
	OK(cuMemFreeHost(h));
}

/* forty streams wait at once, each for the one before it */
static void
chain(void)
{
	enum { N = 40 };
	CUstream s[N];
	unsigned i, last = 0;

	OK(cuMemsetD8_v2(word, 0, 4096));
	OK(cuCtxSynchronize());
	for (i = 0; i < N; i++) {
		OK(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
		OK(cuStreamWaitValue32_v2(s[i], word + 4 * i, 1, 0));
		OK(cuStreamWriteValue32_v2(s[i], word + 4 * (i + 1), 1, 0));
	}
	OK(cuStreamWriteValue32_v2(a, word, 1, 0));
	OK(cuStreamSynchronize(s[N - 1]));
	OK(cuMemcpyDtoH_v2(&last, word + 4 * N, 4));
	IS(last, 1);
	for (i = 0; i < N; i++)
		OK(cuStreamDestroy_v2(s[i]));
}

static void
batch(void)
{
	CUstreamBatchMemOpParams p[4];
	unsigned v[2];

	memset(p, 0, sizeof p);
	p[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	p[0].writeValue.address = word;
	p[0].writeValue.value = 3;
	p[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
	p[1].waitValue.address = word;
	p[1].waitValue.value = 3;
	p[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	p[2].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
	p[3] = p[0];
	p[3].writeValue.address = word + 4;
	OK(cuStreamBatchMemOp_v2(a, 4, p, 0));
	OK(cuStreamSynchronize(a));
	OK(cuMemcpyDtoH_v2(v, word, 8));
	TRUE(v[0] == 3 && v[1] == 3);
	p[3].writeValue.operation = 99;
	IS(cuStreamBatchMemOp_v2(a, 4, p, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamBatchMemOp_v2(a, 1, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

int
main(void)
{
	CUcontext c;
	int can = 0;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuDevicePrimaryCtxRetain(&c, dev));
	OK(cuCtxSetCurrent(c));
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc_v2(&word, 4096));
	OK(cuDeviceGetAttribute(&can,
		CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, dev));
	IS(can, 1);
	IS(cuStreamWaitValue32_v2(a, word + 1, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamWaitValue64_v2(a, word + 4, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamWriteValue32_v2(a, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
	conditions();
	from_host();
	chain();
	batch();
	OK(cuMemFree_v2(word));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	return check_end();
}
