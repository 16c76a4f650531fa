/* library.c - libraries and kernels: in no context, in several, and gone. */
#include "check.h"
#include <stdint.h>

static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .u32 counter = 100;\n"
	".visible .global .attribute(.managed) .align 8 .u64 both = 5;\n"
	".visible .entry count(.param .u64 out)\n"
	"{ .reg .u64 a; .reg .u32 v; atom.global.add.u32 v, [counter], 1;\n"
	"ld.param.u64 a, [out]; st.global.u32 [a], v; ret; }\n"
	".visible .entry other(.param .u32 a, .param .u64 b) { ret; }\n"
	".visible .entry shared() { .shared .b8 s[1000]; .reg .u32 r;\n"
	"ld.volatile.shared.u32 r, [s];\n"
	"st.volatile.shared.u32 [s+4], r; ret; }\n";

static unsigned
count(CUfunction f)
{
	CUdeviceptr out;
	void *param[] = { &out };
	unsigned n = 0;

	OK(cuMemAlloc_v2(&out, 4));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	OK(cuMemcpyDtoH_v2(&n, out, sizeof n));
	OK(cuMemFree_v2(out));
	return n;
}

/* without a context */
static void
alone(CUlibrary l)
{
	CUkernel k, again, list[8];
	size_t offset, size;
	CUdeviceptr a;
	CUmodule m;
	unsigned n;
	const char *name;
	CUlibrary back;

	OK(cuLibraryGetKernelCount(&n, l));
	IS(n, 3);
	OK(cuLibraryEnumerateKernels(list, 8, l));
	OK(cuLibraryGetKernel(&k, l, "other"));
	OK(cuLibraryGetKernel(&again, l, "other"));
	TRUE(k == again);
	TRUE(k == list[0] || k == list[1] || k == list[2]);
	OK(cuKernelGetName(&name, k));
	TRUE(!strcmp(name, "other"));
	OK(cuKernelGetLibrary(&back, k));
	TRUE(back == l);
	OK(cuKernelGetParamInfo(k, 1, &offset, &size));
	IS(offset, 8);
	IS(size, 8);
	IS(cuKernelGetParamInfo(k, 2, &offset, &size),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuLibraryGetKernel(&k, l, "nobody"), CUDA_ERROR_NOT_FOUND);
	IS(cuLibraryGetModule(&m, l), CUDA_ERROR_INVALID_CONTEXT);
	IS(cuLibraryGetGlobal(&a, &size, l, "counter"),
		CUDA_ERROR_INVALID_CONTEXT);
}

/* the current context has its own counter; a kernel is a function, too */
static void
in_context(CUlibrary l, CUcontext c)
{
	CUkernel k;
	CUfunction f, g;
	CUdeviceptr a;
	CUmodule m;
	size_t size;
	unsigned v = 0;

	OK(cuCtxSetCurrent(c));
	OK(cuLibraryGetKernel(&k, l, "count"));
	IS(count((CUfunction)k), 100);
	OK(cuKernelGetFunction(&f, k));
	IS(count(f), 101);
	OK(cuLibraryGetModule(&m, l));
	OK(cuModuleGetFunction(&g, m, "count"));
	TRUE(f == g);
	IS(cuModuleUnload(m), CUDA_ERROR_NOT_PERMITTED);
	OK(cuLibraryGetGlobal(&a, &size, l, "counter"));
	IS(size, 4);
	OK(cuMemcpyDtoH_v2(&v, a, sizeof v));
	IS(v, 102);
	OK(cuLibraryGetManaged(&a, &size, l, "both"));
	IS(size, 8);
	IS(cuLibraryGetManaged(&a, &size, l, "counter"), CUDA_ERROR_NOT_FOUND);
}

static void
attributes(CUlibrary l, CUdevice d)
{
	static const CUfunction_attribute most =
		CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
	CUfunction f;
	CUkernel k;
	int v;

	OK(cuLibraryGetKernel(&k, l, "shared"));
	OK(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k,
		d));
	IS(v, 1000);
	OK(cuKernelSetAttribute(most, 30000, k, d));
	OK(cuKernelGetAttribute(&v, most, k, d));
	IS(v, 30000);
	OK(cuKernelGetFunction(&f, k));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 30000, 0, 0, 0));
	IS(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 30001, 0, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	/* a function's own setting goes before the kernel's */
	OK(cuFuncSetAttribute(f, most, 31000));
	OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 30001, 0, 0, 0));
	IS(cuKernelSetAttribute(most, 1 << 20, k, d),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuKernelGetAttribute(&v, most, k, 99), CUDA_ERROR_INVALID_DEVICE);
	OK(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, d));
}

int
main(void)
{
	CUlibraryOption keep = CU_LIBRARY_BINARY_IS_PRESERVED;
	CUcontext c, e;
	CUlibrary l;
	CUkernel k;
	CUdevice d;

	IS(cuLibraryLoadData(&l, text, 0, 0, 0, 0, 0, 0),
		CUDA_ERROR_NOT_INITIALIZED);
	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuLibraryLoadData(&l, text, 0, 0, 0, &keep, 0, 1));
	alone(l);
	OK(cuCtxCreate_v2(&c, 0, d));
	OK(cuCtxCreate_v2(&e, 0, d));
	in_context(l, c);
	in_context(l, e);
	attributes(l, d);
	/* a context goes, the library stays, also for the next context */
	OK(cuLibraryGetKernel(&k, l, "count"));
	OK(cuCtxDestroy_v2(e));
	OK(cuCtxSetCurrent(c));
	IS(count((CUfunction)k), 102);
	OK(cuCtxCreate_v2(&e, 0, d));
	in_context(l, e);
	OK(cuLibraryUnload(l));
	IS(cuLibraryUnload(l), CUDA_ERROR_INVALID_HANDLE);
	IS(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
		CUDA_ERROR_INVALID_HANDLE);
	IS(cuLibraryLoadData(&l, "nonsense", 0, 0, 0, 0, 0, 0),
		CUDA_ERROR_INVALID_IMAGE);
	IS(cuLibraryLoadFromFile(&l, "/nonexistent", 0, 0, 0, 0, 0, 0),
		CUDA_ERROR_FILE_NOT_FOUND);
	OK(cuCtxDestroy_v2(e));
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
