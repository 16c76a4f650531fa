#define _GNU_SOURCE /* on_exit */
/* check.c - PTXAMD_CHECK: no failing call goes unnoticed.
 *
 * The first call of the program's that fails is told on stderr with its
 * arguments, and a program that ends as if all was well ends with 1.
 */
#include "check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 1 };

static atomic_bool told;

bool
check_wanted(void)
{
	return env_flag("PTXAMD_CHECK");
}

/* calls whose failure is an answer that programs ask for, or one that was
 * given before */
static bool
may_fail(const char *name)
{
	static const char *const names[] = {
		"cuGetProcAddress", "cuGetProcAddress_v2", "cuGetExportTable",
		"cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion",
		"cuPointerGetAttribute", "cuPointerGetAttributes",
		"cuCtxEnablePeerAccess", "cudaDeviceEnablePeerAccess",
		"cudaGetLastError", "cudaPeekAtLastError",
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* what else is to be done at the exit is done then, with this status */
static void
at_exit(int status, void *arg)
{
	(void)arg;
	if (!status)
		exit(FAILED);
}

void
check_failure(const struct trace_row *row, const struct line *l)
{
	size_t from = 0, n = l->size;

	if (may_fail(row->name) || atomic_exchange(&told, true))
		return;
	on_exit(at_exit, 0);
	while (from < n && l->data[from] == ' ')
		from++;
	while (n > from && l->data[n - 1] == '\n')
		n--;
	fprintf(stderr, "ptx-amd: the first call that fails: %.*s\n",
		(int)(n - from), l->data + from);
}
