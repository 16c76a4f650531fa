/* device.c - what can be asked of devices, and devices beside each other.
 * Run with two of them at least. */
#include "check.h"
#include <sys/mman.h>

static CUdevice first, second;

static int
attribute(CUdevice_attribute a)
{
	int n = -12345;

	OK(cuDeviceGetAttribute(&n, a, first));
	return n;
}
#define HAS(name) attribute(CU_DEVICE_ATTRIBUTE_##name)

static void
attributes(void)
{
	CUdevprop p;
	int i, major, minor, n;
	size_t size;

	for (i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; i++)
		TRUE(attribute((CUdevice_attribute)i) >= -1);
	IS(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MAX, first),
		CUDA_ERROR_INVALID_VALUE);
	IS(HAS(WARP_SIZE), 32);
	IS(HAS(MAX_THREADS_PER_BLOCK), 1024);
	IS(HAS(MAX_BLOCK_DIM_Z), 64);
	IS(HAS(MAX_SHARED_MEMORY_PER_BLOCK), 48 << 10);
	TRUE(HAS(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) >= 48 << 10);
	TRUE(HAS(MULTIPROCESSOR_COUNT) > 0);
	TRUE(HAS(MAX_THREADS_PER_MULTIPROCESSOR) >= 1024);
	TRUE(HAS(CLOCK_RATE) > 0 && HAS(MAX_REGISTERS_PER_BLOCK) > 0);
	IS(HAS(UNIFIED_ADDRESSING), 1);
	IS(HAS(MEMORY_POOLS_SUPPORTED), 1);
	/* what is not there says so */
	IS(HAS(MAXIMUM_TEXTURE2D_WIDTH), 131072);
	IS(HAS(CLUSTER_LAUNCH), 0);
	OK(cuDeviceComputeCapability(&major, &minor, first));
	TRUE(HAS(COMPUTE_CAPABILITY_MAJOR) == major
		&& HAS(COMPUTE_CAPABILITY_MINOR) == minor);
	OK(cuDeviceGetProperties(&p, first));
	TRUE(p.SIMDWidth == 32 && p.maxThreadsDim[2] == 64
		&& p.maxGridSize[1] == 65535);
	OK(cuDeviceTotalMem_v2(&size, first));
	TRUE(size > 1 << 20);
}

static void
names(void)
{
	char bus[32], name[3];
	CUuuid a, b;
	CUdevice d = -1;

	OK(cuDeviceGetUuid(&a, first));
	OK(cuDeviceGetUuid_v2(&b, first));
	IS(memcmp(&a, &b, sizeof a), 0);
	OK(cuDeviceGetUuid_v2(&b, second));
	TRUE(memcmp(&a, &b, sizeof a) != 0);
	OK(cuDeviceGetPCIBusId(bus, sizeof bus, second));
	OK(cuDeviceGetByPCIBusId(&d, bus));
	IS(d, second);
	d = -1;
	OK(cuDeviceGetByPCIBusId(&d, bus + 5)); /* without the domain */
	IS(d, second);
	bus[strlen(bus) - 2] = 0;
	OK(cuDeviceGetByPCIBusId(&d, bus)); /* without the function */
	strcat(bus, ".7");
	IS(cuDeviceGetByPCIBusId(&d, bus), CUDA_ERROR_INVALID_DEVICE);
	IS(cuDeviceGetByPCIBusId(&d, "12:"), CUDA_ERROR_INVALID_VALUE);
	IS(cuDeviceGetByPCIBusId(&d, ""), CUDA_ERROR_INVALID_VALUE);
	IS(cuDeviceGetPCIBusId(bus, 12, first), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceGetName(name, sizeof name, first));
	IS(strlen(name), 2);
	IS(cuDeviceGetName(name, 0, first), CUDA_ERROR_INVALID_VALUE);
}

static void
peers(void)
{
	CUcontext a, b;
	CUdeviceptr pa, pb;
	unsigned char host[1000], back[1000];
	int can = 0, n;

	OK(cuDeviceCanAccessPeer(&can, first, second));
	IS(can, 1);
	OK(cuDeviceGetP2PAttribute(&n,
		CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, first, second));
	IS(n, 1);
	IS(cuDeviceGetP2PAttribute(&n, (CUdevice_P2PAttribute)99, first,
		second), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxCreate_v2(&b, 0, second));
	OK(cuMemAlloc_v2(&pb, 1000));
	OK(cuCtxCreate_v2(&a, 0, first));
	OK(cuMemAlloc_v2(&pa, 1000));
	memset(host, 0x5a, sizeof host);
	OK(cuMemcpyHtoD_v2(pa, host, 1000));
	OK(cuMemcpyPeer(pb, b, pa, a, 1000));
	OK(cuMemcpyDtoH_v2(back, pb, 1000));
	IS(memcmp(host, back, 1000), 0);
	OK(cuCtxEnablePeerAccess(b, 0));
	IS(cuCtxEnablePeerAccess(b, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
	IS(cuCtxEnablePeerAccess(b, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxDisablePeerAccess(b));
	IS(cuCtxDisablePeerAccess(b), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
	OK(cuMemFree_v2(pb)); /* also while another context is current */
	OK(cuCtxDestroy_v2(a));
	OK(cuCtxDestroy_v2(b));
}

/* a copy from where there is nothing ends its context, and no other */
static void
fault(void)
{
	CUcontext a, b;
	CUdeviceptr p, q;
	char *gone, host[64] = "";
	CUresult r;
	size_t n;

	gone = mmap(0, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(cuCtxCreate_v2(&a, 0, first));
	OK(cuMemAlloc_v2(&p, 64));
	OK(cuCtxCreate_v2(&b, 0, first));
	OK(cuMemAlloc_v2(&q, 64));
	IS(cuMemcpyHtoD_v2(q, gone, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
	for (r = 0; r < 2; r++) {
		IS(cuMemAlloc_v2(&q, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
		IS(cuMemcpyHtoD_v2(q, host, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
		IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
		IS(cuCtxGetLimit(&n, CU_LIMIT_STACK_SIZE),
			CUDA_ERROR_ILLEGAL_ADDRESS);
	}
	OK(cuCtxPopCurrent_v2(0));
	OK(cuMemcpyHtoD_v2(p, host, 64));
	OK(cuCtxSynchronize());
	IS(cuCtxSynchronize_v2(b), CUDA_ERROR_ILLEGAL_ADDRESS);
	OK(cuCtxDestroy_v2(b));
	OK(cuCtxDestroy_v2(a));
	munmap(gone, 1 << 20);
}

static void
fault_of_primary(void)
{
	CUcontext c;
	CUdeviceptr p;
	char *gone;

	gone = mmap(0, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(cuDevicePrimaryCtxRetain(&c, second));
	OK(cuCtxSetCurrent(c));
	OK(cuMemAlloc_v2(&p, 64));
	IS(cuMemcpyHtoD_v2(p, gone, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
	OK(cuDevicePrimaryCtxReset_v2(second));
	OK(cuMemAlloc_v2(&p, 64));
	OK(cuMemFree_v2(p));
	OK(cuDevicePrimaryCtxRelease_v2(second));
	OK(cuCtxPopCurrent_v2(0));
	munmap(gone, 1 << 20);
}

static void
errors(void)
{
	const char *s = "", *t;

	OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &s));
	IS(strcmp(s, "CUDA_ERROR_ILLEGAL_ADDRESS"), 0);
	OK(cuGetErrorName(CUDA_SUCCESS, &s));
	IS(strcmp(s, "CUDA_SUCCESS"), 0);
	OK(cuGetErrorString(CUDA_ERROR_UNKNOWN, &t));
	TRUE(*t);
	IS(cuGetErrorString((CUresult)12345, &t), CUDA_ERROR_INVALID_VALUE);
	TRUE(!t);
	IS(cuGetErrorName((CUresult)-1, &t), CUDA_ERROR_INVALID_VALUE);
	IS(cuGetErrorName(CUDA_SUCCESS, 0), CUDA_ERROR_INVALID_VALUE);
}

int
main(void)
{
	errors();
	OK(cuInit(0));
	OK(cuDeviceGet(&first, 0));
	OK(cuDeviceGet(&second, 1));
	attributes();
	names();
	peers();
	fault();
	fault_of_primary();
	return check_end();
}
