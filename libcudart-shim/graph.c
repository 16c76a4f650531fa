/* graph.c - nodes of graphs, where the driver's structures differ: kernels,
 * fills, and nodes of any kind.
 */
#include "rt.h"
#include <string.h>

/* kernels: by the address of their stub, or a handle */

static cudaError_t
lower_kernel(CUDA_KERNEL_NODE_PARAMS *k, const struct kernel_node *p)
{
	CUkernel handle;
	cudaError_t r = p ? kernel_of(p->function, &handle) :
		cudaErrorInvalidValue;

	if (r)
		return r;
	*k = (CUDA_KERNEL_NODE_PARAMS){
		.func = (CUfunction)handle,
		.gridDimX = p->grid.x, .gridDimY = p->grid.y,
		.gridDimZ = p->grid.z, .blockDimX = p->block.x,
		.blockDimY = p->block.y, .blockDimZ = p->block.z,
		.sharedMemBytes = p->shared,
		.kernelParams = p->params, .extra = p->extra
	};
	return 0;
}

cudaError_t
cudaGraphAddKernelNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps,
	size_t n, const struct kernel_node *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	cudaError_t r = lower_kernel(&k, p);

	return r ? r : cuGraphAddKernelNode_v2(node, g, deps, n, &k);
}

cudaError_t
cudaGraphKernelNodeSetParams(CUgraphNode node, const struct kernel_node *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	cudaError_t r = lower_kernel(&k, p);

	return r ? r : cuGraphKernelNodeSetParams_v2(node, &k);
}

cudaError_t
cudaGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode node,
	const struct kernel_node *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	cudaError_t r = lower_kernel(&k, p);

	return r ? r : cuGraphExecKernelNodeSetParams_v2(e, node, &k);
}

cudaError_t
cudaGraphKernelNodeGetParams(CUgraphNode node, struct kernel_node *p)
{
	CUDA_KERNEL_NODE_PARAMS k;
	const void *stub;
	cudaError_t r = p ? cuGraphKernelNodeGetParams_v2(node, &k) :
		cudaErrorInvalidValue;

	if (r)
		return r;
	stub = k.kern ? registry_stub(k.kern) : 0;
	*p = (struct kernel_node){
		stub ? stub : (const void *)k.func,
		{ k.gridDimX, k.gridDimY, k.gridDimZ },
		{ k.blockDimX, k.blockDimY, k.blockDimZ },
		k.sharedMemBytes, k.kernelParams, k.extra
	};
	return 0;
}

/* fills: in the current context */

cudaError_t
cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps,
	size_t n, const CUDA_MEMSET_NODE_PARAMS *p)
{
	return cuGraphAddMemsetNode(node, g, deps, n, p, 0);
}

cudaError_t
cudaGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode node,
	const CUDA_MEMSET_NODE_PARAMS *p)
{
	return cuGraphExecMemsetNodeSetParams(e, node, p, 0);
}

/* conditions */

cudaError_t
cudaGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph g,
	unsigned value, unsigned flags)
{
	CUcontext c;
	cudaError_t r = cuCtxGetCurrent(&c);

	return r ? r : cuGraphConditionalHandleCreate(out, g, c, value, flags);
}

/* Nodes of any kind: what the driver's structure has more comes last in each
 * kind, and is 0.  But a kernel is a stub, and a copy has another box. */
static cudaError_t
lower(CUgraphNodeParams *d, const struct graph_node *p)
{
	const struct copy_3d *box = &p->copy.params;
	cudaError_t r = 0;

	_Static_assert(sizeof *d == sizeof *p, "the same size");
	memcpy(d, p, sizeof *d);
	switch (p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return lower_kernel(&d->kernel, &p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		memset(&d->memcpy, 0, sizeof d->memcpy);
		if (p->copy.flags)
			return cudaErrorInvalidValue;
		return box_lower(&d->memcpy.copyParams, box);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		d->memset.ctx = 0;
		return 0;
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		r = cuCtxGetCurrent(&d->conditional.ctx);
		return r;
	default:
		return 0;
	}
}

/* what the driver answers in it */
static void
raise(struct graph_node *p, const CUgraphNodeParams *d)
{
	if (d->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		p->alloc.dptr = d->alloc.dptr;
	if (d->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		p->conditional.body = d->conditional.phGraph_out;
}

cudaError_t
cudaGraphAddNode_v2(CUgraphNode *node, CUgraph g, const CUgraphNode *deps,
	const CUgraphEdgeData *data, size_t n, struct graph_node *p)
{
	CUgraphNodeParams d;
	cudaError_t r = p ? lower(&d, p) : cudaErrorInvalidValue;

	if (!r)
		r = cuGraphAddNode_v2(node, g, deps, data, n, &d);
	if (!r)
		raise(p, &d);
	return r;
}

cudaError_t
cudaGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *deps,
	size_t n, struct graph_node *p)
{
	return cudaGraphAddNode_v2(node, g, deps, 0, n, p);
}

cudaError_t
cudaGraphNodeSetParams(CUgraphNode node, struct graph_node *p)
{
	CUgraphNodeParams d;
	cudaError_t r = p ? lower(&d, p) : cudaErrorInvalidValue;

	return r ? r : cuGraphNodeSetParams(node, &d);
}

cudaError_t
cudaGraphExecNodeSetParams(CUgraphExec e, CUgraphNode node,
	struct graph_node *p)
{
	CUgraphNodeParams d;
	cudaError_t r = p ? lower(&d, p) : cudaErrorInvalidValue;

	return r ? r : cuGraphExecNodeSetParams(e, node, &d);
}
