/* find.c - GPU code in files of every kind. */
#include "find.h"
#include "program.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	DEPTH = 8,          /* containers in containers */
	PARTS = 1024,       /* modules that are linked */
	FATBIN_HEADER = 16,
	MACHINE_CUDA = 190,
	MACHINE_AMDGPU = 224,
};

/* where nvcc puts modules that are to be linked */
#define RELOCATABLE "__nv_relfatbin"

struct search {
	find_fn *fn;
	void *arg;
	int depth;
	const void **parts;     /* where those that are linked go; or 0 */
	size_t nparts;
	bool linked;            /* this file has such */
};

static void contents(struct search *, const char *where, struct bytes);

static void
say(struct search *s, enum find_kind kind, const char *where,
	struct bytes data, const char *why)
{
	struct find f = { kind, where, data, why };

	s->fn(s->arg, &f);
}

static void
module(struct search *s, const char *where, struct bytes data)
{
	say(s, FIND_MODULE, where, data, 0);
}

static void
skip(struct search *s, const char *where, const char *why)
{
	say(s, FIND_SKIPPED, where, (struct bytes){ 0, 0 }, why);
}

/* "where:name", freed by the caller */
static char *
inside(const char *where, const char *name)
{
	size_t n = strlen(where) + strlen(name) + 2;
	char *s = malloc(n);

	if (s)
		snprintf(s, n, "%s:%s", where, name);
	return s;
}

static void
deeper(struct search *s, const char *where, const char *name,
	struct bytes data)
{
	char *path;

	if (s->depth == DEPTH) {
		skip(s, where, "containers in containers, too deep");
		return;
	}
	path = inside(where, name);
	if (!path)
		return;
	s->depth++;
	contents(s, path, data);
	s->depth--;
	free(path);
}

static uint64_t
get(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* Is it what a device link leaves: machine code alone?  In a program that
 * holds what was linked, that is left; else if there is no kernel in it. */
static bool
is_left(struct bytes b, bool linked)
{
	struct elf_section section;
	struct fatbin_entry entry;
	enum found found;
	struct fatbin f;
	struct elf e;
	size_t i;

	fatbin_open(&f, b);
	while ((found = fatbin_next(&f, &entry)) == FOUND_ONE) {
		if (entry.kind == FATBIN_ELF && entry.size && linked)
			continue;
		if (entry.kind != FATBIN_ELF || entry.size ||
		    !elf_is(entry.stored) || !elf_open(&e, entry.stored) ||
		    e.machine != MACHINE_CUDA)
			return false;
		for (i = 0; i < e.nsection; i++)
			if (!elf_section(&e, i, &section) ||
			    (!linked && !strncmp(section.name, ".text.", 6)) ||
			    !strcmp(section.name, ".ptxamd.ptx"))
				return false;
	}
	return found == FOUND_END;
}

static void
fatbin(struct search *s, const char *where, struct bytes b)
{
	if (is_left(b, s->linked || s->parts))
		return;
	if (!s->parts)
		module(s, where, b);
	else if (s->nparts < PARTS)
		s->parts[s->nparts++] = b.p;
}

/* a section holds several fat binaries, and zeroes between them */
static void
fatbins(struct search *s, const char *where, struct bytes b)
{
	uint64_t size;

	while (b.n >= FATBIN_HEADER) {
		if (!fatbin_is(b)) {
			b.p += 8;
			b.n -= 8;
			continue;
		}
		size = get(b.p + 6, 2) + get(b.p + 8, 8);
		if (size < FATBIN_HEADER || size > b.n) {
			skip(s, where, "damaged fat binary");
			return;
		}
		fatbin(s, where, (struct bytes){ b.p, (size_t)size });
		size = (size + 7) & ~UINT64_C(7);
		size = size < b.n ? size : b.n;
		b.p += size;
		b.n -= (size_t)size;
	}
}

/* is the section one in which nvcc puts fat binaries? */
static bool
is_gpu(const char *name)
{
	return !strcmp(name, ".nv_fatbin") || !strcmp(name, RELOCATABLE);
}

/* the modules of a program that are linked when it starts, as one; false:
 * there are none */
static bool
linked(struct search *s, const char *where, const struct elf *e)
{
	const void *parts[PARTS + 1] = { 0 };
	struct wrapper w = { WRAPPER_MAGIC, WRAPPER_PRELINKED, 0, parts };
	struct elf_section section;

	if (!elf_find(e, RELOCATABLE, &section) || !section.data.n)
		return false;
	s->parts = parts;
	s->nparts = 0;
	fatbins(s, where, section.data);
	s->parts = 0;
	w.data = parts[0];
	if (w.data)
		module(s, where, (struct bytes){ (void *)&w, 0 });
	return w.data != 0;
}

static void
elf(struct search *s, const char *where, struct bytes b)
{
	struct elf_section section;
	struct elf e;
	size_t i;

	if (!elf_open(&e, b)) {
		skip(s, where, "damaged ELF file");
		return;
	}
	if (e.machine == MACHINE_CUDA || e.machine == MACHINE_AMDGPU) {
		module(s, where, b);
		return;
	}
	s->linked = e.type != ET_REL && linked(s, where, &e);
	for (i = 0; i < e.nsection; i++) {
		if (!elf_section(&e, i, &section))
			continue;
		if (!strcmp(section.name, RELOCATABLE) && s->linked)
			continue;
		if (is_gpu(section.name) && section.data.n)
			fatbins(s, where, section.data);
	}
	s->linked = false;
}

static void
archive(struct search *s, const char *where, struct bytes b)
{
	struct arena names = { 0 };
	struct archive a;
	struct member m;
	enum found found;

	archive_open(&a, b);
	while ((found = archive_next(&a, &names, &m)) == FOUND_ONE)
		if (!m.outside)
			deeper(s, where, m.name, m.data);
	if (found == FOUND_DAMAGED)
		skip(s, where, "damaged archive");
	arena_free(&names);
}

struct zip_search {
	struct search *s;
	const char *where;
};

static void
member(void *arg, const char *name, struct bytes data, const char *why)
{
	struct zip_search *z = arg;
	char *path;

	if (!why) {
		deeper(z->s, z->where, name, data);
		return;
	}
	path = *name ? inside(z->where, name) : strdup(z->where);
	if (path)
		skip(z->s, path, why);
	free(path);
}

/* PTX begins with .version, after comments and blanks */
static bool
is_ptx(struct bytes b)
{
	const unsigned char *p = b.p, *end = b.p + b.n;

	for (;;) {
		while (p < end && strchr(" \t\r\n", *p) && *p)
			p++;
		if (end - p < 9)
			return false;
		if (p[0] == '/' && p[1] == '/') {
			p = memchr(p, '\n', (size_t)(end - p));
			if (!p)
				return false;
			continue;
		}
		if (p[0] == '/' && p[1] == '*') {
			for (p += 2; end - p > 1; p++)
				if (p[0] == '*' && p[1] == '/')
					break;
			if (end - p < 2)
				return false;
			p += 2;
			continue;
		}
		return !memcmp(p, ".version", 8);
	}
}

/* text that a NUL follows, which a mapped file has not */
static void
ptx(struct search *s, const char *where, struct bytes b)
{
	unsigned char *copy = malloc(b.n + 1);

	if (!copy) {
		skip(s, where, "out of memory");
		return;
	}
	memcpy(copy, b.p, b.n);
	copy[b.n] = 0;
	module(s, where, (struct bytes){ copy, b.n });
	free(copy);
}

static void
contents(struct search *s, const char *where, struct bytes b)
{
	struct zip_search z = { s, where };

	if (elf_is(b))
		elf(s, where, b);
	else if (archive_is(b))
		archive(s, where, b);
	else if (fatbin_is(b))
		fatbins(s, where, b);
	else if (zip_is(b))
		zip_read(b, member, &z);
	else if (image_kind(b.p, b.n) != IMAGE_NONE)
		module(s, where, b);
	else if (is_ptx(b))
		ptx(s, where, b);
}

static void
file(struct search *s, const char *path, int fd, size_t size)
{
	void *p;

	if (!size)
		return;
	p = mmap(0, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		skip(s, path, strerror(errno));
		return;
	}
	contents(s, path, (struct bytes){ p, size });
	munmap(p, size);
}

static void walk(struct search *, const char *path, bool follow);

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_entry(const struct dirent *d)
{
	return strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
}

static void
folder(struct search *s, const char *path)
{
	struct dirent **list;
	char *name;
	size_t size;
	int i, n;

	n = scandir(path, &list, is_entry, by_name);
	if (n < 0) {
		skip(s, path, strerror(errno));
		return;
	}
	for (i = 0; i < n; i++) {
		size = strlen(path) + strlen(list[i]->d_name) + 2;
		name = malloc(size);
		if (name) {
			snprintf(name, size, "%s/%s", path, list[i]->d_name);
			walk(s, name, false);
		}
		free(name);
		free(list[i]);
	}
	free(list);
}

/* follow: a link that was named itself is what it points to */
static void
walk(struct search *s, const char *path, bool follow)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) || (S_ISLNK(st.st_mode) && stat(path, &st))) {
		skip(s, path, strerror(errno));
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		if (follow || !lstat(path, &st))
			if (follow || S_ISDIR(st.st_mode))
				folder(s, path);
		return;
	}
	if (!S_ISREG(st.st_mode))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		skip(s, path, strerror(errno));
	else if (S_ISREG(st.st_mode))
		file(s, path, fd, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
}

bool
find_path(const char *path, find_fn *fn, void *arg)
{
	struct search s = { fn, arg, 0 };
	struct stat st;

	walk(&s, path, true);
	return !stat(path, &st);
}
