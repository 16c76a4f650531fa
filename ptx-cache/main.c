/* ptx-cache - the cache of compiled kernels: what is in it, is it sound. */
#include "ptx.h"
#include "cache_tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
	size_t n, bad;
	uint64_t bytes;
};

static const char *
size_text(uint64_t n, char text[32])
{
	static const char unit[] = "BKMGT";
	double v = (double)n;
	int u = 0;

	for (; v >= 1024 && u < 4; u++)
		v /= 1024;
	snprintf(text, 32, u ? "%.1f%c" : "%.0f%c", v, unit[u]);
	return text;
}

static void
add(struct totals *t, const struct cache_entry *e)
{
	t->n++;
	t->bad += !e->good;
	t->bytes += e->size;
}

static bool
count(void *arg, const struct cache_entry *e)
{
	add(arg, e);
	return false;
}

static bool
list(void *arg, const struct cache_entry *e)
{
	char size[32], used[32] = "";
	struct tm tm;

	add(arg, e);
	if (localtime_r(&e->used, &tm))
		strftime(used, sizeof used, "%Y-%m-%d %H:%M", &tm);
	printf("%.32s %8s %s %s\n", e->name, size_text(e->size, size), used,
		e->good ? e->what : "(damaged)");
	return false;
}

static bool
drop_damaged(void *arg, const struct cache_entry *e)
{
	add(arg, e);
	if (!e->good)
		printf("%s is damaged: removed\n", e->name);
	return !e->good;
}

static bool
drop(void *arg, const struct cache_entry *e)
{
	add(arg, e);
	return true;
}

static int
do_stat(struct cache *c, char *arg[])
{
	struct totals t = { 0 };
	char size[32], limit[32];

	(void)arg;
	cache_walk(c, CACHE_HEAD, count, &t);
	printf("folder   %s\nentries  %zu\ndamaged  %zu\nsize     %s\n"
		"limit    %s\n", c->dir, t.n, t.bad, size_text(t.bytes, size),
		size_text(c->limit, limit));
	return 0;
}

static int
do_list(struct cache *c, char *arg[])
{
	struct totals t = { 0 };

	(void)arg;
	cache_walk(c, CACHE_HEAD, list, &t);
	return 0;
}

static int
do_verify(struct cache *c, char *arg[])
{
	struct totals t = { 0 };

	(void)arg;
	cache_walk(c, CACHE_CHECK, drop_damaged, &t);
	printf("%zu entries, %zu damaged\n", t.n, t.bad);
	return t.bad != 0;
}

static int
do_clear(struct cache *c, char *arg[])
{
	struct totals t = { 0 };

	(void)arg;
	cache_walk(c, CACHE_HEAD, drop, &t);
	printf("%zu entries removed\n", t.n);
	return 0;
}

/* 100, 100K, 2M, 1G; the limit of the environment without one */
static int
do_prune(struct cache *c, char *arg[])
{
	uint64_t limit = c->limit;
	char size[32], *end;

	if (*arg) {
		limit = strtoull(*arg, &end, 10);
		if (end != *arg && *end && strchr("KMG", *end)) {
			limit <<= *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
			end++;
		}
		if (end == *arg || *end || **arg == '-') {
			fprintf(stderr, "ptx-cache: '%s' is no size\n", *arg);
			return 2;
		}
	}
	printf("%s removed\n", size_text(cache_trim(c, limit), size));
	return 0;
}

static int
do_explain(struct cache *c, char *arg[])
{
	return explain(c, arg[0], arg[1]);
}

static const struct command {
	const char *name, *arg, *help;
	int (*run)(struct cache *, char *arg[]); /* ends in 0 */
	int least, most;        /* arguments */
	bool without;           /* also if there is no cache */
} command[] = {
	{ "stat", "", "where it is, how many entries, how large", do_stat, 0, 0,
		false },
	{ "list", "", "the entries: key, size, last use, kernel", do_list, 0, 0,
		false },
	{ "verify", "", "check every byte; remove what is damaged", do_verify,
		0, 0, false },
	{ "prune", " [SIZE]", "remove the least recently used above SIZE (as "
		"100M)", do_prune, 0, 1, false },
	{ "clear", "", "remove all", do_clear, 0, 0, false },
	{ "explain", " APP [ARCH]", "is the code of APP there, and if not, why",
		do_explain, 1, 2, true },
};

enum { NCOMMAND = sizeof command / sizeof *command };

static void
usage(FILE *f)
{
	int i;

	fprintf(f, "usage: ptx-cache COMMAND\n\n");
	for (i = 0; i < NCOMMAND; i++)
		fprintf(f, "  %s%-*s %s\n", command[i].name,
			20 - (int)strlen(command[i].name), command[i].arg,
			command[i].help);
	fprintf(f, "\nThe folder is $CUDA_CACHE_PATH, else "
		"$XDG_CACHE_HOME/ptx-amd,\nelse ~/.cache/ptx-amd.\n");
}

int
main(int argc, char *argv[])
{
	struct cache c;
	int i, rc;

	stdout_check();
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("ptx-cache %s (%s)\n", PTXAMD_VERSION, PTXAMD_BUILD);
		return 0;
	}
	for (i = 0; argc > 1 && i < NCOMMAND; i++)
		if (!strcmp(argv[1], command[i].name))
			break;
	if (argc < 2 || i == NCOMMAND || argc - 2 < command[i].least ||
	    argc - 2 > command[i].most) {
		if (argc > 1)
			fprintf(stderr, i == NCOMMAND
				? "ptx-cache: '%s' is no command\n"
				: "ptx-cache: '%s' takes other arguments\n",
				argv[1]);
		usage(stderr);
		return 2;
	}
	c = cache_open();
	if (!c.dir && !command[i].without) {
		fprintf(stderr, "ptx-cache: no cache: %s\n", c.why);
		return 1;
	}
	rc = command[i].run(&c, argv + 2);
	cache_close(&c);
	return rc;
}
