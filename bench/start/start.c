/* start.c - how long a program takes from start to end: with everything to
 * compile, with an empty cache, with a full one, and beside one without CUDA.
 *
 *	start PROGRAM EMPTY CACHE ROUNDS
 *
 * In a round each runs once; the table has medians, of time and of processor
 * time.  CACHE is a folder that is emptied between.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 101 };

struct way {
	const char *name, *loading;
	int fresh, cuda;
	double wall[MOST], cpu[MOST];
};

static struct way way[] = {
	{ .name = "all kernels compiled", .loading = "EAGER", .fresh = 1,
		.cuda = 1 },
	{ .name = "cold", .loading = "LAZY", .fresh = 1, .cuda = 1 },
	{ .name = "warm", .loading = "LAZY", .cuda = 1 },
	{ .name = "a program without CUDA", .loading = "LAZY" },
};

enum { ALL, COLD, WARM, NONE, WAYS };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void
fail(const char *what)
{
	fprintf(stderr, "start: %s\n", what);
	exit(1);
}

static void
run(struct way *w, const char *program, int round)
{
	struct rusage used;
	double begin = now();
	int status;
	pid_t p = fork();

	if (p == 0) {
		setenv("CUDA_MODULE_LOADING", w->loading, 1);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execl(program, program, (char *)0);
		_exit(127);
	}
	if (p < 0 || wait4(p, &status, 0, &used) != p || status)
		fail(program);
	w->wall[round] = now() - begin;
	w->cpu[round] = ms(used.ru_utime) + ms(used.ru_stime);
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, order);
	return v[n / 2];
}

static void
print(int rounds)
{
	double wall[WAYS], cpu[WAYS];
	int i;

	printf("| start | ms | of the processor, ms |\n");
	printf("| --- | ---: | ---: |\n");
	for (i = 0; i < WAYS; i++) {
		wall[i] = median(way[i].wall, rounds);
		cpu[i] = median(way[i].cpu, rounds);
		printf("| %s | %.1f | %.1f |\n", way[i].name, wall[i],
			cpu[i]);
	}
	printf("\nCold is 1/%.1f of all (1/%.1f of the processor time), warm "
		"%.1f %% of cold (%.1f %%)\nand %.1f ms (%.1f ms) over a "
		"program without CUDA.\n", wall[ALL] / wall[COLD],
		cpu[ALL] / cpu[COLD], 100 * wall[WARM] / wall[COLD],
		100 * cpu[WARM] / cpu[COLD], wall[WARM] - wall[NONE],
		cpu[WARM] - cpu[NONE]);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 4 ? atoi(argv[4]) : 0, i, k;
	char clear[4096];

	if (rounds < 1 || rounds > MOST)
		fail("usage: start PROGRAM EMPTY CACHE ROUNDS");
	setenv("CUDA_CACHE_PATH", argv[3], 1);
	unsetenv("CUDA_CACHE_DISABLE");
	snprintf(clear, sizeof clear, "rm -rf '%s'", argv[3]);
	for (i = 0; i < rounds; i++)
		for (k = 0; k < WAYS; k++) {
			if (way[k].fresh && system(clear) != 0)
				fail(clear);
			run(&way[k], argv[way[k].cuda ? 1 : 2], i);
		}
	print(rounds);
	return 0;
}
