/* search.h - the libraries that a program starts with, found as ld.so(8)
 * finds them: without running anything. */
#ifndef SEARCH_H
#define SEARCH_H

#include "binary.h"
#include "run.h"

struct lib {
	struct lib *next;
	struct lib *loader;     /* who asked for it first; 0: the program */
	char name[256];         /* as it is asked for */
	char path[PATH_SIZE];   /* "": it is not found */
	const char *how;        /* "RPATH", "ld.so.cache", … */
	const char *why;        /* it cannot be read */
	bool named;             /* a text alone has it: perhaps never
	                         * asked for */
	bool open;
	struct binary binary;   /* if so */
};

/* the program first, then what it needs, each once, breadth first; or 0: out
 * of memory.  library_path: what LD_LIBRARY_PATH is taken to be */
struct lib *search_all(const char *path, const char *library_path);
/* one more that from names, as dlopen(3) in it would find it, with what that
 * needs; already there: nothing is done */
void search_add(struct lib *all, struct lib *from, const char *name,
	const char *library_path);
void search_free(struct lib *);

/* ldcache.c: the paths that /etc/ld.so.cache has for a name, until fn returns
 * true, and then that path */
bool ldcache_find(const char *name, bool (*fn)(const char *path),
	char path[PATH_SIZE]);

#endif
