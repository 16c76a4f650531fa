/* logs.h - what went wrong, for cuLogs*. */
#ifndef LOGS_H
#define LOGS_H

#include "api.h"
#include <stdarg.h>

void logs_add(CUlogLevel, const char *fmt, va_list);
/* an answer of the API that is not CUDA_SUCCESS */
void logs_answer(const char *function, CUresult);

#endif
