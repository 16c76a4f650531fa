/* program_int.h - a program while it is loaded. */
#ifndef PROGRAM_INT_H
#define PROGRAM_INT_H

#include "link.h"
#include "program.h"

struct load {
	struct program *p;
	const struct program *options;
	struct text *log;
	struct arena arena; /* until the load is done */
};

/* program_size.c: bytes of what tells its own size: a fat binary, an ELF
 * file, a bundle, else NUL-ended text; 0: it is damaged */
size_t program_size(const void *data);

/* program.c: PTX, as an image, as text; what failed leaves p empty */
CUresult program_elf(struct load *, struct bytes);
CUresult program_text(struct load *, struct bytes);
/* what the compiler does that need not know the machine; x is empty */
void program_parse(struct ptx *x, const struct program *options,
	const char *text, size_t size, struct text *log);
/* program_outline.c: p's text and id are there; false: there is none */
bool outline_read(struct program *p, const struct program *options);
void outline_write(const struct program *p, const struct program *options);
void whole_free(struct whole *);
/* program_pointers.c: does x deal with addresses of functions? */
bool program_has_pointers(const struct ptx *x);
/* program_fatbin.c: of the entries, the best one that can be taken */
CUresult program_fatbin(struct load *, struct bytes);
bool program_is_wrapper(const void *data);
CUresult program_wrapper(struct load *, const void *data);
/* options of the PTX, in place of .ptx's own: program_adjust.c */
void program_adjust(struct ptx *, const struct program *options);

#endif
