/* graph.c - graphs: what they compute, in what order, and what stays when
 * things are destroyed.
 *
 * Each kernel reads and writes a word: a wrong order gives a wrong number.
 */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* step: *p = *p * m + a; hold: until *p is n; sum: *p += *q; down: *p -= 1,
 * which is the condition; odd: is *p? */
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry step(.param .u64 p, .param .u32 m, .param .u32 a)\n"
	"{ .reg .u64 x; .reg .u32 v, k, b; ld.param.u64 x, [p];\n"
	"  ld.param.u32 k, [m]; ld.param.u32 b, [a]; ld.global.u32 v, [x];\n"
	"  mad.lo.u32 v, v, k, b; st.global.u32 [x], v; ret; }\n"
	".visible .entry hold(.param .u64 p, .param .u32 n)\n"
	"{ .reg .u64 a; .reg .u32 v, w; .reg .pred q; ld.param.u64 a, [p];\n"
	"  ld.param.u32 w, [n];\n"
	"L: ld.volatile.global.u32 v, [a]; setp.ne.u32 q, v, w; @q bra L;\n"
	"  ret; }\n"
	".visible .entry sum(.param .u64 p, .param .u64 q)\n"
	"{ .reg .u64 a, b; .reg .u32 v, w; ld.param.u64 a, [p];\n"
	"  ld.param.u64 b, [q]; ld.global.u32 v, [a]; ld.global.u32 w, [b];\n"
	"  add.u32 v, v, w; st.global.u32 [a], v; ret; }\n"
	".extern .func cudaGraphSetConditional(.param .b64 h, .param .b32 v);\n"
	".visible .entry down(.param .u64 p, .param .u64 h)\n"
	"{ .reg .u64 a, b; .reg .u32 v; ld.param.u64 a, [p];\n"
	"  ld.param.u64 b, [h]; ld.global.u32 v, [a]; sub.u32 v, v, 1;\n"
	"  st.global.u32 [a], v; { .param .b64 x; .param .b32 y;\n"
	"  st.param.b64 [x], b; st.param.b32 [y], v;\n"
	"  call.uni cudaGraphSetConditional, (x, y); } ret; }\n"
	".visible .entry odd(.param .u64 p, .param .u64 h)\n"
	"{ .reg .u64 a, b; .reg .u32 v; ld.param.u64 a, [p];\n"
	"  ld.param.u64 b, [h]; ld.global.u32 v, [a]; and.b32 v, v, 1;\n"
	"  { .param .b64 x; .param .b32 y; st.param.b64 [x], b;\n"
	"  st.param.b32 [y], v; call.uni cudaGraphSetConditional, (x, y); }\n"
	"  ret; }\n";

static CUcontext context;
static CUfunction step, hold, sum, down, odd;
static CUstream a, b;
static volatile uint32_t *word;  /* page-locked, 1024 of them */
static CUdeviceptr memory;       /* as many */

static CUdeviceptr
at(unsigned k)
{
	return memory + 4 * k;
}

static uint32_t
see(unsigned k)
{
	uint32_t v = 0;

	OK(cuMemcpyDtoH_v2(&v, at(k), 4));
	return v;
}

static void
set(unsigned k, uint32_t v)
{
	OK(cuMemsetD32_v2(at(k), v, 1));
	OK(cuCtxSynchronize());
}

/* with two addresses */
static CUgraphNode
add_two(CUgraph g, CUfunction f, CUdeviceptr p, CUdeviceptr q, size_t ndep,
	const CUgraphNode *dep)
{
	void *param[] = { &p, &q };
	CUDA_KERNEL_NODE_PARAMS k = { .func = f, .gridDimX = 1, .gridDimY = 1,
		.gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1,
		.kernelParams = param };
	CUgraphNode node = 0;

	OK(cuGraphAddKernelNode_v2(&node, g, dep, ndep, &k));
	return node;
}

static CUgraphNode
add_step(CUgraph g, CUdeviceptr p, uint32_t m, uint32_t n, size_t ndep,
	const CUgraphNode *dep)
{
	void *param[] = { &p, &m, &n };
	CUDA_KERNEL_NODE_PARAMS k = { .func = step, .gridDimX = 1,
		.gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1,
		.blockDimZ = 1, .kernelParams = param };
	CUgraphNode node = 0;

	OK(cuGraphAddKernelNode_v2(&node, g, dep, ndep, &k));
	return node;
}

static void
launch_step(CUstream s, CUdeviceptr p, uint32_t m, uint32_t n)
{
	void *param[] = { &p, &m, &n };

	OK(cuLaunchKernel(step, 1, 1, 1, 1, 1, 1, 0, s, param, 0));
}

static void
run(CUgraphExec e, CUstream s)
{
	OK(cuGraphLaunch(e, s));
	OK(cuStreamSynchronize(s));
}

static CUgraphExec
make(CUgraph g)
{
	CUgraphExec e = 0;

	OK(cuGraphInstantiateWithFlags(&e, g, 0));
	return e;
}

/* branches of some length that start at one node and end in one: more of
 * them than there are queues */
static void
branches(void)
{
	enum { WIDE = 20, LONG = 6 };
	CUgraphNode first, node, last[WIDE];
	CUgraphExec e;
	CUgraph g;
	unsigned k, i, round;
	uint32_t want = 0, v;

	OK(cuGraphCreate(&g, 0));
	first = add_step(g, at(0), 1, 1, 0, 0);
	for (k = 0; k < WIDE; k++) {
		node = first;
		for (i = 0; i < LONG; i++)
			node = add_step(g, at(1 + k), 3, k + i, 1, &node);
		last[k] = node;
	}
	node = add_step(g, at(0), 2, 0, WIDE, last);
	for (k = 0; k < WIDE; k++)
		node = add_two(g, sum, at(0), at(1 + k), 1, &node);
	e = make(g);
	OK(cuGraphDestroy(g));
	OK(cuMemsetD32_v2(at(0), 0, WIDE + 1));
	for (round = 0; round < 5; round++) {
		run(e, round % 2 ? a : 0);
		want = (want + 1) * 2;
		for (k = 0; k < WIDE; k++)
			want += see(1 + k);
		IS(see(0), want);
	}
	for (v = 0, i = 0; i < 5 * LONG; i++)
		v = v * 3 + 7 + i % LONG;
	IS(see(8), v);
	OK(cuGraphExecDestroy(e));
}

/* one launch behind the other, in whatever streams, and behind and in front
 * of what else is in them */
static void
order(void)
{
	CUdeviceptr gate = (uintptr_t)&word[0];
	CUgraphNode n;
	CUgraphExec e;
	CUgraph g;
	uint32_t one = 1;
	void *param[] = { &gate, &one };

	OK(cuGraphCreate(&g, 0));
	n = add_step(g, at(0), 10, 2, 0, 0);
	add_step(g, at(1), 10, 2, 0, 0);
	add_step(g, at(0), 1, 1, 1, &n);
	e = make(g);
	set(0, 0);
	set(1, 0);
	word[0] = 0;
	OK(cuLaunchKernel(hold, 1, 1, 1, 1, 1, 1, 0, a, param, 0));
	launch_step(a, at(0), 1, 5);
	OK(cuGraphLaunch(e, a));
	OK(cuGraphLaunch(e, b));        /* waits for the one in a */
	launch_step(b, at(0), 10, 9);
	IS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
	/* what was launched needs neither */
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
	__atomic_store_n((uint32_t *)&word[0], 1, __ATOMIC_RELEASE);
	OK(cuStreamSynchronize(b));
	IS(see(0), 5339);
	IS(see(1), 22);
}

static atomic_int called;

static void
call(void *p)
{
	atomic_fetch_add(&called, *(int *)p);
}

/* nodes of each kind in a row, in a child of a child as well */
static void
kinds(void)
{
	CUDA_MEMCPY3D up = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE, .WidthInBytes = 8,
		.Height = 2, .Depth = 1, .srcPitch = 8, .dstPitch = 64 };
	CUDA_MEMSET_NODE_PARAMS fill = { .pitch = 64, .value = 7,
		.elementSize = 4, .width = 2, .height = 2 };
	uint32_t from[4] = { 1, 2, 3, 4 };
	static int two = 2;
	CUDA_HOST_NODE_PARAMS host = { call, &two };
	CUgraph g, child, inner;
	CUgraphNode n;
	CUgraphExec e;
	CUevent event;
	int k;

	OK(cuEventCreate(&event, 0));
	OK(cuGraphCreate(&inner, 0));
	n = add_step(inner, at(0), 2, 0, 0, 0);
	add_step(inner, at(0), 1, 5, 1, &n);
	OK(cuGraphCreate(&child, 0));
	OK(cuGraphAddChildGraphNode(&n, child, 0, 0, inner));
	OK(cuGraphAddHostNode(&n, child, &n, 1, &host));
	OK(cuGraphCreate(&g, 0));
	up.srcHost = from;
	up.dstDevice = at(0);
	fill.dst = at(4);
	OK(cuGraphAddMemcpyNode(&n, g, 0, 0, &up, context));
	OK(cuGraphAddMemsetNode(&n, g, &n, 1, &fill, context));
	OK(cuGraphAddChildGraphNode(&n, g, &n, 1, child));
	OK(cuGraphAddEmptyNode(&n, g, &n, 1));
	OK(cuGraphAddEventRecordNode(&n, g, &n, 1, event));
	OK(cuGraphAddEventWaitNode(&n, g, &n, 1, event));
	add_step(g, at(0), 3, 0, 1, &n);
	e = make(g);
	atomic_store(&called, 0);
	for (k = 1; k < 4; k++) {
		from[0] = (uint32_t)k;
		run(e, a);
		OK(cuEventQuery(event));
		IS(see(0), 3 * (2 * k + 5));
		IS(atomic_load(&called), 2 * k);
	}
	IS(see(1), 2);
	IS(see(16), 3);
	IS(see(4), 7);
	IS(see(21), 7);
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
	OK(cuGraphDestroy(child));
	OK(cuGraphDestroy(inner));
	OK(cuEventDestroy_v2(event));
}

/* a clone is a graph of its own, children too */
static void
clones(void)
{
	CUgraph g, child, clone;
	CUgraphNode n, c, in;
	CUgraphExec e;
	size_t one = 1;

	OK(cuGraphCreate(&child, 0));
	add_step(child, at(0), 1, 1, 0, 0);
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphAddChildGraphNode(&n, g, 0, 0, child));
	OK(cuGraphClone(&clone, g));
	OK(cuGraphNodeFindInClone(&c, n, clone));
	OK(cuGraphDestroyNode(n));
	OK(cuGraphDestroy(g));
	OK(cuGraphDestroy(child));
	OK(cuGraphChildGraphNodeGetGraph(c, &child));
	OK(cuGraphGetNodes(child, &in, &one));
	IS(one, 1);
	add_step(child, at(0), 5, 0, 1, &in);
	e = make(clone);
	set(0, 0);
	run(e, a);
	IS(see(0), 5);
	OK(cuGraphDestroy(clone));
	OK(cuGraphExecDestroy(e));
}

/* memory of a graph that the program frees, after the graph is gone */
static void
memories(void)
{
	CUDA_MEM_ALLOC_NODE_PARAMS p = { .poolProps = {
		.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
		.bytesize = 400 };
	CUdeviceptr q;
	CUgraphExec e, f;
	CUgraphNode n;
	CUgraph g, h;
	uint64_t used;
	uint32_t v = 0;

	OK(cuGraphCreate(&g, 0));
	OK(cuGraphAddMemAllocNode(&n, g, 0, 0, &p));
	q = p.dptr;
	add_step(g, q, 0, 6, 1, &n);
	e = make(g);
	run(e, a);
	IS(cuGraphLaunch(e, a), CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT,
		&used));
	TRUE(used >= 400);
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
	OK(cuMemcpyDtoH_v2(&v, q, 4));
	IS(v, 6);
	OK(cuMemFree_v2(q));
	IS(cuMemFree_v2(q), CUDA_ERROR_INVALID_VALUE);
	/* another graph frees it */
	OK(cuGraphCreate(&g, 0));
	OK(cuGraphAddMemAllocNode(&n, g, 0, 0, &p));
	e = make(g);
	OK(cuGraphCreate(&h, 0));
	OK(cuGraphAddMemFreeNode(&n, h, 0, 0, p.dptr));
	f = make(h);
	IS(cuGraphLaunch(f, a), CUDA_ERROR_INVALID_VALUE);
	run(e, a);
	run(f, a);
	run(e, a);
	run(f, a);
	OK(cuGraphExecDestroy(e));
	OK(cuGraphExecDestroy(f));
	OK(cuGraphDestroy(g));
	OK(cuGraphDestroy(h));
	OK(cuDeviceGetGraphMemAttribute(0,
		CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
	IS(used, 0);
}

/* round a loop, and both sides of a choice in it: kernels decide */
static void
conditions(void)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_CONDITIONAL };
	CUgraphConditionalHandle loop, choice;
	CUgraph g, body, *side;
	CUgraphNode n, m;
	CUgraphExec e;
	int k;

	OK(cuGraphCreate(&g, 0));
	OK(cuGraphConditionalHandleCreate(&loop, g, context, 1,
		CU_GRAPH_COND_ASSIGN_DEFAULT));
	p.conditional.handle = loop;
	p.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
	p.conditional.size = 1;
	p.conditional.ctx = context;
	OK(cuGraphAddNode_v2(&n, g, 0, 0, 0, &p));
	add_step(g, at(0), 1, 1000, 1, &n);
	body = p.conditional.phGraph_out[0];
	OK(cuGraphConditionalHandleCreate(&choice, body, context, 0, 0));
	n = add_two(body, odd, at(1), choice, 0, 0);
	p.conditional.handle = choice;
	p.conditional.type = CU_GRAPH_COND_TYPE_IF;
	p.conditional.size = 2;
	OK(cuGraphAddNode_v2(&m, body, &n, 0, 1, &p));
	side = p.conditional.phGraph_out;
	add_step(side[0], at(0), 1, 1, 0, 0);
	add_step(side[1], at(0), 1, 100, 0, 0);
	add_two(body, down, at(1), loop, 1, &m);
	e = make(g);
	for (k = 1; k < 6; k++) {
		set(0, 0);
		set(1, (uint32_t)k);
		run(e, a);
		IS(see(0), 1000 + (k + 1) / 2 + k / 2 * 100);
		IS(see(1), 0);
	}
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
}

/* words that a stream writes, and waits for */
static void
words(void)
{
	CUdeviceptr gate = (uintptr_t)&word[0], out = (uintptr_t)&word[2];
	CUgraphExec e;
	CUgraph g;
	CUresult r;
	int k;

	OK(cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
	r = cuStreamWaitValue32_v2(a, gate, 1, CU_STREAM_WAIT_VALUE_GEQ);
	if (!r)
		r = cuStreamWriteValue32_v2(a, out, 7, 0);
	if (r)
		IS(r, CUDA_ERROR_NOT_SUPPORTED);
	k = cuStreamEndCapture(a, &g);
	if (r)
		return;
	IS(k, 0);
	e = make(g);
	for (k = 0; k < 2; k++) {
		word[0] = word[2] = 0;
		OK(cuGraphLaunch(e, a));
		IS(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
		IS(word[2], 0);
		__atomic_store_n((uint32_t *)&word[0], 1, __ATOMIC_RELEASE);
		OK(cuStreamSynchronize(a));
		IS(word[2], 7);
	}
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
}

static void
drop(void *p)
{
	atomic_fetch_add((atomic_int *)p, 1);
}

/* an object outlives a launch that goes on */
static void
objects(void)
{
	CUdeviceptr gate = (uintptr_t)&word[0];
	uint32_t one = 1;
	void *param[] = { &gate, &one };
	atomic_int dropped = 0;
	CUuserObject o;
	CUgraphExec e;
	CUgraph g;
	int k;

	OK(cuUserObjectCreate(&o, &dropped, drop, 1,
		CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	word[0] = 0;
	OK(cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(cuLaunchKernel(hold, 1, 1, 1, 1, 1, 1, 0, a, param, 0));
	OK(cuStreamEndCapture(a, &g));
	OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
	e = make(g);
	OK(cuGraphDestroy(g));
	OK(cuGraphLaunch(e, a));
	OK(cuGraphExecDestroy(e));
	IS(atomic_load(&dropped), 0);
	__atomic_store_n((uint32_t *)&word[0], 1, __ATOMIC_RELEASE);
	OK(cuStreamSynchronize(a));
	for (k = 0; k < 5000 && !atomic_load(&dropped); k++)
		usleep(1000);
	IS(atomic_load(&dropped), 1);
}

/* threads that capture, each in a stream of its own */
static void *
capture(void *arg)
{
	unsigned mine = 32 + (unsigned)(uintptr_t)arg;
	CUgraphExec e;
	CUstream s;
	CUgraph g;
	int k;

	OK(cuCtxSetCurrent(context));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	launch_step(s, at(mine), 0, 0);
	for (k = 1; k <= 20; k++) {
		OK(cuStreamBeginCapture_v2(s,
			CU_STREAM_CAPTURE_MODE_RELAXED));
		launch_step(s, at(mine), 1, 1);
		launch_step(s, at(mine), 1, 1);
		OK(cuStreamEndCapture(s, &g));
		e = make(g);
		OK(cuGraphLaunch(e, s));
		OK(cuGraphExecDestroy(e));
		OK(cuGraphDestroy(g));
	}
	OK(cuStreamSynchronize(s));
	IS(see(mine), 40);
	OK(cuStreamDestroy_v2(s));
	return 0;
}

static void
threads(void)
{
	pthread_t t[4];
	uintptr_t k;

	for (k = 0; k < 4; k++)
		pthread_create(&t[k], 0, capture, (void *)k);
	for (k = 0; k < 4; k++)
		pthread_join(t[k], 0);
}

/* streams and graphs that are destroyed within a capture */
static void
gone(void)
{
	CUstreamCaptureStatus s;
	CUstream mine, other;
	CUevent e;
	CUgraph g;

	OK(cuEventCreate(&e, 0));
	OK(cuStreamCreate(&mine, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
	OK(cuStreamBeginCapture_v2(mine, CU_STREAM_CAPTURE_MODE_GLOBAL));
	launch_step(mine, at(0), 1, 1);
	OK(cuEventRecord(e, mine));
	OK(cuStreamWaitEvent(other, e, 0));
	OK(cuStreamDestroy_v2(other));
	OK(cuStreamIsCapturing(mine, &s));
	IS(s, CU_STREAM_CAPTURE_STATUS_ACTIVE);
	OK(cuStreamEndCapture(mine, &g));
	OK(cuGraphDestroy(g));
	OK(cuGraphCreate(&g, 0));
	OK(cuStreamBeginCaptureToGraph(mine, g, 0, 0, 0,
		CU_STREAM_CAPTURE_MODE_GLOBAL));
	launch_step(mine, at(0), 1, 1);
	IS(cuGraphDestroy(g), CUDA_ERROR_ILLEGAL_STATE);
	OK(cuStreamDestroy_v2(mine));
	OK(cuGraphDestroy(g));
	OK(cuEventDestroy_v2(e));
}

/* kernels of two contexts in a row, launched in a stream of either */
static void
contexts(void)
{
	CUfunction mine = step;
	CUcontext other;
	CUgraphNode n;
	CUgraphExec e;
	CUstream s;
	CUmodule m;
	CUdevice d;
	CUgraph g;

	OK(cuCtxGetDevice(&d));
	OK(cuCtxCreate_v2(&other, 0, d));
	OK(cuModuleLoadData(&m, text));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuGraphCreate(&g, 0));
	n = add_step(g, at(0), 2, 1, 0, 0);
	OK(cuModuleGetFunction(&step, m, "step"));
	n = add_step(g, at(0), 10, 0, 1, &n);
	step = mine;
	n = add_step(g, at(0), 3, 0, 1, &n);
	e = make(g);
	OK(cuCtxSetCurrent(context));
	set(0, 0);
	run(e, a);
	IS(see(0), 30);
	OK(cuGraphLaunch(e, s));
	run(e, a);
	IS(see(0), 109830);
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
	OK(cuCtxDestroy_v2(other));
}

int
main(void)
{
	CUmodule m;
	CUdevice d;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&context, 0, d));
	OK(cuModuleLoadData(&m, text));
	OK(cuModuleGetFunction(&step, m, "step"));
	OK(cuModuleGetFunction(&hold, m, "hold"));
	OK(cuModuleGetFunction(&sum, m, "sum"));
	OK(cuModuleGetFunction(&down, m, "down"));
	OK(cuModuleGetFunction(&odd, m, "odd"));
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	OK(cuMemHostAlloc((void **)&word, 4096, CU_MEMHOSTALLOC_PORTABLE));
	OK(cuMemAlloc_v2(&memory, 4096));
	branches();
	order();
	kinds();
	clones();
	memories();
	conditions();
	words();
	objects();
	threads();
	gone();
	contexts();
	OK(cuMemFree_v2(memory));
	OK(cuMemFreeHost((void *)word));
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
