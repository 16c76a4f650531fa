/* coredump.c - core dumps of devices: there are none.
 *
 * What is asked is answered so; what would switch them on is refused.
 */
#include "api.h"
#include <string.h>

/* one size fits bools, or names, or flags */
static size_t
size_of(CUcoredumpSettings s)
{
	switch (s) {
	case CU_COREDUMP_ENABLE_ON_EXCEPTION:
	case CU_COREDUMP_TRIGGER_HOST:
	case CU_COREDUMP_LIGHTWEIGHT:
	case CU_COREDUMP_ENABLE_USER_TRIGGER:
		return sizeof(_Bool);
	case CU_COREDUMP_GENERATION_FLAGS:
		return sizeof(unsigned);
	case CU_COREDUMP_FILE:
	case CU_COREDUMP_PIPE:
		return 1;
	default:
		return 0;
	}
}

static bool
is_text(CUcoredumpSettings s)
{
	return s == CU_COREDUMP_FILE || s == CU_COREDUMP_PIPE;
}

CUresult
cuCoredumpGetAttributeGlobal(CUcoredumpSettings s, void *out, size_t *size)
{
	size_t n = size_of(s);

	if (!n || !out || !size || (is_text(s) ? *size < n : *size != n))
		return CUDA_ERROR_INVALID_VALUE;
	memset(out, 0, n);
	if (s == CU_COREDUMP_TRIGGER_HOST)
		*(_Bool *)out = true;
	return CUDA_SUCCESS;
}

CUresult
cuCoredumpGetAttribute(CUcoredumpSettings s, void *out, size_t *size)
{
	return cuCoredumpGetAttributeGlobal(s, out, size);
}

/* what is off stays off */
CUresult
cuCoredumpSetAttributeGlobal(CUcoredumpSettings s, void *in, size_t *size)
{
	static const char off[sizeof(unsigned)];
	size_t n = size_of(s);

	if (s == CU_COREDUMP_TRIGGER_HOST && in && size && *size == n)
		return CUDA_SUCCESS; /* of dumps that there are not */

	if (!n || !in || !size || (!is_text(s) && *size != n))
		return CUDA_ERROR_INVALID_VALUE;
	return memcmp(in, off, n) == 0 ? CUDA_SUCCESS :
		CUDA_ERROR_NOT_SUPPORTED;
}

CUresult
cuCoredumpSetAttribute(CUcoredumpSettings s, void *in, size_t *size)
{
	return cuCoredumpSetAttributeGlobal(s, in, size);
}
