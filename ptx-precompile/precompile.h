/* precompile.h - modules in, entries of the cache out. */
#ifndef PRECOMPILE_H
#define PRECOMPILE_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_ARCH = 32, MAX_JOBS = 512 };

struct options {
	const char *arch[MAX_ARCH]; /* "host", "gfx1100" */
	int narch, jobs;
	bool quiet, verbose;
	const char *indent; /* before each line that is printed; may be 0 */
};

struct totals {
	size_t compiled, there, skipped; /* kernels; of gfx*: modules */
	size_t modules, sass;    /* found; with code for NVIDIA's alone */
	size_t missing;          /* paths that are not there */
};

/* all code in the paths, which end in 0; false: it cannot begin, and why was
 * printed.  Progress goes to stderr if that is a terminal; what is skipped is
 * printed with the reason. */
bool precompile(const struct options *, char *const *path, struct totals *);

#endif
