/* search.c - the libraries that a program starts with, found as ld.so(8)
 * finds them.
 *
 * A name with a slash is a path.  Else the folders are, in this order: the
 * RPATH of who needs it and of who needed that, unless it has a RUNPATH;
 * LD_LIBRARY_PATH; its RUNPATH; ld.so.cache; the system's.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 }; /* libraries */

/* a file that the loader would take */
static bool
suits(const char *path)
{
	struct binary o;
	bool good;

	if (binary_open(&o, path))
		return false;
	good = binary_suits(&o);
	binary_close(&o);
	return good;
}

static bool
begins(const char *s, const char *token, size_t *n)
{
	*n = strlen(token);
	return strncmp(s, token, *n) == 0;
}

/* $ORIGIN, $LIB, $PLATFORM, with braces or without; how long it is */
static size_t
token(const char *s, const char *origin, char out[PATH_SIZE])
{
	const char *end = strrchr(origin, '/');
	size_t n;

	out[0] = 0;
	if (begins(s, "$ORIGIN", &n) || begins(s, "${ORIGIN}", &n))
		snprintf(out, PATH_SIZE, "%.*s", end ? (int)(end - origin) : 1,
			end ? origin : ".");
	else if (begins(s, "$LIB", &n) || begins(s, "${LIB}", &n))
		strcpy(out, "lib/x86_64-linux-gnu");
	else if (begins(s, "$PLATFORM", &n) || begins(s, "${PLATFORM}", &n))
		strcpy(out, "x86_64");
	else
		return 0;
	return n;
}

/* a folder of a list, with what its tokens stand for; false: too long */
static bool
expand(const char *from, size_t n, const char *origin, char to[PATH_SIZE])
{
	char value[PATH_SIZE];
	size_t at = 0, i, k;

	for (i = 0; i < n; ) {
		k = from[i] == '$' ? token(from + i, origin, value) : 0;
		if (!k) {
			value[0] = from[i];
			value[1] = 0;
			k = 1;
		}
		i += k;
		if (at + strlen(value) >= PATH_SIZE)
			return false;
		strcpy(to + at, value);
		at += strlen(value);
	}
	to[at] = 0;
	return true;
}

/* in the folders of a list, colons between; none: false */
static bool
in_list(const char *list, const char *origin, const char *name,
	char path[PATH_SIZE])
{
	char folder[PATH_SIZE];
	size_t n;

	for (; list; list = list[n] ? list + n + 1 : 0) {
		n = strcspn(list, ":;");
		if (!expand(list, n, origin, folder) ||
		    snprintf(path, PATH_SIZE, "%s%s%s", *folder ? folder : ".",
		    "/", name) >= PATH_SIZE)
			continue;
		if (suits(path))
			return true;
	}
	return false;
}

static const struct lib *
loader(const struct lib *all, const struct lib *l)
{
	return l == all ? 0 : l->loader ? l->loader : all;
}

/* RPATHs count up to the program, which always comes last */
static bool
in_rpaths(const struct lib *all, const struct lib *from, const char *name,
	char path[PATH_SIZE])
{
	const struct lib *l;

	if (from->binary.runpath)
		return false;
	for (l = from; l; l = loader(all, l))
		if (l->open && l->binary.rpath && !l->binary.runpath &&
		    in_list(l->binary.rpath, l->path, name, path))
			return true;
	return false;
}

static const char *
find(const struct lib *all, const struct lib *from, const char *name,
	const char *library_path, char path[PATH_SIZE])
{
	static const char system[] = "/lib/x86_64-linux-gnu:"
		"/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:"
		"/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";

	if (strchr(name, '/')) {
		if (expand(name, strlen(name), from->path, path) &&
		    suits(path))
			return "its path";
	} else if (in_rpaths(all, from, name, path)) {
		return "RPATH";
	} else if (library_path && *library_path &&
	    in_list(library_path, all->path, name, path)) {
		return "LD_LIBRARY_PATH";
	} else if (from->binary.runpath &&
	    in_list(from->binary.runpath, from->path, name, path)) {
		return "RUNPATH";
	} else if (ldcache_find(name, suits, path)) {
		return "ld.so.cache";
	} else if (in_list(system, "", name, path)) {
		return "the system's folders";
	}
	path[0] = 0;
	return 0;
}

static bool
is_there(const struct lib *all, const char *name)
{
	const struct lib *l;

	for (l = all; l; l = l->next)
		if (!strcmp(l->name, name) || (l->open && l->binary.soname &&
		    !strcmp(l->binary.soname, name)))
			return true;
	return false;
}

static void
add(struct lib *all, struct lib *from, const char *name,
	const char *library_path)
{
	struct lib *l, *last;
	size_t n = 0;

	if (strlen(name) >= sizeof l->name || is_there(all, name))
		return;
	for (last = all; last->next; last = last->next)
		n++;
	l = n < MOST ? calloc(1, sizeof *l) : 0;
	if (!l)
		return;
	strcpy(l->name, name);
	l->loader = from == all ? 0 : from;
	l->how = find(all, from, name, library_path, l->path);
	if (l->how) {
		l->why = binary_open(&l->binary, l->path);
		l->open = !l->why;
	}
	last->next = l;
}

/* what l and those behind it need */
static void
complete(struct lib *all, struct lib *l, const char *library_path)
{
	size_t i;

	for (; l; l = l->next)
		for (i = 0; l->open && i < l->binary.nneeded; i++)
			add(all, l, l->binary.needed[i], library_path);
}

struct lib *
search_all(const char *path, const char *library_path)
{
	struct lib *l = calloc(1, sizeof *l);
	const char *base;

	if (!l)
		return 0;
	snprintf(l->path, sizeof l->path, "%s", path);
	base = strrchr(path, '/');
	snprintf(l->name, sizeof l->name, "%s", base ? base + 1 : path);
	l->how = "";
	l->why = binary_open(&l->binary, path);
	l->open = !l->why;
	complete(l, l, library_path);
	return l;
}

void
search_add(struct lib *all, struct lib *from, const char *name,
	const char *library_path)
{
	struct lib *last, *l;

	for (last = all; last->next; last = last->next)
		;
	add(all, from, name, library_path);
	complete(all, last->next, library_path);
	for (l = last->next; l; l = l->next)
		l->named = true;
}

void
search_free(struct lib *l)
{
	struct lib *next;

	for (; l; l = next) {
		next = l->next;
		if (l->open)
			binary_close(&l->binary);
		free(l);
	}
}
