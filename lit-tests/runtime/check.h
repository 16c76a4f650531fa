/* check.h - for test programs: calls that must answer what is said. */
#ifndef CHECK_H
#define CHECK_H

#include "cuda_fn.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int check_count, check_bad;

static inline void
check(const char *file, int line, const char *what, long long is,
	long long want)
{
	check_count++;
	if (is == want)
		return;
	check_bad++;
	printf("%s:%d: %s is %lld, not %lld\n", file, line, what, is, want);
}

/* a call, and the CUresult that it must answer; a value, and what it must be */
#define IS(call, want) \
	check(__FILE__, __LINE__, #call, (long long)(call), (long long)(want))
#define OK(call) IS(call, 0)
#define TRUE(what) IS(!(what), 0)

static inline int
check_end(void)
{
	printf("%d checks, %d wrong\n", check_count, check_bad);
	return check_bad != 0;
}

#endif
