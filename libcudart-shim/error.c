/* error.c - errors: a thread's last one, names and texts.
 *
 * It is forgotten when it has been asked for, whatever it is: what a fault
 * leaves in a context comes again from the next call.
 */
#include "rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local struct thread rt_thread;

cudaError_t
error_set(cudaError_t e)
{
	return rt_thread.last = e;
}

cudaError_t
error_refuse(const char *function, atomic_bool *told)
{
	const char *log = getenv("PTXAMD_LOG");

	if (log && *log && strcmp(log, "0") != 0 &&
	    !atomic_exchange(told, true))
		fprintf(stderr, "ptx-amd: %s is not supported\n", function);
	return cudaErrorNotSupported;
}

cudaError_t
cudaGetLastError(void)
{
	cudaError_t e = rt_thread.last;

	rt_thread.last = 0;
	return e;
}

cudaError_t
cudaPeekAtLastError(void)
{
	return rt_thread.last;
}

struct row {
	int number;
	const char *name, *text;
};

static const struct row *
find(cudaError_t e)
{
	static const struct row rows[] = {
#define RT_ERROR(name, number, text) { number, "cudaError" #name, text },
#include "error.def"
#undef RT_ERROR
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].number == (int)e)
			return &rows[i];
	return 0;
}

const char *
cudaGetErrorName(cudaError_t e)
{
	const struct row *r = find(e);

	if (!e)
		return "cudaSuccess";
	return r ? r->name : "unrecognized error code";
}

const char *
cudaGetErrorString(cudaError_t e)
{
	const struct row *r = find(e);
	const char *text;

	if (!r)
		return "unrecognized error code";
	if (r->text)
		return r->text;
	return cuGetErrorString((CUresult)e, &text) ? "unknown error" : text;
}
