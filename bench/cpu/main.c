/* main.c - our CPU device beside an OpenCL driver and C with OpenMP.
 *
 *	cpu [-s] [-n ROUNDS] KERNELS PTX [JOB...]
 *
 * KERNELS is the folder of the kernels' sources, PTX that of their PTX.  In
 * each round every way runs once; the table has medians in ms and ratios of
 * them.  What the ways compute is compared first.  With -s only our device
 * runs, and there is a line with the kernel and its ms for each.
 */
#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NWAY = 3, MAX_ROUNDS = 1000 };

static const struct way *const way[NWAY] = {
	&way_cuda, &way_opencl, &way_openmp,
};
static const char *closed[NWAY]; /* why it cannot be used */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* values that suit every kernel: floats from 1 to 2, small integers */
static void
fill(void *p, const struct arg *a)
{
	uint32_t x = 12345;
	size_t i;

	for (i = 0; i < a->n; i++) {
		x = x * 1664525 + 1013904223;
		if (a->of == 'f')
			((float *)p)[i] = 1 + (float)(x >> 8) / (1 << 24);
		else if (a->of == 'c')
			((unsigned char *)p)[i] = (unsigned char)(x >> 24);
		else
			((uint32_t *)p)[i] = a->kind == 'b' ? 0 : x >> 22;
	}
}

static int
buffers(const struct job *j, void **p, bool set)
{
	int i, n;

	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++)
		if (j->arg[i].n) {
			if (!p[n])
				p[n] = calloc(j->arg[i].n, 4);
			if (set)
				fill(p[n], &j->arg[i]);
			n++;
		}
	return n;
}

static double
element(const void *p, char of, size_t i)
{
	if (of == 'f')
		return ((const float *)p)[i];
	if (of == 'c')
		return ((const unsigned char *)p)[i];
	return ((const uint32_t *)p)[i];
}

static double
total(const void *p, const struct arg *a)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < a->n; i++)
		sum += element(p, a->of, i);
	return sum;
}

/* how many elements of a differ; integers of iterations may differ where
 * rounding does, in a few points of a hundred */
static bool
same(const struct job *j, const struct arg *a, const void *p, const void *q)
{
	size_t i, wrong;
	double x, y;

	if (j->sum) {
		x = total(p, a);
		y = total(q, a);
		return fabs(x - y) <= 2e-3 * fabs(y);
	}
	for (i = wrong = 0; i < a->n; i++) {
		x = element(p, a->of, i);
		y = element(q, a->of, i);
		wrong += !(fabs(x - y) <= 1e-3 + 1e-3 * fabs(y));
	}
	return wrong <= (strcmp(j->name, "mandelbrot") ? 0 : a->n / 50);
}

static const char *
prepare(const struct job *j, int w, const char *source, void **p)
{
	const char *e;

	buffers(j, p, true);
	e = way[w]->load(j, source, p);
	if (!e)
		e = way[w]->run(j);
	if (!e)
		e = way[w]->fetch(j, p);
	return e;
}

static bool
compare(const struct job *j, int w, void **p, void **q)
{
	int i, n;

	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++) {
		if (!j->arg[i].n)
			continue;
		if (j->arg[i].kind != 'r' && !same(j, &j->arg[i], p[n], q[n])) {
			printf("%s: %s and %s differ in argument %d\n",
				j->name, way[w]->name, way[NWAY - 1]->name, i);
			return false;
		}
		n++;
	}
	return true;
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* medians in ms; 0: that way did not run */
static bool
measure(const struct job *j, const char *kernels, const char *ptx, int rounds,
	double median[NWAY])
{
	static double t[NWAY][MAX_ROUNDS];
	void *p[NWAY][MAX_ARG] = { { 0 } };
	char path[2][1024];
	const char *e;
	bool ok = true;
	int w, r, n;

	snprintf(path[0], sizeof path[0], "%s/%s.ptx", ptx, j->name);
	snprintf(path[1], sizeof path[1], "%s/%s.cu", kernels, j->name);
	for (w = NWAY - 1; w >= 0; w--) {
		median[w] = 0;
		if (closed[w])
			continue;
		e = prepare(j, w, path[w != 0], p[w]);
		if (e) {
			printf("%s: %s: %s\n", j->name, way[w]->name, e);
			ok = false;
		} else {
			ok &= closed[NWAY - 1]
				|| compare(j, w, p[w], p[NWAY - 1]);
			median[w] = 1;
		}
	}
	for (r = 0; r < rounds; r++)
		for (w = 0; w < NWAY; w++) {
			t[w][r] = now();
			if (median[w])
				way[w]->run(j);
			t[w][r] = now() - t[w][r];
		}
	for (w = 0; w < NWAY; w++) {
		qsort(t[w], (size_t)rounds, sizeof **t, order);
		if (median[w])
			median[w] = t[w][rounds / 2];
		if (!closed[w])
			way[w]->unload();
		for (n = 0; n < MAX_ARG; n++)
			free(p[w][n]);
	}
	return ok;
}

static bool
wanted(const char *name, char **list)
{
	if (!*list)
		return true;
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

int
main(int argc, char **argv)
{
	double m[NWAY], mean[NWAY] = { 0 };
	int rounds = 15, c, w, count[NWAY] = { 0 };
	bool ok = true, single = false;
	size_t i;

	while ((c = getopt(argc, argv, "sn:")) == 'n' || c == 's')
		if (c == 's')
			single = true;
		else
			rounds = atoi(optarg);
	if (c != -1 || argc - optind < 2 || rounds < 1 || rounds > MAX_ROUNDS) {
		fprintf(stderr,
			"usage: cpu [-s] [-n ROUNDS] KERNELS PTX [JOB...]\n");
		return 2;
	}
	for (w = 0; w < NWAY; w++)
		if (single && w)
			closed[w] = "not asked";
		else if ((closed[w] = way[w]->open()))
			printf("%s: %s\n", way[w]->name, closed[w]);
	if (!single)
		printf("| kernel | size | ptx-amd ms | OpenCL ms | OpenMP ms | "
			"times OpenCL's speed | times OpenMP's |\n"
			"| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
	for (i = 0; i < njob; i++) {
		if (!wanted(job[i].name, argv + optind + 2))
			continue;
		ok &= measure(&job[i], argv[optind], argv[optind + 1], rounds,
			m);
		if (single) {
			printf("%s %.4f\n", job[i].name, m[0]);
			continue;
		}
		printf("| %s | %s | %.3f | %.3f | %.3f | %.2f | %.2f |\n",
			job[i].name, job[i].size, m[0], m[1], m[2],
			m[0] > 0 ? m[1] / m[0] : 0, m[0] > 0 ? m[2] / m[0] : 0);
		fflush(stdout);
		for (w = 1; w < NWAY; w++)
			if (m[w] > 0 && m[0] > 0) {
				mean[w] += log(m[w] / m[0]);
				count[w]++;
			}
	}
	for (w = 1; w < NWAY; w++)
		if (count[w])
			printf("geometric mean over %d kernels: %.2f times the "
				"speed of %s\n", count[w],
				exp(mean[w] / count[w]), way[w]->name);
	return !ok;
}
