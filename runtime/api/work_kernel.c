/* work_kernel.c - nodes that launch a kernel.
 *
 * Handle, limits and parameters are looked at when the node is made; what is
 * left to do at a launch is to hand the block of parameters to the device.
 */
#include "graph.h"
#include <stdlib.h>
#include <string.h>

enum { ATTRIBUTES = 20 };

static void
set_launch(struct kernel_work *k, const void *block, size_t size)
{
	const struct launch_shape *s = &k->shape;

	k->launch = (struct dev_launch){
		.entry = atomic_load(&k->function->entry),
		.grid = { s->grid[0], s->grid[1], s->grid[2] },
		.block = { s->block[0], s->block[1], s->block[2] },
		.shared = s->shared,
		.param = block, .param_size = size,
		.cooperative = s->cooperative,
	};
}

/* the block, and what programs see it by */
static bool
set_block(struct kernel_work *k, const void *block, size_t size)
{
	CUfunction f = k->function;
	size_t n = f->ptx ? f->nparam : 0;
	size_t at = (n * sizeof(void *) + 15) & ~(size_t)15;
	char *all = malloc(at + size + 1), *copy = all + at;
	size_t i;

	if (!all)
		return false;
	if (size)
		memcpy(copy, block, size);
	k->list = (void **)(void *)all;
	for (i = 0; i < n; i++)
		k->list[i] = copy + f->param[i].offset;
	set_launch(k, copy, size);
	return true;
}

/* between an array of pointers and a block there is nothing to choose where
 * the parameters are known */
static void
set_extra(struct kernel_work *k)
{
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, 0,
		CU_LAUNCH_PARAM_BUFFER_SIZE, &k->extra_size,
		CU_LAUNCH_PARAM_END };

	memcpy(k->extra, extra, sizeof extra);
	k->extra[1] = (void *)(uintptr_t)k->launch.param;
	k->extra_size = k->launch.param_size;
}

CUresult
kernel_work(struct work *w, CUfunction f, CUkernel kernel,
	const struct launch_shape *shape, const void *block, size_t size)
{
	memset(w, 0, sizeof *w);
	w->kind = CU_GRAPH_NODE_TYPE_KERNEL;
	w->context = f->module->context;
	w->kernel.function = f;
	w->kernel.kernel = kernel;
	w->kernel.shape = *shape;
	return set_block(&w->kernel, block, size) ? CUDA_SUCCESS :
		CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
find_function(const CUDA_KERNEL_NODE_PARAMS *p, CUfunction *f)
{
	CUcontext c = context_of(p->ctx);
	CUresult err;

	if (p->func)
		return function_of(p->func, f);
	if (!handle_is(HANDLE_KERNEL, p->kern))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	err = kernel_function(p->kern, c, f);
	return err ? err : function_load(*f, 0);
}

static CUresult
make(struct work *w, CUgraph g, CUgraphNodeParams *params)
{
	const CUDA_KERNEL_NODE_PARAMS *p = &params->kernel;
	struct launch_shape s = {
		{ p->gridDimX, p->gridDimY, p->gridDimZ },
		{ p->blockDimX, p->blockDimY, p->blockDimZ },
		p->sharedMemBytes, false
	};
	CUkernel kernel = p->func ? 0 : p->kern;
	CUfunction f;
	size_t size;
	char *block;
	CUresult err;

	(void)g;
	if (p->func && handle_is(HANDLE_KERNEL, p->func))
		kernel = (CUkernel)p->func;
	err = find_function(p, &f);
	if (!err)
		err = launch_check(f, &s);
	if (!err)
		err = launch_block(f, p->kernelParams, p->extra, &block,
			&size);
	if (err)
		return err;
	err = kernel_work(w, f, kernel, &s, block, size);
	free(block);
	return err;
}

/* whose function in a context that is */
static CUkernel
kernel_of(CUfunction f)
{
	const char *base = (const char *)f->base;

	return (CUkernel)(uintptr_t)(base - offsetof(struct CUkern_st,
		settings));
}

static void
get(struct work *w, CUgraphNodeParams *p)
{
	struct kernel_work *k = &w->kernel;

	p->kernel = (CUDA_KERNEL_NODE_PARAMS){
		.func = k->kernel ? 0 : k->function,
		.gridDimX = k->shape.grid[0], .gridDimY = k->shape.grid[1],
		.gridDimZ = k->shape.grid[2], .blockDimX = k->shape.block[0],
		.blockDimY = k->shape.block[1],
		.blockDimZ = k->shape.block[2],
		.sharedMemBytes = k->shape.shared,
		.kern = k->kernel, .ctx = w->context,
	};
	/* the older form has no place for a kernel */
	if (k->kernel)
		p->kernel.func = (CUfunction)k->kernel;
	else if (k->function->base)
		p->kernel.kern = kernel_of(k->function);
	if (k->function->ptx) {
		p->kernel.kernelParams = k->function->nparam ? k->list : 0;
	} else {
		set_extra(k);
		p->kernel.extra = k->extra;
	}
}

static CUresult
copy(struct work *w)
{
	struct kernel_work *k = &w->kernel;
	CUlaunchAttributeValue *a = k->attribute;
	bool cooperative = k->launch.cooperative;

	if (a) {
		k->attribute = malloc(ATTRIBUTES * sizeof *a);
		if (!k->attribute)
			return CUDA_ERROR_OUT_OF_MEMORY;
		memcpy(k->attribute, a, ATTRIBUTES * sizeof *a);
	}
	if (set_block(k, k->launch.param, k->launch.param_size)) {
		k->launch.cooperative = cooperative;
		return CUDA_SUCCESS;
	}
	free(k->attribute);
	return CUDA_ERROR_OUT_OF_MEMORY;
}

static void
drop(struct work *w)
{
	free(w->kernel.list);
	free(w->kernel.attribute);
}

static CUresult
run(struct work *w, struct queue *q)
{
	if (!handle_is(HANDLE_FUNCTION, w->kernel.function))
		return CUDA_ERROR_INVALID_HANDLE;
	return w->context->device->ops->launch(q, &w->kernel.launch);
}

static CUgraphExecUpdateResult
change(const struct work *is, const struct work *want)
{
	if (is->context != want->context)
		return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
	if (is->kernel.launch.cooperative != want->kernel.launch.cooperative)
		return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

const struct work_kind work_kernel = {
	"kernel", make, get, copy, drop, run, change
};

/* attributes: kept; "cooperative" is obeyed */

/* those that a node has, and what they are where nobody has set them */
static bool
is_attribute(CUlaunchAttributeID id, CUlaunchAttributeValue *v)
{
	memset(v, 0, sizeof *v);
	switch (id) {
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
		v->memSyncDomainMap.remote = 1;
		return true;
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
	case CU_LAUNCH_ATTRIBUTE_PRIORITY:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
	case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		return true;
	default:
		return false;
	}
}

static bool
is_kernel(CUgraphNode n)
{
	return handle_is(HANDLE_NODE, n) &&
		n->work.kind == CU_GRAPH_NODE_TYPE_KERNEL;
}

static CUlaunchAttributeValue *
attributes(struct kernel_work *k)
{
	int id;

	if (k->attribute)
		return k->attribute;
	k->attribute = malloc(ATTRIBUTES * sizeof *k->attribute);
	for (id = 0; k->attribute && id < ATTRIBUTES; id++)
		is_attribute((CUlaunchAttributeID)id, &k->attribute[id]);
	if (k->attribute)
		k->attribute[CU_LAUNCH_ATTRIBUTE_COOPERATIVE].cooperative =
			k->launch.cooperative;
	return k->attribute;
}

CUresult
cuGraphKernelNodeGetAttribute(CUgraphNode n, CUkernelNodeAttrID id,
	CUkernelNodeAttrValue *out)
{
	CUlaunchAttributeValue v, *a;

	if (!is_kernel(n) || !out || !is_attribute(id, &v))
		return CUDA_ERROR_INVALID_VALUE;
	a = attributes(&n->work.kernel);
	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*out = a[id];
	return CUDA_SUCCESS;
}

CUresult
cuGraphKernelNodeSetAttribute(CUgraphNode n, CUkernelNodeAttrID id,
	const CUkernelNodeAttrValue *value)
{
	CUlaunchAttributeValue v, *a;
	struct kernel_work *k;

	if (!is_kernel(n) || !value || !is_attribute(id, &v))
		return CUDA_ERROR_INVALID_VALUE;
	if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
		&& value->deviceUpdatableKernelNode.deviceUpdatable)
		return CUDA_ERROR_NOT_SUPPORTED;
	k = &n->work.kernel;
	a = attributes(k);
	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		k->launch.cooperative = k->shape.cooperative =
			value->cooperative != 0;
	a[id] = *value;
	return CUDA_SUCCESS;
}

CUresult
cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
	CUlaunchAttributeValue *a, *b;
	struct kernel_work *k;

	if (!is_kernel(to) || !is_kernel(from))
		return CUDA_ERROR_INVALID_VALUE;
	k = &to->work.kernel;
	a = attributes(k);
	b = attributes(&from->work.kernel);
	if (!a || !b)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (a != b)
		memcpy(a, b, ATTRIBUTES * sizeof *a);
	k->launch.cooperative = k->shape.cooperative =
		from->work.kernel.launch.cooperative;
	return CUDA_SUCCESS;
}
