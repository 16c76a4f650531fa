/* load.c - libptxjit.so in a program that has an LLVM of its own.
 *
 *	load libptxjit.so file.ptx
 *
 * Compiles all kernels for gfx1100, and each for this CPU, from several
 * threads at once; prints how many of what; exits with 1 if the library left
 * signal handlers behind.
 */
#include "jit.h"
#include "pass/pass.h"

#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

struct job {
	const struct jit *jit;
	struct ptx *x;
	size_t nkernel, objects;
	int diags;
};

static void
count(void *arg, const struct diag *d)
{
	int *n = arg;

	(void)d;
	(*n)++;
}

static bool
is_elf(const struct blob *b)
{
	return b->size > 64 && !memcmp(b->data, "\177ELF", 4);
}

static void *
compile(void *arg)
{
	static const uint32_t ntid[3] = { 64, 1, 1 };
	struct job *j = arg;
	struct jit_options o = { .level = 3, .fmad = true, .diag = count,
		.diag_arg = &j->diags };
	const struct func *f;
	struct blob b;

	b = j->jit->amdgpu(j->x, &o, "gfx1100", 1, &j->nkernel);
	if (!is_elf(&b))
		j->nkernel = 0;
	free(b.data);
	for (f = j->x->func; f; f = f->next) {
		if (!f->entry)
			continue;
		b = j->jit->host(j->x, &o, f->sym->name->text,
			host_shape(ntid));
		j->objects += is_elf(&b);
		free(b.data);
	}
	return 0;
}

/* does a signal have a handler that is not the default? */
static bool
handlers(void)
{
	struct sigaction a;
	bool any = false;
	int s;

	for (s = 1; s < 32; s++)
		if (!sigaction(s, 0, &a) && a.sa_handler != SIG_DFL)
			any |= a.sa_handler != SIG_IGN;
	return any;
}

static const struct jit *
load(const char *name)
{
	void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	const struct jit *jit = lib ? dlsym(lib, "ptxjit") : 0;

	if (!jit || jit->size != sizeof *jit ||
	    strcmp(jit->build, PTXAMD_BUILD)) {
		printf("%s\n", jit ? "another build" : dlerror());
		exit(2);
	}
	return jit;
}

static char *
read_all(const char *name, size_t *n)
{
	FILE *f = fopen(name, "rb");
	char *text = calloc(1, 1 << 20);

	*n = f ? fread(text, 1, (1 << 20) - 1, f) : 0;
	if (f)
		fclose(f);
	return text;
}

int
main(int argc, char *argv[])
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct job j[THREADS] = { { 0 } };
	pthread_t id[THREADS];
	LLVMContextRef c = LLVMContextCreate();
	size_t n;
	char *text;
	int i;

	if (argc != 3)
		return 2;
	text = read_all(argv[2], &n);
	ptx_parse(&x, argv[2], text, n);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	for (i = 0; i < THREADS; i++) {
		j[i].jit = load(argv[1]);
		j[i].x = &x;
		pthread_create(&id[i], 0, compile, &j[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(id[i], 0);
		printf("%zu kernels for gfx1100, %zu for this CPU, %d "
			"complaints\n", j[i].nkernel, j[i].objects,
			j[i].diags);
	}
	LLVMContextDispose(c);
	ptx_free(&x);
	free(text);
	return handlers();
}
