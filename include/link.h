/* link.h - several modules made one, and the files that hold modules.
 *
 * Linking is done on PTX: an object is an ELF file that carries the text of
 * a checked module, and the linker merges modules into one struct ptx that
 * prints, parses and compiles like any other.
 */
#ifndef LINK_H
#define LINK_H

#include "ptx.h"

/* a file in memory, or a part of one */
struct bytes {
	const unsigned char *p;
	size_t n;
};

/* elf.c - the sections of a 64-bit little-endian ELF file */

struct elf {
	struct bytes file;
	unsigned type, machine, flags; /* as <elf.h> names them */
	size_t nsection;
	struct bytes headers, names;
};

struct elf_section {
	const char *name;
	struct bytes data;
};

bool elf_is(struct bytes);
bool elf_open(struct elf *, struct bytes);   /* false: damaged */
/* the i-th section; false: damaged */
bool elf_section(const struct elf *, size_t i, struct elf_section *);
/* the first section of that name; false: none, or damaged before it */
bool elf_find(const struct elf *, const char *name, struct elf_section *);

/* archive.c - ar archives: GNU, BSD and thin ones */

struct archive {
	struct bytes rest;
	struct bytes names; /* of the members with long ones */
	bool thin;
};

struct member {
	const char *name;
	struct bytes data;
	bool outside;       /* data is in the file of that name */
};

enum found { FOUND_END, FOUND_ONE, FOUND_DAMAGED };

bool archive_is(struct bytes);
void archive_open(struct archive *, struct bytes);
enum found archive_next(struct archive *, struct arena *, struct member *);

/* fatbin.c - fat binaries, as nvcc embeds them in host objects */

struct fatbin {
	struct bytes rest;  /* of the section, from the next entry on */
	size_t left;        /* bytes of entries before the next header */
};

struct fatbin_entry {
	enum { FATBIN_OTHER, FATBIN_PTX, FATBIN_ELF } kind;
	unsigned sm;        /* 80 */
	uint64_t flags;
	struct bytes stored;
	uint64_t size;      /* unpacked; 0: as stored */
};

bool fatbin_is(struct bytes);
void fatbin_open(struct fatbin *, struct bytes);
enum found fatbin_next(struct fatbin *, struct fatbin_entry *);
/* the image itself; a NUL follows it; p is 0: damaged */
struct bytes fatbin_unpack(const struct fatbin_entry *, struct arena *);

#endif
