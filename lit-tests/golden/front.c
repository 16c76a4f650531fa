/* front.c - golden kernels through the front end.
 *
 *	front DIR GROUP...
 *
 * Every kernel must parse, verify, print, parse again and print the same;
 * one of the group "rejected" must get an error at its instruction.
 */
#include "golden.h"
#include "ptx.h"
#include <stdlib.h>
#include <string.h>

struct first {
	char text[1024];
	uint32_t line;
};

static void
keep_first(void *arg, const struct diag *d)
{
	struct first *f = arg;

	if (d->severity != ERROR || f->line)
		return;
	f->line = d->loc.line ? d->loc.line : 1;
	snprintf(f->text, sizeof f->text, "%s", d->text);
}

/* the text printed, malloc'ed; 0 and *e set if there was an error */
static char *
through(const char *text, size_t size, struct first *e)
{
	struct ptx x = { .diag = keep_first, .diag_arg = e };
	char *out;
	size_t n;
	FILE *f;

	out = 0;
	ptx_parse(&x, "golden", text, size);
	ptx_verify(&x);
	f = x.nerror ? 0 : open_memstream(&out, &n);
	if (f) {
		ptx_print(&x, f);
		fclose(f);
	}
	ptx_free(&x);
	return out;
}

static bool
accepts(const struct golden_kernel *k)
{
	struct first e = {0};
	char *once, *twice;
	bool ok;

	once = through(k->ptx, k->ptx_size, &e);
	twice = once ? through(once, strlen(once), &e) : 0;
	ok = once && twice && !strcmp(once, twice);
	if (!ok)
		printf("%s: line %u: %s\n", k->name, e.line,
			e.text[0] ? e.text : "printed and parsed, it differs");
	free(once);
	free(twice);
	return ok;
}

/* the line of the module on which the instruction stands */
static uint32_t
line_of(const struct golden_kernel *k)
{
	const char *s, *end;
	size_t n;
	uint32_t line;

	n = strcspn(k->rule, " ");
	line = 1;
	for (s = k->ptx; (end = strchr(s, '\n')); s = end + 1, line++)
		if (!strncmp(s + strspn(s, " "), k->rule, n)
		&& s[strspn(s, " ") + n] == ' ')
			return line;
	return 0;
}

static bool
refuses(const struct golden_kernel *k)
{
	struct first e = {0};

	free(through(k->ptx, k->ptx_size, &e));
	if (e.line && e.line == line_of(k))
		return true;
	printf("%s: %s: %s\n", k->name, e.line ? "elsewhere" : "accepted",
		e.line ? e.text : k->rule);
	return false;
}

int
main(int argc, char *argv[])
{
	struct golden *g;
	size_t k, pass, fail;
	int a;
	bool ok;

	pass = fail = 0;
	for (a = 2; a < argc; a++) {
		g = golden_load(argv[1], argv[a]);
		for (k = 0; k < g->n; k++) {
			ok = strcmp(argv[a], "rejected")
				? accepts(&g->kernel[k])
				: refuses(&g->kernel[k]);
			pass += ok;
			fail += !ok;
		}
	}
	printf("%zu kernels right, %zu wrong\n", pass, fail);
	return fail != 0;
}
