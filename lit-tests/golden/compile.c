/* compile.c - golden kernels to code objects.
 *
 *	compile DIR ARCH LEVEL GROUP...
 *
 * Every kernel must compile, and its image must hold it.
 */
#include "emit.h"
#include "golden.h"
#include <stdlib.h>
#include <string.h>

static void
complain(void *arg, const struct diag *d)
{
	if (d->severity == ERROR)
		printf("%s:%u: %s\n", (const char *)arg, d->loc.line, d->text);
}

static bool
compiles(const struct golden_kernel *k, const struct emit_options *o)
{
	struct ptx x = { .diag = complain, .diag_arg = (void *)k->name };
	struct kernel_stats *stats;
	struct blob b;
	size_t n;
	bool ok;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	b = compile_image(&x, o, 1, &stats, &n);
	ok = b.data && !x.nerror && n == 1 && !strcmp(stats->name, k->name)
		&& stats->code;
	if (!ok)
		printf("%s: not compiled\n", k->name);
	free(b.data);
	ptx_free(&x);
	return ok;
}

int
main(int argc, char *argv[])
{
	struct emit_options o = { .target = &target_amdgpu, .fmad = true };
	struct golden *g;
	size_t k, pass, fail;
	int a;
	bool ok;

	if (argc < 5)
		return 2;
	o.arch = argv[2];
	o.level = atoi(argv[3]);
	pass = fail = 0;
	for (a = 4; a < argc; a++) {
		g = golden_load(argv[1], argv[a]);
		for (k = 0; k < g->n; k++) {
			ok = compiles(&g->kernel[k], &o);
			pass += ok;
			fail += !ok;
		}
	}
	printf("%zu kernels compiled, %zu not\n", pass, fail);
	return fail != 0;
}
