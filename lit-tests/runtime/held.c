/* held.c - calls while no context is current: a handle that is given knows
 * its own; what names none, or a default stream, has none. */
#include "check.h"

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .u32 v;\n.visible .entry k()\n{\n	ret;\n}\n";

static CUcontext c;
static CUstream s, other;
static CUevent from, to;
static CUmodule m;
static CUfunction f;
static CUlibrary l;
static CUkernel k;
static CUarray array;
static CUdeviceptr p, q;
static void *host;

static void
make(void)
{
	CUDA_ARRAY_DESCRIPTOR d = { 16, 16, CU_AD_FORMAT_FLOAT, 1 };

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuMemAlloc_v2(&p, 4096));
	OK(cuMemAlloc_v2(&q, 4096));
	OK(cuMemHostAlloc(&host, 64, 0));
	OK(cuModuleLoadData(&m, ptx));
	OK(cuModuleGetFunction(&f, m, "k"));
	OK(cuLibraryLoadData(&l, ptx, 0, 0, 0, 0, 0, 0));
	OK(cuLibraryGetKernel(&k, l, "k"));
	OK(cuStreamCreate(&s, 0));
	OK(cuStreamCreate(&other, 0));
	OK(cuEventCreate(&from, 0));
	OK(cuEventCreate(&to, 0));
	OK(cuArrayCreate_v2(&array, &d));
	OK(cuCtxPopCurrent_v2(&c));
}

static void
call(void *arg)
{
	(void)arg;
}

static void
streams(void)
{
	unsigned flags;
	int priority;
	CUcontext of;
	float ms;

	OK(cuEventRecord(from, s));
	OK(cuMemcpyAsync(p, q, 64, s));
	OK(cuMemcpyHtoDAsync_v2(p, host, 64, s));
	OK(cuMemcpyDtoHAsync_v2(host, p, 64, s));
	OK(cuMemsetD8Async(p, 0, 64, s));
	OK(cuMemsetD32Async(p, 0, 16, s));
	OK(cuLaunchHostFunc(s, call, 0));
	OK(cuStreamGetFlags(s, &flags));
	OK(cuStreamGetPriority(s, &priority));
	OK(cuStreamGetCtx(s, &of));
	TRUE(of == c);
	OK(cuEventRecord(to, s));
	OK(cuStreamWaitEvent(other, to, 0));
	OK(cuEventSynchronize(to));
	OK(cuEventQuery(to));
	OK(cuEventElapsedTime(&ms, from, to));
	OK(cuStreamSynchronize(s));
	OK(cuStreamQuery(s));
}

static void
kernels(void)
{
	CUfunction found;
	CUmodule of;
	CUdeviceptr v;
	size_t n;
	int max;

	OK(cuModuleGetFunction(&found, m, "k"));
	OK(cuModuleGetGlobal_v2(&v, &n, m, "v"));
	OK(cuFuncGetModule(&of, f));
	TRUE(of == m);
	OK(cuFuncGetAttribute(&max, 0, f));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
	OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
	OK(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0));
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
		CUDA_ERROR_INVALID_CONTEXT);
	IS(cuKernelGetFunction(&found, k), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&max, f, 64, 0),
		CUDA_ERROR_INVALID_CONTEXT);
}

static void
nothing_held(void)
{
	CUdeviceptr x;
	CUevent e;
	unsigned flags;
	CUipcMemHandle ipc;

	IS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuMemAlloc_v2(&x, 64), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuMemsetD8_v2(p, 0, 64), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuMemcpy(p, q, 64), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuMemcpyDtoH_v2(host, p, 64), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuEventCreate(&e, 0), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuEventRecord(from, 0), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuStreamSynchronize(0), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuStreamSynchronize(CU_STREAM_PER_THREAD),
		CUDA_ERROR_INVALID_CONTEXT);
	IS(cuMemHostGetFlags(&flags, host), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuIpcGetMemHandle(&ipc, p), CUDA_ERROR_INVALID_CONTEXT);
}

static void
end(void)
{
	CUDA_ARRAY_DESCRIPTOR d;

	OK(cuArrayGetDescriptor_v2(&d, array));
	OK(cuArrayDestroy(array));
	OK(cuMemFreeHost(host));
	OK(cuMemFree_v2(p));
	OK(cuMemFree_v2(q));
	OK(cuEventDestroy_v2(from));
	OK(cuEventDestroy_v2(to));
	OK(cuStreamDestroy_v2(s));
	OK(cuStreamDestroy_v2(other));
	OK(cuLibraryUnload(l));
	OK(cuModuleUnload(m));
	OK(cuCtxDestroy_v2(c));
}

int
main(void)
{
	make();
	streams();
	kernels();
	nothing_held();
	end();
	return check_end();
}
