/* execute.c - runs golden kernels as the emitter makes them, on this CPU.
 *
 *	execute [-O level] [-k kernel] dir group ...
 *
 * What is run has gone through LLVM's passes of the level, 0 to 3.  Prints
 * what fails and "N right, N wrong, N refused"; exits with 1 if any is not
 * right.
 */
#include "golden.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *
compute(struct simt_code *c, const struct golden_kernel *k, uint64_t *out)
{
	const void *param[] = { k->in, out };

	return simt_launch(c, k->name, param, sizeof param, k->n / k->block,
		k->block, 0);
}

static bool
is_right(struct simt_code *c, const struct golden_kernel *k)
{
	uint64_t *out = calloc((size_t)k->n * k->nout + 1, sizeof *out);
	const char *why = compute(c, k, out);
	bool right = !why && golden_check(k, out);

	if (why)
		printf("%s: %s\n", k->name, why);
	free(out);
	return right;
}

/* 0 right, 1 wrong, 2 refused */
static int
check(const struct golden_kernel *k, int level)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct simt_code *c = 0;
	int result = 2;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	if (!x.nerror)
		c = simt_compile(&x, level);
	if (c) {
		result = !is_right(c, k);
		simt_free(c);
	}
	ptx_free(&x);
	return result;
}

int
main(int argc, char *argv[])
{
	unsigned count[3] = { 0 };
	const char *only = 0, *dir;
	int o, level = 0;
	struct golden *g;
	size_t i;

	while ((o = getopt(argc, argv, "O:k:")) != -1)
		if (o == 'O')
			level = atoi(optarg);
		else if (o == 'k')
			only = optarg;
		else
			return 2;
	for (dir = argv[optind++]; dir && argv[optind]; optind++) {
		g = golden_load(dir, argv[optind]);
		for (i = 0; i < g->n; i++)
			if (!only || !strcmp(g->kernel[i].name, only))
				count[check(&g->kernel[i], level)]++;
	}
	printf("%u right, %u wrong, %u refused\n", count[0], count[1],
		count[2]);
	return count[1] || count[2];
}
