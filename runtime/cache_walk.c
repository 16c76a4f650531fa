/* cache_walk.c - all entries of the cache: listing, checking, eviction. */
#include "cache_int.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STALE = 3600 }; /* seconds after which a temporary file is an orphan */

static bool
has_suffix(const char *name)
{
	size_t n = strlen(name);

	return n == 37 && !strcmp(name + 32, ".code");
}

static bool
is_temporary(const char *name)
{
	return !strncmp(name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY));
}

/* the folder again, for readdir, which closes what it gets */
static DIR *
open_folder(const struct cache *c)
{
	int fd = c->dir ? cache_folder(c) : -1;
	DIR *d = fd < 0 ? 0 : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static void
describe(int folder, const char *name, enum cache_walk how,
	struct cache_entry *e)
{
	struct cache_head head = { .what = "" };
	struct stat s;
	char right[CACHE_NAME];
	void *data;
	size_t n;

	memset(e, 0, sizeof *e);
	snprintf(e->name, sizeof e->name, "%s", name);
	if (!fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW)) {
		e->size = (uint64_t)s.st_size;
		e->used = s.st_mtim.tv_sec;
	}
	data = cache_read(folder, name, &head, &s, how == CACHE_CHECK, false);
	if (!data)
		return;
	free(data);
	e->key = head.key;
	cache_name(head.key, right);
	e->good = !strcmp(right, name);
	head.what[sizeof head.what - 1] = 0;
	n = strcspn(head.what, "\n");
	snprintf(e->what, sizeof e->what, "%.*s", (int)n, head.what);
	snprintf(e->more, sizeof e->more, "%s", head.what + n + !!head.what[n]);
}

size_t
cache_walk(struct cache *c, enum cache_walk how,
	bool (*fn)(void *, const struct cache_entry *), void *arg)
{
	struct cache_entry e;
	struct dirent *f;
	size_t n;
	DIR *d;

	d = open_folder(c);
	if (!d)
		return 0;
	for (n = 0; (f = readdir(d)); ) {
		if (!has_suffix(f->d_name))
			continue;
		describe(dirfd(d), f->d_name, how, &e);
		n++;
		if (fn(arg, &e))
			unlinkat(dirfd(d), f->d_name, 0);
	}
	closedir(d);
	return n;
}

/* a file that may go */
struct file {
	char name[CACHE_NAME];
	uint64_t size;
	struct timespec used;
};

struct files {
	struct file *file;
	size_t n, cap;
	uint64_t total;
};

static void
keep(struct files *all, const char *name, const struct stat *s)
{
	struct file *more;

	if (all->n == all->cap) {
		all->cap = all->cap ? 2 * all->cap : 256;
		more = realloc(all->file, all->cap * sizeof *more);
		if (!more) {
			all->cap = all->n;
			return;
		}
		all->file = more;
	}
	snprintf(all->file[all->n].name, CACHE_NAME, "%s", name);
	all->file[all->n].size = (uint64_t)s->st_size;
	all->file[all->n++].used = s->st_mtim;
	all->total += (uint64_t)s->st_size;
}

static void
collect(DIR *d, struct files *all)
{
	struct dirent *f;
	struct stat s;
	time_t now = time(0);

	while ((f = readdir(d))) {
		if (!has_suffix(f->d_name) && !is_temporary(f->d_name))
			continue;
		if (fstatat(dirfd(d), f->d_name, &s, AT_SYMLINK_NOFOLLOW))
			continue;
		if (has_suffix(f->d_name))
			keep(all, f->d_name, &s);
		else if (now - s.st_mtim.tv_sec > STALE)
			unlinkat(dirfd(d), f->d_name, 0);
	}
}

static int
older(const void *a, const void *b)
{
	const struct timespec *s = &((const struct file *)a)->used;
	const struct timespec *t = &((const struct file *)b)->used;

	if (s->tv_sec != t->tv_sec)
		return s->tv_sec < t->tv_sec ? -1 : 1;
	return s->tv_nsec < t->tv_nsec ? -1 : s->tv_nsec > t->tv_nsec;
}

/* a tenth below the limit, so that the next writers need not do it again */
uint64_t
cache_trim(struct cache *c, uint64_t limit)
{
	struct files all = { 0 };
	uint64_t gone = 0;
	size_t i;
	DIR *d;

	d = open_folder(c);
	if (!d)
		return 0;
	collect(d, &all);
	if (all.total > limit) {
		qsort(all.file, all.n, sizeof *all.file, older);
		limit -= limit / 10;
	}
	for (i = 0; i < all.n && all.total - gone > limit; i++)
		if (!unlinkat(dirfd(d), all.file[i].name, 0))
			gone += all.file[i].size;
	closedir(d);
	free(all.file);
	return gone;
}
