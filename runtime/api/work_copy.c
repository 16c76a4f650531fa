/* work_copy.c - nodes that copy and fill. */
#include "graph.h"
#include "copy.h"
#include <string.h>

/* copies */

static CUresult
make_copy(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	const CUDA_MEMCPY3D *c = &p->memcpy.copyParams;
	CUresult err;

	(void)g;
	if (!c->WidthInBytes || !c->Height || !c->Depth)
		return CUDA_ERROR_INVALID_VALUE;
	err = work_context(w, p->memcpy.copyCtx);
	if (!err)
		err = copy_lower(c, &w->copy.copy);
	w->copy.asked = *c;
	return err;
}

/* what a box would be asked for as: of a captured one nobody knows */
void
copy_work(struct work *w, CUcontext c, const struct copy *copy)
{
	const struct copy *b = copy;

	memset(w, 0, sizeof *w);
	w->kind = CU_GRAPH_NODE_TYPE_MEMCPY;
	w->context = c;
	w->copy.copy = *copy;
	w->copy.asked = (CUDA_MEMCPY3D){
		.srcMemoryType = b->from_host ? CU_MEMORYTYPE_HOST :
			CU_MEMORYTYPE_DEVICE,
		.srcHost = b->from_host ? (void *)(uintptr_t)b->src.addr : 0,
		.srcDevice = b->from_host ? 0 : b->src.addr,
		.srcPitch = b->src.pitch,
		.srcHeight = b->src.pitch ? b->src.slice / b->src.pitch : 0,
		.dstMemoryType = b->to_host ? CU_MEMORYTYPE_HOST :
			CU_MEMORYTYPE_DEVICE,
		.dstHost = b->to_host ? (void *)(uintptr_t)b->dst.addr : 0,
		.dstDevice = b->to_host ? 0 : b->dst.addr,
		.dstPitch = b->dst.pitch,
		.dstHeight = b->dst.pitch ? b->dst.slice / b->dst.pitch : 0,
		.WidthInBytes = b->width, .Height = b->height,
		.Depth = b->depth
	};
}

static void
get_copy(struct work *w, CUgraphNodeParams *p)
{
	p->memcpy.copyCtx = w->context;
	p->memcpy.copyParams = w->copy.asked;
}

static CUresult
run_copy(struct work *w, struct queue *q)
{
	return w->context->device->ops->copy(q, &w->copy.copy);
}

static CUgraphExecUpdateResult
change_context(const struct work *is, const struct work *want)
{
	return is->context == want->context ? CU_GRAPH_EXEC_UPDATE_SUCCESS :
		CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

const struct work_kind work_memcpy = {
	"memcpy", make_copy, get_copy, 0, 0, run_copy, change_context
};

/* fills */

static CUresult
make_fill(struct work *w, CUgraph g, CUgraphNodeParams *p)
{
	const CUDA_MEMSET_NODE_PARAMS_v2 *m = &p->memset;
	struct region r;
	CUresult err;

	(void)g;
	w->fill = (struct fill){ m->dst, m->pitch, m->width, m->height,
		m->value, m->elementSize };
	if ((m->elementSize != 1 && m->elementSize != 2
		&& m->elementSize != 4) || !m->width || !m->height)
		return CUDA_ERROR_INVALID_VALUE;
	err = fill_check(&w->fill, &r);
	return err ? err : work_context(w, m->ctx);
}

static void
get_fill(struct work *w, CUgraphNodeParams *p)
{
	const struct fill *f = &w->fill;

	p->memset = (CUDA_MEMSET_NODE_PARAMS_v2){ f->addr, f->pitch, f->value,
		f->element, f->width, f->height, w->context };
}

static CUresult
run_fill(struct work *w, struct queue *q)
{
	return w->context->device->ops->fill(q, &w->fill);
}

/* of one row may become another of one row */
static CUgraphExecUpdateResult
change_fill(const struct work *is, const struct work *want)
{
	if (is->fill.height == want->fill.height && (is->fill.height == 1
		|| (is->fill.width == want->fill.width
		&& is->fill.element == want->fill.element)))
		return change_context(is, want);
	return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

const struct work_kind work_memset = {
	"memset", make_fill, get_fill, 0, 0, run_fill, change_fill
};
