/* executed.c - instructions that our code executes beside another compiler's.
 *
 *	executed ARCH NAME OURS OTHER [NAME OURS OTHER]...
 *
 * Both code objects of a kernel run in the emulator with the same inputs, and
 * must write the same.  Prints the instructions that waves executed, in all
 * and without waits, their ratios and geometric means.
 */
#define _GNU_SOURCE
#include "emit.h"
#include "hip.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 8 };

/* arguments: a buffer of so many words of floats (F), small numbers (I),
 * bits (B) or zeros for floats (Z) or integers (N); a scalar =1 or =1.5 */
static const struct kernel {
	const char *name;
	unsigned grid[3], block[3];
	const char *args;
} kernels[] = {
	{ "axpy_half2", { 4, 1, 1 }, { 256, 1, 1 },
		"H4096 H4096 =15360 =1000" },
	{ "blackscholes", { 4, 1, 1 }, { 256, 1, 1 },
		"F1024 F1024 F1024 Z1024 Z1024 =0.02 =0.3 =1000" },
	{ "histogram", { 8, 1, 1 }, { 256, 1, 1 }, "B16384 N256 =65536" },
	{ "mandelbrot", { 4, 4, 1 }, { 16, 16, 1 },
		"N4096 =64 =64 =-2.0 =-1.25 =0.04 =200" },
	{ "nbody", { 4, 1, 1 }, { 128, 1, 1 }, "F2048 Z2048 =512" },
	{ "reduction", { 16, 1, 1 }, { 256, 1, 1 }, "F100000 Z16 =100000" },
	{ "saxpy", { 16, 1, 1 }, { 256, 1, 1 }, "F4096 F4096 =2.5 =4000" },
	{ "scan", { 16, 1, 1 }, { 256, 1, 1 }, "I4096 N4096 N16 =4000" },
	{ "sgemm", { 4, 4, 1 }, { 16, 16, 1 }, "F4096 F4096 Z4096 =64" },
	{ "sha256", { 2, 1, 1 }, { 64, 1, 1 }, "B2048 N1024" },
	{ "stencil", { 4, 4, 1 }, { 16, 16, 1 },
		"F4096 Z4096 =64 =64 =0.1" },
	{ "transpose", { 2, 2, 1 }, { 32, 8, 1 }, "F4096 Z4096 =64 =64" },
};

struct arg {
	char kind;              /* of a buffer; '=': a scalar */
	size_t words;
	uint32_t *before, *after[2];
	void *device;
	uint32_t scalar;
};

struct run {
	const struct hip_api *h;
	const struct kernel *k;
	struct arg arg[MAX_ARGS];
	unsigned nargs;
	void (*stats)(char *, size_t);
	double all[2], busy[2]; /* instructions; without waits */
};

static void
stop(const char *what, const char *why)
{
	fprintf(stderr, "executed: %s: %s\n", what, why);
	exit(1);
}

static uint32_t
bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static float
value(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static uint32_t
input(char kind, uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	switch (kind) {
	case 'F':
		return bits((float)(*seed >> 8) / 0x1p24f + 0.5f);
	case 'H':
		return (*seed & 0x03ff03ff) | 0x38003800;
	case 'I':
		return *seed >> 16;
	case 'B':
		return *seed ^ *seed >> 15;
	default:
		return 0;
	}
}

static void
make_arg(struct run *r, const char *word)
{
	struct arg *a = &r->arg[r->nargs++];
	uint32_t seed = 12345 + r->nargs;
	size_t i;

	a->kind = *word;
	if (a->kind == '=') {
		a->scalar = strchr(word, '.') ? bits(strtof(word + 1, 0))
			: (uint32_t)strtol(word + 1, 0, 0);
		return;
	}
	a->words = strtoul(word + 1, 0, 0);
	a->before = calloc(a->words, 4);
	a->after[0] = calloc(a->words, 4);
	a->after[1] = calloc(a->words, 4);
	for (i = 0; i < a->words; i++)
		a->before[i] = input(a->kind, &seed);
	hip_must(r->h, r->h->hipMalloc(&a->device, a->words * 4), "hipMalloc");
}

static void
make_args(struct run *r)
{
	char text[256], *word;

	snprintf(text, sizeof text, "%s", r->k->args);
	for (word = strtok(text, " "); word; word = strtok(0, " "))
		make_arg(r, word);
}

static void
free_args(struct run *r)
{
	unsigned i;

	for (i = 0; i < r->nargs; i++) {
		if (r->arg[i].kind == '=')
			continue;
		r->h->hipFree(r->arg[i].device);
		free(r->arg[i].before);
		free(r->arg[i].after[0]);
		free(r->arg[i].after[1]);
	}
}

/* the parameters as both lay them out; their size */
static size_t
parameters(const struct run *r, char *p)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < r->nargs; i++)
		if (r->arg[i].kind == '=') {
			memcpy(p + n, &r->arg[i].scalar, 4);
			n += 4;
		} else {
			n = (n + 7) & ~(size_t)7;
			memcpy(p + n, &r->arg[i].device, 8);
			n += 8;
		}
	return n;
}

/* a kernel of another compiler, which has no struct launch */
static int
run_other(const struct run *r, const struct blob *code)
{
	const struct kernel *k = r->k;
	void *module, *f, *arg[MAX_ARGS];
	unsigned i;
	int err;

	for (i = 0; i < r->nargs; i++)
		arg[i] = r->arg[i].kind == '=' ? (void *)&r->arg[i].scalar
			: (void *)&r->arg[i].device;
	err = r->h->hipModuleLoadData(&module, code->data);
	if (err)
		return err;
	err = r->h->hipModuleGetFunction(&f, module, k->name);
	if (!err)
		err = r->h->hipModuleLaunchKernel(f, k->grid[0], k->grid[1],
			k->grid[2], k->block[0], k->block[1], k->block[2], 0,
			0, arg, 0);
	if (!err)
		err = r->h->hipDeviceSynchronize();
	r->h->hipModuleUnload(module);
	return err;
}

static void
count(struct run *r, int which)
{
	char text[256], *wait, *all;

	r->stats(text, sizeof text);
	wait = strstr(text, "wait ");
	all = strstr(text, "all ");
	if (!wait || !all)
		stop("statistics", text);
	r->all[which] = strtod(all + 4, 0);
	r->busy[which] = r->all[which] - strtod(wait + 5, 0);
}

/* runs one of the two code objects of a kernel */
static void
run_one(struct run *r, const char *file, int which)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	char param[MAX_ARGS * 8] = { 0 };
	struct blob code;
	unsigned i;
	int err;

	code.data = file_read(&x, file, &code.size);
	if (!code.data)
		exit(1);
	for (i = 0; i < r->nargs; i++)
		if (r->arg[i].kind != '=')
			r->h->hipMemcpy(r->arg[i].device, r->arg[i].before,
				r->arg[i].words * 4, HIP_DEFAULT);
	err = which ? run_other(r, &code) : hip_run(r->h, &code, r->k->name,
		param, parameters(r, param), r->k->grid, r->k->block, 0);
	hip_must(r->h, err, file);
	count(r, which);
	for (i = 0; i < r->nargs; i++)
		if (r->arg[i].kind != '=')
			r->h->hipMemcpy(r->arg[i].after[which],
				r->arg[i].device, r->arg[i].words * 4,
				HIP_DEFAULT);
	ptx_free(&x);
}

/* floats may differ where one compiler fuses what the other does not */
static bool
same(char kind, uint32_t a, uint32_t b)
{
	if (a == b)
		return true;
	return (kind == 'F' || kind == 'Z') &&
		fabsf(value(a) - value(b)) <= 1e-3f * fabsf(value(b)) + 1e-4f;
}

/* a word in fifty may differ all the same: on the edge of the Mandelbrot set a
 * last bit decides how long a point takes */
static void
compare(const struct run *r)
{
	const struct arg *a;
	size_t i, bad;

	for (a = r->arg; a < r->arg + r->nargs; a++) {
		for (bad = i = 0; i < a->words; i++)
			bad += !same(a->kind, a->after[0][i], a->after[1][i]);
		if (bad * 50 > a->words)
			stop(r->k->name, "the two write different results");
	}
}

static const struct kernel *
find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	stop(name, "no such kernel");
	return 0;
}

static void
open_stats(struct run *r)
{
	Dl_info info;
	void *lib;

	if (!dladdr(*(void **)(void *)&r->h->hipInit, &info))
		stop("HIP", "where is it?");
	lib = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
	*(void **)(void *)&r->stats = lib ? dlsym(lib, "emu_last_stats") : 0;
	if (!r->stats)
		stop(info.dli_fname, "is not the emulator");
}

int
main(int argc, char *argv[])
{
	struct run r = { 0 };
	double sum = 0, busy = 0, q, b, most = 0, busiest = 0;
	int a, n = 0;

	if (argc < 5)
		stop("usage", "executed ARCH NAME OURS OTHER...");
	r.h = hip_open(argv[0], argv[1]);
	open_stats(&r);
	puts("| kernel | executed | clang | ratio | without waits | clang "
		"| ratio |\n|---|---|---|---|---|---|---|");
	for (a = 2; a + 2 < argc; a += 3, n++) {
		r.k = find(argv[a]);
		r.nargs = 0;
		make_args(&r);
		run_one(&r, argv[a + 1], 0);
		run_one(&r, argv[a + 2], 1);
		compare(&r);
		free_args(&r);
		memset(r.arg, 0, sizeof r.arg);
		q = r.all[0] / r.all[1];
		b = r.busy[0] / r.busy[1];
		sum += log(q);
		busy += log(b);
		most = q > most ? q : most;
		busiest = b > busiest ? b : busiest;
		printf("| %-12s | %7.0f | %7.0f | %.2f | %7.0f | %7.0f "
			"| %.2f |\n", r.k->name, r.all[0], r.all[1], q,
			r.busy[0], r.busy[1], b);
	}
	printf("| geometric mean | | | %.3f | | | %.3f |\n"
		"| largest | | | %.2f | | | %.2f |\n",
		exp(sum / n), exp(busy / n), most, busiest);
	return 0;
}
