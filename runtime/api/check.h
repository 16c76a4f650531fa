/* check.h - PTXAMD_CHECK: no failing call goes unnoticed. */
#ifndef CHECK_H
#define CHECK_H

#include "trace.h"

bool check_wanted(void);
/* a call that the program made has failed; the line tells of it */
void check_failure(const struct trace_row *, const struct line *);

#endif
