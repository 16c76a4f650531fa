/* codes_unsafe.c - which calls the driver forbids while a stream is captured,
 * and whether that is the end of the capture.
 *
 *	codes_unsafe [LIBRARY]
 *
 * codes_graph.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_capture.h"

#define TRY(name, call) do { \
	begin(a, mode); \
	printf("%-44s %d", name, (call)); \
	printf(", status %d\n", status(a)); \
	f("cuStreamEndCapture")(a, &graph); \
	f("cuCtxSynchronize")(); \
	} while (0)

static void
unsafe_memory(int mode)
{
	void *graph = 0, *h = 0;
	size_t n, m;
	address p = 0;
	uint64_t word;

	TRY("alloc", f("cuMemAlloc_v2")(&p, (size_t)16));
	if (!p)
		f("cuMemAlloc_v2")(&p, (size_t)16);
	TRY("free", f("cuMemFree_v2")(p));
	TRY("alloc managed", f("cuMemAllocManaged")(&p, (size_t)16, 1));
	TRY("alloc pitch", f("cuMemAllocPitch_v2")(&p, &n, (size_t)16,
		(size_t)16, 4));
	TRY("alloc host", f("cuMemHostAlloc")(&h, (size_t)16, 0));
	if (!h)
		f("cuMemHostAlloc")(&h, (size_t)16, 0);
	TRY("free host", f("cuMemFreeHost")(h));
	TRY("register", f("cuMemHostRegister_v2")(host, sizeof host, 0));
	f("cuMemHostRegister_v2")(host, sizeof host, 0);
	TRY("unregister", f("cuMemHostUnregister")(host));
	f("cuMemHostUnregister")(host);
	TRY("memory info", f("cuMemGetInfo_v2")(&n, &m));
	TRY("range", f("cuMemGetAddressRange_v2")(&p, &n, memory));
	TRY("attribute", f("cuPointerGetAttribute")(&word, 2, memory));
	TRY("copy to device", f("cuMemcpyHtoD_v2")(memory, host, (size_t)16));
	TRY("copy", f("cuMemcpy")(memory, memory + 64, (size_t)16));
	TRY("copy within", f("cuMemcpyDtoD_v2")(memory, memory + 64,
		(size_t)16));
	TRY("memset", f("cuMemsetD8_v2")(memory, 0, (size_t)16));
	TRY("alloc in another stream", f("cuMemAllocAsync")(&p, (size_t)16,
		b));
}

static void
unsafe_streams(int mode)
{
	void *graph = 0, *e = event(), *s = 0, *x = event(), *g = 0, *y;
	int n;

	f("cuEventRecord")(e, b);
	f("cuStreamSynchronize")(b);
	TRY("stream create", f("cuStreamCreate")(&s, 1));
	if (!s)
		f("cuStreamCreate")(&s, 1);
	TRY("stream query", f("cuStreamQuery")(s));
	TRY("stream synchronize", f("cuStreamSynchronize")(s));
	TRY("stream destroy", f("cuStreamDestroy_v2")(s));
	TRY("event create", f("cuEventCreate")(&y, 0));
	TRY("event query", f("cuEventQuery")(e));
	TRY("event synchronize", f("cuEventSynchronize")(e));
	TRY("event destroy", f("cuEventDestroy_v2")(x));
	TRY("launch elsewhere", launch(b));
	TRY("context synchronize", f("cuCtxSynchronize")());
	TRY("context limit", f("cuCtxSetLimit")(0, (size_t)2048));
	TRY("flags", f("cuCtxGetFlags")(&n));
	f("cuGraphCreate")(&g, 0);
	y = 0;
	TRY("instantiate", f("cuGraphInstantiateWithFlags")(&y, g,
		(unsigned long long)0));
	if (!y)
		f("cuGraphInstantiateWithFlags")(&y, g,
			(unsigned long long)0);
	TRY("upload", f("cuGraphUpload")(y, b));
	TRY("graph launch", f("cuGraphLaunch")(y, b));
	TRY("exec destroy", f("cuGraphExecDestroy")(y));
	TRY("graph destroy", f("cuGraphDestroy")(g));
}

static void
unsafe_code(int mode)
{
	void *graph = 0, *m = 0, *k = 0, *l = 0;
	address p;
	size_t n;
	int v;

	TRY("module load", f("cuModuleLoadData")(&m, ptx));
	if (!m)
		f("cuModuleLoadData")(&m, ptx);
	TRY("function", f("cuModuleGetFunction")(&k, m, "empty"));
	TRY("global", f("cuModuleGetGlobal_v2")(&p, &n, m, "word"));
	f("cuModuleGetFunction")(&k, m, "empty");
	TRY("function attribute", f("cuFuncGetAttribute")(&v, 0, k));
	TRY("set function attribute", f("cuFuncSetAttribute")(k, 8, 1024));
	TRY("set cache config", f("cuFuncSetCacheConfig")(k, 1));
	TRY("unload", f("cuModuleUnload")(m));
	TRY("library load", f("cuLibraryLoadData")(&l, ptx, (void *)0,
		(void *)0, 0, (void *)0, (void *)0, 0));
	if (!l)
		f("cuLibraryLoadData")(&l, ptx, (void *)0, (void *)0, 0,
			(void *)0, (void *)0, 0);
	TRY("library kernel", f("cuLibraryGetKernel")(&k, l, "empty"));
	TRY("kernel function", f("cuKernelGetFunction")(&m, k));
	TRY("library global", f("cuLibraryGetGlobal")(&p, &n, l, "word"));
	TRY("library unload", f("cuLibraryUnload")(l));
	TRY("occupancy", f("cuOccupancyMaxActiveBlocksPerMultiprocessor")(&v,
		empty, 32, (size_t)0));
	TRY("context", f("cuCtxCreate_v2")(&m, 0, 0));
	f("cuCtxSetCurrent")(context);
}

static void
unsafe(void)
{
	int m;

	for (m = GLOBAL; m <= RELAXED; m += RELAXED) {
		printf("mode %d\n", m);
		unsafe_memory(m);
		unsafe_streams(m);
		unsafe_code(m);
	}
}

int
main(int argc, char *argv[])
{
	if (!open_all(argc > 1 ? argv[1] : 0))
		return 2;
	unsafe();
	return 0;
}
