/* stdout.c - what a tool prints arrives, or the tool fails. */
#define _GNU_SOURCE
#include "ptx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
check(void)
{
	int failed = ferror(stdout);

	if (!fflush(stdout) && !failed)
		return;
	fprintf(stderr, "%s: cannot write to standard output: %s\n",
		program_invocation_short_name, strerror(errno));
	_exit(1);
}

void
stdout_check(void)
{
	atexit(check);
}
