/* host.c - runs golden kernels as they are compiled for this CPU.
 *
 *	host [-a arch] [-f any] [-p] [-k kernel] [-t] dir group ...
 *
 * -f any, -p: compiled for any form of block, and for blocks whose last
 * warp may be partial, in place of the launch's own shape; -t: the time that
 * each compilation takes.  Prints what fails and "N right, N wrong, N
 * refused"; exits with 1 if any is not right.
 */
#include "emit.h"
#include "golden.h"
#include "warp.h"

#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct how {
	struct emit_options o;
	bool any, partial, times;
};

static bool
failed(LLVMErrorRef err)
{
	char *text;

	if (!err)
		return false;
	text = LLVMGetErrorMessage(err);
	printf("%s\n", text);
	LLVMDisposeErrorMessage(text);
	return true;
}

/* the C library's functions are there for compiled code */
static bool
add_process(LLVMOrcLLJITRef jit)
{
	LLVMOrcDefinitionGeneratorRef g;

	if (failed(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&g,
	    LLVMOrcLLJITGetGlobalPrefix(jit), 0, 0)))
		return false;
	LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), g);
	return true;
}

static struct host_shape
shape(const struct golden_kernel *k, const struct how *h)
{
	uint32_t ntid[] = { k->block, 1, 1 };
	struct host_shape s = host_shape(ntid);

	if (h->any)
		s.form = HOST_ANY;
	if (h->partial)
		s.full = false;
	return s;
}

static bool
add(LLVMOrcLLJITRef jit, struct ptx *x, const struct how *h,
	struct host_shape s, const char *kernel)
{
	struct timespec a, b;
	struct blob obj;
	LLVMMemoryBufferRef buf;
	bool ok;

	clock_gettime(CLOCK_MONOTONIC, &a);
	obj = host_compile(x, &h->o, kernel, s, HOST_OBJECT);
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (h->times && kernel)
		printf("%s: %.1f ms\n", kernel, 1e3 * (double)(b.tv_sec
			- a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec));
	if (!obj.data)
		return false;
	buf = LLVMCreateMemoryBufferWithMemoryRangeCopy(obj.data, obj.size,
		"");
	ok = !failed(LLVMOrcLLJITAddObjectFile(jit,
		LLVMOrcLLJITGetMainJITDylib(jit), buf));
	free(obj.data);
	return ok;
}

static const char *
compute(LLVMOrcLLJITRef jit, const struct golden_kernel *k, uint64_t *out)
{
	struct launch l = { .ntid = { k->block, 1, 1 },
		.nctaid = { k->n / k->block, 1, 1 } };
	const void *param[] = { k->in, out };
	LLVMOrcExecutorAddress at;
	char name[512];
	const struct host_kernel *kernel;

	snprintf(name, sizeof name, "%s.host", k->name);
	if (failed(LLVMOrcLLJITLookup(jit, &at, name)))
		return "it was not compiled";
	kernel = (const struct host_kernel *)(uintptr_t)at;
	return warp_run(kernel, param, sizeof param, &l);
}

/* 0 right, 1 wrong, 2 refused */
static int
check(const struct golden_kernel *k, const struct how *h)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	uint64_t *out = calloc((size_t)k->n * k->nout + 1, sizeof *out);
	LLVMOrcLLJITRef jit = 0;
	const char *why;
	int result = 2;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	if (!x.nerror && !failed(LLVMOrcCreateLLJIT(&jit,
	    LLVMOrcCreateLLJITBuilder())) && add_process(jit)
	    && add(jit, &x, h, shape(k, h), 0)
	    && add(jit, &x, h, shape(k, h), k->name)) {
		why = compute(jit, k, out);
		result = why || !golden_check(k, out);
		if (why)
			printf("%s: %s\n", k->name, why);
	}
	if (jit)
		LLVMOrcDisposeLLJIT(jit);
	ptx_free(&x);
	free(out);
	return result;
}

int
main(int argc, char *argv[])
{
	struct how h = { .o = { .target = &target_host, .arch = "host",
		.level = 2, .fmad = true } };
	unsigned count[3] = { 0 };
	const char *only = 0, *dir;
	struct golden *g;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "a:f:pk:t")) != -1)
		switch (c) {
		case 'a': h.o.arch = optarg; break;
		case 'f': h.any = !strcmp(optarg, "any"); break;
		case 'p': h.partial = true; break;
		case 'k': only = optarg; break;
		case 't': h.times = true; break;
		default: return 2;
		}
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	setvbuf(stdout, 0, _IOLBF, 0);
	for (dir = argv[optind++]; dir && argv[optind]; optind++) {
		g = golden_load(dir, argv[optind]);
		for (i = 0; i < g->n; i++)
			if (!only || !strcmp(g->kernel[i].name, only))
				count[check(&g->kernel[i], &h)]++;
	}
	printf("%u right, %u wrong, %u refused\n", count[0], count[1],
		count[2]);
	return count[1] || count[2];
}
