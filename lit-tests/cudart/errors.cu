// Errors: codes, the last one, names; bad launches; properties; the driver.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <thread>

__global__ void __launch_bounds__(64) small(int *p) { *p = 1; }
__global__ void wild(int *p) { p[1ll << 40] = 1; }

static void
last_error()
{
	void *p;

	OK(cudaGetLastError());
	IS(cudaSetDevice(99), cudaErrorInvalidDevice);
	IS(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
	IS(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
	std::thread([] { OK(cudaGetLastError()); }).join();
	IS(cudaGetLastError(), cudaErrorMemoryAllocation);
	OK(cudaGetLastError());
	TRUE(!strcmp(cudaGetErrorName(cudaErrorInvalidValue),
		"cudaErrorInvalidValue"));
	TRUE(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
	TRUE(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
	TRUE(*cudaGetErrorString(cudaErrorInvalidSymbol));
	TRUE(!strcmp(cudaGetErrorName((cudaError_t)12345),
		"unrecognized error code"));
}

static void
bad_launches(int *p)
{
	small<<<0, 1>>>(p);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	small<<<1, 2048>>>(p);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	small<<<1, 65>>>(p);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	small<<<dim3(1, 70000), 1>>>(p);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	void *args[] = { &p };
	IS(cudaLaunchKernel((const void *)last_error, 1, 1, args),
		cudaErrorInvalidResourceHandle);
	OK(cudaLaunchKernel((const void *)small, 1, 1, args));
	OK(cudaDeviceSynchronize());
	cudaGetLastError();
}

// the properties are the attributes, wherever the structure has them
static void
properties()
{
	cudaDeviceProp p;
	int v;

	memset(&p, 0xee, sizeof p);
	OK(cudaGetDeviceProperties(&p, 0));
	TRUE(p.name[0] && strlen(p.name) < sizeof p.name);
#define SAME(member, attr) do { \
		OK(cudaDeviceGetAttribute(&v, attr, 0)); \
		TRUE((long long)p.member == v); \
	} while (0)
	SAME(sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
	SAME(regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
	SAME(warpSize, cudaDevAttrWarpSize);
	SAME(maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
	SAME(maxThreadsDim[2], cudaDevAttrMaxBlockDimZ);
	SAME(maxGridSize[1], cudaDevAttrMaxGridDimY);
	SAME(totalConstMem, cudaDevAttrTotalConstantMemory);
	SAME(major, cudaDevAttrComputeCapabilityMajor);
	SAME(textureAlignment, cudaDevAttrTextureAlignment);
	SAME(multiProcessorCount, cudaDevAttrMultiProcessorCount);
	SAME(maxTexture3D[2], cudaDevAttrMaxTexture3DDepth);
	SAME(surfaceAlignment, cudaDevAttrSurfaceAlignment);
	SAME(concurrentKernels, cudaDevAttrConcurrentKernels);
	SAME(l2CacheSize, cudaDevAttrL2CacheSize);
	SAME(sharedMemPerMultiprocessor,
		cudaDevAttrMaxSharedMemoryPerMultiprocessor);
	SAME(managedMemory, cudaDevAttrManagedMemory);
	SAME(cooperativeLaunch, cudaDevAttrCooperativeLaunch);
	SAME(sharedMemPerBlockOptin,
		cudaDevAttrMaxSharedMemoryPerBlockOptin);
	SAME(reservedSharedMemPerBlock,
		cudaDevAttrReservedSharedMemoryPerBlock);
	SAME(memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported);
	SAME(clusterLaunch, cudaDevAttrClusterLaunch);
	SAME(hostNumaId, cudaDevAttrHostNumaId);
	TRUE(p.hostNumaMultinodeIpcSupported == 0 && p.reserved[0] == 0 &&
		p.reserved[55] == 0);
}

static void
functions()
{
	cudaFuncAttributes a;
	cudaKernel_t k;
	cudaFunction_t f;
	int grid, block, version;
	size_t offset, size;
	const char *name;
	void *fn;
	cudaDriverEntryPointQueryResult found;

	OK(cudaFuncGetAttributes(&a, small));
	TRUE(a.maxThreadsPerBlock == 64 && a.ptxVersion == 80);
	OK(cudaGetKernel(&k, small));
	OK(cudaGetFuncBySymbol(&f, (const void *)small));
	OK(cudaFuncGetName(&name, (const void *)small));
	TRUE(strstr(name, "small"));
	OK(cudaFuncGetParamInfo((const void *)small, 0, &offset, &size));
	TRUE(offset == 0 && size == 8);
	OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 0));
	TRUE(grid > 0 && block == 64);
	OK(cudaRuntimeGetVersion(&version));
	TRUE(version == CUDART_VERSION);
	OK(cudaDriverGetVersion(&version));
	TRUE(version >= CUDART_VERSION);
	OK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &fn, 12000,
		cudaEnableDefault, &found));
	TRUE(fn && found == cudaDriverEntryPointSuccess);
	OK(cudaGetDriverEntryPointByVersion("cuNothing", &fn, 12000,
		cudaEnableDefault, &found));
	TRUE(!fn && found == cudaDriverEntryPointSymbolNotFound);
}

int
main()
{
	int *p, v = 0;

	last_error();
	OK(cudaMalloc(&p, sizeof *p));
	bad_launches(p);
	properties();
	functions();
	wild<<<1, 1>>>(p);
	IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	IS(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost),
		cudaErrorIllegalAddress);
	IS(cudaGetLastError(), cudaErrorIllegalAddress);
	OK(cudaGetLastError());
	IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	OK(cudaDeviceReset());
	OK(cudaMalloc(&p, sizeof *p));
	small<<<1, 1>>>(p);
	OK(cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost));
	TRUE(v == 1);
	return check_end();
}
