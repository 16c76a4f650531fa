/* proc.c - entry points by name and version: cuGetProcAddress. */
#include "api.h"
#include <string.h>

/* the newest form that a program of that version knows; *known: the name is
 * one of ours */
static const struct row *
find(const char *name, int version, bool *known)
{
	const struct row *best = 0;
	size_t i;

	*known = false;
	for (i = 0; i < row_count; i++) {
		const struct row *r = &row_list[i];

		if (strcmp(r->name, name) != 0)
			continue;
		*known = true;
		if (r->version <= version
			&& (!best || r->version > best->version))
			best = r;
	}
	return best;
}

CUresult
cuGetProcAddress_v2(const char *symbol, void **pfn, int version,
	uint64_t flags, CUdriverProcAddressQueryResult *result)
{
	const uint64_t both = CU_GET_PROC_ADDRESS_LEGACY_STREAM
		| CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
	enum { PER_THREAD_VERSION = 7000 };
	const struct row *r;
	any_fn *fn;
	bool known;

	if (!symbol || !pfn || (flags & ~both) || flags == both)
		return CUDA_ERROR_INVALID_VALUE;
	*pfn = 0;
	r = find(symbol, version, &known);
	if (result)
		*result = r ? CU_GET_PROC_ADDRESS_SUCCESS
			: known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
			: CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	if (!r)
		return result ? 0 : CUDA_ERROR_NOT_FOUND;
	fn = r->call;
	if ((flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		&& r->per_thread && version >= PER_THREAD_VERSION)
		fn = r->per_thread;
	memcpy(pfn, &fn, sizeof fn);
	return 0;
}

CUresult
cuGetProcAddress(const char *symbol, void **pfn, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(symbol, pfn, version, flags, 0);
}

/* Tables of functions without a manual, for NVIDIA's own libraries.  We have
 * none: those that exist let NVIDIA's runtime check that the driver is
 * NVIDIA's, which we are not. */
CUresult
cuGetExportTable(const void **table, const CUuuid *id)
{
	if (!table || !id)
		return CUDA_ERROR_INVALID_VALUE;
	*table = 0;
	return CUDA_ERROR_NOT_FOUND;
}
