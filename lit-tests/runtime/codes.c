/* codes.c - what the driver answers to calls that are wrong, odd, or early.
 *
 *	codes calls|store|odd|trap [LIBRARY]
 *
 * Prints a line a case: its name and the CUresult, and for some what was given
 * back.  With store (to nowhere), odd (a store to an odd address) or trap, a
 * kernel fails first.  codes.test holds what NVIDIA's driver 580 answers on an
 * H200; where we differ on purpose, it says so.  Every function is looked up
 * by name, so that any driver can be asked.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t address;
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef int function(); /* of any arguments */

static void *lib;

static function *
f(const char *name)
{
	function *p;

	*(void **)&p = dlsym(lib, name);
	if (!p) {
		printf("%s is missing\n", name);
		exit(1);
	}
	return p;
}

#define CASE(name, call) printf("%-44s %d\n", name, (call))
#define VALUE(name, v) printf("%-44s = %lld\n", name, (long long)(v))

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .u32 word = 7;\n.const .u32 table[4] = {1, 2, 3, 4};\n"
	".visible .entry empty() { ret; }\n"
	".visible .entry store(.param .u64 p, .param .u32 v)\n"
	"{ .reg .u64 a; .reg .u32 b; ld.param.u64 a, [p];\n"
	"  ld.param.u32 b, [v]; st.global.u32 [a], b; ret; }\n"
	".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
	".visible .entry spin(.param .u64 n)\n"
	"{ .reg .u64 a, b, e; .reg .pred q; ld.param.u64 e, [n];\n"
	"  mov.u64 a, %globaltimer;\nL: mov.u64 b, %globaltimer;\n"
	"  sub.u64 b, b, a; setp.lt.u64 q, b, e; @q bra L; ret; }\n"
	".visible .entry stop() { trap; }\n";

static void *context, *module, *empty, *store, *small, *spin, *stop;
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
	size_t s;
	int n = -1, m = -1;
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
memory(void)
{
	address a = 0, b = 0, base;
	char host[64];
	size_t s, pitch;
	int n = 0;

	CASE("alloc 0", f("cuMemAlloc_v2")(&a, (size_t)0));
	CASE("alloc null", f("cuMemAlloc_v2")((void *)0, (size_t)16));
	CASE("alloc 2^50", f("cuMemAlloc_v2")(&a, (size_t)1 << 50));
	CASE("alloc 1000", f("cuMemAlloc_v2")(&a, (size_t)1000));
	VALUE("… aligned to 256", a % 256 == 0);
	CASE("address range", f("cuMemGetAddressRange_v2")(&base, &s, a + 10));
	VALUE("… base", base == a);
	VALUE("… size", s);
	CASE("address range of nothing",
		f("cuMemGetAddressRange_v2")(&base, &s, (address)0x10));
	CASE("free 0", f("cuMemFree_v2")((address)0));
	CASE("free nothing", f("cuMemFree_v2")((address)0x10));
	CASE("free inside", f("cuMemFree_v2")(a + 16));
	CASE("HtoD", f("cuMemcpyHtoD_v2")(a, host, (size_t)64));
	CASE("HtoD 0 bytes", f("cuMemcpyHtoD_v2")(a, host, (size_t)0));
	CASE("HtoD 0 bytes to 0",
		f("cuMemcpyHtoD_v2")((address)0, host, (size_t)0));
	CASE("HtoD null", f("cuMemcpyHtoD_v2")(a, (void *)0, (size_t)64));
	CASE("HtoD to nothing",
		f("cuMemcpyHtoD_v2")((address)0x10, host, (size_t)64));
	CASE("DtoH null", f("cuMemcpyDtoH_v2")((void *)0, a, (size_t)64));
	CASE("DtoH from nothing",
		f("cuMemcpyDtoH_v2")(host, (address)0x10, (size_t)64));
	CASE("DtoD from 0",
		f("cuMemcpyDtoD_v2")(a, (address)0, (size_t)64));
	CASE("memset D8", f("cuMemsetD8_v2")(a, 1, (size_t)1000));
	CASE("memset D8 of nothing",
		f("cuMemsetD8_v2")((address)0x10, 1, (size_t)10));
	CASE("memset D8, 0 bytes", f("cuMemsetD8_v2")(a, 1, (size_t)0));
	CASE("memset D16 odd", f("cuMemsetD16_v2")(a + 1, 1, (size_t)10));
	CASE("memset D32 odd", f("cuMemsetD32_v2")(a + 2, 1, (size_t)10));
	CASE("memset D32", f("cuMemsetD32_v2")(a, 1, (size_t)250));
	CASE("memset D2D8, pitch below width", f("cuMemsetD2D8_v2")(a,
		(size_t)4, 1, (size_t)8, (size_t)2));
	CASE("pitch, element 3", f("cuMemAllocPitch_v2")(&b, &pitch,
		(size_t)100, (size_t)10, 3));
	CASE("pitch, width 0", f("cuMemAllocPitch_v2")(&b, &pitch, (size_t)0,
		(size_t)10, 4));
	CASE("pitch, width 100", f("cuMemAllocPitch_v2")(&b, &pitch,
		(size_t)100, (size_t)10, 4));
	VALUE("…", pitch);
	CASE("free", f("cuMemFree_v2")(b));
	CASE("pitch, width 513", f("cuMemAllocPitch_v2")(&b, &pitch,
		(size_t)513, (size_t)10, 16));
	VALUE("…", pitch);
	CASE("free", f("cuMemFree_v2")(b));
	CASE("free again", f("cuMemFree_v2")(b));
	CASE("managed, flags 0",
		f("cuMemAllocManaged")(&b, (size_t)100, 0));
	CASE("managed, flags 1",
		f("cuMemAllocManaged")(&b, (size_t)100, 1));
	CASE("is managed", f("cuPointerGetAttribute")(&n, 8, b));
	VALUE("…", n);
	CASE("memory type", f("cuPointerGetAttribute")(&n, 2, b));
	VALUE("…", n);
	CASE("free", f("cuMemFree_v2")(b));
	CASE("memory type", f("cuPointerGetAttribute")(&n, 2, a));
	VALUE("…", n);
	CASE("memory type of the stack", f("cuPointerGetAttribute")(&n, 2,
		(address)(uintptr_t)host));
	CASE("attribute 99", f("cuPointerGetAttribute")(&n, 99, a));
	CASE("attribute of 0", f("cuPointerGetAttribute")(&n, 2, (address)0));
	CASE("attribute, null",
		f("cuPointerGetAttribute")((void *)0, 2, a));
	CASE("free", f("cuMemFree_v2")(a));
	CASE("free again", f("cuMemFree_v2")(a));
	CASE("info null", f("cuMemGetInfo_v2")((void *)0, (void *)0));
}

static void
host_memory(void)
{
	static char page[3 * 4096] __attribute__((aligned(4096)));
	void *p, *q;
	address a;
	unsigned u;
	int n = 0;

	CASE("host alloc 0", f("cuMemHostAlloc")(&p, (size_t)0, 0));
	CASE("host alloc, flags 0x100",
		f("cuMemHostAlloc")(&p, (size_t)100, 0x100));
	CASE("host alloc", f("cuMemHostAlloc")(&p, (size_t)100, 2));
	CASE("its flags", f("cuMemHostGetFlags")(&u, p));
	VALUE("…", u);
	CASE("its device pointer",
		f("cuMemHostGetDevicePointer_v2")(&a, p, 0));
	VALUE("… is the same", a == (uintptr_t)p);
	CASE("device pointer, flags 1",
		f("cuMemHostGetDevicePointer_v2")(&a, p, 1));
	CASE("memory type", f("cuPointerGetAttribute")(&n, 2,
		(address)(uintptr_t)p));
	VALUE("…", n);
	CASE("free host, inside", f("cuMemFreeHost")((char *)p + 16));
	CASE("free host", f("cuMemFreeHost")(p));
	CASE("free host again", f("cuMemFreeHost")(p));
	CASE("free host null", f("cuMemFreeHost")((void *)0));
	CASE("free host of the stack", f("cuMemFreeHost")(&n));
	CASE("flags of the stack", f("cuMemHostGetFlags")(&u, &n));
	CASE("device pointer of the stack",
		f("cuMemHostGetDevicePointer_v2")(&a, &n, 0));
	CASE("register null",
		f("cuMemHostRegister_v2")((void *)0, (size_t)16, 0));
	CASE("register 0 bytes",
		f("cuMemHostRegister_v2")(page, (size_t)0, 0));
	CASE("register, flags 0x100",
		f("cuMemHostRegister_v2")(page, (size_t)16, 0x100));
	CASE("register", f("cuMemHostRegister_v2")(page, (size_t)8192, 2));
	CASE("register again", f("cuMemHostRegister_v2")(page, (size_t)16, 0));
	CASE("register what overlaps",
		f("cuMemHostRegister_v2")(page + 4096, (size_t)8192, 0));
	CASE("device pointer", f("cuMemHostGetDevicePointer_v2")(&q, page, 0));
	CASE("free host of registered", f("cuMemFreeHost")(page));
	CASE("unregister inside", f("cuMemHostUnregister")(page + 16));
	CASE("unregister", f("cuMemHostUnregister")(page));
	CASE("unregister again", f("cuMemHostUnregister")(page));
	CASE("unregister null", f("cuMemHostUnregister")((void *)0));
}

static void
modules(void)
{
	static const char future[] = ".version 99.0\n.target sm_70\n"
		".address_size 64\n.visible .entry k() { ret; }\n";
	static const char wrong[] = ".version 7.0\n.target sm_70\n"
		".address_size 64\n.visible .entry k() { nonsense; }\n";
	static const char later[] = ".version 9.0\n.target sm_200\n"
		".address_size 64\n.visible .entry k() { ret; }\n";
	address a;
	size_t s;
	void *p;
	int n = 0;

	CASE("load garbage", f("cuModuleLoadData")(&p, "garbage"));
	CASE("load an empty text", f("cuModuleLoadData")(&p, ""));
	CASE("load null", f("cuModuleLoadData")(&p, (void *)0));
	CASE("load to null", f("cuModuleLoadData")((void *)0, ptx));
	CASE("load .version 99.0", f("cuModuleLoadData")(&p, future));
	CASE("load wrong PTX", f("cuModuleLoadData")(&p, wrong));
	CASE("load sm_200", f("cuModuleLoadData")(&p, later));
	CASE("load no file", f("cuModuleLoad")(&p, "/nonexistent.ptx"));
	CASE("load", f("cuModuleLoadData")(&module, ptx));
	CASE("function", f("cuModuleGetFunction")(&empty, module, "empty"));
	CASE("function store",
		f("cuModuleGetFunction")(&store, module, "store"));
	CASE("function small",
		f("cuModuleGetFunction")(&small, module, "small"));
	CASE("function spin", f("cuModuleGetFunction")(&spin, module, "spin"));
	CASE("function stop", f("cuModuleGetFunction")(&stop, module, "stop"));
	CASE("function again", f("cuModuleGetFunction")(&p, module, "empty"));
	VALUE("… is the same", p == empty);
	CASE("no function", f("cuModuleGetFunction")(&p, module, "none"));
	CASE("a variable as function",
		f("cuModuleGetFunction")(&p, module, "word"));
	CASE("function null name",
		f("cuModuleGetFunction")(&p, module, (void *)0));
	CASE("global", f("cuModuleGetGlobal_v2")(&a, &s, module, "word"));
	VALUE("… size", s);
	CASE("constant", f("cuModuleGetGlobal_v2")(&a, &s, module, "table"));
	VALUE("… size", s);
	CASE("global, size alone",
		f("cuModuleGetGlobal_v2")((void *)0, &s, module, "table"));
	CASE("no global", f("cuModuleGetGlobal_v2")(&a, &s, module, "none"));
	CASE("function attribute 99",
		f("cuFuncGetAttribute")(&n, 99, empty));
	CASE("max threads", f("cuFuncGetAttribute")(&n, 0, small));
	VALUE("…", n);
	CASE("max threads", f("cuFuncGetAttribute")(&n, 0, empty));
	VALUE("…", n);
	CASE("PTX version", f("cuFuncGetAttribute")(&n, 5, empty));
	VALUE("…", n);
	CASE("max dynamic", f("cuFuncGetAttribute")(&n, 8, empty));
	VALUE("…", n);
	CASE("set max dynamic to 2^30",
		f("cuFuncSetAttribute")(empty, 8, 1 << 30));
	CASE("set max dynamic to -1", f("cuFuncSetAttribute")(empty, 8, -1));
	CASE("set max dynamic to 60000",
		f("cuFuncSetAttribute")(empty, 8, 60000));
	CASE("set max threads", f("cuFuncSetAttribute")(empty, 0, 5));
	CASE("set carveout 50", f("cuFuncSetAttribute")(empty, 9, 50));
	CASE("set carveout 101", f("cuFuncSetAttribute")(empty, 9, 101));
	CASE("cache config 99", f("cuFuncSetCacheConfig")(empty, 99));
	CASE("functions", f("cuModuleGetFunctionCount")(&n, module));
	VALUE("…", n);
	CASE("param 1", f("cuFuncGetParamInfo")(store, (size_t)1, &s, &a));
	VALUE("… offset", s);
	VALUE("… size", a);
	CASE("param 2", f("cuFuncGetParamInfo")(store, (size_t)2, &s, &a));
	CASE("unload null", f("cuModuleUnload")((void *)0));
}

static int
launch(void *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared, void **param, void **extra)
{
	return f("cuLaunchKernel")(k, gx, gy, gz, bx, by, bz, shared,
		(void *)0, param, extra);
}

static void
launches(void)
{
	address a;
	uint32_t v = 5, got = 0;
	struct { address a; uint32_t v; } block;
	size_t size = 12;
	void *param[] = { &a, &v };
	void *extra[] = { (void *)1, &block, (void *)2, &size, (void *)0 };
	int n;

	CASE("launch", launch(empty, 1, 1, 1, 1, 1, 1, 0, 0, 0));
	CASE("grid 0", launch(empty, 0, 1, 1, 1, 1, 1, 0, 0, 0));
	CASE("block 0", launch(empty, 1, 1, 1, 0, 1, 1, 0, 0, 0));
	CASE("block 1025", launch(empty, 1, 1, 1, 1025, 1, 1, 0, 0, 0));
	CASE("block 32 x 64", launch(empty, 1, 1, 1, 32, 64, 1, 0, 0, 0));
	CASE("block z 65", launch(empty, 1, 1, 1, 1, 1, 65, 0, 0, 0));
	CASE("grid y 65536", launch(empty, 1, 65536, 1, 1, 1, 1, 0, 0, 0));
	CASE("grid z 65536", launch(empty, 1, 1, 65536, 1, 1, 1, 0, 0, 0));
	CASE("grid x 2^31", launch(empty, 1u << 31, 1, 1, 1, 1, 1, 0, 0, 0));
	CASE("more threads than .maxntid",
		launch(small, 1, 1, 1, 65, 1, 1, 0, 0, 0));
	CASE("shared 60000, allowed",
		launch(empty, 1, 1, 1, 1, 1, 1, 60000, 0, 0));
	CASE("shared 60000", launch(small, 1, 1, 1, 1, 1, 1, 60000, 0, 0));
	CASE("null function", launch(0, 1, 1, 1, 1, 1, 1, 0, 0, 0));
	CASE("no parameters", launch(store, 1, 1, 1, 1, 1, 1, 0, 0, 0));
	f("cuMemAlloc_v2")(&a, (size_t)64);
	block.a = a;
	block.v = 6;
	CASE("both ways of parameters",
		launch(store, 1, 1, 1, 1, 1, 1, 0, param, extra));
	CASE("parameters", launch(store, 1, 1, 1, 1, 1, 1, 0, param, 0));
	f("cuMemcpyDtoH_v2")(&got, a, (size_t)4);
	VALUE("…", got);
	CASE("extra", launch(store, 1, 1, 1, 1, 1, 1, 0, 0, extra));
	f("cuMemcpyDtoH_v2")(&got, a, (size_t)4);
	VALUE("…", got);
	size = 8;
	CASE("extra, too small", launch(store, 1, 1, 1, 1, 1, 1, 0, 0, extra));
	CASE("synchronize", f("cuCtxSynchronize")());
	CASE("occupancy, 0 threads",
		f("cuOccupancyMaxActiveBlocksPerMultiprocessor")(&n, empty, 0,
		(size_t)0));
	CASE("occupancy, 2000 threads",
		f("cuOccupancyMaxActiveBlocksPerMultiprocessor")(&n, empty,
		2000, (size_t)0));
	CASE("occupancy, null",
		f("cuOccupancyMaxActiveBlocksPerMultiprocessor")((void *)0,
		empty, 32, (size_t)0));
	CASE("host function null",
		f("cuLaunchHostFunc")((void *)0, (void *)0, (void *)0));
	CASE("cooperative, too many blocks", f("cuLaunchCooperativeKernel")(
		empty, 1 << 20, 1, 1, 1024, 1, 1, 0, (void *)0, (void *)0));
	CASE("free", f("cuMemFree_v2")(a));
}

static void
streams(void)
{
	uint64_t busy = 300 * 1000 * 1000;
	void *s, *e, *e2, *param[] = { &busy };
	float ms;
	int n;
	unsigned u;

	CASE("stream, flags 99", f("cuStreamCreate")(&s, 99));
	CASE("stream null", f("cuStreamCreate")((void *)0, 0));
	CASE("stream", f("cuStreamCreate")(&s, 1));
	CASE("its flags", f("cuStreamGetFlags")(s, &u));
	VALUE("…", u);
	CASE("flags of the legacy stream",
		f("cuStreamGetFlags")((void *)0, &u));
	VALUE("…", u);
	CASE("its priority", f("cuStreamGetPriority")(s, &n));
	VALUE("…", n);
	CASE("query", f("cuStreamQuery")(s));
	CASE("destroy null", f("cuStreamDestroy_v2")((void *)0));
	CASE("wait for null",
		f("cuStreamWaitEvent")(s, (void *)0, 0));
	CASE("capturing", f("cuStreamIsCapturing")(s, &n));
	VALUE("…", n);
	CASE("callback, flags 1", f("cuStreamAddCallback")(s,
		(void *)(uintptr_t)1, (void *)0, 1));
	CASE("event, flags 0xff", f("cuEventCreate")(&e, 0xff));
	CASE("event null", f("cuEventCreate")((void *)0, 0));
	CASE("event", f("cuEventCreate")(&e, 0));
	CASE("event without timing", f("cuEventCreate")(&e2, 2));
	CASE("query, not recorded", f("cuEventQuery")(e));
	CASE("synchronize, not recorded", f("cuEventSynchronize")(e));
	CASE("elapsed, not recorded", f("cuEventElapsedTime")(&ms, e, e));
	CASE("wait for not recorded", f("cuStreamWaitEvent")(s, e, 0));
	CASE("wait, flags 99", f("cuStreamWaitEvent")(s, e, 99));
	CASE("record null", f("cuEventRecord")((void *)0, s));
	CASE("record", f("cuEventRecord")(e, s));
	CASE("record", f("cuEventRecord")(e2, s));
	CASE("synchronize", f("cuEventSynchronize")(e));
	CASE("elapsed", f("cuEventElapsedTime")(&ms, e, e));
	CASE("elapsed without timing", f("cuEventElapsedTime")(&ms, e, e2));
	CASE("spin", f("cuLaunchKernel")(spin, 1, 1, 1, 1, 1, 1, 0, s, param,
		(void *)0));
	CASE("query", f("cuStreamQuery")(s));
	CASE("record", f("cuEventRecord")(e, s));
	CASE("query", f("cuEventQuery")(e));
	CASE("elapsed, not reached", f("cuEventElapsedTime")(&ms, e, e));
	CASE("legacy query beside non-blocking",
		f("cuStreamQuery")((void *)0));
	CASE("destroy the busy event", f("cuEventDestroy_v2")(e));
	CASE("destroy the busy stream", f("cuStreamDestroy_v2")(s));
	CASE("synchronize", f("cuCtxSynchronize")());
	CASE("event destroy null", f("cuEventDestroy_v2")((void *)0));
	CASE("event destroy", f("cuEventDestroy_v2")(e2));
}

static void
copies(void)
{
	struct {
		size_t sx, sy;
		int st;
		const void *sh;
		address sd;
		void *sa;
		size_t sp, dx, dy;
		int dt;
		void *dh;
		address dd;
		void *da;
		size_t dp, w, h;
	} c = { 0 };
	char host[256] = { 0 };
	address a;

	f("cuMemAlloc_v2")(&a, (size_t)256);
	c.st = 1;
	c.sh = host;
	c.sp = 16;
	c.dt = 2;
	c.dd = a;
	c.dp = 16;
	c.w = 8;
	c.h = 4;
	CASE("2D", f("cuMemcpy2D_v2")(&c));
	c.w = 17;
	CASE("2D, wider than the pitch", f("cuMemcpy2D_v2")(&c));
	c.w = 0;
	CASE("2D, no width", f("cuMemcpy2D_v2")(&c));
	c.w = 8;
	c.h = 0;
	CASE("2D, no height", f("cuMemcpy2D_v2")(&c));
	c.h = 4;
	c.st = 0;
	CASE("2D, memory type 0", f("cuMemcpy2D_v2")(&c));
	c.st = 4;
	c.sd = (address)(uintptr_t)host;
	CASE("2D, unified host", f("cuMemcpy2D_v2")(&c));
	c.st = 1;
	c.sp = 0;
	c.h = 1;
	CASE("2D, no pitch, one row", f("cuMemcpy2D_v2")(&c));
	CASE("2D null", f("cuMemcpy2D_v2")((void *)0));
	CASE("free", f("cuMemFree_v2")(a));
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

/* after a fault every call that works in the context says so */
static void
fault(const char *k, void **param)
{
	void *a, *p, *s, *m;
	address b;
	int n;

	CASE("context", f("cuCtxCreate_v2")(&a, 0, dev));
	CASE("alloc", f("cuMemAlloc_v2")(&b, (size_t)64));
	CASE("stream", f("cuStreamCreate")(&s, 0));
	CASE("load", f("cuModuleLoadData")(&m, ptx));
	CASE("function", f("cuModuleGetFunction")(&p, m, k));
	CASE("launch", launch(p, 1, 1, 1, 32, 1, 1, 0, param, 0));
	CASE("synchronize", f("cuCtxSynchronize")());
	CASE("synchronize", f("cuCtxSynchronize")());
	CASE("alloc", f("cuMemAlloc_v2")(&b, (size_t)64));
	CASE("free", f("cuMemFree_v2")(b));
	CASE("launch", launch(p, 1, 1, 1, 32, 1, 1, 0, param, 0));
	CASE("stream query", f("cuStreamQuery")(s));
	CASE("event", f("cuEventCreate")(&p, 0));
	CASE("current", f("cuCtxGetCurrent")(&p));
	CASE("device", f("cuCtxGetDevice")(&n));
	CASE("limit", f("cuCtxGetLimit")(&b, 0));
	CASE("count", f("cuDeviceGetCount")(&n));
	CASE("attribute", f("cuDeviceGetAttribute")(&n, 1, dev));
	CASE("global", f("cuModuleGetGlobal_v2")(&b, (void *)0, m, "word"));
	CASE("unload", f("cuModuleUnload")(m));
	CASE("stream destroy", f("cuStreamDestroy_v2")(s));
	CASE("destroy", f("cuCtxDestroy_v2")(a));
	CASE("current", f("cuCtxGetCurrent")(&p));
}

static void
calls(void)
{
	early();
	devices();
	no_context();
	primary();
	contexts();
	memory();
	host_memory();
	modules();
	launches();
	streams();
	copies();
	names();
}

static void
faults(const char *what)
{
	address a = 0x10;
	uint32_t v = 1;
	void *param[] = { &a, &v };

	f("cuInit")(0);
	f("cuDeviceGet")(&dev, 0);
	if (!strcmp(what, "odd")) {
		f("cuCtxCreate_v2")(&context, 0, dev);
		f("cuMemAlloc_v2")(&a, (size_t)64);
		a += 2;
	}
	fault(!strcmp(what, "trap") ? "stop" : "store", param);
}

int
main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	lib = dlopen(argc > 2 ? argv[2] : "libcuda.so.1", RTLD_NOW);
	if (!lib) {
		printf("%s\n", dlerror());
		return 1;
	}
	setvbuf(stdout, 0, _IOLBF, 0);
	if (strcmp(argv[1], "calls"))
		faults(argv[1]);
	else
		calls();
	return 0;
}
