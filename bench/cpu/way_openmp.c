/* way_openmp.c - C with OpenMP as a way to do a job. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static void *held[MAX_ARG];

static const char *
open_it(void)
{
	return 0;
}

static const char *
load(const struct job *j, const char *source, void *const *buffer)
{
	int i, n;

	(void)source;
	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++) {
		size_t size = j->arg[i].n * element_size(j->arg[i].of);

		if (!size)
			continue;
		held[n] = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
		if (!held[n])
			return "out of memory";
		memcpy(held[n], buffer[n], size);
		n++;
	}
	return 0;
}

static const char *
run(const struct job *j)
{
	j->openmp(held);
	return 0;
}

static const char *
fetch(const struct job *j, void *const *buffer)
{
	int i, n;

	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++)
		if (j->arg[i].n) {
			memcpy(buffer[n], held[n], j->arg[i].n
				* element_size(j->arg[i].of));
			n++;
		}
	return 0;
}

static void
unload(void)
{
	int n;

	for (n = 0; n < MAX_ARG; n++) {
		free(held[n]);
		held[n] = 0;
	}
}

const struct way way_openmp = {
	"openmp", open_it, load, run, fetch, unload,
};
