/* launch.c - launches in every form, what they check, and occupancy. */
#include "check.h"
#include <stdint.h>

/* sum: out[block * threads + thread] = a + b + c; big: the last of 3000 words;
 * dynamic: words of dynamic shared memory, the last one through it; meet: a
 * count of blocks */
static const char text[] = ".version 8.1\n.target sm_70\n.address_size 64\n"
	".extern .shared .align 4 .b8 room[];\n"
	".visible .entry sum(.param .u64 out, .param .u8 a, .param .u32 b,\n"
	"\t.param .align 8 .b8 c[8])\n"
	"{ .reg .u64 p, o; .reg .u32 r, s, t; .reg .u16 h;\n"
	"ld.param.u64 p, [out]; ld.param.u8 h, [a]; cvt.u32.u16 r, h;\n"
	"ld.param.u32 s, [b]; add.u32 r, r, s; ld.param.u32 s, [c+4];\n"
	"add.u32 r, r, s; mov.u32 s, %ctaid.x; mov.u32 t, %ntid.x;\n"
	"mul.lo.u32 s, s, t; mov.u32 t, %tid.x; add.u32 s, s, t;\n"
	"mul.wide.u32 o, s, 4; add.u64 p, p, o; st.global.u32 [p], r; ret; }\n"
	".visible .entry big(.param .align 8 .b8 w[24000], .param .u64 out)\n"
	"{ .reg .u64 p, v; ld.param.u64 p, [out]; ld.param.u64 v, [w+23992];\n"
	"st.global.u64 [p], v; ret; }\n"
	".visible .entry dynamic(.param .u64 out)\n"
	"{ .reg .u64 p; .reg .u32 n, a, v; ld.param.u64 p, [out];\n"
	"mov.u32 n, %dynamic_smem_size; mov.u32 a, room; add.u32 a, a, n;\n"
	"st.shared.u32 [a+-4], n; ld.shared.u32 v, [a+-4];\n"
	"st.global.u32 [p], v; ret; }\n"
	".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
	".visible .entry exact() .reqntid 8, 4, 1 { ret; }\n"
	".visible .entry shared() { .shared .b8 s[40000]; .reg .u32 r;\n"
	"ld.volatile.shared.u32 r, [s];\n"
	"st.volatile.shared.u32 [s+4], r; ret; }\n"
	".visible .entry none() { ret; }\n"
	".visible .entry meet(.param .u64 p, .param .u32 n)\n"
	"{ .reg .u64 a; .reg .u32 r, m; .reg .pred q; ld.param.u64 a, [p];\n"
	"ld.param.u32 m, [n]; atom.global.add.u32 r, [a], 1;\n"
	"L: ld.volatile.global.u32 r, [a]; setp.lt.u32 q, r, m; @q bra L;\n"
	"ret; }\n";

static CUdeviceptr out;
static CUmodule module;
static CUcontext context;

static CUfunction
get(const char *name)
{
	CUfunction f = 0;

	OK(cuModuleGetFunction(&f, module, name));
	return f;
}

static uint64_t
result(void)
{
	uint64_t v = 0;

	OK(cuMemcpyDtoH_v2(&v, out, sizeof v));
	OK(cuMemsetD8_v2(out, 0, 4096));
	return v;
}

/* parameters in each of the ways */

static void
forms(void)
{
	struct { CUdeviceptr out; uint8_t a; uint32_t b, c[2]; } block = {
		out, 200, 3000, { 1, 40000 }
	};
	uint32_t c[2] = { 1, 40000 }, b = 3000, v[6];
	uint8_t a = 200;
	size_t size = sizeof block;
	void *param[] = { &out, &a, &b, c };
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
		CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
	void *odd[] = { (void *)7, &block, CU_LAUNCH_PARAM_END };
	CUfunction f = get("sum");

	OK(cuLaunchKernel(f, 2, 1, 1, 3, 1, 1, 0, 0, param, 0));
	OK(cuMemcpyDtoH_v2(v, out, sizeof v));
	TRUE(v[0] == 43200 && v[5] == 43200);
	IS((uint32_t)result(), 43200);
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, extra));
	IS((uint32_t)result(), 43200);
	/* what is missing at the end counts as zero */
	size = 16;
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, extra));
	IS((uint32_t)result(), 3200);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, extra),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, odd),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuLaunchKernel(get("none"), 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
}

static void
old_forms(void)
{
	CUfunction f = get("sum");
	uint32_t c[2] = { 0, 5 };
	uint8_t a = 1;

	OK(cuFuncSetBlockShape(f, 1, 1, 1));
	OK(cuFuncSetSharedSize(f, 0));
	OK(cuParamSetv(f, 0, &out, sizeof out));
	OK(cuParamSetv(f, 8, &a, sizeof a));
	OK(cuParamSeti(f, 12, 20));
	OK(cuParamSetv(f, 16, c, sizeof c));
	OK(cuParamSetSize(f, 24));
	OK(cuLaunchGrid(f, 1, 1));
	IS((uint32_t)result(), 26);
	OK(cuParamSeti(f, 12, 30));
	OK(cuLaunch(f));
	IS((uint32_t)result(), 36);
	IS(cuLaunchGrid(f, 0, 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuParamSetv(f, 1 << 20, &a, 1), CUDA_ERROR_INVALID_VALUE);
}

static void
large(void)
{
	static uint64_t w[3000];
	void *param[] = { w, &out };

	w[2999] = 0x123456789abcdef;
	OK(cuLaunchKernel(get("big"), 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	TRUE(result() == 0x123456789abcdef);
}

static CUresult
with(CUfunction f, unsigned n, CUlaunchAttribute *a, void **param)
{
	CUlaunchConfig c = { 1, 1, 1, 1, 1, 1, 0, 0, a, n };

	return cuLaunchKernelEx(&c, f, param, 0);
}

static void
attributes(void)
{
	CUlaunchAttribute a[3] = {
		{ .id = CU_LAUNCH_ATTRIBUTE_PRIORITY, .value.priority = -1 },
		{ .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
			.value.cooperative = 1 },
		{ .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
			.value.clusterDim = { 1, 1, 1 } },
	};
	CUfunction f = get("none");
	CUevent e;

	OK(with(f, 3, a, 0));
	a[2].value.clusterDim.x = 2;
	IS(with(f, 3, a, 0), CUDA_ERROR_INVALID_CLUSTER_SIZE);
	OK(cuEventCreate(&e, 0));
	a[2].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
	a[2].value.launchCompletionEvent.event = e;
	OK(with(f, 3, a, 0));
	OK(cuEventSynchronize(e));
	OK(cuEventDestroy_v2(e));
	a[0].id = (CUlaunchAttributeID)99;
	IS(with(f, 1, a, 0), CUDA_ERROR_INVALID_VALUE);
	IS(with(f, 1, 0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuLaunchKernelEx(0, f, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

/* shapes */

static CUresult
shape(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared)
{
	return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, 0, 0, 0);
}

static void
limits(void)
{
	CUfunction f = get("none");

	OK(shape(f, 1, 1, 1, 1024, 1, 1, 0));
	OK(shape(f, 1, 1, 1, 1, 1024, 1, 0));
	OK(shape(f, 1, 1, 1, 4, 4, 64, 0));
	OK(shape(f, 1, 65535, 1, 1, 1, 1, 0));
	OK(shape(f, 1 << 20, 1, 1, 1, 1, 1, 0));
	IS(shape(f, 0, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 1, 1, 1, 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1u << 31, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 65536, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 1, 65536, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 1, 1, 1025, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 1, 1, 1, 1, 65, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape(f, 1, 1, 1, 512, 4, 1, 0), CUDA_ERROR_INVALID_VALUE);
	/* a product beyond 2^32 */
	IS(shape(f, 1, 1, 1, 1u << 31, 2, 1, 0), CUDA_ERROR_INVALID_VALUE);
	f = get("small");
	OK(shape(f, 1, 1, 1, 64, 1, 1, 0));
	IS(shape(f, 1, 1, 1, 65, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	f = get("exact");
	OK(shape(f, 1, 1, 1, 8, 4, 1, 0));
	IS(shape(f, 1, 1, 1, 32, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
	IS(shape((CUfunction)(uintptr_t)4096, 1, 1, 1, 1, 1, 1, 0),
		CUDA_ERROR_INVALID_HANDLE);
	IS(shape(0, 1, 1, 1, 1, 1, 1, 0), CUDA_ERROR_INVALID_HANDLE);
}

static void
shared(void)
{
	static const CUfunction_attribute most =
		CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
	CUfunction f = get("dynamic");
	void *param[] = { &out };
	int optin, v;

	OK(cuDeviceGetAttribute(&optin,
		CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 48 << 10, 0, param, 0));
	IS(result(), 48 << 10);
	if (optin > 48 << 10)
		IS(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, (48 << 10) + 4, 0,
			param, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncSetAttribute(f, most, optin));
	OK(cuFuncGetAttribute(&v, most, f));
	IS(v, optin);
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, (unsigned)optin, 0, param, 0));
	IS(result(), optin);
	IS(cuFuncSetAttribute(f, most, optin + 1), CUDA_ERROR_INVALID_VALUE);
	IS(cuFuncSetAttribute(f, most, -1), CUDA_ERROR_INVALID_VALUE);
	IS(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 1),
		CUDA_ERROR_INVALID_VALUE);
	/* static and dynamic together */
	f = get("shared");
	IS(shape(f, 1, 1, 1, 1, 1, 1, 20000), CUDA_ERROR_INVALID_VALUE);
	IS(cuFuncSetAttribute(f, most, optin), CUDA_ERROR_INVALID_VALUE);
	OK(shape(f, 1, 1, 1, 1, 1, 1, 8000));
	OK(cuCtxSynchronize());
}

/* all blocks of a cooperative grid are there at once: they meet */
static void
cooperative(void)
{
	CUfunction f = get("meet");
	int units, each, can;
	unsigned n;
	void *param[] = { &out, &n };

	OK(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH,
		0));
	OK(cuDeviceGetAttribute(&units,
		CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, f, 32, 0));
	TRUE(each > 0);
	if (!can)
		return;
	n = (unsigned)(units * each);
	if (n > 512)
		n = 512;
	OK(cuLaunchCooperativeKernel(f, n, 1, 1, 32, 1, 1, 0, 0, param));
	OK(cuCtxSynchronize());
	IS((uint32_t)result(), n * 32);
	n = (unsigned)(units * each);
	IS(cuLaunchCooperativeKernel(f, n + 1, 1, 1, 32, 1, 1, 0, 0, param),
		CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

static size_t
per_thread(int threads)
{
	return (size_t)threads * 64;
}

static void
occupancy(void)
{
	CUfunction f = get("none");
	size_t size;
	int n, grid, block;

	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 256, 0));
	TRUE(n > 0);
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, f, 2048, 0,
		0));
	IS(n, 0);
	IS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, 0, 0));
	TRUE(grid > 0 && block >= 256 && block <= 1024);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, 0, 100));
	TRUE(block <= 100);
	OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f,
		per_thread, 0, 0, 0));
	TRUE(per_thread(block) <= 227 << 10);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, get("small"), 0, 0,
		0));
	TRUE(block <= 64);
	OK(cuOccupancyAvailableDynamicSMemPerBlock(&size, get("shared"), 1,
		32));
	TRUE(size > 0 && size <= (227 << 10) - 40000);
}

int
main(void)
{
	CUdevice d;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&context, 0, d));
	OK(cuModuleLoadData(&module, text));
	OK(cuMemAlloc_v2(&out, 4096));
	OK(cuMemsetD8_v2(out, 0, 4096));
	forms();
	old_forms();
	large();
	attributes();
	limits();
	shared();
	cooperative();
	occupancy();
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
