/* hip_launch.c - launches: PTX's parameter block, then struct launch. */
#include "hip_int.h"
#include "launch.h"
#include "service.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 4096 };

/* what cooperative groups find at %envreg1:%envreg2: how large it is, and the
 * word of their barrier */
enum { WORKSPACE_SIZE = 8 };

static int
make_workspace(struct queue *q)
{
	const struct hip_api *h = q->dev->h;
	void *p = (void *)(uintptr_t)q->workspace;
	int err = hipSuccess;

	if (!p)
		err = h->hipMalloc(&p, WORKSPACE_SIZE);
	if (err)
		return err;
	q->workspace = (uint64_t)(uintptr_t)p;
	err = h->hipMemsetD32Async(p, WORKSPACE_SIZE, 1, q->stream);
	return err ? err : h->hipMemsetD32Async((char *)p + 4, 0, 1,
		q->stream);
}

static void
fill_launch(struct launch *p, struct queue *q, const struct dev_launch *d)
{
	struct dev *dev = q->dev;

	memset(p, 0, sizeof *p);
	memcpy(p->ntid, d->block, sizeof p->ntid);
	memcpy(p->nctaid, d->grid, sizeof p->nctaid);
	p->shared_dynamic = d->shared;
	p->shared_total = d->entry->info.shared + d->shared;
	p->gridid = atomic_fetch_add(&dev->grids, 1) + 1;
	p->service = d->entry->code->asks ? server_address(dev->server) : 0;
	p->workspace = d->cooperative ? q->workspace : 0;
	p->nsm = dev->units;
}

/* HIP's cooperative launch takes no block of arguments, but a list: of one,
 * which is how LLVM sees it */
static int
start(struct queue *q, const struct dev_launch *d, void *args, size_t size)
{
	const struct hip_api *h = q->dev->h;
	void *extra[] = { HIP_LAUNCH_BUFFER, args, HIP_LAUNCH_SIZE, &size,
		HIP_LAUNCH_END };
	void *list[] = { args };

	if (d->cooperative)
		return h->hipModuleLaunchCooperativeKernel(d->entry->function,
			d->grid[0], d->grid[1], d->grid[2], d->block[0],
			d->block[1], d->block[2], d->shared, q->stream, list);
	return h->hipModuleLaunchKernel(d->entry->function, d->grid[0],
		d->grid[1], d->grid[2], d->block[0], d->block[1],
		d->block[2], d->shared, q->stream, 0, extra);
}

CUresult
hip_launch(struct queue *q, const struct dev_launch *d)
{
	size_t at = (d->param_size + 7) & ~(size_t)7;
	size_t size = at + sizeof(struct launch);
	_Alignas(16) char small[SMALL];
	char *args = size <= sizeof small ? small : malloc(size);
	struct launch l;
	int err = hipSuccess;

	if (!args)
		return CUDA_ERROR_OUT_OF_MEMORY;
	q->dev->h->hipSetDevice(q->dev->index);
	if (d->cooperative)
		err = make_workspace(q);
	fill_launch(&l, q, d);
	if (d->param_size)
		memcpy(args, d->param, d->param_size);
	memset(args + d->param_size, 0, at - d->param_size);
	memcpy(args + at, &l, sizeof l);
	if (!err)
		err = start(q, d, args, size);
	if (q->timer && !err)
		hip_measured(q);
	if (!err && l.service)
		hip_service_busy(q);
	if (args != small)
		free(args);
	return hip_queue_result(q, err);
}
