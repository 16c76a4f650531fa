/* ptx-precompile - compiles all GPU code in files into the cache, so that the
 * programs that hold it start fast. */
#include "ptx.h"
#include "precompile.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
usage(FILE *f)
{
	fputs("usage: ptx-precompile [-qv] [-j JOBS] [--arch LIST] PATH...\n\n"
		"  --arch LIST   host (this CPU) or gfx1100 and the like,\n"
		"                comma between [host]\n"
		"  -j JOBS       kernels at a time [as many as cores]\n"
		"  -q            no progress, and nothing of what is skipped\n"
		"  -v            a line for each module\n"
		"\nPATH is a folder or a file: program, library, archive, "
		".ptx, fat binary,\ncubin, zip file, Python wheel.\n", f);
}

/* the list's words, each behind the other with a NUL; 0: one is unknown */
static int
archs(struct options *o, char *list)
{
	char *word, *rest = list;

	while ((word = strtok_r(rest, ",", &rest))) {
		if (strcmp(word, "host") && strncmp(word, "gfx", 3)) {
			fprintf(stderr, "ptx-precompile: unknown processor "
				"'%s'\n", word);
			return 0;
		}
		if (o->narch == MAX_ARCH) {
			fprintf(stderr, "ptx-precompile: too many "
				"processors\n");
			return 0;
		}
		o->arch[o->narch++] = word;
	}
	return 1;
}

static int
number(const char *text, int *n)
{
	char *end;
	long v = strtol(text, &end, 10);

	*n = (int)v;
	return !*end && *text && v > 0 && v <= MAX_JOBS;
}

static int
read_options(struct options *o, int argc, char *argv[])
{
	static const struct option names[] = {
		{ "arch", required_argument, 0, 'a' },
		{ "jobs", required_argument, 0, 'j' },
		{ "quiet", no_argument, 0, 'q' },
		{ "verbose", no_argument, 0, 'v' },
		{ "help", no_argument, 0, 'h' },
		{ "version", no_argument, 0, 'V' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "a:j:qvhV", names, 0)) != -1)
		switch (c) {
		case 'a':
			if (!archs(o, optarg))
				return 2;
			break;
		case 'j':
			if (number(optarg, &o->jobs))
				break;
			fprintf(stderr, "ptx-precompile: '%s' is no number of "
				"jobs\n", optarg);
			return 2;
		case 'q':
			o->quiet = true;
			break;
		case 'v':
			o->verbose = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'V':
			printf("ptx-precompile %s (%s)\n", PTXAMD_VERSION,
				PTXAMD_BUILD);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	if (optind < argc)
		return -1;
	usage(stderr);
	return 2;
}

int
main(int argc, char *argv[])
{
	struct options o = { .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN) };
	struct totals t = { 0 };
	int rc;

	stdout_check();
	rc = read_options(&o, argc, argv);
	if (rc >= 0)
		return rc;
	if (!o.narch)
		o.arch[o.narch++] = "host";
	if (!precompile(&o, argv + optind, &t))
		return 1;
	printf("%zu kernels compiled, %zu were there, %zu skipped; "
		"%zu modules, %zu without PTX\n", t.compiled, t.there,
		t.skipped, t.modules, t.sass);
	if (!t.modules && !t.sass && !t.missing)
		fputs("ptx-precompile: no GPU code was found\n", stderr);
	return t.missing != 0;
}
