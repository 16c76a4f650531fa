/* peer.c - devices that use each other's memory.
 *
 * Where device memory is host memory, all devices can.  Copies between any
 * two devices of a kind need no leave.
 */
#include "api.h"

static bool
can_access(const struct device *a, const struct device *b)
{
	return a != b && a->ops == b->ops && a->info.host_visible
		&& b->info.host_visible;
}

CUresult
cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
	const struct device *a = device_of(dev), *b = device_of(peer);

	if (!can)
		return CUDA_ERROR_INVALID_VALUE;
	if (!a || !b)
		return CUDA_ERROR_INVALID_DEVICE;
	*can = can_access(a, b);
	return 0;
}

CUresult
cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute,
	CUdevice dev, CUdevice peer)
{
	const struct device *a = device_of(dev), *b = device_of(peer);

	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!a || !b || a == b)
		return CUDA_ERROR_INVALID_DEVICE;
	switch (attribute) {
	case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
	case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
		*value = can_access(a, b);
		return 0;
	case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
	case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
	case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
		*value = 0;
		return 0;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

static uint64_t
bit(const struct device *d)
{
	return 1ull << (d->index & 63);
}

CUresult
cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
	CUcontext c = context_current();
	CUresult r = 0;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is(peer))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!can_access(c->device, peer->device))
		return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	pthread_mutex_lock(&c->lock);
	if (c->peers & bit(peer->device))
		r = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	c->peers |= bit(peer->device);
	pthread_mutex_unlock(&c->lock);
	return r;
}

CUresult
cuCtxDisablePeerAccess(CUcontext peer)
{
	CUcontext c = context_current();
	CUresult r = 0;

	if (!context_is(peer))
		return CUDA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&c->lock);
	if (!(c->peers & bit(peer->device)))
		r = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
	c->peers &= ~bit(peer->device);
	pthread_mutex_unlock(&c->lock);
	return r;
}
