// A graph that loops until a kernel says that it is done.
// REQUIRES: nvcc
// RUN: nvcc -std=c++17 -arch=sm_80 -rdc=true -cudart shared -I %S/Inputs %s -o %t -lcudadevrt
// RUN: env LD_LIBRARY_PATH=$B/lib %t
#include "check.h"

#if CUDART_VERSION >= 12040
__global__ void
collatz(cudaGraphConditionalHandle h, unsigned *n, unsigned *steps)
{
	*n = *n % 2 ? *n * 3 + 1 : *n / 2;
	++*steps;
	cudaGraphSetConditional(h, *n != 1);
}

int
main()
{
	Device<unsigned> n(std::vector<unsigned>{ 27 });
	Device<unsigned> steps(1);
	cudaGraphConditionalHandle h;
	cudaGraphNodeParams p = {};
	cudaGraphNode_t node;
	cudaGraphExec_t e;
	cudaGraph_t g;
	cudaStream_t s;

	OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	OK(cudaDeviceSynchronize()); // it does not wait for fills
	OK(cudaGraphCreate(&g, 0));
	OK(cudaGraphConditionalHandleCreate(&h, g, 1,
		cudaGraphCondAssignDefault));
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = h;
	p.conditional.type = cudaGraphCondTypeWhile;
	p.conditional.size = 1;
#if CUDART_VERSION >= 13000
	OK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p));
#else
	OK(cudaGraphAddNode(&node, g, nullptr, 0, &p));
#endif
	OK(cudaStreamBeginCaptureToGraph(s, p.conditional.phGraph_out[0],
		nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
	collatz<<<1, 1, 0, s>>>(h, n.p, steps.p);
	OK(cudaStreamEndCapture(s, nullptr));
	OK(cudaGraphInstantiate(&e, g, 0));
	OK(cudaGraphLaunch(e, s));
	OK(cudaStreamSynchronize(s));
	TRUE(n.get()[0] == 1);
	TRUE(steps.get()[0] == 111);
	OK(cudaGraphExecDestroy(e));
	OK(cudaGraphDestroy(g));
	OK(cudaStreamDestroy(s));
	return check_end();
}
#else
int
main()
{
	return 0;
}
#endif
