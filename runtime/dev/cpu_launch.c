/* cpu_launch.c - a kernel launch, from arguments to a grid that is done.
 *
 * How long a block of a kernel took last time decides how many blocks a
 * worker takes at once, and whether it pays to call for help.
 */
#include "cpu_int.h"
#include "program.h"
#include "service.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LAUNCH_NS = 500,     /* what a launch takes besides its blocks */
	ALONE_NS = 10000,    /* a grid that takes no longer needs no help */
	CHUNK_NS = 50000,    /* what a worker takes at a time, at most */
	CHUNKS = 8,          /* … but so many for each at least */
	MAX_SHARED = 227 << 10,
};

/* what cooperative groups find at %envreg1:%envreg2: how large it is, and
 * the word of their barrier */
struct workspace {
	uint32_t size, barrier;
};

struct launched {
	struct entry *entry;
	const struct host_kernel *kernel;
	uint64_t workspace;      /* struct workspace, or 0 */
	size_t param_size;       /* in 8 bytes; struct launch follows */
	_Alignas(16) uint8_t param[];
};

static struct launch *
launch_of(struct launched *l)
{
	return (struct launch *)(l->param + l->param_size);
}

/* blocks that a worker takes at a time */
static uint64_t
chunk_of(const struct grid *g, uint64_t block_ns)
{
	uint64_t fair = g->nblock / pool_cpus() / CHUNKS;
	uint64_t n = block_ns ? CHUNK_NS / block_ns : 16;

	if (n > fair)
		n = fair;
	return n ? n : 1;
}

static void
set_grid(struct grid *g, struct launched *l)
{
	const struct launch *p = launch_of(l);
	uint32_t threads = p->ntid[0] * p->ntid[1] * p->ntid[2];
	uint32_t rest = threads % HOST_LANES;

	memset(g, 0, sizeof *g);
	g->kernel = l->kernel;
	g->name = l->entry->name;
	g->param = l->param;
	g->launch = p;
	g->server = l->entry->code->dev->server;
	g->serial = p->gridid;
	g->nblock = (uint64_t)p->nctaid[0] * p->nctaid[1] * p->nctaid[2];
	g->nwarp = (threads + HOST_LANES - 1) / HOST_LANES;
	g->last = rest ? (1u << rest) - 1 : ~0u;
	g->switches = l->kernel->flags & HOST_SWITCHES;
}

static void
describe(const struct grid *g, char *what)
{
	const struct fault *f = &g->fault;
	int n;

	n = snprintf(what, 256, "kernel \"%.80s\", block (%u,%u,%u), warp %u:"
		" %s", g->name, f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp,
		f->what ? f->what : "fault");
	if (f->pc && n > 0 && n < 200)
		snprintf(what + n, 256 - (size_t)n, ": address %#llx",
			(unsigned long long)f->addr);
}

static CUresult
run_launch(struct queue *q, void *data, char *what)
{
	struct launched *l = data;
	struct entry *e = l->entry;
	uint64_t start = clock_ns(), ns, known;
	struct grid g;

	(void)q;
	set_grid(&g, l);
	known = atomic_load_explicit(&e->block_ns, memory_order_relaxed);
	g.chunk = chunk_of(&g, known);
	fault_catch();
	if (g.nblock == 1)
		g.alone = UINT64_MAX;
	else if (known && known * g.nblock < ALONE_NS)
		g.alone = start + 2 * ALONE_NS;
	else
		pool_list(&g);
	grid_work(&g, worker_current);
	if (!g.alone)
		pool_unlist(&g);
	if (g.server)
		server_serve(g.server);
	ns = (clock_ns() - start) * (g.alone ? 1 : pool_cpus());
	ns = ns > LAUNCH_NS ? (ns - LAUNCH_NS) / g.nblock : 0;
	atomic_store_explicit(&e->block_ns, ns + 1, memory_order_relaxed);
	if (atomic_load(&g.error))
		describe(&g, what);
	return (CUresult)atomic_load(&g.error);
}

static void
drop_launch(void *data)
{
	struct launched *l = data;

	free((void *)(uintptr_t)l->workspace);
	code_drop(l->entry->code);
}

/* what can be said before it runs */
static CUresult
check(const struct dev_launch *d, const struct host_kernel *k)
{
	uint64_t threads = (uint64_t)d->block[0] * d->block[1] * d->block[2];

	if (!threads || threads > 1024 || !d->grid[0] || !d->grid[1] ||
	    !d->grid[2])
		return CUDA_ERROR_INVALID_VALUE;
	if (d->shared > MAX_SHARED || k->dynamic + d->shared > MAX_SHARED)
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

static void
fill_launch(struct launched *l, const struct dev_launch *d)
{
	const struct host_kernel *k = l->kernel;
	struct launch *p = launch_of(l);

	memset(p, 0, sizeof *p);
	memcpy(p->ntid, d->block, sizeof p->ntid);
	memcpy(p->nctaid, d->grid, sizeof p->nctaid);
	p->shared_dynamic = d->shared;
	p->shared_total = (d->shared ? k->dynamic : k->shared) + d->shared;
	p->gridid = pool_serial();
	p->service = server_address(l->entry->code->dev->server);
	p->workspace = l->workspace;
	p->nsm = pool_cpus();
}

static bool
set_workspace(struct launched *l)
{
	struct workspace *w = calloc(1, sizeof *w);

	if (!w)
		return false;
	w->size = sizeof *w;
	l->workspace = (uint64_t)(uintptr_t)w;
	return true;
}

CUresult
cpu_launch(struct queue *q, const struct dev_launch *d)
{
	size_t padded = (d->param_size + 7) & ~(size_t)7;
	const struct host_kernel *k;
	struct text log = { 0 };
	struct command *c;
	struct launched *l;
	CUresult err;

	if (atomic_load(&q->error))
		return (CUresult)atomic_load(&q->error);
	err = code_kernel(d->entry, host_shape(d->block), &k, &log);
	if (err && log.data && getenv("PTXAMD_LOG"))
		fprintf(stderr, "%s", log.data);
	text_free(&log);
	if (!err)
		err = check(d, k);
	if (err)
		return err;
	c = queue_command(q, sizeof *l + padded + sizeof(struct launch));
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l = (struct launched *)c->data;
	memset(l, 0, sizeof *l);
	l->entry = d->entry;
	l->kernel = k;
	l->param_size = padded;
	if (d->param_size)
		memcpy(l->param, d->param, d->param_size);
	if (d->cooperative && !set_workspace(l)) {
		c->run = 0;
		queue_push(q, c);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	fill_launch(l, d);
	code_hold(d->entry->code);
	c->run = run_launch;
	c->drop = drop_launch;
	queue_push(q, c);
	return CUDA_SUCCESS;
}
