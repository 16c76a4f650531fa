/* program.h - what a CUDA module is made from.
 *
 * cuModuleLoadData and its relatives take PTX text, fat binaries (with PTX
 * plain, LZ4 or ZSTD), our portable images, code objects and offload bundles.
 * A program holds whichever of PTX and ready code was found.  No LLVM here.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "cuda_api.h"
#include "image.h"
#include "ptx.h"
#include "text.h"

struct program;
struct whole;

/* where outlines are kept from run to run; see program_outline.c */
struct outline_store {
	/* data 0: there is none */
	struct blob (*get)(const struct program *);
	void (*put)(const struct program *, const void *, size_t);
};

struct program {
	struct ptx x;        /* parsed, verified, through the passes; of an
	                      * outline, functions have no instructions */
	bool has_ptx;
	struct whole *whole; /* 0: x is no outline */
	bool pointers;       /* it deals with addresses of functions: all of
	                      * its kernels need one image */
	char *text;          /* of x */
	struct image image;  /* ready code; kind IMAGE_NONE: none */
	void *data;          /* a copy of what image points into */
	int level;           /* -O, by CU_JIT_OPTIMIZATION_LEVEL: 3 */
	bool fmad, line_info;
	struct { uint64_t h[2]; } id; /* a hash of text and what changed it */

	/* of options alone: */
	unsigned sm;         /* compute capability of the device, 86; 0: any.
	                      * A fat binary's best code up to it is taken */
	const char *arch;    /* of the device: "gfx1100", "host"; may be 0 */
	const char *file;    /* the name in messages; 0: "ptx" */
	/* what a kernel without .maxnreg, .maxntid, .minnctapersm (or every
	 * kernel, if override is set) is given; 0: nothing */
	unsigned max_registers, max_threads, min_blocks;
	bool override;
	bool force_jit;      /* PTX rather than ready code: CUDA_FORCE_JIT */
	bool no_jit;         /* ready code alone: CUDA_DISABLE_JIT */
	const struct outline_store *outlines; /* 0: all is parsed at once */
};

/* what nvcc's host code registers, and program_load takes */
struct wrapper {
	uint32_t magic, version;
	const void *data;       /* a fat binary */
	const void *const *prelinked; /* version 2: fat binaries that are to
	                         * be linked, ends in 0; else a name */
};

enum { WRAPPER_MAGIC = 0x466243b1, WRAPPER_PRELINKED = 2 };

/* size 0: data says itself how long it is (PTX ends in NUL; ELF, fat binaries
 * and bundles have sizes).  The log gets what the parser says.  options may
 * be 0.  Returns CUDA_ERROR_INVALID_IMAGE, _INVALID_PTX,
 * _NO_BINARY_FOR_GPU, _UNSUPPORTED_PTX_VERSION … */
CUresult program_load(struct program **, const void *data, size_t size,
	const struct program *options, struct text *log);
void program_free(struct program *);
/* with the instructions of functions, for those who compile; 0: out of memory.
 * Any thread; it lives as long as the program. */
const struct ptx *program_whole(const struct program *);
/* of an entry's parameters: 0 beyond the last */
bool program_param(const struct program *, const char *kernel, size_t index,
	size_t *offset, size_t *size);
/* the kernel of that name; 0: none, or it is only in ready code */
const struct func *program_kernel(const struct program *, const char *name);

#endif
