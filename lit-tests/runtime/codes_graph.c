/* codes_graph.c - what the driver answers of graphs: wrong calls, odd ones,
 * and what is found in them.
 *
 *	codes_graph build|params|run|update|memory|objects|conditional [LIBRARY]
 *
 * codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "cuda_api.h"
#include "codes.h"
#include <time.h>

static void *context, *module, *empty, *store, *small;
static void *a;                  /* a non-blocking stream */
static address memory;
static char host[4096];

static size_t
size(void *graph)
{
	size_t n = 99;

	f("cuGraphGetNodes")(graph, (void *)0, &n);
	return n;
}

static void *
new_graph(void)
{
	void *g = 0;

	f("cuGraphCreate")(&g, 0);
	return g;
}

static void *
node(void *g, void *before)
{
	void *n = 0;

	f("cuGraphAddEmptyNode")(&n, g, &before, (size_t)(before != 0));
	return n;
}

static int
kernel(void **out, void *g, void *which, unsigned grid, void **param)
{
	CUDA_KERNEL_NODE_PARAMS p = { which, grid, 1, 1, 1, 1, 1, 0, param,
		0, 0, 0 };

	return f("cuGraphAddKernelNode_v2")(out, g, (void *)0, (size_t)0, &p);
}

static int
fill(void **out, void *g, address at, unsigned element, size_t width,
	size_t height)
{
	CUDA_MEMSET_NODE_PARAMS p = { at, 64, 7, element, width, height };

	return f("cuGraphAddMemsetNode")(out, g, (void *)0, (size_t)0, &p,
		context);
}

static CUDA_MEMCPY3D
line(address to, const void *from, size_t n)
{
	CUDA_MEMCPY3D p = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = from, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = to, .WidthInBytes = n, .Height = 1, .Depth = 1 };

	return p;
}

static int
copy(void **out, void *g, address to, const void *from, size_t n)
{
	CUDA_MEMCPY3D p = line(to, from, n);

	return f("cuGraphAddMemcpyNode")(out, g, (void *)0, (size_t)0, &p,
		context);
}

static void
nothing(void *p)
{
	(void)p;
}

static int
call(void **out, void *g, void (*fn)(void *))
{
	CUDA_HOST_NODE_PARAMS p = { fn, 0 };

	return f("cuGraphAddHostNode")(out, g, (void *)0, (size_t)0, &p);
}

static int
instantiate(void **exec, void *g, unsigned long long flags)
{
	*exec = 0;
	return f("cuGraphInstantiateWithFlags")(exec, g, flags);
}

static void
edges(void *g)
{
	void *from[4] = { 0 }, *to[4] = { 0 };
	size_t n = 4;

	CASE("edges", f("cuGraphGetEdges")(g, from, to, &n));
	VALUE("… in all", n);
	n = 1;
	CASE("one", f("cuGraphGetEdges")(g, from, to, &n));
	VALUE("…", n);
	n = 77;
	CASE("how many", f("cuGraphGetEdges")(g, (void *)0, (void *)0, &n));
	VALUE("…", n);
	CASE("from alone", f("cuGraphGetEdges")(g, from, (void *)0, &n));
	CASE("no number", f("cuGraphGetEdges")(g, from, to, (void *)0));
}

static void
cycle(void *g, void *x, void *y)
{
	CUDA_GRAPH_INSTANTIATE_PARAMS p = { .hErrNode_out = 0 };
	void *exec, *bad = 0;
	char log[100] = "x";

	CASE("an edge back", f("cuGraphAddDependencies")(g, &y, &x,
		(size_t)1));
	CASE("instantiate a cycle", instantiate(&exec, g, 0));
	CASE("… the old way", f("cuGraphInstantiate_v2")(&exec, g, &bad, log,
		sizeof log));
	CASE("… with parameters", f("cuGraphInstantiateWithParams")(&exec, g,
		&p));
	VALUE("… result", p.result_out);
	VALUE("… node", p.hErrNode_out == 0 ? 0 : p.hErrNode_out == x ? 1 :
		p.hErrNode_out == y ? 2 : 3);
	CASE("remove it", f("cuGraphRemoveDependencies")(g, &y, &x,
		(size_t)1));
	CASE("remove it again", f("cuGraphRemoveDependencies")(g, &y, &x,
		(size_t)1));
}

static void
edge_data(void *g, void *x, void *y)
{
	CUgraphEdgeData d = { .to_port = 1 }, e[2];
	void *from[2], *to[2];
	size_t n = 2;

	CASE("to port 1", f("cuGraphAddDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
	d.to_port = 0;
	d.from_port = 1;
	CASE("from port 1", f("cuGraphAddDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
	d.type = 1;
	CASE("programmatic", f("cuGraphAddDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
	CASE("edges", f("cuGraphGetEdges_v2")(g, from, to, e, &n));
	VALUE("…", n);
	n = 2;
	CASE("edges, the old way", f("cuGraphGetEdges")(g, from, to, &n));
	CASE("number, the old way", f("cuGraphGetEdges")(g, (void *)0,
		(void *)0, &n));
	CASE("remove, no data", f("cuGraphRemoveDependencies")(g, &x, &y,
		(size_t)1));
	CASE("remove", f("cuGraphRemoveDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
	d.from_port = 3;
	CASE("from port 3", f("cuGraphAddDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
	d.from_port = 0;
	d.type = 2;
	CASE("type 2", f("cuGraphAddDependencies_v2")(g, &x, &y, &d,
		(size_t)1));
}

static void
clones(void *g, void *x)
{
	void *clone = 0, *c = 0, *d = 0;

	CASE("clone", f("cuGraphClone")(&clone, g));
	VALUE("… nodes", size(clone));
	CASE("find", f("cuGraphNodeFindInClone")(&c, x, clone));
	VALUE("… another", c && c != x);
	CASE("find its own", f("cuGraphNodeFindInClone")(&d, c, clone));
	CASE("find in the original", f("cuGraphNodeFindInClone")(&d, x, g));
	CASE("destroy the node", f("cuGraphDestroyNode")(c));
	CASE("find", f("cuGraphNodeFindInClone")(&d, x, clone));
	VALUE("… nodes", size(clone));
	CASE("destroy", f("cuGraphDestroy")(clone));
	CASE("clone, null", f("cuGraphClone")((void *)0, g));
}

static void
build(void)
{
	void *g = 0, *h = new_graph(), *x, *y, *z = 0, *k, *l, *exec, *deps[4];
	size_t n;
	int t;

	CASE("create, null", f("cuGraphCreate")((void *)0, 0));
	CASE("create, flags 1", f("cuGraphCreate")(&g, 1));
	CASE("create", f("cuGraphCreate")(&g, 0));
	CASE("instantiate nothing", instantiate(&exec, g, 0));
	CASE("launch nothing", f("cuGraphLaunch")(exec, a));
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("nodes, no number", f("cuGraphGetNodes")(g, (void *)0,
		(void *)0));
	x = node(g, 0);
	y = node(g, x);
	CASE("depends on null", f("cuGraphAddEmptyNode")(&z, g, (void *)0,
		(size_t)1));
	deps[0] = deps[1] = x;
	CASE("depends twice on one", f("cuGraphAddEmptyNode")(&z, g, deps,
		(size_t)2));
	VALUE("… nodes", size(g));
	z = node(h, 0);
	CASE("depends on another graph's", f("cuGraphAddEmptyNode")(&k, g, &z,
		(size_t)1));
	CASE("an edge to another graph's", f("cuGraphAddDependencies")(g, &x,
		&z, (size_t)1));
	CASE("an edge to itself", f("cuGraphAddDependencies")(g, &x, &x,
		(size_t)1));
	CASE("an edge again", f("cuGraphAddDependencies")(g, &x, &y,
		(size_t)1));
	CASE("no edges", f("cuGraphAddDependencies")(g, (void *)0, (void *)0,
		(size_t)0));
	edges(g);
	n = 4;
	CASE("dependencies", f("cuGraphNodeGetDependencies")(y, deps, &n));
	VALUE("…", n);
	n = 4;
	CASE("dependents", f("cuGraphNodeGetDependentNodes")(x, deps, &n));
	VALUE("…", n);
	n = 4;
	CASE("roots", f("cuGraphGetRootNodes")(g, deps, &n));
	VALUE("…", n);
	CASE("type", f("cuGraphNodeGetType")(x, &t));
	VALUE("…", t);
	CASE("type, null", f("cuGraphNodeGetType")(x, (void *)0));
	cycle(g, x, y);
	CASE("remove", f("cuGraphRemoveDependencies")(g, &x, &y, (size_t)1));
	kernel(&k, h, empty, 1, 0);
	kernel(&l, h, empty, 1, 0);
	edge_data(h, k, l);
	edge_data(h, z, l);
	clones(g, x);
	CASE("child", f("cuGraphAddChildGraphNode")(&k, h, (void *)0,
		(size_t)0, g));
	CASE("its graph", f("cuGraphChildGraphNodeGetGraph")(k, &z));
	VALUE("… another", z != g);
	VALUE("… nodes", size(z));
	CASE("destroy a child's graph", f("cuGraphDestroy")(z));
	CASE("graph of a node that has none",
		f("cuGraphChildGraphNodeGetGraph")(x, &z));
	CASE("dot to nowhere", f("cuGraphDebugDotPrint")(g, "/nowhere/x", 0));
	CASE("dot", f("cuGraphDebugDotPrint")(g, "/dev/null", 0xffff));
	CASE("dot, flags 1 << 20", f("cuGraphDebugDotPrint")(g, "/dev/null",
		1 << 20));
	CASE("destroy a node", f("cuGraphDestroyNode")(x));
	CASE("destroy", f("cuGraphDestroy")(g));
	CASE("destroy", f("cuGraphDestroy")(h));
	CASE("destroy null", f("cuGraphDestroy")((void *)0));
	CASE("destroy null", f("cuGraphExecDestroy")((void *)0));
}

static void
attributes(void *k, void *l)
{
	CUlaunchAttributeValue v = { .cooperative = 0 };
	int i;

	for (i = 0; i < 17; i++) {
		memset(&v, 0, sizeof v);
		CASE("attribute", f("cuGraphKernelNodeGetAttribute")(k, i,
			&v));
		VALUE("…", v.cooperative);
	}
	v.cooperative = 1;
	CASE("cooperative", f("cuGraphKernelNodeSetAttribute")(k, 2, &v));
	v.cooperative = 7;
	CASE("cooperative", f("cuGraphKernelNodeGetAttribute")(k, 2, &v));
	VALUE("…", v.cooperative);
	CASE("copy", f("cuGraphKernelNodeCopyAttributes")(l, k));
	CASE("cooperative", f("cuGraphKernelNodeGetAttribute")(l, 2, &v));
	VALUE("…", v.cooperative);
	v.priority = -3;
	CASE("priority", f("cuGraphKernelNodeSetAttribute")(k, 8, &v));
	CASE("stream serialization", f("cuGraphKernelNodeSetAttribute")(k, 6,
		&v));
}

static void
params(void)
{
	CUDA_KERNEL_NODE_PARAMS kp;
	CUDA_MEMCPY3D cp;
	CUDA_MEMSET_NODE_PARAMS mp;
	CUDA_HOST_NODE_PARAMS hp;
	CUgraphNodeParams gp;
	void *g = new_graph(), *k = 0, *l = 0, *n = 0, *m = 0, *e = 0;
	unsigned v = 5;
	void *param[] = { &memory, &v };

	CASE("kernel, no parameters", kernel(&n, g, store, 1, 0));
	CASE("kernel, grid 0", kernel(&n, g, store, 0, param));
	CASE("kernel, null", kernel(&n, g, 0, 1, param));
	CASE("kernel", kernel(&k, g, store, 3, param));
	CASE("kernel", kernel(&l, g, empty, 3, 0));
	CASE("get", f("cuGraphKernelNodeGetParams_v2")(k, &kp));
	VALUE("… function", kp.func == store);
	VALUE("… kernel", kp.kern != 0);
	VALUE("… context", kp.ctx == context);
	VALUE("… grid", kp.gridDimX);
	VALUE("… a copy", kp.kernelParams != param);
	VALUE("… value", *(unsigned *)kp.kernelParams[1]);
	VALUE("… extra", kp.extra != 0);
	CASE("get", f("cuGraphKernelNodeGetParams_v2")(l, &kp));
	VALUE("… parameters", kp.kernelParams != 0);
	kp.gridDimX = 0;
	CASE("set, grid 0", f("cuGraphKernelNodeSetParams_v2")(l, &kp));
	kp.gridDimX = 2;
	kp.blockDimX = 2048;
	CASE("set, block 2048", f("cuGraphKernelNodeSetParams_v2")(l, &kp));
	kp.blockDimX = 1;
	CASE("set", f("cuGraphKernelNodeSetParams_v2")(l, &kp));
	attributes(k, l);
	CASE("memset, element 3", fill(&n, g, memory, 3, 4, 1));
	CASE("memset, odd", fill(&n, g, memory + 1, 4, 4, 1));
	CASE("memset, width 0", fill(&n, g, memory, 4, 0, 1));
	CASE("memset, height 0", fill(&n, g, memory, 4, 4, 0));
	CASE("memset, beyond", fill(&n, g, memory, 4, 1 << 20, 1));
	CASE("memset nowhere", fill(&n, g, 0x1000, 4, 4, 1));
	CASE("memset, 2D too wide", fill(&n, g, memory, 4, 32, 2));
	CASE("memset", fill(&m, g, memory, 4, 4, 1));
	CASE("get", f("cuGraphMemsetNodeGetParams")(m, &mp));
	VALUE("… pitch", mp.pitch);
	VALUE("… value", mp.value);
	VALUE("… width", mp.width);
	CASE("memset 2D", fill(&n, g, memory, 1, 3, 4));
	CASE("copy, width 0", copy(&n, g, memory, host, 0));
	CASE("copy beyond", copy(&n, g, memory, host, 1 << 20));
	CASE("copy from null", copy(&n, g, memory, 0, 16));
	CASE("copy", copy(&n, g, memory, host, 16));
	CASE("get", f("cuGraphMemcpyNodeGetParams")(n, &cp));
	VALUE("… type", cp.srcMemoryType);
	VALUE("… source", cp.srcHost == host);
	VALUE("… pitch", cp.srcPitch);
	VALUE("… height", cp.srcHeight);
	CASE("host, null", call(&n, g, 0));
	CASE("host", call(&n, g, nothing));
	CASE("get", f("cuGraphHostNodeGetParams")(n, &hp));
	VALUE("… function", hp.fn == nothing);
	CASE("kernel's of a host node", f("cuGraphKernelNodeGetParams_v2")(n,
		&kp));
	CASE("memset's of a host node", f("cuGraphMemsetNodeSetParams")(n,
		&mp));
	f("cuEventCreate")(&e, 0);
	CASE("record", f("cuGraphAddEventRecordNode")(&n, g, (void *)0,
		(size_t)0, e));
	CASE("record, null", f("cuGraphAddEventRecordNode")(&n, g, (void *)0,
		(size_t)0, (void *)0));
	CASE("wait", f("cuGraphAddEventWaitNode")(&n, g, (void *)0,
		(size_t)0, e));
	k = 0;
	CASE("event", f("cuGraphEventWaitNodeGetEvent")(n, &k));
	VALUE("… the same", k == e);
	CASE("event of another kind", f("cuGraphEventRecordNodeGetEvent")(n,
		&k));
	memset(&gp, 0, sizeof gp);
	gp.type = CU_GRAPH_NODE_TYPE_EMPTY;
	CASE("node", f("cuGraphAddNode_v2")(&n, g, (void *)0, (void *)0,
		(size_t)0, &gp));
	gp.reserved2 = 1;
	CASE("node, reserved", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &gp));
	gp.reserved2 = 0;
	gp.type = 14;
	CASE("node of kind 14", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &gp));
	gp.type = CU_GRAPH_NODE_TYPE_MEMSET;
	CASE("node, no context", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &gp));
	gp.memset = (CUDA_MEMSET_NODE_PARAMS_v2){ memory, 0, 1, 1, 1, 1,
		context };
	CASE("node", f("cuGraphAddNode_v2")(&n, g, (void *)0, (void *)0,
		(size_t)0, &gp));
	gp.type = CU_GRAPH_NODE_TYPE_HOST;
	CASE("set as another kind", f("cuGraphNodeSetParams")(n, &gp));
	gp.type = CU_GRAPH_NODE_TYPE_MEMSET;
	CASE("set", f("cuGraphNodeSetParams")(n, &gp));
	VALUE("nodes", size(g));
}

static void
enabled(void *exec, void *n, const char *name)
{
	unsigned on = 7;

	puts(name);
	CASE("enabled", f("cuGraphNodeGetEnabled")(exec, n, &on));
	VALUE("…", on);
	CASE("disable", f("cuGraphNodeSetEnabled")(exec, n, 0));
	CASE("enabled", f("cuGraphNodeGetEnabled")(exec, n, &on));
	VALUE("…", on);
	CASE("enable by 2", f("cuGraphNodeSetEnabled")(exec, n, 2));
}

static void
run(void)
{
	void *g = new_graph(), *k, *h, *s, *exec, *other, *stranger, *c = 0;
	CUDA_KERNEL_NODE_PARAMS kp = { empty, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0,
		0 };
	CUDA_GRAPH_INSTANTIATE_PARAMS p = { .flags = 2 };
	CUDA_MEMSET_NODE_PARAMS mp = { memory, 0, 1, 4, 4, 1 };
	uint64_t flags = 99;
	size_t n = 1;
	int t;

	kernel(&k, g, empty, 1, 0);
	call(&h, g, nothing);
	fill(&s, g, memory, 4, 4, 1);
	CASE("flags 16", instantiate(&exec, g, 16));
	CASE("upload by flag", instantiate(&exec, g, 2));
	p.hUploadStream = a;
	CASE("upload", f("cuGraphInstantiateWithParams")(&exec, g, &p));
	VALUE("… result", p.result_out);
	CASE("flags", f("cuGraphExecGetFlags")(exec, &flags));
	VALUE("…", flags);
	CASE("instantiate", instantiate(&exec, g, 1));
	CASE("flags", f("cuGraphExecGetFlags")(exec, &flags));
	VALUE("…", flags);
	CASE("instantiate, null", f("cuGraphInstantiateWithFlags")((void *)0,
		g, 0ull));
	CASE("upload", f("cuGraphUpload")(exec, a));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("launch to legacy", f("cuGraphLaunch")(exec, (void *)0));
	CASE("launch null", f("cuGraphLaunch")((void *)0, a));
	enabled(exec, k, "kernel");
	enabled(exec, h, "host");
	enabled(exec, s, "memset");
	other = new_graph();
	kernel(&stranger, other, empty, 1, 0);
	CASE("set a stranger's", f("cuGraphExecKernelNodeSetParams_v2")(exec,
		stranger, &kp));
	CASE("set", f("cuGraphExecKernelNodeSetParams_v2")(exec, k, &kp));
	kp.func = small;
	CASE("set the function", f("cuGraphExecKernelNodeSetParams_v2")(exec,
		k, &kp));
	kp.blockDimX = 100;
	CASE("set too large a block",
		f("cuGraphExecKernelNodeSetParams_v2")(exec, k, &kp));
	CASE("set of another kind", f("cuGraphExecKernelNodeSetParams_v2")(
		exec, h, &kp));
	CASE("set memset", f("cuGraphExecMemsetNodeSetParams")(exec, s, &mp,
		context));
	mp.height = 2;
	mp.pitch = 64;
	CASE("set memset 2D", f("cuGraphExecMemsetNodeSetParams")(exec, s,
		&mp, context));
	mp.height = 1;
	mp.width = 0;
	CASE("set memset, width 0", f("cuGraphExecMemsetNodeSetParams")(exec,
		s, &mp, context));
	CASE("destroy the node", f("cuGraphDestroyNode")(k));
	kp.blockDimX = 1;
	CASE("set it", f("cuGraphExecKernelNodeSetParams_v2")(exec, k, &kp));
	CASE("destroy the graph", f("cuGraphDestroy")(g));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	puts("in a capture");
	f("cuStreamBeginCapture_v2")(a, 0);
	CASE("launch", f("cuGraphLaunch")(exec, a));
	g = 0;
	CASE("end", f("cuStreamEndCapture")(a, &g));
	if (g) {
		CASE("nodes", f("cuGraphGetNodes")(g, &c, &n));
		VALUE("…", n);
		f("cuGraphNodeGetType")(c, &t);
		VALUE("… type", t);
	}
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("synchronize", f("cuStreamSynchronize")(a));
}

static void
change(const char *name, void *exec, void *g)
{
	CUgraphExecUpdateResultInfo i = { 99, 0, 0 };

	printf("%-44s %d", name, f("cuGraphExecUpdate_v2")(exec, g, &i));
	printf(", result %d, node %d, from %d\n", (int)i.result,
		i.errorNode != 0, i.errorFromNode != 0);
}

static void
update(void)
{
	void *g = new_graph(), *h, *x, *y, *exec, *child, *c;
	CUlaunchAttributeValue v = { .cooperative = 1 };
	unsigned one = 1;
	void *param[] = { &memory, &one };

	kernel(&x, g, store, 1, param);
	fill(&y, g, memory, 4, 4, 1);
	f("cuGraphAddDependencies")(g, &x, &y, (size_t)1);
	CASE("instantiate", instantiate(&exec, g, 0));
	change("the same", exec, g);
	h = new_graph();
	change("an empty one", exec, h);
	kernel(&x, h, store, 2, param);
	fill(&y, h, memory, 4, 4, 1);
	change("no edge", exec, h);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("a larger grid", exec, h);
	f("cuGraphKernelNodeSetAttribute")(x, 2, &v);
	change("cooperative", exec, h);
	node(h, 0);
	change("one more node", exec, h);
	h = new_graph();
	fill(&y, h, memory, 4, 4, 1);
	kernel(&x, h, store, 2, param);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("another order", exec, h);
	h = new_graph();
	kernel(&x, h, store, 2, param);
	fill(&y, h, memory, 4, 4, 1);
	f("cuGraphAddDependencies")(h, &y, &x, (size_t)1);
	change("the edge turned", exec, h);
	h = new_graph();
	fill(&x, h, memory, 4, 4, 1);
	fill(&y, h, memory, 4, 4, 1);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("another kind", exec, h);
	h = new_graph();
	kernel(&x, h, empty, 1, 0);
	fill(&y, h, memory, 4, 4, 1);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("another function", exec, h);
	h = new_graph();
	kernel(&x, h, empty, 1, 0);
	fill(&y, h, memory, 4, 3, 4);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("memset 2D", exec, h);
	h = new_graph();
	kernel(&x, h, empty, 1, 0);
	fill(&y, h, memory, 1, 8, 1);
	f("cuGraphAddDependencies")(h, &x, &y, (size_t)1);
	change("memset of bytes", exec, h);
	h = new_graph();
	child = new_graph();
	kernel(&x, child, empty, 1, 0);
	f("cuGraphAddChildGraphNode")(&c, h, (void *)0, (size_t)0, child);
	CASE("instantiate with a child", instantiate(&exec, h, 0));
	kernel(&x, child, empty, 1, 0);
	CASE("set the child", f("cuGraphExecChildGraphNodeSetParams")(exec, c,
		child));
	child = new_graph();
	kernel(&x, child, store, 2, param);
	CASE("set the child", f("cuGraphExecChildGraphNodeSetParams")(exec, c,
		child));
	CASE("update, null", f("cuGraphExecUpdate_v2")(exec, h, (void *)0));
}

static uint64_t
used(int attribute)
{
	uint64_t v = 999;

	f("cuDeviceGetGraphMemAttribute")(0, attribute, &v);
	return v;
}

static void
memories(void)
{
	CUDA_MEM_ALLOC_NODE_PARAMS p = { .poolProps = { .allocType = 1,
		.location = { 1, 0 } }, .bytesize = 1000 };
	CUDA_MEMSET_NODE_PARAMS mp = { 0, 0, 1, 4, 4, 1 };
	void *g = new_graph(), *x = 0, *y, *z, *exec, *other, *h, *clone;
	address q = 0;
	uint64_t v = 1;

	CASE("alloc 0 bytes", (p.bytesize = 0, f("cuGraphAddMemAllocNode")(&x,
		g, (void *)0, (size_t)0, &p)));
	p.bytesize = 1000;
	p.poolProps.location.id = 99;
	CASE("alloc on no device", f("cuGraphAddMemAllocNode")(&x, g,
		(void *)0, (size_t)0, &p));
	p.poolProps.location.id = 0;
	p.poolProps.handleTypes = 1;
	CASE("alloc to share", f("cuGraphAddMemAllocNode")(&x, g, (void *)0,
		(size_t)0, &p));
	p.poolProps.handleTypes = 0;
	CASE("alloc", f("cuGraphAddMemAllocNode")(&x, g, (void *)0, (size_t)0,
		&p));
	VALUE("… an address", p.dptr != 0);
	CASE("clone", f("cuGraphClone")(&clone, g));
	mp.dst = p.dptr;
	CASE("memset", f("cuGraphAddMemsetNode")(&y, g, &x, (size_t)1, &mp,
		context));
	CASE("destroy the alloc node", f("cuGraphDestroyNode")(x));
	h = new_graph();
	CASE("child", f("cuGraphAddChildGraphNode")(&z, h, (void *)0,
		(size_t)0, g));
	CASE("an edge removed", f("cuGraphRemoveDependencies")(g, &x, &y,
		(size_t)1));
	CASE("instantiate", instantiate(&exec, g, 0));
	CASE("instantiate again", instantiate(&other, g, 0));
	VALUE("used", used(0));
	CASE("free before", f("cuMemFree_v2")(p.dptr));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	VALUE("used", used(0) != 0);
	VALUE("high", used(1) != 0);
	VALUE("reserved", used(2) != 0);
	CASE("launch again", f("cuGraphLaunch")(exec, a));
	CASE("free", f("cuMemFree_v2")(p.dptr));
	CASE("free again", f("cuMemFree_v2")(p.dptr));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("free async", f("cuMemFreeAsync")(p.dptr, a));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("free", f("cuMemFree_v2")(p.dptr));
	CASE("instantiate, free on launch", instantiate(&exec, g, 1));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("high, to 1", f("cuDeviceSetGraphMemAttribute")(0, 1, &v));
	v = 0;
	CASE("high, to 0", f("cuDeviceSetGraphMemAttribute")(0, 1, &v));
	CASE("current, to 0", f("cuDeviceSetGraphMemAttribute")(0, 0, &v));
	CASE("trim", f("cuDeviceGraphMemTrim")(0));
	CASE("free", f("cuMemFree_v2")(p.dptr));
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("destroy", f("cuGraphDestroy")(g));
	g = new_graph();
	f("cuGraphAddMemAllocNode")(&x, g, (void *)0, (size_t)0, &p);
	CASE("free node, no order", f("cuGraphAddMemFreeNode")(&y, g,
		(void *)0, (size_t)0, p.dptr));
	CASE("free node", f("cuGraphAddMemFreeNode")(&y, g, &x, (size_t)1,
		p.dptr));
	CASE("another", f("cuGraphAddMemFreeNode")(&z, g, &x, (size_t)1,
		p.dptr));
	CASE("free node of other memory", f("cuGraphAddMemFreeNode")(&z, g,
		&x, (size_t)1, memory));
	CASE("what", f("cuGraphMemFreeNodeGetParams")(y, &q));
	VALUE("… that", q == p.dptr);
	CASE("instantiate", instantiate(&exec, g, 0));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	CASE("trim", f("cuDeviceGraphMemTrim")(0));
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("destroy", f("cuGraphDestroy")(g));
	puts("captured");
	f("cuStreamBeginCapture_v2")(a, 0);
	CASE("alloc", f("cuMemAllocAsync")(&q, (size_t)100, a));
	CASE("memset", f("cuMemsetD8Async")(q, 1, (size_t)100, a));
	CASE("free", f("cuMemFreeAsync")(q, a));
	CASE("free other", f("cuMemFreeAsync")(memory, a));
	CASE("end", f("cuStreamEndCapture")(a, &g));
	if (g)
		VALUE("… nodes", size(g));
}

static _Atomic int dropped;

static void
drop(void *p)
{
	dropped += (int)(intptr_t)p;
}

static void
objects(void)
{
	void *o = 0, *g = new_graph(), *clone, *exec;
	struct timespec t = { 0, 1000000 };
	int n;

	CASE("create, no count", f("cuUserObjectCreate")(&o, (void *)1, drop,
		0, 1));
	CASE("create, flags 0", f("cuUserObjectCreate")(&o, (void *)1, drop,
		1, 0));
	CASE("create, no function", f("cuUserObjectCreate")(&o, (void *)1,
		(void *)0, 1, 1));
	CASE("create", f("cuUserObjectCreate")(&o, (void *)1, drop, 3, 1));
	CASE("retain 0", f("cuUserObjectRetain")(o, 0));
	CASE("retain", f("cuUserObjectRetain")(o, 1));
	CASE("release", f("cuUserObjectRelease")(o, 1));
	CASE("graph retains", f("cuGraphRetainUserObject")(g, o, 1, 0));
	CASE("graph takes", f("cuGraphRetainUserObject")(g, o, 1, 1));
	CASE("graph retains, flags 2", f("cuGraphRetainUserObject")(g, o, 1,
		2));
	CASE("graph retains 0", f("cuGraphRetainUserObject")(g, o, 0, 0));
	CASE("graph releases", f("cuGraphReleaseUserObject")(g, o, 1));
	CASE("clone", f("cuGraphClone")(&clone, g));
	CASE("instantiate", instantiate(&exec, g, 0));
	CASE("release", f("cuUserObjectRelease")(o, 2));
	VALUE("dropped", dropped);
	CASE("destroy", f("cuGraphDestroy")(g));
	CASE("destroy", f("cuGraphDestroy")(clone));
	VALUE("dropped", dropped);
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	for (n = 0; n < 1000 && !dropped; n++)
		nanosleep(&t, 0);
	VALUE("dropped", dropped);
}

static void
conditional(void)
{
	void *g = new_graph(), *n = 0, *exec, *other, *clone;
	uint64_t handle = 0, handle2 = 0;
	CUgraphNodeParams p;

	CASE("handle, flags 2", f("cuGraphConditionalHandleCreate")(&handle, g,
		context, 1, 2));
	CASE("handle", f("cuGraphConditionalHandleCreate")(&handle, g, context,
		0, 1));
	CASE("instantiate, handle not used", instantiate(&exec, g, 0));
	memset(&p, 0, sizeof p);
	p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
	p.conditional.handle = handle;
	p.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
	p.conditional.size = 2;
	p.conditional.ctx = context;
	CASE("while with two bodies", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &p));
	p.conditional.type = CU_GRAPH_COND_TYPE_IF;
	p.conditional.size = 3;
	CASE("if with three bodies", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &p));
	p.conditional.size = 0;
	CASE("if with none", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &p));
	p.conditional.size = 2;
	CASE("if", f("cuGraphAddNode_v2")(&n, g, (void *)0, (void *)0,
		(size_t)0, &p));
	VALUE("… bodies", p.conditional.phGraph_out != 0);
	CASE("the handle again", f("cuGraphAddNode_v2")(&n, g, (void *)0,
		(void *)0, (size_t)0, &p));
	call(&n, p.conditional.phGraph_out[0], nothing);
	CASE("instantiate, host in it", instantiate(&exec, g, 0));
	f("cuGraphDestroyNode")(n);
	CASE("instantiate", instantiate(&exec, g, 0));
	CASE("and again", instantiate(&other, g, 0));
	CASE("clone", f("cuGraphClone")(&clone, g));
	CASE("child", f("cuGraphAddChildGraphNode")(&n, new_graph(),
		(void *)0, (size_t)0, g));
	CASE("destroy a body", f("cuGraphDestroy")(
		p.conditional.phGraph_out[0]));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	CASE("handle", f("cuGraphConditionalHandleCreate")(&handle2, g,
		(void *)0, 0, 0));
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "build", build }, { "params", params }, { "run", run },
		{ "update", update }, { "memory", memories },
		{ "objects", objects }, { "conditional", conditional },
	};
	size_t k;
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
	for (k = 0; k < sizeof parts / sizeof *parts; k++)
		if (!strcmp(parts[k].name, argv[1]))
			parts[k].run();
	return 0;
}
