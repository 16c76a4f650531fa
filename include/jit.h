/* jit.h - libptxjit.so: the compiler, for programs that hold no LLVM.
 *
 * The library exports one symbol, ptxjit, a const struct jit.  It is of the
 * same build as the front end that parsed the module, or refuses: compare
 * build with PTXAMD_BUILD and size with sizeof.  Everything may be called from
 * several threads at once, also on one module, which is only read.  LLVM's
 * errors become diagnostics; nothing exits, aborts, prints, or leaves signal
 * handlers behind.
 */
#ifndef JIT_H
#define JIT_H

#include "host.h"
#include "image.h"
#include "ptx.h"

struct jit_options {
	int level;            /* 0 to 3 */
	bool fmad, line_info; /* as struct emit_options has them */
	diag_fn *diag;        /* in place of the module's own */
	void *diag_arg;
};

struct jit {
	uint32_t size;        /* of this struct */
	const char *build;

	/* The object of one kernel for blocks of this shape, for this CPU;
	 * x went through the passes.  kernel 0: the object that defines the
	 * module's variables, and the functions whose addresses stand in
	 * them.  data 0: refused, with diagnostics that name kernel, line and
	 * instruction.  The text of the CPU's name and features decides the
	 * code too: cpu(). */
	struct blob (*host)(struct ptx *x, const struct jit_options *,
		const char *kernel, struct host_shape);
	const char *(*cpu)(void); /* "znver4 +avx512f,…"; static */

	/* A code object for an AMD GPU of all kernels of x that are
	 * translated, *nkernel of them; jobs units at a time.  Diagnostics
	 * tell of the others. */
	struct blob (*amdgpu)(struct ptx *x, const struct jit_options *,
		const char *arch, int jobs, size_t *nkernel);
	/* … of one kernel, or (0) of the variables, as compile_part of emit.h
	 * has it */
	struct blob (*amdgpu_part)(struct ptx *x, const struct jit_options *,
		const char *arch, const char *kernel);
};

extern const struct jit ptxjit;

#endif
