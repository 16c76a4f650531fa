/* mbarrier.h - what asynchronous copies need of mbarrier.c. */
#ifndef MBARRIER_H
#define MBARRIER_H

#include "emit_int.h"

/* one thread arrives at the mbarrier at p */
void emit_mbar_come(struct emit *, LLVMValueRef p);
/* bytes (i32) of the transactions that it waits for are done */
void emit_mbar_done(struct emit *, LLVMValueRef p, LLVMValueRef bytes);

#endif
