/* compile.h - a program's code for a machine: from the cache, else compiled.
 */
#ifndef COMPILE_H
#define COMPILE_H

#include "cache.h"
#include "host.h"
#include "mark.h"
#include "program.h"

/* As struct jit's functions of these names have it, with the program's own
 * options.  data 0: *err is CUDA_ERROR_JIT_COMPILER_NOT_FOUND or
 * CUDA_ERROR_INVALID_PTX, and the log says what is wrong.  Any thread. */
struct blob compile_host(const struct program *, const char *kernel,
	struct host_shape, struct text *log, CUresult *err);
/* … of kernel alone, or (0) of the variables; where the program deals with
 * addresses of functions (program->pointers), of all kernels and variables */
struct blob compile_amdgpu(const struct program *, const char *kernel,
	const char *arch, struct text *log, CUresult *err);
/* is it in the cache? */
bool compile_has_host(const struct program *, const char *kernel,
	struct host_shape);
bool compile_has_amdgpu(const struct program *, const char *kernel,
	const char *arch);

/* outlines, in the same cache */
extern const struct outline_store compile_outlines;

/* their keys, and what those are made of */
struct cache_key compile_key_host(const struct program *, const char *kernel,
	struct host_shape, struct mark *);
struct cache_key compile_key_amdgpu(const struct program *,
	const char *kernel, const char *arch, struct mark *);

/* what came of a compilation, or of a look into the cache */
struct compile_event {
	const struct program *program;
	const char *kernel;     /* 0: the variables */
	const char *arch;       /* 0: this CPU */
	const void *code;       /* 0: it was refused */
	size_t size;
	bool cached;
	uint64_t ns;            /* that it took */
};

/* fn will be told of all of them, on any thread; 0: nobody */
void compile_watch(void (*fn)(const struct compile_event *));

/* the shape of blocks for which a kernel is compiled before its first launch
 * is known: what most are launched with */
struct host_shape compile_shape(const struct func *);
/* the block that a directive ("reqntid") demands; false: there is none */
bool compile_demands(const struct func *, const char *directive,
	uint32_t n[3]);
/* does a module have variables, whose object is a kernel's of no name? */
bool compile_has_data(const struct ptx *);

#endif
