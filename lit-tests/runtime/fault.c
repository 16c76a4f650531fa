/* fault.c - what goes wrong in a kernel ends its context alone; faults of the
 * program itself reach its own handlers, whenever it set them.
 */
#include "check.h"
#include <setjmp.h>
#include <signal.h>

static const char ptx[] =
".version 8.0\n.target sm_80\n.address_size 64\n"
".visible .entry store(.param .u64 p, .param .u32 x)\n{\n"
"	.reg .b64 a;\n	.reg .b32 v;\n"
"	ld.param.u64 a, [p];\n	ld.param.u32 v, [x];\n"
"	st.global.u32 [a], v;\n	ret;\n}\n"
".visible .entry stop()\n{\n	trap;\n}\n"
".func (.reg .b32 r) down(.reg .b32 n)\n{\n"
"	.reg .b32 m, s;\n	add.u32 m, n, 1;\n"
"	call (s), down, (m);\n	add.u32 r, s, n;\n	ret;\n}\n"
".visible .entry deep(.param .u64 p)\n{\n"
"	.reg .b64 a;\n	.reg .b32 v;\n	ld.param.u64 a, [p];\n"
"	mov.u32 v, %tid.x;\n	call (v), down, (v);\n"
"	st.global.u32 [a], v;\n	ret;\n}\n"
".visible .entry wait(.param .u64 p)\n{\n"
"	.reg .b32 t;\n	.reg .pred q;\n	mov.u32 t, %tid.x;\n"
"	setp.lt.u32 q, t, 32;\n	@q bra A;\n	bar.sync 1, 128;\n	ret;\n"
"A:	bar.sync 2, 128;\n	ret;\n}\n";

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void
handler(int sig)
{
	caught = caught + 1;
	siglongjmp(back, sig);
}

/* the program's own fault reaches the program's own handler */
static void
stumble(int want)
{
	int *volatile nowhere = (int *)64;

	if (sigsetjmp(back, 1) == 0)
		*nowhere = 1;
	IS(caught, want);
}

static void
catch(void)
{
	struct sigaction a;

	memset(&a, 0, sizeof a);
	a.sa_handler = handler;
	sigemptyset(&a.sa_mask);
	TRUE(sigaction(SIGSEGV, &a, 0) == 0);
}

/* a kernel of a new context; what synchronisation answers */
static CUresult
run(const char *name, unsigned threads, CUdeviceptr p)
{
	unsigned x = 7;
	void *arg[] = { &p, &x };
	CUcontext c;
	CUmodule m;
	CUfunction f;
	CUresult err;
	CUdeviceptr q;

	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuModuleLoadData(&m, ptx));
	OK(cuModuleGetFunction(&f, m, name));
	if (!p)
		OK(cuMemAlloc_v2(&p, 4096));
	OK(cuLaunchKernel(f, 40, 1, 1, threads, 1, 1, 0, 0, arg, 0));
	err = cuCtxSynchronize();
	IS(cuCtxSynchronize(), err);
	IS(cuMemAlloc_v2(&q, 16), err);
	if (!err)
		OK(cuMemFree_v2(q));
	cuCtxDestroy_v2(c);
	return err;
}

int
main(void)
{
	catch();
	OK(cuInit(0));
	IS(run("store", 32, 0), CUDA_SUCCESS);
	stumble(1);
	IS(run("store", 32, 0x1000), CUDA_ERROR_ILLEGAL_ADDRESS);
	IS(run("store", 64, 0xdeadbeef0000), CUDA_ERROR_ILLEGAL_ADDRESS);
	IS(run("store", 32, 0x8000000000000000), CUDA_ERROR_ILLEGAL_ADDRESS);
	IS(run("store", 32, 0), CUDA_SUCCESS);
	stumble(2);
	/* a handler that is set when ours is there already */
	catch();
	IS(run("store", 32, 0x2000), CUDA_ERROR_ILLEGAL_ADDRESS);
	stumble(3);
	IS(run("stop", 1, 0), CUDA_ERROR_LAUNCH_FAILED);
	IS(run("deep", 32, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
	stumble(4);
	/* both halves of the block wait for the other one for ever */
	IS(run("wait", 64, 0), CUDA_ERROR_LAUNCH_FAILED);
	IS(run("store", 1024, 0), CUDA_SUCCESS);
	return check_end();
}
