/* codes_graph.c - what the driver answers where graphs are built: wrong calls,
 * odd ones, and what is found in them.
 *
 *	codes_graph build|params [LIBRARY]
 *
 * codes_graph.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_graph.h"

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
ends(void *g, void *x, void *y)
{
	void *deps[4];
	size_t n;
	int t;

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
}

static void
build(void)
{
	void *g = 0, *h = new_graph(), *x, *y, *z = 0, *k, *l, *exec, *deps[2];

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
	ends(g, x, y);
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
boxes(void *g)
{
	void *n = 0, *m = 0;
	CUDA_MEMSET_NODE_PARAMS mp;
	CUDA_MEMCPY3D cp;

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
}

static void
any_kind(void *g)
{
	CUgraphNodeParams gp;
	void *n = 0;

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
}

static void
params(void)
{
	CUDA_KERNEL_NODE_PARAMS kp;
	CUDA_MEMSET_NODE_PARAMS mp = { .elementSize = 1 };
	CUDA_HOST_NODE_PARAMS hp;
	void *g = new_graph(), *k = 0, *l = 0, *n = 0, *e = 0;
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
	boxes(g);
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
	any_kind(g);
	VALUE("nodes", size(g));
}

int
main(int argc, char *argv[])
{
	static const struct graph_part parts[] = {
		{ "build", build },
		{ "params", params },
		{ 0, 0 },
	};

	return run_part(parts, argc, argv);
}
