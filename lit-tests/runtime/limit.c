/* limit.c - the limits of a context: what may be set, and what the heap of
 * kernels does about it. */
#include "check.h"

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".extern .func (.param .b64 p) malloc (.param .b64 n);\n"
	".extern .func free (.param .b64 p);\n"
	".visible .entry get(.param .u64 out, .param .u64 n)\n"
	"{\n"
	"	.reg .b64 %o, %n, %p;\n"
	"	ld.param.u64 %o, [out];\n"
	"	ld.param.u64 %n, [n];\n"
	"	{\n"
	"	.param .b64 a;\n	.param .b64 r;\n"
	"	st.param.b64 [a], %n;\n"
	"	call.uni (r), malloc, (a);\n"
	"	ld.param.b64 %p, [r];\n"
	"	}\n"
	"	st.global.u64 [%o], %p;\n"
	"	ret;\n}\n"
	".visible .entry put(.param .u64 at)\n"
	"{\n"
	"	.reg .b64 %p;\n"
	"	ld.param.u64 %p, [at];\n"
	"	{\n"
	"	.param .b64 a;\n"
	"	st.param.b64 [a], %p;\n"
	"	call.uni free, (a);\n"
	"	}\n"
	"	ret;\n}\n";

static CUfunction get, put;

/* does malloc of n bytes in a kernel give memory? */
static bool
gives(size_t n)
{
	CUdeviceptr out, p = 1;
	void *params[] = { &out, &n }, *freed[] = { &p };

	OK(cuMemAlloc_v2(&out, 8));
	OK(cuLaunchKernel(get, 1, 1, 1, 1, 1, 1, 0, 0, params, 0));
	OK(cuMemcpyDtoH_v2(&p, out, 8));
	OK(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, 0, freed, 0));
	OK(cuCtxSynchronize());
	OK(cuMemFree_v2(out));
	return p != 0;
}

static size_t
limit(CUlimit l)
{
	size_t v = 0;

	OK(cuCtxGetLimit(&v, l));
	return v;
}

int
main(void)
{
	CUcontext c;
	CUmodule m;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	IS(limit(CU_LIMIT_MALLOC_HEAP_SIZE), 8 << 20);
	OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20));
	IS(limit(CU_LIMIT_MALLOC_HEAP_SIZE), 64 << 20);
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
	IS(limit(CU_LIMIT_PRINTF_FIFO_SIZE), 2 << 20);
	OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
	IS(limit(CU_LIMIT_STACK_SIZE), 4096);
	OK(cuModuleLoadData(&m, ptx));
	OK(cuModuleGetFunction(&get, m, "get"));
	OK(cuModuleGetFunction(&put, m, "put"));
	TRUE(gives(1000));
	TRUE(gives(50 << 20));
	TRUE(!gives(100 << 20));
	TRUE(gives(50 << 20));
	OK(cuModuleUnload(m));
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
