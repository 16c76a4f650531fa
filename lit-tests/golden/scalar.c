/* scalar.c - golden kernels, thread by thread on this CPU.
 *
 *	scalar [-v] [-O LEVEL] [-k KERNEL] DIR GROUP...
 *	scalar [-O LEVEL] [-k KERNEL] -a ARCH DIR GROUP...
 *
 * Compiles each kernel through the emitter, runs it for all its threads and
 * compares with what NVIDIA hardware wrote.  With -a it only compiles, for
 * that AMD processor.
 */
#include "emit.h"
#include "golden.h"
#include "launch.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* what a kernel gets: see scalar.c of the emitter */
struct block {
	const uint64_t *pin;
	uint64_t *pout;
	struct launch launch;
	uint32_t tid[3], ctaid[3];
};

struct run {
	struct emit_options o;
	const char *only;
	bool verbose;
	size_t passed, failed;
};

/* the one kernel of k's module as an object; data 0: it failed */
static struct blob
compile(struct run *r, const struct golden_kernel *k)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	struct blob b = { 0, 0 };
	struct unit *u;
	LLVMContextRef c;
	LLVMModuleRef m;
	size_t n;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	u = x.nerror ? 0 : unit_split(&x, &x.arena, &n);
	c = LLVMContextCreate();
	m = u ? emit_unit(&x, u, &r->o, c) : 0;
	if (m && emit_optimise(&x, m, &r->o))
		b = emit_object(&x, m, &r->o, false);
	if (m)
		LLVMDisposeModule(m);
	LLVMContextDispose(c);
	ptx_free(&x);
	return b;
}

static void
complain(LLVMErrorRef err)
{
	char *text;

	text = LLVMGetErrorMessage(err);
	fprintf(stderr, "scalar: %s\n", text);
	LLVMDisposeErrorMessage(text);
}

/* the code of name in object b, which jit then owns; 0: it failed */
static void (*
load(LLVMOrcLLJITRef jit, struct blob b, const char *name))(struct block *)
{
	LLVMOrcDefinitionGeneratorRef process;
	LLVMOrcJITDylibRef lib;
	LLVMOrcExecutorAddress at;
	LLVMErrorRef err;

	lib = LLVMOrcLLJITGetMainJITDylib(jit);
	err = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process,
		LLVMOrcLLJITGetGlobalPrefix(jit), 0, 0);
	if (!err) {
		LLVMOrcJITDylibAddGenerator(lib, process);
		err = LLVMOrcLLJITAddObjectFile(jit, lib,
			LLVMCreateMemoryBufferWithMemoryRangeCopy(b.data,
				b.size, name));
	}
	if (!err)
		err = LLVMOrcLLJITLookup(jit, &at, name);
	if (!err)
		return (void (*)(struct block *))(uintptr_t)at;
	complain(err);
	return 0;
}

/* all threads of k in turn */
static void
threads(const struct golden_kernel *k, void (*fn)(struct block *),
	uint64_t *out)
{
	struct block b = { .pin = k->in, .pout = out };
	unsigned i;

	b.launch.ntid[0] = k->block;
	b.launch.nctaid[0] = k->n / k->block;
	for (i = 1; i < 3; i++)
		b.launch.ntid[i] = b.launch.nctaid[i] = 1;
	for (i = 0; i < k->n; i++) {
		b.tid[0] = i % k->block;
		b.ctaid[0] = i / k->block;
		fn(&b);
	}
}

static bool
execute(const struct golden_kernel *k, struct blob b)
{
	LLVMOrcLLJITRef jit;
	LLVMErrorRef err;
	void (*fn)(struct block *);
	uint64_t *out;
	bool ok;

	err = LLVMOrcCreateLLJIT(&jit, 0);
	if (err) {
		complain(err);
		return false;
	}
	fn = load(jit, b, k->name);
	ok = fn != 0;
	if (ok) {
		out = calloc((size_t)k->n * k->nout, sizeof *out);
		threads(k, fn, out);
		ok = golden_check(k, out);
		free(out);
	}
	err = LLVMOrcDisposeLLJIT(jit);
	if (err)
		complain(err);
	return ok;
}

static void
kernel(struct run *r, const struct golden_kernel *k)
{
	struct blob b;
	bool ok;

	b = compile(r, k);
	ok = b.data && (r->o.target != &target_scalar || execute(k, b));
	free(b.data);
	if (!ok || r->verbose)
		printf("%s: %s\n", k->name, ok ? "ok" : "FAILED");
	if (ok)
		r->passed++;
	else
		r->failed++;
}

static void
group(struct run *r, const char *dir, const char *name)
{
	struct golden *g;
	size_t i;

	g = golden_load(dir, name);
	for (i = 0; i < g->n; i++)
		if (!r->only || !strcmp(r->only, g->kernel[i].name))
			kernel(r, &g->kernel[i]);
}

static void
usage(void)
{
	fputs("usage: scalar [-v] [-O LEVEL] [-k KERNEL] [-a ARCH] "
		"DIR GROUP...\n", stderr);
	exit(2);
}

int
main(int argc, char *argv[])
{
	struct run r = { .o = { .target = &target_scalar, .level = 2,
		.fmad = true } };
	char *cpu;
	int c, i;

	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	r.o.arch = cpu = LLVMGetHostCPUName();
	while ((c = getopt(argc, argv, "vO:k:a:")) != -1)
		switch (c) {
		case 'v': r.verbose = true; break;
		case 'O': r.o.level = atoi(optarg); break;
		case 'k': r.only = optarg; break;
		case 'a':
			r.o.target = &target_amdgpu;
			r.o.arch = optarg;
			break;
		default: usage();
		}
	if (argc - optind < 2)
		usage();
	for (i = optind + 1; i < argc; i++)
		group(&r, argv[optind], argv[i]);
	LLVMDisposeMessage(cpu);
	printf("%zu passed, %zu failed\n", r.passed, r.failed);
	return r.failed > 0;
}
