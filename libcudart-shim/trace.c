/* trace.c - what the driver's trace needs to tell of this library's calls. */
#include "rt.h"
#include "trace_row.h"

#include "trace/runtime.inc"

static const char *
error_name(int r)
{
	return cudaGetErrorName((cudaError_t)r);
}

/* of a kernel's stub, or of a variable of the host's */
static const char *
symbol(const void *p)
{
	const struct entry *e = registry_find(p);

	return e ? e->name : 0;
}

const struct trace_lib rt_trace = {
	.name = "runtime",
	.type = type_list, .ntype = sizeof type_list / sizeof *type_list,
	.result = "cudaError_t", .error = error_name, .symbol = symbol,
	.not_ready = cudaErrorNotReady,
};
