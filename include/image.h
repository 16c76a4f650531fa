/* image.h - files that hold code for AMD GPUs, written and read.
 *
 * Three kinds.  A code object (.hsaco) is an ELF file for one processor.  An
 * offload bundle is what clang makes and hipModuleLoadData takes: a magic
 * word, a directory, and code objects at multiples of 4096:
 *
 *	char magic[24] = "__CLANG_OFFLOAD_BUNDLE__"; u64 n;
 *	{ u64 offset, size, id_size; char id[id_size]; } [n];
 *
 * with the id "hipv4-amdgcn-amd-amdhsa--gfx1100" and, first, an empty entry
 * for the host.  A portable image stands in for a cubin: NVIDIA's fatbinary
 * puts it into a program, and our runtime takes from it the code for the GPU
 * at hand or else compiles the PTX.  It is an ELF file (64 bit, little endian,
 * OS ABI 0x41, the sm number in bits 8 to 15 of e_flags, ET_REL if made
 * with -c) and has these sections:
 *
 *	.ptxamd.version       "1"
 *	.ptxamd.options       lines "name=value": opt-level, fmad and
 *	                      generate-line-info, as ptxas-amd has them
 *	.ptxamd.ptx           the PTX; a zero byte follows the section
 *	.ptxamd.code.gfx1100  a code object, or an object that was made with -c
 *
 * Readers ignore sections that they do not know.  No LLVM here: the runtime
 * reads images without it.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* malloc'ed memory that the receiver frees with free(data) */
struct blob {
	void *data;         /* 0: it failed, and a diagnostic said why */
	size_t size;
};

enum image_kind {
	IMAGE_NONE,         /* none of these, or damaged */
	IMAGE_CODE,         /* one code object */
	IMAGE_BUNDLE,
	IMAGE_PORTABLE,
};

/* the code for one processor */
struct image_code {
	char arch[32];      /* "gfx1100"; "": one that we do not know */
	const void *data;
	size_t size;
};

struct image {
	enum image_kind kind;
	unsigned sm;        /* portable: 80 for sm_80 */
	bool relocatable;   /* portable or code: made with -c */
	const char *ptx;    /* portable: ends in NUL; 0: there is none */
	size_t ptx_size;    /* without the NUL */
	const char *options; /* portable: not NUL-ended */
	size_t options_size;
	struct image_code *code;
	size_t ncode;
};

/* image.c: reading.  What image_read finds points into data, except the
 * array code, which image_free frees. */
enum image_kind image_kind(const void *data, size_t size);
bool image_read(struct image *, const void *data, size_t size);
void image_free(struct image *);
/* the code for arch, or 0 */
const struct image_code *image_find(const struct image *, const char *arch);

/* image_write.c; data 0: out of memory */
struct blob image_bundle(const struct image_code *, size_t n);
struct blob image_portable(const struct image *);

#endif
