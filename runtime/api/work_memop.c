/* work_memop.c - nodes with operations on words of memory. */
#include "graph.h"

static CUresult
make(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	(void)w;
	(void)g;
	(void)p;
	return CUDA_ERROR_NOT_SUPPORTED;
}

const struct work_kind work_batch_mem_op = { "batch mem op", make, 0, 0, 0, 0, 0 };
