/* device.c - what can be asked of a device. */
#include "api.h"
#include <stdio.h>
#include <string.h>

CUresult
cuDeviceGetCount(int *count)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = rt.ndevice;
	return 0;
}

CUresult
cuDeviceGet(CUdevice *dev, int ordinal)
{
	if (!dev)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_of(ordinal))
		return CUDA_ERROR_INVALID_DEVICE;
	*dev = ordinal;
	return 0;
}

CUresult
cuDeviceGetName(char *name, int len, CUdevice dev)
{
	const struct device *d = device_of(dev);

	if (!name || len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(name, (size_t)len, "%s", d->name);
	return 0;
}

CUresult
cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
	const struct device *d = device_of(dev);

	if (!uuid)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	memcpy(uuid->bytes, d->info.uuid, sizeof uuid->bytes);
	return 0;
}

CUresult
cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	return cuDeviceGetUuid_v2(uuid, dev);
}

CUresult
cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
	const struct device *d = device_of(dev);

	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	*bytes = d->info.memory;
	return 0;
}

CUresult
cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	const struct device *d = device_of(dev);

	if (!major || !minor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	*major = d->major;
	*minor = d->minor;
	return 0;
}

CUresult
cuDeviceGetPCIBusId(char *text, int len, CUdevice dev)
{
	const struct device *d = device_of(dev);
	int n;

	if (!text || len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	n = snprintf(text, (size_t)len, "%04X:%02X:%02X.0",
		(unsigned)d->info.pci_domain, (unsigned)d->info.pci_bus,
		(unsigned)d->info.pci_device);
	return n < len ? 0 : CUDA_ERROR_INVALID_VALUE;
}

/* [domain:]bus:device[.function], all hexadecimal */
CUresult
cuDeviceGetByPCIBusId(CUdevice *dev, const char *text)
{
	unsigned domain = 0, bus, device, function = 0;
	int i, end = 0;

	if (!dev || !text)
		return CUDA_ERROR_INVALID_VALUE;
	if (sscanf(text, "%x:%x:%x%n", &domain, &bus, &device, &end) != 3) {
		domain = 0;
		if (sscanf(text, "%x:%x%n", &bus, &device, &end) != 2)
			return CUDA_ERROR_INVALID_VALUE;
	}
	if (text[end] && (text[end] != '.'
		|| sscanf(text + end + 1, "%x", &function) != 1))
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < rt.ndevice && function == 0; i++) {
		const struct dev_info *p = &rt.device[i].info;

		if ((unsigned)p->pci_domain == domain
			&& (unsigned)p->pci_bus == bus
			&& (unsigned)p->pci_device == device) {
			*dev = i;
			return 0;
		}
	}
	return CUDA_ERROR_INVALID_DEVICE;
}

/* LUIDs are of Windows */
CUresult
cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice dev)
{
	if (!luid || !mask)
		return CUDA_ERROR_INVALID_VALUE;
	return device_of(dev) ? CUDA_ERROR_NOT_SUPPORTED
		: CUDA_ERROR_INVALID_DEVICE;
}

/* no context on some of the multiprocessors */
CUresult
cuDeviceGetExecAffinitySupport(int *yes, CUexecAffinityType type, CUdevice dev)
{
	if (!yes || (unsigned)type >= CU_EXEC_AFFINITY_TYPE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_of(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*yes = 0;
	return 0;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

CUresult
cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev)
{
	const struct device *d = device_of(dev);
	const struct dev_info *i;

	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!d)
		return CUDA_ERROR_INVALID_DEVICE;
	i = &d->info;
	switch ((int)attribute) {
#define ATTR(name, number, is) case number: *value = (int)(is); return 0;
#define ALIAS(name, number)
#include "attr.def"
#undef ATTR
#undef ALIAS
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuDeviceGetProperties(CUdevprop *p, CUdevice dev)
{
	CUdevprop q;
	const struct { CUdevice_attribute a; int *to; } list[] = {
#define GET(name, member) { CU_DEVICE_ATTRIBUTE_##name, &q.member },
		GET(MAX_THREADS_PER_BLOCK, maxThreadsPerBlock)
		GET(MAX_BLOCK_DIM_X, maxThreadsDim[0])
		GET(MAX_BLOCK_DIM_Y, maxThreadsDim[1])
		GET(MAX_BLOCK_DIM_Z, maxThreadsDim[2])
		GET(MAX_GRID_DIM_X, maxGridSize[0])
		GET(MAX_GRID_DIM_Y, maxGridSize[1])
		GET(MAX_GRID_DIM_Z, maxGridSize[2])
		GET(MAX_SHARED_MEMORY_PER_BLOCK, sharedMemPerBlock)
		GET(TOTAL_CONSTANT_MEMORY, totalConstantMemory)
		GET(WARP_SIZE, SIMDWidth)
		GET(MAX_PITCH, memPitch)
		GET(MAX_REGISTERS_PER_BLOCK, regsPerBlock)
		GET(CLOCK_RATE, clockRate)
		GET(TEXTURE_ALIGNMENT, textureAlign)
#undef GET
	};
	CUresult r = 0;
	size_t i;

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < sizeof list / sizeof *list && !r; i++)
		r = cuDeviceGetAttribute(list[i].to, list[i].a, dev);
	if (!r)
		*p = q;
	return r;
}
