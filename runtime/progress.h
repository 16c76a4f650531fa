/* progress.h - a line on a terminal while compiling takes long. */
#ifndef PROGRESS_H
#define PROGRESS_H

/* From now on there may be one: on stderr, if that is a terminal, after two
 * seconds (or PTXAMD_PROGRESS of them), unless PTXAMD_QUIET=1. */
void progress_enable(void);
/* around each compilation; any thread */
void progress_begin(void);
void progress_end(void);
/* so many more (or fewer) will follow */
void progress_expect(long n);

#endif
