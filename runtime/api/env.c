/* env.c - settings by environment variables, and what is told on stderr. */
#include "logs.h"
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

/* in one write, so that threads do not mix */
static void
print(const char *fmt, va_list ap)
{
	char line[1024];

	if (vsnprintf(line, sizeof line, fmt, ap) > 0)
		fprintf(stderr, "ptx-amd: %s\n", line);
}

void
rt_log(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	logs_add(CU_LOG_LEVEL_ERROR, fmt, ap);
	va_end(ap);
	if (!env_flag("PTXAMD_LOG"))
		return;
	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

void
rt_warn(const char *fmt, ...)
{
	va_list ap;

	if (env_flag("PTXAMD_QUIET"))
		return;
	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

CUresult
rt_refuse(const char *function, atomic_bool *told)
{
	if (!atomic_exchange_explicit(told, true, memory_order_relaxed))
		rt_log("%s is not supported", function);
	return CUDA_ERROR_NOT_SUPPORTED;
}
