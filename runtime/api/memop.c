/* memop.c - words of memory that streams write and wait for. */
#include "capture.h"

enum { HOW = 3 }; /* bits of the flags that say how to compare */

/* a word of memory that the runtime knows, for the stream's device */
static CUresult
check(const struct word *w)
{
	struct region r;

	if (w->addr % w->size || !region_find(w->addr, w->size, &r))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

static CUresult
check_op(const CUstreamBatchMemOpParams *p)
{
	struct word w = { .addr = p->waitValue.address, .size = 4 };

	switch (p->operation) {
	case CU_STREAM_MEM_OP_WAIT_VALUE_64:
		w.size = 8;
		/* fall through */
	case CU_STREAM_MEM_OP_WAIT_VALUE_32:
		if (p->waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH)
			return CUDA_ERROR_NOT_SUPPORTED;
		return p->waitValue.flags & ~(unsigned)HOW ?
			CUDA_ERROR_INVALID_VALUE : check(&w);
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		w.size = 8;
		/* fall through */
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
		return p->writeValue.flags &
			~(unsigned)CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER ?
			CUDA_ERROR_INVALID_VALUE : check(&w);
	case CU_STREAM_MEM_OP_BARRIER:
		return p->memoryBarrier.flags > 1 ? CUDA_ERROR_INVALID_VALUE :
			CUDA_SUCCESS;
	case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
		return CUDA_ERROR_NOT_SUPPORTED;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

/* commands of one stream are in order: a barrier is nothing */
static CUresult
put(const struct dev_ops *ops, struct queue *q,
	const CUstreamBatchMemOpParams *p)
{
	struct word w = { .addr = p->waitValue.address,
		.value = p->waitValue.value64, .size = 8,
		.how = p->waitValue.flags & HOW };

	switch (p->operation) {
	case CU_STREAM_MEM_OP_WAIT_VALUE_32:
		w.size = 4;
		w.value = p->waitValue.value;
		return ops->await(q, &w);
	case CU_STREAM_MEM_OP_WAIT_VALUE_64:
		return ops->await(q, &w);
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
		w.size = 4;
		w.value = p->waitValue.value;
		return ops->write(q, &w);
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		return ops->write(q, &w);
	default:
		return CUDA_SUCCESS;
	}
}

CUresult
memops_check(const CUstreamBatchMemOpParams *p, unsigned n, unsigned flags)
{
	enum { MOST = 256 };
	CUresult err = CUDA_SUCCESS;
	unsigned i;

	if ((n && !p) || n > MOST || flags)
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n && !err; i++)
		err = check_op(&p[i]);
	return err;
}

CUresult
memops_put(const struct device *d, struct queue *queue,
	const CUstreamBatchMemOpParams *p, unsigned n)
{
	CUresult err = CUDA_SUCCESS;
	unsigned i;

	if (!d->info.words)
		return CUDA_ERROR_NOT_SUPPORTED;
	for (i = 0; i < n && !err; i++)
		err = put(d->ops, queue, &p[i]);
	return err;
}

static CUresult
capture(CUstream s, unsigned n, CUstreamBatchMemOpParams *p)
{
	CUgraphNodeParams node = { .type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP };

	node.memOp.ctx = s->context;
	node.memOp.count = n;
	node.memOp.paramArray = p;
	return capture_node(s, &node, 0);
}

CUresult
cuStreamBatchMemOp_v2(CUstream h, unsigned n, CUstreamBatchMemOpParams *p,
	unsigned flags)
{
	CUresult err = memops_check(p, n, flags);
	CUstream s;

	if (!err)
		err = stream_enter(h, &s);
	if (err)
		return err;
	err = atomic_load(&s->capture) ? capture(s, n, p) :
		memops_put(s->context->device, s->queue, p, n);
	stream_end(s);
	return err;
}

CUresult
cuStreamBatchMemOp(CUstream s, unsigned n, CUstreamBatchMemOpParams *p,
	unsigned flags)
{
	return cuStreamBatchMemOp_v2(s, n, p, flags);
}

static CUresult
one(CUstream s, CUstreamBatchMemOpType op, CUdeviceptr addr, uint64_t value,
	unsigned flags)
{
	CUstreamBatchMemOpParams p = { .pad = { 0 } };

	p.waitValue.operation = op;
	p.waitValue.address = addr;
	p.waitValue.value64 = value;
	p.waitValue.flags = flags;
	return cuStreamBatchMemOp_v2(s, 1, &p, 0);
}

CUresult
cuStreamWaitValue32_v2(CUstream s, CUdeviceptr addr, uint32_t v,
	unsigned flags)
{
	return one(s, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, v, flags);
}

CUresult
cuStreamWaitValue32(CUstream s, CUdeviceptr addr, uint32_t v, unsigned flags)
{
	return cuStreamWaitValue32_v2(s, addr, v, flags);
}

CUresult
cuStreamWaitValue64_v2(CUstream s, CUdeviceptr addr, uint64_t v,
	unsigned flags)
{
	return one(s, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, v, flags);
}

CUresult
cuStreamWaitValue64(CUstream s, CUdeviceptr addr, uint64_t v, unsigned flags)
{
	return cuStreamWaitValue64_v2(s, addr, v, flags);
}

CUresult
cuStreamWriteValue32_v2(CUstream s, CUdeviceptr addr, uint32_t v,
	unsigned flags)
{
	return one(s, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, v, flags);
}

CUresult
cuStreamWriteValue32(CUstream s, CUdeviceptr addr, uint32_t v, unsigned flags)
{
	return cuStreamWriteValue32_v2(s, addr, v, flags);
}

CUresult
cuStreamWriteValue64_v2(CUstream s, CUdeviceptr addr, uint64_t v,
	unsigned flags)
{
	return one(s, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, v, flags);
}

CUresult
cuStreamWriteValue64(CUstream s, CUdeviceptr addr, uint64_t v, unsigned flags)
{
	return cuStreamWriteValue64_v2(s, addr, v, flags);
}
