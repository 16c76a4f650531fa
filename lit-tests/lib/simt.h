/* simt.h - a block of threads on this CPU that runs as warps of 32 do.
 *
 * For tests: what the emitter makes for a GPU is executed without one.
 * simt_target() is target_scalar with lanes that meet; simt_prepare() numbers
 * the places where they do; simt_launch() runs compiled code.
 */
#ifndef SIMT_H
#define SIMT_H

#include "emit/emit_int.h"
#include "launch.h"

enum { SIMT_WARP = 32 };

/* where threads stop: as arguments of simt_stop() in compiled code */
enum simt_stop {
	SIMT_BLOCK,     /* a basic block begins */
	SIMT_SHUFFLE,   /* b: the lane asked */
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
/* which of %tid, %ctaid …, comp of it */
uint32_t simt_sreg(uint32_t sreg, uint32_t comp);

/* target.c */
const struct target *simt_target(void);
/* order.c: puts the stops of blocks and calls into m, numbers all */
void simt_prepare(LLVMModuleRef m);

/* simt.c */
struct simt_launch {
	void (*kernel)(void *block); /* parameters, then struct launch */
	void *block;
	struct launch *launch;  /* inside block */
	void *shared;           /* of the block of threads */
	size_t nshared;
	uint64_t limit;         /* stops before it is called endless */
};

/* 0, or why it failed */
const char *simt_run(const struct simt_launch *);

#endif
