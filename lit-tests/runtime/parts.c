/* parts.c - kernels that are compiled one by one share the variables of their
 * module, also from several threads at once; with addresses of functions they
 * are compiled together.
 */
#include "check.h"
#include <pthread.h>

static const char variables[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .u32 counter = 5;\n"
	".visible .const .u32 factor = 3;\n"
	".visible .global .u64 table[2] = { counter, generic(counter) };\n"
	".visible .entry bump(.param .u64 out)\n{\n"
	"\t.reg .u32 %r<3>;\n"
	"\tld.const.u32 %r1, [factor];\n"
	"\tatom.global.add.u32 %r2, [counter], %r1;\n"
	"\tret;\n}\n"
	".visible .entry get(.param .u64 out)\n{\n"
	"\t.reg .u32 %r<2>; .reg .u64 %d<3>;\n"
	"\tld.param.u64 %d1, [out];\n"
	"\tld.global.u32 %r1, [counter];\n"
	"\tst.global.u32 [%d1], %r1;\n"
	"\tret;\n}\n"
	".visible .entry through(.param .u64 out)\n{\n"
	"\t.reg .u32 %r<2>; .reg .u64 %d<5>;\n"
	"\tld.param.u64 %d1, [out];\n"
	"\tmov.u64 %d2, table;\n"
	"\tld.global.u64 %d3, [%d2 + 8];\n"
	"\tld.u32 %r1, [%d3];\n"
	"\tst.global.u32 [%d1], %r1;\n"
	"\tret;\n}\n"
	".visible .entry alone(.param .u64 out)\n{\n"
	"\t.reg .u64 %d<2>;\n"
	"\tld.param.u64 %d1, [out];\n"
	"\tst.global.u32 [%d1], 77;\n"
	"\tret;\n}\n";

static const char functions[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".func (.param .u32 r) twice(.param .u32 v)\n{\n"
	"\t.reg .u32 %r<3>;\n"
	"\tld.param.u32 %r1, [v];\n"
	"\tadd.u32 %r2, %r1, %r1;\n"
	"\tst.param.u32 [r], %r2;\n"
	"\tret;\n}\n"
	".visible .global .u64 pointer = twice;\n"
	".visible .entry call(.param .u64 out)\n{\n"
	"\t.reg .u32 %r<2>; .reg .u64 %d<3>;\n"
	"\tld.param.u64 %d1, [out];\n"
	"\tld.global.u64 %d2, [pointer];\n"
	"\t{\n"
	"\t.param .u32 a; .param .u32 b;\n"
	"\tst.param.u32 [a], 21;\n"
	"\tproto: .callprototype (.param .u32 _) _ (.param .u32 _);\n"
	"\tcall (b), %d2, (a), proto;\n"
	"\tld.param.u32 %r1, [b];\n"
	"\t}\n"
	"\tst.global.u32 [%d1], %r1;\n"
	"\tret;\n}\n"
	".visible .entry set(.param .u64 out)\n{\n"
	"\t.reg .u64 %d<2>;\n"
	"\tmov.u64 %d1, twice;\n"
	"\tst.global.u64 [pointer], %d1;\n"
	"\tret;\n}\n";

static CUdeviceptr out;
static CUcontext context;

static unsigned
run(CUmodule m, const char *kernel)
{
	void *param[] = { &out };
	unsigned v = 0;
	CUfunction f;

	OK(cuModuleGetFunction(&f, m, kernel));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	OK(cuMemcpyDtoH_v2(&v, out, sizeof v));
	return v;
}

static void
share(void)
{
	unsigned factor = 100, v = 0;
	CUdeviceptr a;
	size_t size;
	CUmodule m;

	OK(cuModuleLoadData(&m, variables));
	IS(run(m, "alone"), 77);
	IS(run(m, "get"), 5);
	run(m, "bump");
	IS(run(m, "get"), 8);
	IS(run(m, "through"), 8);
	OK(cuModuleGetGlobal_v2(&a, &size, m, "factor"));
	IS(size, 4);
	OK(cuMemcpyHtoD_v2(a, &factor, sizeof factor));
	run(m, "bump");
	OK(cuModuleGetGlobal_v2(&a, &size, m, "counter"));
	OK(cuMemcpyDtoH_v2(&v, a, sizeof v));
	IS(v, 108);
	IS(run(m, "through"), 108);
	OK(cuModuleUnload(m));
}

static void *
bump(void *m)
{
	void *param[] = { &out };
	CUfunction f;
	int i;

	OK(cuCtxSetCurrent(context));
	OK(cuModuleGetFunction(&f, m, "bump"));
	for (i = 0; i < 10; i++)
		OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	return 0;
}

static void
at_once(void)
{
	pthread_t t[4];
	CUmodule m;
	int i;

	OK(cuModuleLoadData(&m, variables));
	for (i = 0; i < 4; i++)
		pthread_create(&t[i], 0, bump, m);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	IS(run(m, "get"), 125);
	OK(cuModuleUnload(m));
}

static void
together(void)
{
	CUmodule m;

	OK(cuModuleLoadData(&m, functions));
	IS(run(m, "call"), 42);
	run(m, "set");
	IS(run(m, "call"), 42);
	OK(cuModuleUnload(m));
}

int
main(void)
{
	CUdevice dev;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuCtxCreate_v2(&context, 0, dev));
	OK(cuMemAlloc_v2(&out, 256));
	share();
	at_once();
	together();
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
