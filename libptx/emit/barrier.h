/* barrier.h - what barrier.c and named.c share. */
#ifndef BARRIER_H
#define BARRIER_H

#include "emit_int.h"

enum { NAMED = 16 };       /* barriers of a block (PTX 9.7.13.1) */

/* word k (i32) of the unit's words: NAMED barriers, NAMED sums, one that
 * counts the threads that have not ended */
LLVMValueRef emit_barrier_word(struct emit *, LLVMValueRef k);
/* a block for the threads for which p holds; go on at the one returned when
 * that block is closed by a branch to it */
LLVMBasicBlockRef emit_if(struct emit *, LLVMValueRef p);

/* named.c: this warp comes to barrier id, where count threads (0: all that
 * have not ended) meet, and waits for the others if wait is set */
void emit_named(struct emit *, LLVMValueRef id, LLVMValueRef count, bool wait);

#endif
