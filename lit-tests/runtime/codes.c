/* codes.c - what the driver answers to calls that are wrong, odd, or early:
 * of devices, contexts and names.
 *
 *	codes [LIBRARY]
 *
 * codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes.h"

static void *context;
static int dev;

static void
early(void)
{
	int n = -1;
	void *p = 0;

	CASE("cuDeviceGetCount before cuInit", f("cuDeviceGetCount")(&n));
	CASE("cuDeviceGet before cuInit", f("cuDeviceGet")(&dev, 0));
	CASE("cuCtxGetCurrent before cuInit", f("cuCtxGetCurrent")(&p));
	CASE("cuDriverGetVersion before cuInit", f("cuDriverGetVersion")(&n));
	VALUE("its version is at least 12000", n >= 12000);
	CASE("cuDriverGetVersion of null", f("cuDriverGetVersion")((void *)0));
	CASE("cuInit(1)", f("cuInit")(1));
	CASE("cuInit(0)", f("cuInit")(0));
	CASE("cuInit(0) again", f("cuInit")(0));
}

static void
devices(void)
{
	char text[64];
	size_t size;
	int n;

	CASE("cuDeviceGetCount of null", f("cuDeviceGetCount")((void *)0));
	CASE("cuDeviceGet 0", f("cuDeviceGet")(&dev, 0));
	CASE("cuDeviceGet 99", f("cuDeviceGet")(&n, 99));
	CASE("cuDeviceGet -1", f("cuDeviceGet")(&n, -1));
	CASE("cuDeviceGet null", f("cuDeviceGet")((void *)0, 0));
	CASE("cuDeviceGetName, room for 4", f("cuDeviceGetName")(text, 4, dev));
	VALUE("… letters", strlen(text));
	CASE("cuDeviceGetName null", f("cuDeviceGetName")((void *)0, 9, dev));
	CASE("cuDeviceGetName of 99", f("cuDeviceGetName")(text, 9, 99));
	CASE("cuDeviceTotalMem null", f("cuDeviceTotalMem_v2")((void *)0, dev));
	CASE("cuDeviceTotalMem of 99", f("cuDeviceTotalMem_v2")(&size, 99));
	CASE("attribute 0", f("cuDeviceGetAttribute")(&n, 0, dev));
	CASE("attribute 9999", f("cuDeviceGetAttribute")(&n, 9999, dev));
	CASE("attribute, null", f("cuDeviceGetAttribute")((void *)0, 1, dev));
	CASE("attribute of 99", f("cuDeviceGetAttribute")(&n, 1, 99));
	CASE("warp size", f("cuDeviceGetAttribute")(&n, 10, dev));
	VALUE("…", n);
	CASE("pitch", f("cuDeviceGetAttribute")(&n, 11, dev));
	VALUE("…", n);
	CASE("grid x", f("cuDeviceGetAttribute")(&n, 5, dev));
	VALUE("…", n);
	CASE("texture alignment", f("cuDeviceGetAttribute")(&n, 14, dev));
	VALUE("…", n);
	CASE("unified addressing", f("cuDeviceGetAttribute")(&n, 41, dev));
	VALUE("…", n);
	CASE("pci bus id, room for 3", f("cuDeviceGetPCIBusId")(text, 3, dev));
	CASE("pci bus id", f("cuDeviceGetPCIBusId")(text, 64, dev));
	VALUE("… letters", strlen(text));
	CASE("device by pci bus id", f("cuDeviceGetByPCIBusId")(&n, text));
	VALUE("…", n == dev);
	CASE("device by nonsense", f("cuDeviceGetByPCIBusId")(&n, "zz"));
	CASE("device by null", f("cuDeviceGetByPCIBusId")(&n, (void *)0));
	CASE("can access peer, itself",
		f("cuDeviceCanAccessPeer")(&n, dev, dev));
	VALUE("…", n);
	CASE("p2p attribute, itself",
		f("cuDeviceGetP2PAttribute")(&n, 1, dev, dev));
}

static void
no_context(void)
{
	address a = 0;
	void *p = &dev;
	size_t s;
	int n;

	CASE("cuCtxGetCurrent, none", f("cuCtxGetCurrent")(&p));
	VALUE("… is null", !p);
	CASE("cuCtxPopCurrent, none", f("cuCtxPopCurrent_v2")(&p));
	CASE("cuCtxSynchronize, none", f("cuCtxSynchronize")());
	CASE("cuCtxGetDevice, none", f("cuCtxGetDevice")(&n));
	CASE("cuCtxGetFlags, none", f("cuCtxGetFlags")(&n));
	CASE("cuCtxGetLimit, none", f("cuCtxGetLimit")(&s, 0));
	CASE("cuCtxSetCurrent null, none", f("cuCtxSetCurrent")((void *)0));
	CASE("cuCtxDestroy null", f("cuCtxDestroy_v2")((void *)0));
	CASE("cuCtxGetApiVersion null, none",
		f("cuCtxGetApiVersion")((void *)0, &n));
	CASE("cuMemAlloc, none", f("cuMemAlloc_v2")(&a, 16));
	CASE("cuMemAllocHost, none", f("cuMemAllocHost_v2")(&p, 16));
	CASE("cuMemFree 0, none", f("cuMemFree_v2")((address)0));
	CASE("cuMemGetInfo, none", f("cuMemGetInfo_v2")(&s, &s));
	CASE("cuModuleLoadData, none", f("cuModuleLoadData")(&p, ptx));
	CASE("cuStreamCreate, none", f("cuStreamCreate")(&p, 0));
	CASE("cuEventCreate, none", f("cuEventCreate")(&p, 0));
	CASE("cuStreamSynchronize 0, none",
		f("cuStreamSynchronize")((void *)0));
	CASE("cuLaunchKernel null, none", f("cuLaunchKernel")((void *)0, 1, 1,
		1, 1, 1, 1, 0, (void *)0, (void *)0, (void *)0));
	CASE("cuProfilerStart, none", f("cuProfilerStart")());
}

static void
primary(void)
{
	unsigned flags = 9;
	int active = 9, n = 0;
	void *p, *q;

	CASE("primary state", f("cuDevicePrimaryCtxGetState")(dev, &flags,
		&active));
	VALUE("… flags", flags);
	VALUE("… active", active);
	CASE("primary release, none",
		f("cuDevicePrimaryCtxRelease_v2")(dev));
	CASE("primary flags, nonsense",
		f("cuDevicePrimaryCtxSetFlags_v2")(dev, 0x700));
	CASE("primary flags, blocking sync",
		f("cuDevicePrimaryCtxSetFlags_v2")(dev, 4));
	CASE("primary retain", f("cuDevicePrimaryCtxRetain")(&context, dev));
	CASE("primary retain null",
		f("cuDevicePrimaryCtxRetain")((void *)0, dev));
	CASE("primary retain of 99", f("cuDevicePrimaryCtxRetain")(&p, 99));
	CASE("primary state", f("cuDevicePrimaryCtxGetState")(dev, &flags,
		&active));
	VALUE("… flags", flags);
	VALUE("… active", active);
	CASE("current after retain", f("cuCtxGetCurrent")(&p));
	VALUE("… is null", !p);
	CASE("primary retain again",
		f("cuDevicePrimaryCtxRetain")(&p, dev));
	VALUE("… is the same", p == context);
	CASE("primary release", f("cuDevicePrimaryCtxRelease_v2")(dev));
	CASE("cuCtxSetCurrent", f("cuCtxSetCurrent")(context));
	CASE("cuCtxGetFlags", f("cuCtxGetFlags")(&flags));
	VALUE("…", flags);
	CASE("primary flags, active",
		f("cuDevicePrimaryCtxSetFlags_v2")(dev, 0));
	CASE("cuCtxDestroy of the primary", f("cuCtxDestroy_v2")(context));
	CASE("cuCtxGetDevice", f("cuCtxGetDevice")(&n));
	VALUE("… is it", n == dev);
	CASE("cuCtxPushCurrent null", f("cuCtxPushCurrent_v2")((void *)0));
	CASE("cuCtxPushCurrent", f("cuCtxPushCurrent_v2")(context));
	CASE("cuCtxPopCurrent", f("cuCtxPopCurrent_v2")(&q));
	VALUE("… is it", q == context);
	CASE("cuCtxGetCurrent", f("cuCtxGetCurrent")(&p));
	VALUE("… is it", p == context);
	CASE("cuCtxGetCurrent null", f("cuCtxGetCurrent")((void *)0));
}

static void
contexts(void)
{
	void *a = 0, *b, *p;
	unsigned u;

	CASE("cuCtxCreate_v2, flags 0xff00",
		f("cuCtxCreate_v2")(&a, 0xff00, dev));
	CASE("cuCtxCreate_v2 null", f("cuCtxCreate_v2")((void *)0, 0, dev));
	CASE("cuCtxCreate_v2 of 99", f("cuCtxCreate_v2")(&a, 0, 99));
	CASE("cuCtxCreate_v2", f("cuCtxCreate_v2")(&a, 8, dev));
	CASE("current", f("cuCtxGetCurrent")(&p));
	VALUE("… is it", p == a);
	CASE("cuCtxGetFlags", f("cuCtxGetFlags")(&u));
	VALUE("…", u);
	CASE("cuCtxGetApiVersion", f("cuCtxGetApiVersion")(a, &u));
	VALUE("…", u);
	CASE("cuCtxDetach", f("cuCtxDetach")(a));
	CASE("current", f("cuCtxGetCurrent")(&p));
	VALUE("… is the one before", p == context);
	CASE("cuCtxCreate_v2", f("cuCtxCreate_v2")(&a, 0, dev));
	CASE("cuCtxCreate_v2, a second", f("cuCtxCreate_v2")(&b, 0, dev));
	CASE("cuCtxDestroy below the top", f("cuCtxDestroy_v2")(a));
	CASE("current", f("cuCtxGetCurrent")(&p));
	VALUE("… is the second", p == b);
	CASE("cuCtxDestroy", f("cuCtxDestroy_v2")(b));
	CASE("current", f("cuCtxGetCurrent")(&p));
	CASE("cuCtxSetCurrent", f("cuCtxSetCurrent")(context));
}

static void
settings(void)
{
	size_t s;
	int n = -1, m = -1;

	CASE("limit: stack size", f("cuCtxGetLimit")(&s, 0));
	VALUE("…", s);
	CASE("limit: printf", f("cuCtxGetLimit")(&s, 1));
	VALUE("…", s);
	CASE("limit: heap", f("cuCtxGetLimit")(&s, 2));
	VALUE("…", s);
	CASE("limit 99", f("cuCtxGetLimit")(&s, 99));
	CASE("set limit 99", f("cuCtxSetLimit")(99, (size_t)1));
	CASE("set limit: stack 4096", f("cuCtxSetLimit")(0, (size_t)4096));
	CASE("limit: stack size", f("cuCtxGetLimit")(&s, 0));
	VALUE("…", s);
	CASE("limit null", f("cuCtxGetLimit")((void *)0, 0));
	CASE("cache config", f("cuCtxGetCacheConfig")(&n));
	VALUE("…", n);
	CASE("set cache config 2", f("cuCtxSetCacheConfig")(2));
	CASE("set cache config 99", f("cuCtxSetCacheConfig")(99));
	CASE("cache config", f("cuCtxGetCacheConfig")(&n));
	VALUE("…", n);
	CASE("shared config", f("cuCtxGetSharedMemConfig")(&n));
	VALUE("…", n);
	CASE("set shared config 99", f("cuCtxSetSharedMemConfig")(99));
	CASE("priorities", f("cuCtxGetStreamPriorityRange")(&n, &m));
	VALUE("… least", n);
	VALUE("… greatest", m);
	CASE("priorities, null",
		f("cuCtxGetStreamPriorityRange")((void *)0, (void *)0));
	CASE("enable peer, itself", f("cuCtxEnablePeerAccess")(context, 0));
	CASE("disable peer, itself", f("cuCtxDisablePeerAccess")(context));
	CASE("enable peer, null", f("cuCtxEnablePeerAccess")((void *)0, 0));
	CASE("reset persisting L2", f("cuCtxResetPersistingL2Cache")());
}

static void
names(void)
{
	const char *s = "x";
	void *p = &s;
	int n, i, count = 0;

	CASE("name of 0", f("cuGetErrorName")(0, &s));
	CASE("name of 9999", f("cuGetErrorName")(9999, &s));
	VALUE("… is null", !s);
	CASE("string of 9999", f("cuGetErrorString")(9999, &s));
	for (i = 0; i < 1000; i++)
		if (!f("cuGetErrorName")(i, &s)) {
			count++;
			printf("%s = %d\n", s, i);
		}
	VALUE("names", count);
	CASE("proc address", f("cuGetProcAddress_v2")("cuInit", &p, 12000,
		(uint64_t)0, &n));
	VALUE("… status", n);
	CASE("proc address of nothing", f("cuGetProcAddress_v2")("cuNothing",
		&p, 12000, (uint64_t)0, &n));
	VALUE("… status", n);
	VALUE("… is null", !p);
	CASE("proc address, old version", f("cuGetProcAddress_v2")(
		"cuLibraryLoadData", &p, 11000, (uint64_t)0, &n));
	VALUE("… status", n);
	CASE("proc address, flags 99", f("cuGetProcAddress_v2")("cuInit", &p,
		12000, (uint64_t)99, &n));
	CASE("proc address, no status", f("cuGetProcAddress_v2")("cuInit", &p,
		12000, (uint64_t)0, (void *)0));
}

int
main(int argc, char **argv)
{
	if (!open_driver(argc > 1 ? argv[1] : 0))
		return 1;
	early();
	devices();
	no_context();
	primary();
	contexts();
	settings();
	names();
	return 0;
}
