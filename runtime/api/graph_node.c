/* graph_node.c - nodes by kind: the functions that were before cuGraphAddNode,
 * each with a structure of its own.  They are made into its form.
 */
#include "graph.h"
#include <string.h>

static CUresult
add(CUgraphNode *out, CUgraph g, const CUgraphNode *node, size_t n,
	CUgraphNodeParams *p)
{
	return cuGraphAddNode_v2(out, g, node, 0, n, p);
}

static CUresult
get(CUgraphNode n, CUgraphNodeType kind, CUgraphNodeParams *p)
{
	if (!handle_is(HANDLE_NODE, n) || n->work.kind != kind)
		return CUDA_ERROR_INVALID_VALUE;
	memset(p, 0, sizeof *p);
	p->type = kind;
	work_kind(kind)->get(&n->work, p);
	return CUDA_SUCCESS;
}

/* what is given and what is asked for as parameters of any node: PACK(p) and
 * UNPACK(out, p).  Rows: function's name, suffix, structure, kind, member */
#define FORMS(F) \
	F(KernelNode, _v2, CUDA_KERNEL_NODE_PARAMS, KERNEL, kernel) \
	F(KernelNode,, CUDA_KERNEL_NODE_PARAMS_v1, KERNEL, kernel) \
	F(HostNode,, CUDA_HOST_NODE_PARAMS, HOST, host) \
	F(BatchMemOpNode,, CUDA_BATCH_MEM_OP_NODE_PARAMS, BATCH_MEM_OP, memOp)

/* the first members of a member: older structures are shorter */
#define PACK(p, KIND, member, from) \
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_##KIND }; \
	\
	if (!from) \
		return CUDA_ERROR_INVALID_VALUE; \
	memcpy(&p.member, from, sizeof *from)

#define FORM(name, suffix, type, KIND, member) \
CUresult \
cuGraphAdd##name##suffix(CUgraphNode *out, CUgraph g, \
	const CUgraphNode *node, size_t n, const type *from) \
{ \
	PACK(p, KIND, member, from); \
	return add(out, g, node, n, &p); \
} \
CUresult \
cuGraph##name##SetParams##suffix(CUgraphNode n, const type *from) \
{ \
	PACK(p, KIND, member, from); \
	return cuGraphNodeSetParams(n, &p); \
} \
CUresult \
cuGraphExec##name##SetParams##suffix(CUgraphExec e, CUgraphNode n, \
	const type *from) \
{ \
	PACK(p, KIND, member, from); \
	return cuGraphExecNodeSetParams(e, n, &p); \
} \
CUresult \
cuGraph##name##GetParams##suffix(CUgraphNode n, type *out) \
{ \
	CUgraphNodeParams p; \
	CUresult err; \
	\
	if (!out) \
		return CUDA_ERROR_INVALID_VALUE; \
	err = get(n, CU_GRAPH_NODE_TYPE_##KIND, &p); \
	if (!err) \
		memcpy(out, &p.member, sizeof *out); \
	return err; \
}

FORMS(FORM)

/* copies and fills, whose context is a parameter */

static CUresult
pack_memcpy(CUgraphNodeParams *p, const CUDA_MEMCPY3D *from, CUcontext c)
{
	if (!from)
		return CUDA_ERROR_INVALID_VALUE;
	*p = (CUgraphNodeParams){ .type = CU_GRAPH_NODE_TYPE_MEMCPY };
	p->memcpy.copyCtx = c;
	p->memcpy.copyParams = *from;
	return CUDA_SUCCESS;
}

CUresult
cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n, const CUDA_MEMCPY3D *from, CUcontext c)
{
	CUgraphNodeParams p;
	CUresult err = pack_memcpy(&p, from, c);

	return err ? err : add(out, g, node, n, &p);
}

CUresult
cuGraphExecMemcpyNodeSetParams(CUgraphExec e, CUgraphNode n,
	const CUDA_MEMCPY3D *from, CUcontext c)
{
	CUgraphNodeParams p;
	CUresult err = pack_memcpy(&p, from, c);

	return err ? err : cuGraphExecNodeSetParams(e, n, &p);
}

CUresult
cuGraphMemcpyNodeGetParams(CUgraphNode n, CUDA_MEMCPY3D *out)
{
	CUgraphNodeParams p;
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_MEMCPY, &p) :
		CUDA_ERROR_INVALID_VALUE;

	if (!err)
		*out = p.memcpy.copyParams;
	return err;
}

CUresult
cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D *from)
{
	CUgraphNodeParams p;
	CUresult err = handle_is(HANDLE_NODE, n) ?
		pack_memcpy(&p, from, n->work.context) :
		CUDA_ERROR_INVALID_VALUE;

	return err ? err : cuGraphNodeSetParams(n, &p);
}

static CUresult
pack_memset(CUgraphNodeParams *p, const CUDA_MEMSET_NODE_PARAMS *from,
	CUcontext c)
{
	if (!from)
		return CUDA_ERROR_INVALID_VALUE;
	*p = (CUgraphNodeParams){ .type = CU_GRAPH_NODE_TYPE_MEMSET };
	memcpy(&p->memset, from, sizeof *from);
	p->memset.ctx = c;
	return CUDA_SUCCESS;
}

CUresult
cuGraphAddMemsetNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n, const CUDA_MEMSET_NODE_PARAMS *from, CUcontext c)
{
	CUgraphNodeParams p;
	CUresult err = pack_memset(&p, from, c);

	return err ? err : add(out, g, node, n, &p);
}

CUresult
cuGraphExecMemsetNodeSetParams(CUgraphExec e, CUgraphNode n,
	const CUDA_MEMSET_NODE_PARAMS *from, CUcontext c)
{
	CUgraphNodeParams p;
	CUresult err = pack_memset(&p, from, c);

	return err ? err : cuGraphExecNodeSetParams(e, n, &p);
}

CUresult
cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *out)
{
	CUgraphNodeParams p;
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_MEMSET, &p) :
		CUDA_ERROR_INVALID_VALUE;

	if (!err)
		memcpy(out, &p.memset, sizeof *out);
	return err;
}

CUresult
cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *from)
{
	CUgraphNodeParams p;
	CUresult err = handle_is(HANDLE_NODE, n) ?
		pack_memset(&p, from, n->work.context) :
		CUDA_ERROR_INVALID_VALUE;

	return err ? err : cuGraphNodeSetParams(n, &p);
}

/* the others */

CUresult
cuGraphAddEmptyNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EMPTY };

	return add(out, g, node, n, &p);
}

CUresult
cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n, CUgraph child)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_GRAPH };

	p.graph.graph = child;
	return add(out, g, node, n, &p);
}

CUresult
cuGraphChildGraphNodeGetGraph(CUgraphNode n, CUgraph *out)
{
	CUgraphNodeParams p;
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_GRAPH, &p) :
		CUDA_ERROR_INVALID_VALUE;

	if (!err)
		*out = p.graph.graph;
	return err;
}

#define EVENT_FORM(name, KIND, member) \
CUresult \
cuGraphAdd##name(CUgraphNode *out, CUgraph g, const CUgraphNode *node, \
	size_t n, CUevent e) \
{ \
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_##KIND }; \
	\
	p.member.event = e; \
	return add(out, g, node, n, &p); \
} \
CUresult \
cuGraph##name##GetEvent(CUgraphNode n, CUevent *out) \
{ \
	CUgraphNodeParams p; \
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_##KIND, &p) : \
		CUDA_ERROR_INVALID_VALUE; \
	\
	if (!err) \
		*out = p.member.event; \
	return err; \
} \
CUresult \
cuGraph##name##SetEvent(CUgraphNode n, CUevent e) \
{ \
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_##KIND }; \
	\
	p.member.event = e; \
	return cuGraphNodeSetParams(n, &p); \
} \
CUresult \
cuGraphExec##name##SetEvent(CUgraphExec x, CUgraphNode n, CUevent e) \
{ \
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_##KIND }; \
	\
	p.member.event = e; \
	return cuGraphExecNodeSetParams(x, n, &p); \
}

EVENT_FORM(EventRecordNode, EVENT_RECORD, eventRecord)
EVENT_FORM(EventWaitNode, WAIT_EVENT, eventWait)

CUresult
cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n, CUDA_MEM_ALLOC_NODE_PARAMS *from)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_ALLOC };
	CUresult err;

	if (!from)
		return CUDA_ERROR_INVALID_VALUE;
	p.alloc = *from;
	err = add(out, g, node, n, &p);
	if (!err)
		from->dptr = p.alloc.dptr;
	return err;
}

CUresult
cuGraphMemAllocNodeGetParams(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
	CUgraphNodeParams p;
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &p) :
		CUDA_ERROR_INVALID_VALUE;

	if (!err)
		*out = p.alloc;
	return err;
}

CUresult
cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph g, const CUgraphNode *node,
	size_t n, CUdeviceptr at)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE };

	p.free.dptr = at;
	return add(out, g, node, n, &p);
}

CUresult
cuGraphMemFreeNodeGetParams(CUgraphNode n, CUdeviceptr *out)
{
	CUgraphNodeParams p;
	CUresult err = out ? get(n, CU_GRAPH_NODE_TYPE_MEM_FREE, &p) :
		CUDA_ERROR_INVALID_VALUE;

	if (!err)
		*out = p.free.dptr;
	return err;
}
