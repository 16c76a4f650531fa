/* execute.c - runs golden kernels as the emitter makes them, on this CPU.
 *
 *	execute [-k kernel] dir group ...
 *
 * Prints what fails and "N right, N wrong, N refused"; exits with 1 if any is
 * not right.
 */
#include "golden.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
check(const struct golden_kernel *k)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct simt_code *c = 0;
	int result = 2;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	if (!x.nerror)
		c = simt_compile(&x);
	if (c) {
		result = !is_right(c, k);
		simt_free(c);
	}
	ptx_free(&x);
	return result;
}

static void
check_group(const char *dir, const char *group, const char *only,
	unsigned count[3])
{
	struct golden *g = golden_load(dir, group);
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!only || !strcmp(g->kernel[i].name, only))
			count[check(&g->kernel[i])]++;
}

int
main(int argc, char *argv[])
{
	unsigned count[3] = { 0 };
	const char *only = 0, *dir;
	int i = 1;

	if (argc > 3 && !strcmp(argv[1], "-k")) {
		only = argv[2];
		i = 3;
	}
	if (argc < i + 2) {
		fprintf(stderr, "usage: execute [-k kernel] dir group ...\n");
		return 2;
	}
	for (dir = argv[i++]; i < argc; i++)
		check_group(dir, argv[i], only, count);
	printf("%u right, %u wrong, %u refused\n", count[0], count[1],
		count[2]);
	return count[1] || count[2];
}
