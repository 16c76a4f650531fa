/* find.h - GPU code in files of every kind, for ptx-precompile and ptx-run.
 *
 * Looks into folders, ELF executables and libraries, static archives, .ptx
 * text, fat binaries, our images, zip files and Python wheels, and into what
 * these hold.  Files may be hostile: every read is checked, what unpacks to
 * more than FIND_LIMIT bytes is left, nesting has an end.
 */
#ifndef FIND_H
#define FIND_H

#include "link.h"

#define FIND_LIMIT (UINT64_C(1) << 31)

enum find_kind {
	FIND_MODULE,        /* what cuModuleLoadData takes: data */
	FIND_SKIPPED,       /* why: damaged, too large, not to be read */
};

struct find {
	enum find_kind kind;
	const char *where;  /* path, and names inside it: "a.whl:b.so" */
	struct bytes data;  /* PTX (a NUL follows), a fat binary, an image, or
	                     * an ELF file with code for NVIDIA's machines
	                     * alone; valid during the call.  n 0: a struct
	                     * wrapper with the modules of a program that
	                     * are linked when it starts (-rdc=true) */
	const char *why;
};

typedef void find_fn(void *arg, const struct find *);

/* all code in path, a folder or a file; false: it is not there (and fn is
 * told so with FIND_SKIPPED).  Symbolic links to folders are not followed. */
bool find_path(const char *path, find_fn *, void *arg);

/* find_zip.c: the members of a zip file; fn gets each, unpacked */
bool zip_is(struct bytes);
typedef void zip_fn(void *arg, const char *name, struct bytes data,
	const char *why); /* why: data is empty, for this reason */
void zip_read(struct bytes, zip_fn *, void *arg);

#endif
