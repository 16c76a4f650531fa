/* module.c - modules: what they are made from, logs, functions, variables.
 *
 *	module            the cases that need no file
 *	module FILE...    loads each as a file and as data, runs its kernel
 *	                  "answer", and prints what that stores
 */
#include "check.h"
#include <stdint.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define ANSWER(n) HEAD ".visible .entry answer(.param .u64 p) {\n" \
	".reg .u64 a; ld.param.u64 a, [p]; st.global.u32 [a], " #n "; ret; }\n"

static CUdeviceptr out;

static unsigned
run(CUfunction f)
{
	void *param[] = { &out };
	unsigned n = 0;

	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	OK(cuMemcpyDtoH_v2(&n, out, sizeof n));
	return n;
}

static unsigned
answer(CUmodule m)
{
	CUfunction f;

	OK(cuModuleGetFunction(&f, m, "answer"));
	return run(f);
}

/* what data gives, or minus the error */
static int
load(const void *data)
{
	CUmodule m;
	CUresult err = cuModuleLoadData(&m, data);
	int n;

	if (err)
		return -(int)err;
	n = (int)answer(m);
	OK(cuModuleUnload(m));
	return n;
}

/* fat binaries, made here: 16 bytes, and for each entry 64 and the text */
struct fat {
	union { char bytes[8192]; uint64_t align; } u;
	size_t n;
};

static void
put(struct fat *f, size_t at, uint64_t v, size_t n)
{
	memcpy(f->u.bytes + at, &v, n);
}

static void
fat_begin(struct fat *f)
{
	memset(f, 0, sizeof *f);
	put(f, 0, 0xba55ed50, 4);
	put(f, 4, 1, 2);
	put(f, 6, 16, 2);
	f->n = 16;
}

static void
fat_add(struct fat *f, unsigned kind, unsigned sm, const char *data)
{
	size_t n = (strlen(data) + 8) / 8 * 8;

	put(f, f->n, kind, 2);
	put(f, f->n + 2, 0x101, 2);
	put(f, f->n + 4, 64, 4);
	put(f, f->n + 8, n, 8);
	put(f, f->n + 28, sm, 4);
	strcpy(f->u.bytes + f->n + 64, data);
	f->n += 64 + n;
	put(f, 8, f->n - 16, 8);
}

enum { PTX = 1, ELF = 2 };

static void
fat_binaries(void)
{
	struct { uint32_t magic, version; const void *data, *more; } w = {
		0x466243b1, 1, 0, 0
	};
	struct fat f;

	fat_begin(&f);
	IS(load(f.u.bytes), -209);
	fat_add(&f, ELF, 80, "\177ELF and what is no ELF file");
	IS(load(f.u.bytes), -209);
	fat_add(&f, PTX, 50, ANSWER(50));
	IS(load(f.u.bytes), 50);
	/* the newest up to the device's, whatever the order */
	fat_add(&f, PTX, 120, ANSWER(120));
	fat_add(&f, PTX, 75, ANSWER(75));
	fat_add(&f, PTX, 60, ANSWER(60));
	IS(load(f.u.bytes), 75);
	w.data = f.u.bytes;
	IS(load(&w), 75);
	/* one that does not parse makes way */
	fat_add(&f, PTX, 80, HEAD ".visible .entry answer() { frobnicate; }");
	IS(load(f.u.bytes), 75);
	/* what is newer than the device is better than nothing */
	fat_begin(&f);
	fat_add(&f, PTX, 120, ANSWER(120));
	IS(load(f.u.bytes), 120);
	/* all bad: what is wrong with the best */
	fat_begin(&f);
	fat_add(&f, PTX, 80, HEAD "frobnicate");
	IS(load(f.u.bytes), -218);
	/* entries that end beyond the end */
	put(&f, 24, 1 << 20, 8);
	IS(load(f.u.bytes), -200);
}

/* a program of several modules: what nvcc -rdc=true registers */
static void
prelinked(void)
{
	static struct fat a, b;
	static const void *list[3];
	struct { uint32_t magic, version; const void *data, **more; } w = {
		0x466243b1, 2, &a, list
	};

	fat_begin(&a);
	fat_add(&a, PTX, 80, HEAD ".extern .func put(.param .b64 p);\n"
		".visible .entry answer(.param .u64 p) { .reg .u64 a;\n"
		"ld.param.u64 a, [p]; { .param .b64 q; st.param.b64 [q], a;\n"
		"call.uni put, (q); } ret; }\n");
	fat_begin(&b);
	fat_add(&b, PTX, 80, HEAD ".visible .func put(.param .b64 p) {\n"
		".reg .u64 a; ld.param.b64 a, [p];\n"
		"st.global.u32 [a], 64; ret; }\n");
	list[0] = a.u.bytes;
	list[1] = b.u.bytes;
	IS(load(&w), 64);
	list[1] = 0;
	IS(load(&w), -218);
}

/* logs */

static void
logs(void)
{
	char info[256] = "x", error[512] = "x";
	CUjit_option o[] = {
		CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
		CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
		CU_JIT_LOG_VERBOSE, CU_JIT_WALL_TIME,
		CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET, CU_JIT_MAX_REGISTERS,
	};
	void *v[] = { info, (void *)sizeof info, error, (void *)sizeof error,
		(void *)1, 0, (void *)4, (void *)80, (void *)64 };
	enum { N = sizeof o / sizeof *o };
	CUjit_option unknown = (CUjit_option)1000;
	CUmodule m;
	float ms;

	OK(cuModuleLoadDataEx(&m, ANSWER(5), N, o, v));
	IS(answer(m), 5);
	OK(cuModuleUnload(m));
	TRUE(!*error && (size_t)v[3] == 0 && (size_t)v[1] == strlen(info));
	memcpy(&ms, &v[5], sizeof ms);
	TRUE(ms > 0 && ms < 10000);

	v[1] = (void *)sizeof info;
	v[3] = (void *)sizeof error;
	IS(cuModuleLoadDataEx(&m, HEAD ".entry k()\n{\n\tadd.s33 a, b, c;\n}\n",
		N, o, v), CUDA_ERROR_INVALID_PTX);
	TRUE(strstr(error, "ptx:6:2: error: "));
	TRUE(strstr(error, "\n\tadd.s33 a, b, c;\n\t^\n"));
	IS((size_t)v[3], strlen(error));

	/* no more than fits */
	memset(error, 'x', sizeof error);
	v[3] = (void *)8;
	IS(cuModuleLoadDataEx(&m, HEAD "?", N, o, v), CUDA_ERROR_INVALID_PTX);
	TRUE(!memcmp(error, "ptx:4:1\0x", 9));
	IS((size_t)v[3], 7);

	IS(cuModuleLoadDataEx(&m, ANSWER(5), 1, &unknown, v),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuModuleLoadDataEx(&m, ANSWER(5), 1, 0, v),
		CUDA_ERROR_INVALID_VALUE);
}

/* functions and variables */

static const char several[] = HEAD
	".visible .global .align 8 .u64 where = 0x1122334455667788;\n"
	".visible .const .f32 table[5] = { 1.0, 2.0, 3.0, 4.0, 5.0 };\n"
	".shared .u32 hidden[2];\n.extern .global .u32 outside[3];\n"
	".func (.reg .u32 r) helper(.reg .u32 x) { add.u32 r, x, 1; ret; }\n"
	".visible .entry zeta(.param .u8 a, .param .align 16 .b8 b[24],\n"
	"\t.param .u16 c, .param .f64 d)\n"
	"{ .shared .b8 s[400]; .reg .u32 r; st.volatile.shared.u32 [s], 1;\n"
	"  ld.volatile.shared.u32 r, [s]; st.global.u32 [outside], r; ret; }\n"
	".visible .entry alpha() .maxntid 96, 2, 1 { ret; }\n"
	".visible .entry bad(.param .u64 p) { trap; }\n"
	".visible .entry middle() { ret; }\n";

static void
functions(void)
{
	static const size_t offset[] = { 0, 16, 40, 48 },
		size[] = { 1, 24, 2, 8 };
	CUfunction f, g, list[4] = { 0 };
	const char *name;
	size_t k, at, n;
	CUmodule m, back;
	unsigned count;
	int v;

	OK(cuModuleLoadData(&m, several));
	OK(cuModuleGetFunctionCount(&count, m));
	IS(count, 4);
	OK(cuModuleEnumerateFunctions(list, 4, m));
	OK(cuModuleGetFunction(&f, m, "zeta"));
	OK(cuModuleGetFunction(&g, m, "zeta"));
	TRUE(f == g);
	TRUE(f == list[0] || f == list[1] || f == list[2] || f == list[3]);
	OK(cuFuncGetName(&name, f));
	TRUE(!strcmp(name, "zeta"));
	OK(cuFuncGetModule(&back, f));
	TRUE(back == m);
	for (k = 0; k < 4; k++) {
		OK(cuFuncGetParamInfo(f, k, &at, &n));
		IS(at, offset[k]);
		IS(n, size[k]);
	}
	IS(cuFuncGetParamInfo(f, 4, &at, &n), CUDA_ERROR_INVALID_VALUE);
	IS(cuModuleGetFunction(&f, m, "helper"), CUDA_ERROR_NOT_FOUND);
	IS(cuModuleGetFunction(&f, m, "nobody"), CUDA_ERROR_NOT_FOUND);

	OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, g));
	IS(v, 400);
	OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_PTX_VERSION, g));
	IS(v, 70);
	OK(cuFuncGetAttribute(&v,
		CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, g));
	IS(v, 48 * 1024 - 400);
	OK(cuModuleGetFunction(&f, m, "alpha"));
	OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
	IS(v, 192);
	IS(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX, f),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuModuleUnload(m));
	IS(cuFuncGetName(&name, f), CUDA_ERROR_INVALID_HANDLE);
	IS(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
}

static void
variables(void)
{
	float table[5] = { 0 };
	uint64_t v = 0;
	CUdeviceptr a;
	CUmodule m;
	size_t n;

	OK(cuModuleLoadData(&m, several));
	OK(cuModuleGetGlobal_v2(&a, &n, m, "where"));
	IS(n, 8);
	OK(cuMemcpyDtoH_v2(&v, a, sizeof v));
	TRUE(v == 0x1122334455667788);
	OK(cuModuleGetGlobal_v2(&a, &n, m, "table"));
	IS(n, 20);
	OK(cuMemcpyDtoH_v2(table, a, sizeof table));
	TRUE(table[0] == 1 && table[4] == 5);
	IS(cuMemcpyDtoH_v2(table, a + n, sizeof table),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuModuleGetGlobal_v2(0, &n, m, "outside"));
	IS(n, 12);
	OK(cuModuleGetGlobal_v2(&a, 0, m, "outside"));
	IS(cuModuleGetGlobal_v2(&a, &n, m, "hidden"), CUDA_ERROR_NOT_FOUND);
	IS(cuModuleGetGlobal_v2(&a, &n, m, "alpha"), CUDA_ERROR_NOT_FOUND);
	OK(cuModuleUnload(m));
}

/* of two kernels one cannot be translated: the other does not mind */
static void
refused(void)
{
	static const char text[] = ".version 8.0\n.target sm_90a\n"
		".address_size 64\n.visible .entry other() {\n"
		"wgmma.fence.sync.aligned; ret; }\n"
		".visible .entry answer(.param .u64 p) { .reg .u64 a;\n"
		"ld.param.u64 a, [p]; st.global.u32 [a], 9; ret; }\n";
	CUfunction f;
	CUmodule m;

	OK(cuModuleLoadData(&m, text));
	TRUE(cuModuleGetFunction(&f, m, "other") != CUDA_SUCCESS);
	IS(answer(m), 9);
	OK(cuModuleUnload(m));
}

static void
file(const char *name)
{
	static char data[1 << 20];
	CUmodule m;
	FILE *f;

	OK(cuModuleLoad(&m, name));
	printf("%u ", answer(m));
	OK(cuModuleUnload(m));
	f = fopen(name, "rb");
	TRUE(f && fread(data, 1, sizeof data - 1, f));
	if (f)
		fclose(f);
	printf("%d\n", load(data));
	memset(data, 0, sizeof data);
}

int
main(int argc, char *argv[])
{
	CUcontext c;
	CUmodule m;
	CUdevice d;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&c, 0, d));
	OK(cuMemAlloc_v2(&out, 4096));
	if (argc > 1) {
		while (*++argv)
			file(*argv);
		return check_bad != 0;
	}
	IS(load(ANSWER(42)), 42);
	IS(cuModuleLoad(&m, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
	IS(load("no module at all"), -200);
	fat_binaries();
	prelinked();
	logs();
	functions();
	variables();
	refused();
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
