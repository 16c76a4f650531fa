/* work_memop.c - nodes with operations on words of memory. */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

/* an array of its own */
static CUresult
copy(struct work *w)
{
	struct memop_work *m = &w->memop;
	const CUstreamBatchMemOpParams *op = m->op;

	m->op = malloc(m->n * sizeof *op + 1);
	if (!m->op)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (m->n)
		memcpy(m->op, op, m->n * sizeof *op);
	return CUDA_SUCCESS;
}

static CUresult
make(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	CUresult err;

	(void)g;
	err = memops_check(p->memOp.paramArray, p->memOp.count,
		p->memOp.flags);
	if (!err)
		err = work_context(w, p->memOp.ctx);
	if (!err && !w->context->device->info.words)
		err = CUDA_ERROR_NOT_SUPPORTED;
	if (err)
		return err;
	w->memop = (struct memop_work){ p->memOp.paramArray, p->memOp.count };
	return copy(w);
}

static void
get(struct work *w, CUgraphNodeParams *p)
{
	p->memOp.ctx = w->context;
	p->memOp.count = w->memop.n;
	p->memOp.paramArray = w->memop.op;
}

static void
drop(struct work *w)
{
	free(w->memop.op);
}

static CUresult
run(struct work *w, struct queue *q)
{
	return memops_put(w->context->device, q, w->memop.op, w->memop.n);
}

static CUgraphExecUpdateResult
change(const struct work *is, const struct work *want)
{
	return is->context == want->context ? CU_GRAPH_EXEC_UPDATE_SUCCESS :
		CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

const struct work_kind work_batch_mem_op = {
	"batch mem op", make, get, copy, drop, run, change
};
