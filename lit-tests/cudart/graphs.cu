// Graphs: captured and built by hand, launched, changed; what they hold.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <atomic>

__device__ int place[4];

__global__ void
add(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	p[i] += n;
}

__global__ void
mul(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	p[i] *= n;
}

static cudaStream_t a, b;
static std::atomic<int> called;
static void count(void *p) { called += *(int *)p; }

static size_t
size(cudaGraph_t g)
{
	size_t n = 99;

	OK(cudaGraphGetNodes(g, nullptr, &n));
	return n;
}

// a diamond over two streams, launched again and again
static void
captured()
{
	cudaGraphExec_t e;
	cudaGraph_t g;
	cudaEvent_t fork, join;
	std::vector<int> one(64, 1), out(64);
	Device<int> p(one), q(one);
	int five = 5;

	OK(cudaEventCreate(&fork));
	OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
	OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
	add<<<2, 32, 0, a>>>(p.p, 2);
	OK(cudaEventRecord(fork, a));
	OK(cudaStreamWaitEvent(b, fork, 0));
	mul<<<2, 32, 0, a>>>(p.p, 3);
	OK(cudaMemsetAsync(q.p, 0, 64 * sizeof(int), b));
	add<<<2, 32, 0, b>>>(q.p, 7);
	OK(cudaEventRecord(join, b));
	OK(cudaStreamWaitEvent(a, join, 0));
	OK(cudaLaunchHostFunc(a, count, &five));
	OK(cudaMemcpyAsync(out.data(), p.p, 64 * sizeof(int),
		cudaMemcpyDeviceToHost, a));
	OK(cudaStreamEndCapture(a, &g));
	TRUE(size(g) == 6);
	TRUE(p.get()[0] == 1);
	OK(cudaGraphInstantiate(&e, g, 0));
	called = 0;
	for (int i = 0; i < 3; i++)
		OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	// ((1 + 2) * 3 + 2) * 3 …
	TRUE(out[63] == 105);
	TRUE(q.get()[5] == 7);
	TRUE(called == 15);
	OK(cudaGraphLaunch(e, 0));
	OK(cudaStreamSynchronize(0));
	TRUE(p.get()[0] == 321);
	OK(cudaGraphExecDestroy(e));
	OK(cudaGraphDestroy(g));
	OK(cudaEventDestroy(fork));
	OK(cudaEventDestroy(join));
}

static cudaGraphNode_t
kernel(cudaGraph_t g, void *f, int *p, int n,
	const std::vector<cudaGraphNode_t> &deps)
{
	void *args[] = { &p, &n };
	cudaKernelNodeParams k = {};
	cudaGraphNode_t node;

	k.func = f;
	k.gridDim = dim3(2);
	k.blockDim = dim3(32);
	k.kernelParams = args;
	OK(cudaGraphAddKernelNode(&node, g, deps.data(), deps.size(), &k));
	return node;
}

static void
built()
{
	std::vector<int> in(64, 4), out(64);
	Device<int> p(64);
	cudaGraph_t g, child, got;
	cudaGraphNode_t up, first, second, down, to, nodes[8];
	cudaKernelNodeParams k;
	cudaMemcpy3DParms c;
	cudaMemsetParams m = {};
	cudaGraphExec_t e;
	size_t n = 8;

	OK(cudaDeviceSynchronize()); // the streams do not wait for fills
	OK(cudaGraphCreate(&g, 0));
	OK(cudaGraphAddMemcpyNode1D(&up, g, nullptr, 0, p.p, in.data(),
		64 * sizeof(int), cudaMemcpyHostToDevice));
	first = kernel(g, (void *)add, p.p, 1, { up });
	OK(cudaGraphCreate(&child, 0));
	kernel(child, (void *)mul, p.p, 2, {});
	OK(cudaGraphAddChildGraphNode(&second, g, &first, 1, child));
	OK(cudaGraphAddMemcpyNode1D(&down, g, &second, 1, out.data(), p.p,
		64 * sizeof(int), cudaMemcpyDeviceToHost));
	OK(cudaGraphAddMemcpyNodeToSymbol(&to, g, &second, 1, place, p.p,
		4 * sizeof(int), 0, cudaMemcpyDeviceToDevice));
	OK(cudaGraphKernelNodeGetParams(first, &k));
	TRUE(k.func == (void *)add);
	TRUE(k.gridDim.x == 2 && k.blockDim.x == 32);
	TRUE(*(int *)k.kernelParams[1] == 1);
	OK(cudaGraphMemcpyNodeGetParams(down, &c));
	TRUE(c.kind == cudaMemcpyDeviceToHost);
	TRUE(c.dstPtr.ptr == out.data());
	TRUE(c.extent.width == 64 * sizeof(int));
	OK(cudaGraphChildGraphNodeGetGraph(second, &got));
	TRUE(size(got) == 1);
	OK(cudaGraphInstantiate(&e, g, 0));
	OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	TRUE(out[0] == 10 && out[63] == 10);
	int seen[4];
	OK(cudaMemcpyFromSymbol(seen, place, sizeof seen));
	TRUE(seen[3] == 10);
	// other parameters, in the executable graph alone
	int ten = 10;
	int *pp = p.p;
	void *args[] = { &pp, &ten };
	k.kernelParams = args;
	OK(cudaGraphExecKernelNodeSetParams(e, first, &k));
	OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	TRUE(out[0] == 28);
	k.func = (void *)mul;
	OK(cudaGraphExecKernelNodeSetParams(e, first, &k));
	OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	TRUE(out[0] == 80);
	OK(cudaGraphNodeSetEnabled(e, first, 0));
	OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	TRUE(out[0] == 8);
	OK(cudaGraphKernelNodeGetParams(first, &k));
	TRUE(k.func == (void *)add && *(int *)k.kernelParams[1] == 1);
	m.dst = p.p;
	m.value = 0;
	m.elementSize = 4;
	m.width = 64;
	m.height = 1;
	OK(cudaGraphAddMemsetNode(&to, g, &down, 1, &m));
	OK(cudaGraphGetRootNodes(g, nodes, &n));
	TRUE(n == 1 && nodes[0] == up);
	OK(cudaGraphExecDestroy(e));
	OK(cudaGraphDestroy(child));
	OK(cudaGraphDestroy(g));
}

// what programs do that capture anew each time and update
static void
updated()
{
	std::vector<int> one(64, 1);
	Device<int> p(one);
	cudaGraphExecUpdateResultInfo info;
	cudaGraphExec_t e = nullptr;
	cudaGraph_t g;

	for (int i = 0; i < 4; i++) {
		OK(cudaStreamBeginCapture(a,
			cudaStreamCaptureModeThreadLocal));
		add<<<2, 32, 0, a>>>(p.p, i);
		if (i % 2)
			mul<<<2, 32, 0, a>>>(p.p, 2);
		else
			add<<<2, 32, 0, a>>>(p.p, 1);
		if (i == 3)
			add<<<2, 32, 0, a>>>(p.p, 1);
		OK(cudaStreamEndCapture(a, &g));
		if (!e)
			OK(cudaGraphInstantiate(&e, g, 0));
		IS(cudaGraphExecUpdate(e, g, &info), i == 3 ?
			cudaErrorGraphExecUpdateFailure : cudaSuccess);
		TRUE(info.result == (i == 3 ?
			cudaGraphExecUpdateErrorTopologyChanged :
			cudaGraphExecUpdateSuccess));
		cudaGetLastError();
		OK(cudaGraphDestroy(g));
		OK(cudaGraphLaunch(e, a));
	}
	OK(cudaStreamSynchronize(a));
	// 1 + 0 + 1, (2 + 1) * 2, 6 + 2 + 1, and that again
	TRUE(p.get()[0] == 12);
	OK(cudaGraphExecDestroy(e));
}

// memory that a graph allocates and frees
static void
memory()
{
	std::vector<int> out(64);
	cudaGraphExec_t e;
	cudaGraph_t g;
	int *p;

	OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
	OK(cudaMallocAsync(&p, 64 * sizeof(int), a));
	OK(cudaMemsetAsync(p, 0, 64 * sizeof(int), a));
	add<<<2, 32, 0, a>>>(p, 3);
	OK(cudaMemcpyAsync(out.data(), p, 64 * sizeof(int),
		cudaMemcpyDeviceToHost, a));
	OK(cudaFreeAsync(p, a));
	OK(cudaStreamEndCapture(a, &g));
	TRUE(size(g) == 5);
	OK(cudaGraphInstantiate(&e, g, 0));
	for (int i = 0; i < 2; i++) {
		out[9] = 0;
		OK(cudaGraphLaunch(e, a));
		OK(cudaStreamSynchronize(a));
		TRUE(out[9] == 3);
	}
	OK(cudaGraphExecDestroy(e));
	OK(cudaGraphDestroy(g));
}

#if CUDART_VERSION >= 13000
// cudaGraphAddNode, and a condition that the host sets
static void
nodes()
{
	Device<int> p(64);
	cudaGraphNodeParams k = {}, c = {}, s = {};
	cudaGraphConditionalHandle h;
	cudaGraphNode_t node, in;
	cudaGraphExec_t e;
	cudaGraph_t g;
	int n = 6;
	void *args[] = { &p.p, &n };

	OK(cudaDeviceSynchronize());
	OK(cudaGraphCreate(&g, 0));
	s.type = cudaGraphNodeTypeMemcpy;
	s.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(p.p, 64, 64, 1);
	s.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(p.p + 32, 64, 64, 1);
	s.memcpy.copyParams.extent = make_cudaExtent(64, 1, 1);
	s.memcpy.copyParams.kind = cudaMemcpyDefault;
	OK(cudaGraphAddNode(&in, g, nullptr, nullptr, 0, &s));
	OK(cudaGraphConditionalHandleCreate(&h, g, 1,
		cudaGraphCondAssignDefault));
	c.type = cudaGraphNodeTypeConditional;
	c.conditional.handle = h;
	c.conditional.type = cudaGraphCondTypeIf;
	c.conditional.size = 1;
	OK(cudaGraphAddNode(&node, g, &in, nullptr, 1, &c));
	k.type = cudaGraphNodeTypeKernel;
	k.kernel.func = (void *)add;
	k.kernel.gridDim = dim3(2);
	k.kernel.blockDim = dim3(32);
	k.kernel.kernelParams = args;
	OK(cudaGraphAddNode(&node, c.conditional.phGraph_out[0], nullptr,
		nullptr, 0, &k));
	OK(cudaGraphInstantiate(&e, g, 0));
	OK(cudaGraphLaunch(e, a));
	OK(cudaStreamSynchronize(a));
	TRUE(p.get()[3] == 6);
	OK(cudaGraphExecDestroy(e));
	OK(cudaGraphDestroy(g));
}
#endif

// what goes wrong is told, and over with the capture
static void
errors()
{
	Device<int> p(64);
	cudaGraph_t g;
	void *q;

	OK(cudaDeviceSynchronize());
	OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
	IS(cudaMalloc(&q, 16), cudaErrorStreamCaptureUnsupported);
	IS(cudaStreamEndCapture(a, &g), cudaErrorStreamCaptureInvalidated);
	TRUE(!g);
	cudaGetLastError();
	OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
	OK(cudaMalloc(&q, 16));
	OK(cudaFree(q));
	IS(cudaStreamSynchronize(a), cudaErrorStreamCaptureUnsupported);
	add<<<2, 32, 0, a>>>(p.p, 1);
	IS(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
	IS(cudaStreamEndCapture(a, &g), cudaErrorStreamCaptureInvalidated);
	cudaGetLastError();
	add<<<2, 32, 0, a>>>(p.p, 1);
	OK(cudaStreamSynchronize(a));
	TRUE(p.get()[0] == 1);
}

int
main()
{
	OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	captured();
	built();
	updated();
	memory();
#if CUDART_VERSION >= 13000
	nodes();
#endif
	errors();
	OK(cudaStreamDestroy(a));
	OK(cudaStreamDestroy(b));
	return check_end();
}
