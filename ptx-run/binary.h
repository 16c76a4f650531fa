/* binary.h - an ELF program or library, read as it is on disk.
 *
 * Nothing of it runs, and nothing that it says of itself is believed before
 * it is checked.  Strings point into the file, and are valid until it is
 * closed.
 */
#ifndef BINARY_H
#define BINARY_H

#include "link.h"
#include <elf.h>

enum { BINARY_NEEDED = 256 };

struct binary {
	struct bytes file;
	bool sections;          /* elf can be asked */
	struct elf elf;
	struct bytes headers;   /* of the program */
	unsigned nheader;
	const char *soname, *rpath, *runpath; /* 0: none */
	const char *needed[BINARY_NEEDED];
	size_t nneeded;
	struct bytes symbols, names;  /* for the loader */
};

/* 0, or why not: a constant text */
const char *binary_open(struct binary *, const char *path);
void binary_close(struct binary *);
/* for this machine? */
bool binary_suits(const struct binary *);

typedef void symbol_fn(void *arg, const char *name, uint64_t address,
	uint64_t size);
/* the names that the loader has to find for it; address and size 0 */
void binary_undefined(const struct binary *, symbol_fn *, void *arg);
/* the functions that it defines, by both symbol tables; some come twice */
void binary_functions(const struct binary *, symbol_fn *, void *arg);
/* does it define that one? */
bool binary_defines(const struct binary *, const char *name);
bool binary_has_section(const struct binary *, const char *name);
/* calls fn for the words in it that a NUL ends and that begin so, of letters,
 * digits and -_. alone */
void binary_words(const struct binary *, const char *prefix,
	void (*fn)(void *, const char *), void *arg);

#endif
