/* codes_exec.c - what the driver answers of graphs that are executed, changed,
 * have memory, objects or conditions.
 *
 *	codes_exec run|update|memory|objects|conditional [LIBRARY]
 *
 * codes_graph.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_graph.h"
#include <time.h>

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
set(void *exec, void *k, void *h, void *s)
{
	CUDA_KERNEL_NODE_PARAMS kp = { empty, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0,
		0 };
	CUDA_MEMSET_NODE_PARAMS mp = { memory, 0, 1, 4, 4, 1 };
	void *other, *stranger;

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
}

static void
run(void)
{
	void *g = new_graph(), *k, *h, *s, *exec, *c = 0;
	CUDA_KERNEL_NODE_PARAMS kp = { empty, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0,
		0 };
	CUDA_GRAPH_INSTANTIATE_PARAMS p = { .flags = 2 };
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
	set(exec, k, h, s);
	CASE("destroy the node", f("cuGraphDestroyNode")(k));
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
children(void **param)
{
	void *h, *x, *exec, *child, *c;

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

static void
update(void)
{
	void *g = new_graph(), *h, *x, *y, *exec;
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
	children(param);
}

static uint64_t
used(int attribute)
{
	uint64_t v = 999;

	f("cuDeviceGetGraphMemAttribute")(0, attribute, &v);
	return v;
}

static void
captured(void)
{
	void *g = 0;
	address q = 0;

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

static void
freed(CUDA_MEM_ALLOC_NODE_PARAMS *p)
{
	void *g = new_graph(), *x = 0, *y, *z, *exec;
	address q = 0;

	f("cuGraphAddMemAllocNode")(&x, g, (void *)0, (size_t)0, p);
	CASE("free node, no order", f("cuGraphAddMemFreeNode")(&y, g,
		(void *)0, (size_t)0, p->dptr));
	CASE("free node", f("cuGraphAddMemFreeNode")(&y, g, &x, (size_t)1,
		p->dptr));
	CASE("another", f("cuGraphAddMemFreeNode")(&z, g, &x, (size_t)1,
		p->dptr));
	CASE("free node of other memory", f("cuGraphAddMemFreeNode")(&z, g,
		&x, (size_t)1, memory));
	CASE("what", f("cuGraphMemFreeNodeGetParams")(y, &q));
	VALUE("… that", q == p->dptr);
	CASE("instantiate", instantiate(&exec, g, 0));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("launch", f("cuGraphLaunch")(exec, a));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	CASE("trim", f("cuDeviceGraphMemTrim")(0));
	CASE("destroy", f("cuGraphExecDestroy")(exec));
	CASE("destroy", f("cuGraphDestroy")(g));
}

static void
memories(void)
{
	CUDA_MEM_ALLOC_NODE_PARAMS p = { .poolProps = { .allocType = 1,
		.location = { 1, 0 } }, .bytesize = 1000 };
	CUDA_MEMSET_NODE_PARAMS mp = { 0, 0, 1, 4, 4, 1 };
	void *g = new_graph(), *x = 0, *y, *z, *exec, *other, *h, *clone;
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
	freed(&p);
	captured();
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
	static const struct graph_part parts[] = {
		{ "run", run },
		{ "update", update },
		{ "memory", memories },
		{ "objects", objects },
		{ "conditional", conditional },
		{ 0, 0 },
	};

	return run_part(parts, argc, argv);
}
