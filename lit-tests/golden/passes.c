/* passes.c - golden kernels through every pass.
 *
 *	passes DIR GROUP...
 *
 * What each pass leaves must parse back to itself, a second run of the pass
 * must change nothing, and the whole pipeline must leave the same as its
 * passes one by one with the text printed and parsed between them.
 */
#include "golden.h"
#include "ptx.h"
#include <stdlib.h>
#include <string.h>

/* the text after the passes, malloc'ed; 0 if there was an error */
static char *
through(const char *name, const char *text, const char *pipeline)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	char *out;
	size_t n;
	FILE *f;

	out = 0;
	x.check_passes = pipeline;
	ptx_parse(&x, name, text, strlen(text));
	pass_run(&x, pipeline, 0);
	f = x.nerror ? 0 : open_memstream(&out, &n);
	if (f) {
		ptx_print(&x, f);
		fclose(f);
	}
	ptx_free(&x);
	return out;
}

static bool
repeats(const char *name, const char *text, const struct pass *p)
{
	char *once, *twice;
	bool ok;

	once = through(name, text, p->name);
	twice = once ? through(name, once, p->name) : 0;
	ok = once && twice && !strcmp(once, twice);
	if (!ok)
		printf("%s: a second %s changes it again\n", name, p->name);
	free(once);
	free(twice);
	return ok;
}

static bool
pipes(const char *name, const char *text)
{
	const struct pass *p;
	char *all, *step, *next;
	bool ok;

	all = through(name, text, 0);
	step = through(name, text, "");
	for (p = passes; p->name && step; p++) {
		next = through(name, step, p->name);
		free(step);
		step = next;
	}
	ok = all && step && !strcmp(all, step);
	if (!ok)
		printf("%s: one run and a pipe differ\n", name);
	free(all);
	free(step);
	return ok;
}

static bool
is_right(const struct golden_kernel *k)
{
	const struct pass *p;
	bool ok;

	ok = pipes(k->name, k->ptx);
	for (p = passes; p->name; p++)
		ok &= repeats(k->name, k->ptx, p);
	return ok;
}

int
main(int argc, char *argv[])
{
	unsigned right = 0, wrong = 0;
	struct golden *g;
	size_t k;
	int n;

	for (n = 2; n < argc; n++) {
		g = golden_load(argv[1], argv[n]);
		for (k = 0; k < g->n; k++)
			if (is_right(&g->kernel[k]))
				right++;
			else
				wrong++;
	}
	printf("%u kernels right, %u wrong\n", right, wrong);
	return wrong > 0;
}
