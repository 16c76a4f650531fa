/* hip_device.c - devices, and errors.
 *
 * PTXAMD_EMU_ARCH=gfx1100 says what the devices are, PTXAMD_EMU_DEVICES=2 how
 * many.
 */
#include "hip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	pthread_once_t once;
	const struct gpu *gpu;
	int count;
} devices = { .once = PTHREAD_ONCE_INIT };

static _Thread_local int current, last_error;

static void
find(void)
{
	const char *arch = getenv("PTXAMD_EMU_ARCH");
	const char *count = getenv("PTXAMD_EMU_DEVICES");

	devices.gpu = gpu_find(arch && *arch ? arch : "gfx1100");
	devices.count = count && *count ? atoi(count) : 1;
	if (devices.count < 0 || devices.count > MAX_DEVICES)
		devices.count = MAX_DEVICES;
	if (!devices.gpu) {
		fprintf(stderr, "emulator: unknown PTXAMD_EMU_ARCH \"%s\"\n",
			arch);
		devices.count = 0;
	}
}

const struct gpu *
device_gpu(void)
{
	pthread_once(&devices.once, find);
	return devices.gpu;
}

int
device_count(void)
{
	pthread_once(&devices.once, find);
	return devices.count;
}

int
device_current(void)
{
	return current;
}

int
hip_result(int error)
{
	if (error && error != hipErrorNotReady)
		last_error = error;
	return error;
}

int
hipInit(unsigned flags)
{
	if (flags)
		return hip_result(hipErrorInvalidValue);
	return hip_result(device_count() ? hipSuccess : hipErrorNoDevice);
}

int
hipDriverGetVersion(int *v)
{
	*v = 60200000;
	return hipSuccess;
}

int
hipRuntimeGetVersion(int *v)
{
	return hipDriverGetVersion(v);
}

int
hipGetDeviceCount(int *n)
{
	*n = device_count();
	return hip_result(*n ? hipSuccess : hipErrorNoDevice);
}

int
hipSetDevice(int i)
{
	if (i < 0 || i >= device_count())
		return hip_result(hipErrorInvalidDevice);
	current = i;
	return hipSuccess;
}

int
hipGetDevice(int *i)
{
	if (!device_count())
		return hip_result(hipErrorNoDevice);
	*i = current;
	return hipSuccess;
}

static int
attribute(int a, int device)
{
	int units = (int)sysconf(_SC_NPROCESSORS_ONLN);

	switch (a) {
	case HIP_COOPERATIVE_LAUNCH:
	case HIP_MANAGED:
	case HIP_UNIFIED_ADDRESSING:
	case HIP_CAN_WAIT_VALUE:
		return 1;
	case HIP_CLOCK_RATE:
	case HIP_MEMORY_CLOCK:
		return 1000000;
	case HIP_L2_SIZE:
		return 1 << 22;
	case HIP_MAJOR:
		return device_gpu()->generation;
	case HIP_MAX_BLOCK_X:
	case HIP_MAX_BLOCK_Y:
	case HIP_MAX_BLOCK_Z:
	case HIP_MAX_THREADS_BLOCK:
		return 1024;
	case HIP_MAX_GRID_X:
		return 0x7fffffff;
	case HIP_MAX_GRID_Y:
	case HIP_MAX_GRID_Z:
		return 65535;
	case HIP_MAX_THREADS_UNIT:
		return 2048;
	case HIP_BUS_WIDTH:
		return 256;
	case HIP_UNITS:
		return units < 1 ? 1 : units;
	case HIP_PCI_BUS:
		return device + 1;
	case HIP_REGISTERS_BLOCK:
		return 65536;
	case HIP_SHARED_BLOCK:
	case HIP_SHARED_UNIT:
		return 65536;
	case HIP_WARP:
		return device_gpu()->wave32 ? 32 : 64;
	}
	return 0;
}

int
hipDeviceGetAttribute(int *v, int a, int device)
{
	if (device < 0 || device >= device_count())
		return hip_result(hipErrorInvalidDevice);
	*v = attribute(a, device);
	return hipSuccess;
}

int
hipDeviceGetUuid(void *uuid, int device)
{
	if (device < 0 || device >= device_count())
		return hip_result(hipErrorInvalidDevice);
	memset(uuid, 0, 16);
	strncpy(uuid, device_gpu()->name, 14);
	((char *)uuid)[15] = (char)('0' + device);
	return hipSuccess;
}

static uint64_t
memory_size(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE);
}

/* the members that both layouts of the properties begin with */
static void
describe(char *p, size_t memory_at, size_t warp_at, size_t arch_at)
{
	uint64_t memory = memory_size(), lds = 65536;
	int registers = 65536;
	int warp = attribute(HIP_WARP, 0);

	snprintf(p, 256, "AMD %s (emulated)", device_gpu()->name);
	memcpy(p + memory_at, &memory, 8);
	memcpy(p + memory_at + 8, &lds, 8);
	memcpy(p + memory_at + 16, &registers, 4);
	memcpy(p + warp_at, &warp, 4);
	snprintf(p + arch_at, HIP_ARCH_SIZE, "%s", device_gpu()->name);
}

int
hipGetDevicePropertiesR0600(void *p, int device)
{
	if (device < 0 || device >= device_count())
		return hip_result(hipErrorInvalidDevice);
	memset(p, 0, 1472);
	describe(p, 288, 308, HIP_ARCH_R0600);
	return hipSuccess;
}

int
hipGetDeviceProperties(void *p, int device)
{
	if (device < 0 || device >= device_count())
		return hip_result(hipErrorInvalidDevice);
	memset(p, 0, 792);
	describe(p, 256, 276, HIP_ARCH_R0000);
	return hipSuccess;
}

int
hipDeviceCanAccessPeer(int *can, int device, int peer)
{
	*can = device != peer;
	return hipSuccess;
}

int
hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
	if (flags || peer < 0 || peer >= device_count() || peer == current)
		return hip_result(hipErrorInvalidDevice);
	return hipSuccess;
}

int
hipGetLastError(void)
{
	int e = last_error;

	last_error = hipSuccess;
	return e;
}

int
hipPeekAtLastError(void)
{
	return last_error;
}

static const struct { int value; const char *name, *text; } error_list[] = {
#define HIP_ERROR(name, value, text) { value, #name, text },
#include "hip_error.def"
#undef HIP_ERROR
};

const char *
hipGetErrorString(int e)
{
	size_t i;

	for (i = 0; i < sizeof error_list / sizeof *error_list; i++)
		if (error_list[i].value == e)
			return error_list[i].text;
	return "unknown error";
}

const char *
hipGetErrorName(int e)
{
	size_t i;

	for (i = 0; i < sizeof error_list / sizeof *error_list; i++)
		if (error_list[i].value == e)
			return error_list[i].name;
	return "hipErrorUnknown";
}
