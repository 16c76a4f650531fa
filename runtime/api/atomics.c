/* atomics.c - what devices' atomic operations can do beyond their own memory.
 *
 * Where a device's memory is the host's, everything it can do at all; else
 * nothing.
 */
#include "api.h"

enum {
	WHOLE = CU_ATOMIC_CAPABILITY_SIGNED | CU_ATOMIC_CAPABILITY_UNSIGNED,
	BOTH = CU_ATOMIC_CAPABILITY_SCALAR_32 | CU_ATOMIC_CAPABILITY_SCALAR_64,
	RED = CU_ATOMIC_CAPABILITY_REDUCTION,
};

static const unsigned can[CU_ATOMIC_OPERATION_MAX] = {
	[CU_ATOMIC_OPERATION_INTEGER_ADD] = WHOLE | BOTH | RED,
	[CU_ATOMIC_OPERATION_INTEGER_MIN] = WHOLE | BOTH | RED,
	[CU_ATOMIC_OPERATION_INTEGER_MAX] = WHOLE | BOTH | RED,
	[CU_ATOMIC_OPERATION_INTEGER_INCREMENT] =
		CU_ATOMIC_CAPABILITY_UNSIGNED | RED |
		CU_ATOMIC_CAPABILITY_SCALAR_32,
	[CU_ATOMIC_OPERATION_INTEGER_DECREMENT] =
		CU_ATOMIC_CAPABILITY_UNSIGNED | RED |
		CU_ATOMIC_CAPABILITY_SCALAR_32,
	[CU_ATOMIC_OPERATION_AND] = CU_ATOMIC_CAPABILITY_UNSIGNED | BOTH | RED,
	[CU_ATOMIC_OPERATION_OR] = CU_ATOMIC_CAPABILITY_UNSIGNED | BOTH | RED,
	[CU_ATOMIC_OPERATION_XOR] = CU_ATOMIC_CAPABILITY_UNSIGNED | BOTH | RED,
	[CU_ATOMIC_OPERATION_EXCHANGE] = CU_ATOMIC_CAPABILITY_UNSIGNED | BOTH,
	[CU_ATOMIC_OPERATION_CAS] = CU_ATOMIC_CAPABILITY_UNSIGNED | BOTH,
	[CU_ATOMIC_OPERATION_FLOAT_ADD] = BOTH | RED,
};

static CUresult
tell(unsigned *out, const CUatomicOperation *op, unsigned n, bool shared)
{
	unsigned i;

	if (!out || !op || !n)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n; i++)
		if ((unsigned)op[i] >= CU_ATOMIC_OPERATION_MAX)
			return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n; i++)
		out[i] = shared ? can[op[i]] : 0;
	return CUDA_SUCCESS;
}

CUresult
cuDeviceGetHostAtomicCapabilities(unsigned *out, const CUatomicOperation *op,
	unsigned n, CUdevice dev)
{
	const struct device *d = device_of(dev);

	return d ? tell(out, op, n, d->info.host_visible) :
		CUDA_ERROR_INVALID_DEVICE;
}

CUresult
cuDeviceGetP2PAtomicCapabilities(unsigned *out, const CUatomicOperation *op,
	unsigned n, CUdevice from, CUdevice to)
{
	const struct device *a = device_of(from), *b = device_of(to);

	if (!a || !b || a == b)
		return CUDA_ERROR_INVALID_DEVICE;
	return tell(out, op, n, a->info.host_visible && b->info.host_visible);
}
