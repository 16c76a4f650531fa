/* codes_graph.h - for programs that ask a driver about graphs: graphs, nodes,
 * and a main program that runs one part. */
#ifndef CODES_GRAPH_H
#define CODES_GRAPH_H

#include "cuda_api.h"
#include "codes.h"

static void *context, *module, *empty, *store, *small;
static void *a;                  /* a non-blocking stream */
static address memory;
static char host[4096] __attribute__((unused));

static inline size_t
size(void *graph)
{
	size_t n = 99;

	f("cuGraphGetNodes")(graph, (void *)0, &n);
	return n;
}

static inline void *
new_graph(void)
{
	void *g = 0;

	f("cuGraphCreate")(&g, 0);
	return g;
}

static inline void *
node(void *g, void *before)
{
	void *n = 0;

	f("cuGraphAddEmptyNode")(&n, g, &before, (size_t)(before != 0));
	return n;
}

static inline int
kernel(void **out, void *g, void *which, unsigned grid, void **param)
{
	CUDA_KERNEL_NODE_PARAMS p = { which, grid, 1, 1, 1, 1, 1, 0, param,
		0, 0, 0 };

	return f("cuGraphAddKernelNode_v2")(out, g, (void *)0, (size_t)0, &p);
}

static inline int
fill(void **out, void *g, address at, unsigned element, size_t width,
	size_t height)
{
	CUDA_MEMSET_NODE_PARAMS p = { at, 64, 7, element, width, height };

	return f("cuGraphAddMemsetNode")(out, g, (void *)0, (size_t)0, &p,
		context);
}

static inline CUDA_MEMCPY3D
line(address to, const void *from, size_t n)
{
	CUDA_MEMCPY3D p = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = from, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = to, .WidthInBytes = n, .Height = 1, .Depth = 1 };

	return p;
}

static inline int
copy(void **out, void *g, address to, const void *from, size_t n)
{
	CUDA_MEMCPY3D p = line(to, from, n);

	return f("cuGraphAddMemcpyNode")(out, g, (void *)0, (size_t)0, &p,
		context);
}

static inline void
nothing(void *p)
{
	(void)p;
}

static inline int
call(void **out, void *g, void (*fn)(void *))
{
	CUDA_HOST_NODE_PARAMS p = { fn, 0 };

	return f("cuGraphAddHostNode")(out, g, (void *)0, (size_t)0, &p);
}

static inline int
instantiate(void **exec, void *g, unsigned long long flags)
{
	*exec = 0;
	return f("cuGraphInstantiateWithFlags")(exec, g, flags);
}

struct graph_part {
	const char *name;
	void (*run)(void);
};

static inline int
run_part(const struct graph_part *p, int argc, char *argv[])
{
	int dev;

	if (argc < 2 || !open_driver(argv[2]))
		return 2;
	if (f("cuInit")(0) || f("cuDeviceGet")(&dev, 0) ||
	    f("cuCtxCreate_v2")(&context, 0, dev) ||
	    f("cuModuleLoadData")(&module, ptx) ||
	    f("cuModuleGetFunction")(&empty, module, "empty") ||
	    f("cuModuleGetFunction")(&store, module, "store") ||
	    f("cuModuleGetFunction")(&small, module, "small") ||
	    f("cuStreamCreate")(&a, 1) ||
	    f("cuMemAlloc_v2")(&memory, (size_t)4096))
		return 1;
	for (; p->name; p++)
		if (!strcmp(p->name, argv[1]))
			p->run();
	return 0;
}

#endif
