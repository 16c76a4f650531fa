/* cache.c - entries of the cache: keys, reading, writing. */
#include "cache_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DEFAULT_LIMIT = 1 << 30 };

#define LARGEST_LIMIT (UINT64_C(4) << 30)

static bool
is_zero(struct cache_key k)
{
	return !k.h[0] && !k.h[1];
}

static char *
join(const char *a, const char *b)
{
	char *s = malloc(strlen(a) + strlen(b) + 1);

	if (s)
		strcat(strcpy(s, a), b);
	return s;
}

/* folders on the way are made as they are needed, for this user alone */
static void
make_folders(char *path)
{
	char *p;

	for (p = path + 1; *p; p++)
		if (*p == '/') {
			*p = 0;
			mkdir(path, 0700);
			*p = '/';
		}
	mkdir(path, 0700);
}

static char *
place(const char **why)
{
	const char *path = getenv("CUDA_CACHE_PATH");
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *off = getenv("CUDA_CACHE_DISABLE");

	*why = "CUDA_CACHE_DISABLE is set";
	if (off && strcmp(off, "0") && *off)
		return 0;
	*why = "there is no home directory";
	if (path && *path)
		return join(path, "");
	if (xdg && *xdg == '/')
		return join(xdg, "/ptx-amd");
	if (home && *home == '/')
		return join(home, "/.cache/ptx-amd");
	return 0;
}

static uint64_t
limit(void)
{
	const char *s = getenv("CUDA_CACHE_MAXSIZE");
	char *end;
	unsigned long long v;

	if (!s || !*s)
		return DEFAULT_LIMIT;
	v = strtoull(s, &end, 0);
	if (*end || *s == '-')
		return DEFAULT_LIMIT;
	return v < LARGEST_LIMIT ? v : LARGEST_LIMIT;
}

/* could anybody else have written it? */
bool
cache_is_private(const struct stat *s)
{
	return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

struct cache
cache_open(void)
{
	struct cache c = { .limit = limit(), .written = ~(uint64_t)0 };
	struct stat s;

	c.dir = place(&c.why);
	if (!c.dir)
		return c;
	if (stat(c.dir, &s) < 0)
		make_folders(c.dir);
	if (stat(c.dir, &s) < 0 || !S_ISDIR(s.st_mode))
		c.why = "the folder cannot be made";
	else if (!cache_is_private(&s))
		c.why = "others may write to the folder";
	else
		return c;
	free(c.dir);
	c.dir = 0;
	return c;
}

void
cache_close(struct cache *c)
{
	free(c->dir);
	c->dir = 0;
}

void
cache_name(struct cache_key k, char name[CACHE_NAME])
{
	snprintf(name, CACHE_NAME, "%016llx%016llx.code",
		(unsigned long long)k.h[1], (unsigned long long)k.h[0]);
}

int
cache_folder(const struct cache *c)
{
	return open(c->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool
read_all(int fd, void *to, size_t n)
{
	char *p = to;
	ssize_t got;

	while (n) {
		got = read(fd, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

/* the head, and behind it the data: malloc'ed; 0: damaged */
static void *
contents(int fd, const struct stat *s, struct cache_head *head, bool whole)
{
	struct cache_key sum;
	char *data = 0;

	if (!read_all(fd, head, sizeof *head)
	|| memcmp(head->magic, CACHE_MAGIC, sizeof head->magic)
	|| head->size > SIZE_MAX / 2
	|| (uint64_t)s->st_size != sizeof *head + head->size)
		return 0;
	data = malloc(whole ? (size_t)head->size + 1 : 1);
	if (!data || !whole)
		return data;
	sum = head->sum;
	memset(&head->sum, 0, sizeof head->sum);
	if (read_all(fd, data, (size_t)head->size)) {
		struct cache_key of[2] = { cache_sum(head, sizeof *head),
			cache_sum(data, (size_t)head->size) };
		struct cache_key is = cache_sum(of, sizeof of);

		if (!memcmp(&is, &sum, sizeof sum))
			return data;
	}
	free(data);
	return 0;
}

void *
cache_read(int folder, const char *name, struct cache_head *head,
	struct stat *s, bool whole, bool touch)
{
	void *data = 0;
	int fd;

	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC
		| O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (!fstat(fd, s) && S_ISREG(s->st_mode) && cache_is_private(s))
		data = contents(fd, s, head, whole);
	if (data && touch)
		futimens(fd, 0);
	close(fd);
	return data;
}

static struct blob
look_up(struct cache *c, struct cache_key key, bool whole)
{
	struct blob b = { 0, 0 };
	struct cache_head head;
	struct stat s;
	char name[CACHE_NAME];
	int folder;

	if (!c->dir || is_zero(key) || (folder = cache_folder(c)) < 0)
		return b;
	cache_name(key, name);
	b.data = cache_read(folder, name, &head, &s, whole, whole);
	close(folder);
	if (b.data && memcmp(&head.key, &key, sizeof key)) {
		free(b.data); /* a file that was given another's name */
		b.data = 0;
	}
	b.size = b.data ? (size_t)head.size : 0;
	return b;
}

struct blob
cache_get(struct cache *c, struct cache_key key)
{
	return look_up(c, key, true);
}

bool
cache_has(struct cache *c, struct cache_key key)
{
	struct blob b = look_up(c, key, false);

	free(b.data);
	return b.data != 0;
}

static bool
write_all(int fd, const void *from, size_t n)
{
	const char *p = from;
	ssize_t put;

	while (n) {
		put = write(fd, p, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static void
fill(struct cache_head *h, struct cache_key key, const void *data, size_t size,
	const char *what)
{
	struct cache_key of[2];

	memset(h, 0, sizeof *h);
	memcpy(h->magic, CACHE_MAGIC, sizeof h->magic);
	h->key = key;
	h->size = size;
	snprintf(h->what, sizeof h->what, "%s", what);
	of[0] = cache_sum(h, sizeof *h);
	of[1] = cache_sum(data, size);
	h->sum = cache_sum(of, sizeof of);
}

/* a name that no other writer has: a random one, and O_EXCL */
static int
temporary(int folder, char name[CACHE_NAME])
{
	struct timespec t;
	unsigned i;
	int fd;

	for (i = 0; i < 100; i++) {
		clock_gettime(CLOCK_REALTIME, &t);
		snprintf(name, CACHE_NAME, "%s%lx-%lx-%x", CACHE_TEMPORARY,
			(unsigned long)getpid(), (unsigned long)t.tv_nsec, i);
		fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL
			| O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool
store(int folder, const char *name, const struct cache_head *head,
	const void *data)
{
	char temp[CACHE_NAME];
	bool ok;
	int fd;

	fd = temporary(folder, temp);
	if (fd < 0)
		return false;
	ok = write_all(fd, head, sizeof *head)
		&& write_all(fd, data, (size_t)head->size);
	ok &= !close(fd); /* where NFS tells of a full disk */
	if (ok && !renameat(folder, temp, folder, name))
		return true;
	unlinkat(folder, temp, 0);
	return false;
}

/* a file beyond the limit of the process would end it with SIGXFSZ */
static bool
is_allowed(uint64_t size)
{
	struct rlimit l;

	return getrlimit(RLIMIT_FSIZE, &l) || l.rlim_cur == RLIM_INFINITY ||
		size <= l.rlim_cur;
}

void
cache_put(struct cache *c, struct cache_key key, const void *data,
	size_t size, const char *what)
{
	struct cache_head head;
	char name[CACHE_NAME];
	int folder;

	if (!c->dir || is_zero(key) || size + sizeof head > c->limit ||
	    !is_allowed(size + sizeof head))
		return;
	folder = cache_folder(c);
	if (folder < 0)
		return;
	fill(&head, key, data, size, what);
	cache_name(key, name);
	if (store(folder, name, &head, data)) {
		if (c->written != ~(uint64_t)0)
			c->written += sizeof head + size;
		if (c->written > c->limit / 16) {
			cache_trim(c, c->limit);
			c->written = 0;
		}
	}
	close(folder);
}
