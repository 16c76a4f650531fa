/* bench.h - one piece of work, done three ways: by our CPU device, by an
 * OpenCL driver, and by C with OpenMP. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_ARG = 9 };

/* an argument of a kernel */
struct arg {
	char kind;          /* r read, w written, b both; u i f: a number;
	                     * 0: no more */
	char of;            /* f i u c: what a buffer holds */
	size_t n;           /* elements of a buffer */
	double value;       /* of a number */
};

struct job {
	const char *name;   /* of the kernel, and its file in kernels/ */
	const char *size;   /* for the table */
	unsigned grid[2], block[2];
	struct arg arg[MAX_ARG];
	void (*openmp)(void *const *buffer); /* the buffers of arg in order */
	bool sum;           /* only the sum of an output is compared */
};

extern const struct job job[];
extern const size_t njob;

unsigned element_size(char of);

/* a way to do it; every function returns 0 or what went wrong */
struct way {
	const char *name;
	const char *(*open)(void);
	/* prepares; buffers hold the inputs */
	const char *(*load)(const struct job *, const char *source,
		void *const *buffer);
	const char *(*run)(const struct job *); /* until it is done */
	const char *(*fetch)(const struct job *, void *const *buffer);
	void (*unload)(void);
};

extern const struct way way_cuda, way_opencl, way_openmp;

#endif
