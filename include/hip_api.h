/* hip_api.h - HIP's binary interface, as much as we use, declared by
 * ourselves.
 *
 * It is found at run time with dlopen; nothing here needs AMD's headers.
 * Values and layouts are those that ROCm 5, 6 and 7 share, or as noted.
 */
#ifndef HIP_API_H
#define HIP_API_H

#include <stddef.h>

/* physical memory that is asked for, and who may use it */
struct hip_location {
	int type, id;
};

struct hip_memory {
	int type, handle_types;
	struct hip_location location;
	void *win32;
	unsigned char compression, rdma;
	unsigned short usage;
};

struct hip_access {
	struct hip_location location;
	int flags;
};

struct hip_name {
	char bytes[64];
};

enum { HIP_MEMORY_PINNED = 1, HIP_ON_A_DEVICE = 1, HIP_HANDLE_FD = 1,
	HIP_IPC_LAZY_PEER = 1 };

/* pointers to the functions: struct hip_api has a member for each */
struct hip_api {
#define HIP(name, params) int (*name) params;
#include "hip_api.def"
	/* may be 0 */
#include "hip_more.def"
#undef HIP
	/* of these the properties' layout: ROCm 6 and later have the first */
	int (*hipGetDevicePropertiesR0600)(void *, int device);
	int (*hipGetDeviceProperties)(void *, int device);
	const char *(*hipGetErrorString)(int);
	const char *(*hipGetErrorName)(int);
};

enum hip_error {
#define HIP_ERROR(name, value, text) name = value,
#include "hip_error.def"
#undef HIP_ERROR
};

/* where the properties have the name of the processor, and how large they
 * are at most */
enum {
	HIP_ARCH_R0600 = 1160, HIP_ARCH_R0000 = 396, HIP_ARCH_SIZE = 256,
	HIP_PROPERTIES_SIZE = 4096,
};

enum hip_attribute {
	HIP_COOPERATIVE_LAUNCH = 10, HIP_INTEGRATED = 16, HIP_L2_SIZE = 19,
	HIP_CLOCK_RATE = 5, HIP_MAJOR = 23, HIP_MANAGED = 24,
	HIP_MAX_BLOCK_X = 26, HIP_MAX_BLOCK_Y = 27, HIP_MAX_BLOCK_Z = 28,
	HIP_MAX_GRID_X = 29, HIP_MAX_GRID_Y = 30, HIP_MAX_GRID_Z = 31,
	HIP_MAX_THREADS_BLOCK = 56, HIP_MAX_THREADS_UNIT = 57,
	HIP_BUS_WIDTH = 59, HIP_MEMORY_CLOCK = 60, HIP_MINOR = 61,
	HIP_UNITS = 63, HIP_PCI_BUS = 67, HIP_PCI_DEVICE = 68,
	HIP_PCI_DOMAIN = 69, HIP_REGISTERS_BLOCK = 71,
	HIP_SHARED_BLOCK = 74, HIP_SHARED_UNIT = 76,
	HIP_UNIFIED_ADDRESSING = 85, HIP_WARP = 87,
	HIP_CAN_WAIT_VALUE = 10013,
};

enum { HIP_HOST_TO_HOST, HIP_TO_DEVICE, HIP_TO_HOST, HIP_ON_DEVICE,
	HIP_DEFAULT };
enum { HIP_STREAM_NON_BLOCKING = 1, HIP_EVENT_NO_TIMING = 2 };
enum { HIP_HOST_COHERENT = 0x40000000, HIP_ATTACH_GLOBAL = 1 };
enum { HIP_FUNC_MAX_THREADS, HIP_FUNC_SHARED, HIP_FUNC_CONST, HIP_FUNC_LOCAL,
	HIP_FUNC_REGISTERS };

/* words of the extra list of a launch */
#define HIP_LAUNCH_BUFFER ((void *)1)
#define HIP_LAUNCH_SIZE ((void *)2)
#define HIP_LAUNCH_END ((void *)3)

#endif
