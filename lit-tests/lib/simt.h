/* simt.h - a block of threads on this CPU that runs as warps of 32 do.
 *
 * For tests: what the emitter makes for a GPU is executed without one.
 */
#ifndef SIMT_H
#define SIMT_H

#include "emit/emit_int.h"
#include "launch.h"

enum {
	SIMT_WARP = 32,
	SIMT_THREADS = 1024,           /* of a block, at most */
	SIMT_SHARED_AS = 3,            /* LLVM's address space */
};

/* where memory is mapped: shared addresses fit in 32 bits, as PTX has them */
#define SIMT_SHARED      UINT64_C(0x30000000)
#define SIMT_SHARED_SIZE UINT64_C(0x100000)
#define SIMT_STACK_SIZE  UINT64_C(0x100000)
#define SIMT_STACKS      UINT64_C(0x400000000000)
#define SIMT_STACKS_SIZE (SIMT_THREADS * SIMT_STACK_SIZE)

/* where threads stop: as arguments of simt_stop() in compiled code */
enum simt_stop {
	SIMT_BLOCK,     /* a basic block begins */
	SIMT_SHUFFLE,   /* a, of the lane b */
	SIMT_BALLOT,    /* a: 0 or 1 */
	SIMT_CONVERGE,
	SIMT_BARRIER,   /* of the thread block */
	SIMT_ENTER,     /* a call: what follows happens inside it */
	SIMT_LEAVE,     /* … and is over */
	SIMT_TRAP,      /* the launch fails */
};

/* called by compiled code; place: where, in an order in which every join of
 * ways comes after all of them and a loop's exit after the loop */
uint32_t simt_stop(uint32_t kind, uint32_t place, uint32_t a, uint32_t b);
/* %tid, %ctaid: comp of it; %laneid */
uint32_t simt_sreg(uint32_t sreg, uint32_t comp);

/* target.c */
extern const struct target simt_target;

/* order.c: puts the stops of blocks and calls into m, numbers all; place: of
 * the first; gives the next */
unsigned simt_prepare(LLVMModuleRef m, unsigned place);

/* jit.c: all kernels of a module, compiled with -O level; 0: x has
 * diagnostics */
struct simt_code;
struct simt_code *simt_compile(struct ptx *, int level);
void simt_free(struct simt_code *);
/* runs a kernel on ntid threads in each of nctaid blocks of one dimension;
 * 0, or why it failed */
const char *simt_launch(struct simt_code *, const char *kernel,
	const void *param, size_t nparam, uint32_t nctaid, uint32_t ntid,
	uint32_t shared_dynamic);

/* simt.c; block: parameters, then struct launch */
const char *simt_run(void (*kernel)(void *), void *block,
	const struct launch *);

#endif
