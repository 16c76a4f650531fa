/* compile.h - a program's code for a machine: from the cache, else compiled.
 */
#ifndef COMPILE_H
#define COMPILE_H

#include "host.h"
#include "program.h"

/* As struct jit's functions of these names have it, with the program's own
 * options.  data 0: *err is CUDA_ERROR_JIT_COMPILER_NOT_FOUND or
 * CUDA_ERROR_INVALID_PTX, and the log says what is wrong.  Any thread. */
struct blob compile_host(const struct program *, const char *kernel,
	struct host_shape, struct text *log, CUresult *err);
struct blob compile_amdgpu(const struct program *, const char *arch,
	struct text *log, CUresult *err);

#endif
