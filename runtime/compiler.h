/* compiler.h - where the compiler is: libptxjit.so, loaded when needed. */
#ifndef COMPILER_H
#define COMPILER_H

#include "jit.h"
#include "text.h"

/* 0: it is not there or of another build, and the log says so.  It is looked
 * for beside this library, or is PTXAMD_JIT_LIBRARY.  Any thread. */
const struct jit *jit_find(struct text *log);
/* the file that it is, or would be; "": nowhere */
void compiler_path(char *path, size_t size);
/* Around its use: at the exit of the process nobody is in the compiler any
 * more, and nobody gets in, so that its memory may go. */
void jit_enter(void);
void jit_leave(void);

#endif
