/* link.c - cuLink: text, files and images made one.
 *
 *	link [FILE...]    files are linked with the text "main" below, which
 *	                  calls twice() and reads shift, and run
 */
#include "check.h"
#include <stdint.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static char caller[] = HEAD
	".extern .func (.param .b32 r) twice(.param .b32 x);\n"
	".extern .global .u32 shift;\n"
	".visible .entry run(.param .u64 p)\n"
	"{ .reg .u64 a; .reg .u32 v, s; ld.param.u64 a, [p];\n"
	"{ .param .b32 x; .param .b32 r; st.param.b32 [x], 21;\n"
	"call.uni (r), twice, (x); ld.param.b32 v, [r]; }\n"
	"ld.global.u32 s, [shift]; add.u32 v, v, s;\n"
	"st.global.u32 [a], v; ret; }\n";
static char callee[] = HEAD
	".visible .global .u32 shift = 1000;\n"
	".visible .func (.param .b32 r) twice(.param .b32 x)\n"
	"{ .reg .u32 v; ld.param.b32 v, [x]; add.u32 v, v, v;\n"
	"st.param.b32 [r], v; ret; }\n";

static unsigned
run(const void *image)
{
	CUdeviceptr out;
	void *param[] = { &out };
	CUfunction f;
	CUmodule m;
	unsigned n = 0;

	OK(cuModuleLoadData(&m, image));
	OK(cuModuleGetFunction(&f, m, "run"));
	OK(cuMemAlloc_v2(&out, 4));
	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	OK(cuMemcpyDtoH_v2(&n, out, sizeof n));
	OK(cuMemFree_v2(out));
	OK(cuModuleUnload(m));
	return n;
}

static void
add(CUlinkState l, char *text, const char *name)
{
	OK(cuLinkAddData_v2(l, CU_JIT_INPUT_PTX, text, strlen(text) + 1, name,
		0, 0, 0));
}

static void
two(void)
{
	CUlinkState l;
	void *image;
	size_t size;

	OK(cuLinkCreate_v2(0, 0, 0, &l));
	add(l, caller, "main");
	add(l, callee, "callee");
	OK(cuLinkComplete(l, &image, &size));
	TRUE(size > 0 && !memcmp(image, "\177ELF", 4));
	IS(run(image), 1042);
	IS(cuLinkComplete(l, &image, &size), CUDA_ERROR_INVALID_VALUE);
	OK(cuLinkDestroy(l));
	IS(cuLinkDestroy(l), CUDA_ERROR_INVALID_HANDLE);
}

/* what goes wrong is in the log, and names the input */
static void
errors(void)
{
	char log[1024] = "";
	CUjit_option o[] = { CU_JIT_ERROR_LOG_BUFFER,
		CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *v[] = { log, (void *)sizeof log };
	char wrong[] = HEAD ".entry k() { nonsense; }";
	CUlinkState l;
	void *image;
	size_t size;

	OK(cuLinkCreate_v2(2, o, v, &l));
	add(l, caller, "main");
	IS(cuLinkComplete(l, &image, &size), CUDA_ERROR_INVALID_PTX);
	TRUE(strstr(log, "twice") && strstr(log, "main"));
	OK(cuLinkDestroy(l));

	*log = 0;
	v[1] = (void *)sizeof log;
	OK(cuLinkCreate_v2(2, o, v, &l));
	add(l, wrong, "named.ptx");
	IS(cuLinkComplete(l, &image, &size), CUDA_ERROR_INVALID_PTX);
	TRUE(strstr(log, "named.ptx:4:"));
	OK(cuLinkDestroy(l));

	OK(cuLinkCreate_v2(0, 0, 0, &l));
	IS(cuLinkComplete(l, &image, &size), CUDA_ERROR_INVALID_VALUE);
	IS(cuLinkAddFile_v2(l, CU_JIT_INPUT_PTX, "/nonexistent", 0, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuLinkDestroy(l));
	OK(cuLinkCreate_v2(0, 0, 0, &l));
	IS(cuLinkAddFile_v2(l, CU_JIT_INPUT_PTX, "/nonexistent", 0, 0, 0),
		CUDA_ERROR_FILE_NOT_FOUND);
	IS(cuLinkAddData_v2(l, CU_JIT_INPUT_NVVM, wrong, 4, 0, 0, 0, 0),
		CUDA_ERROR_NOT_SUPPORTED);
	OK(cuLinkDestroy(l));
}

int
main(int argc, char *argv[])
{
	CUlinkState l;
	CUcontext c;
	CUdevice d;
	void *image;
	int k;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&c, 0, d));
	if (argc == 1) {
		two();
		errors();
	} else {
		OK(cuLinkCreate_v2(0, 0, 0, &l));
		add(l, caller, "main");
		for (k = 1; k < argc; k++)
			OK(cuLinkAddFile_v2(l, CU_JIT_INPUT_OBJECT, argv[k], 0,
				0, 0));
		OK(cuLinkComplete(l, &image, 0));
		printf("%u\n", run(image));
		OK(cuLinkDestroy(l));
	}
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
