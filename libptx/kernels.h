/* kernels.h - what a code object's note says of its kernels. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_arg {
	char *name;         /* or 0 */
	char *kind;         /* "by_value", "global_buffer", "hidden_…" */
	uint32_t offset, size; /* in the argument segment */
};

struct kernel_note {
	char *name, *symbol; /* the symbol is that of the descriptor */
	uint32_t kernarg, lds, scratch; /* bytes; scratch per lane */
	uint32_t wave, vgprs, agprs, sgprs, max_threads;
	bool dynamic_stack;
	struct kernel_arg *arg;
	size_t nargs;
};

struct kernel_notes {
	char *target;       /* "amdgcn-amd-amdhsa--gfx90a" or 0 */
	struct kernel_note *kernel;
	size_t n;
};

/* kernels.c: of the ELF file at data; false: there is no such note, or it is
 * damaged, or memory is out.  What was read is freed by kernel_notes_free,
 * also after false. */
bool kernel_notes_read(struct kernel_notes *, const void *data, size_t size);
void kernel_notes_free(struct kernel_notes *);

#endif
