/* codes_work.c - what the driver answers to calls that are wrong or odd: of
 * memory, modules, launches, streams, copies, and after a kernel failed.
 *
 *	codes_work calls|store|odd|trap [LIBRARY]
 *
 * With store (to nowhere), odd (a store to an odd address) or trap, a kernel
 * fails first.  codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes.h"

static void *context, *module, *empty, *store, *small, *spin, *stop;
static int dev;

static void
pitches(void)
{
	address b = 0;
	size_t pitch;

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
}

/* a: other memory; host: none of the driver's */
static void
managed(address a)
{
	char host[64];
	address b;
	int n = 0;

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
}

static void
memory(void)
{
	address a = 0, base;
	char host[64];
	size_t s;

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
	pitches();
	managed(a);
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
attributes(void)
{
	int n = 0;

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
	attributes();
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
	f("cuInit")(0);
	f("cuDeviceGet")(&dev, 0);
	f("cuDevicePrimaryCtxRetain")(&context, dev);
	f("cuCtxSetCurrent")(context);
	memory();
	host_memory();
	modules();
	launches();
	streams();
	copies();
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
	if (!open_driver(argc > 2 ? argv[2] : 0))
		return 1;
	if (strcmp(argv[1], "calls"))
		faults(argv[1]);
	else
		calls();
	return 0;
}
