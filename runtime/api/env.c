/* env.c - settings by environment variables, and what is told on stderr. */
#include "api.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
env_flag(const char *name)
{
	const char *s = getenv(name);

	return s && *s && strcmp(s, "0") != 0;
}

const char *
env_text(const char *name)
{
	const char *s = getenv(name);

	return s && *s ? s : 0;
}

void
rt_log(const char *fmt, ...)
{
	char line[1024];
	va_list ap;
	int n;

	if (!env_flag("PTXAMD_LOG"))
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n > 0) /* in one write, so that threads do not mix */
		fprintf(stderr, "ptx-amd: %s\n", line);
}

CUresult
rt_refuse(const char *function, atomic_bool *told)
{
	if (!atomic_exchange_explicit(told, true, memory_order_relaxed))
		rt_log("%s is not supported", function);
	return CUDA_ERROR_NOT_SUPPORTED;
}
