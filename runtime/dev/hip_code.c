/* hip_code.c - a program's code on a GPU.
 *
 * A code object for the processor that came with the program is taken; else
 * the PTX is compiled, all kernels at once, when one is first needed.
 */
#include "compile.h"
#include "hip_int.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

CUresult
hip_load(struct dev *d, const struct program *p, struct code **out,
	struct text *log)
{
	struct code *c = calloc(1, sizeof *c);

	(void)log;
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->dev = d;
	c->program = p;
	pthread_mutex_init(&c->lock, 0);
	*out = c;
	return CUDA_SUCCESS;
}

void
hip_unload(struct code *c)
{
	struct entry *e;

	if (!c)
		return;
	c->dev->h->hipSetDevice(c->dev->index);
	if (c->module)
		c->dev->h->hipModuleUnload(c->module);
	while ((e = c->entries)) {
		c->entries = e->next;
		free(e);
	}
	text_free(&c->log);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* does the program call any of the functions that the host serves? */
static bool
may_ask(const struct program *p)
{
	static const char *const name[] = { "vprintf", "malloc", "free",
		"__assertfail" };
	size_t i;

	if (!p->has_ptx)
		return true;
	for (i = 0; i < sizeof name / sizeof *name; i++)
		if (ptx_func(&p->x, name[i]))
			return true;
	return false;
}

static CUresult
load_module(struct code *c, const void *data)
{
	return hip_error(c->dev->h->hipModuleLoadData(&c->module, data));
}

static CUresult
compile(struct code *c)
{
	const struct program *p = c->program;
	const struct image_code *ready = 0;
	struct blob b;
	CUresult err;

	if (p->image.kind != IMAGE_NONE && !p->image.relocatable)
		ready = image_find(&p->image, c->dev->arch);
	if (ready)
		return load_module(c, ready->data);
	if (!p->has_ptx)
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	b = compile_amdgpu(p, c->dev->arch, &c->log, &err);
	if (!b.data)
		return err;
	err = load_module(c, b.data);
	free(b.data);
	return err;
}

/* under the lock: c has a module, or the error that says why not */
static CUresult
ensure(struct code *c)
{
	if (!c->tried) {
		c->tried = true;
		c->asks = may_ask(c->program);
		c->error = compile(c);
	}
	return c->error;
}

static unsigned
attribute(const struct entry *e, int a)
{
	int v = 0;

	e->code->dev->h->hipFuncGetAttribute(&v, a, e->function);
	return v < 0 ? 0 : (unsigned)v;
}

static CUresult
make_entry(struct code *c, const char *name, struct entry **out)
{
	const struct hip_api *h = c->dev->h;
	struct entry *e = calloc(1, sizeof *e + strlen(name) + 1);
	int err;

	if (!e)
		return CUDA_ERROR_OUT_OF_MEMORY;
	strcpy(e->name, name);
	e->code = c;
	err = h->hipModuleGetFunction(&e->function, c->module, name);
	if (err) {
		free(e);
		/* it is there, and was refused: the log says why */
		return err == hipErrorNotFound && c->program->has_ptx &&
			program_kernel(c->program, name) ?
			CUDA_ERROR_INVALID_PTX : hip_error(err);
	}
	e->info.registers = attribute(e, HIP_FUNC_REGISTERS);
	e->info.max_threads = attribute(e, HIP_FUNC_MAX_THREADS);
	e->info.shared = attribute(e, HIP_FUNC_SHARED);
	e->info.local = attribute(e, HIP_FUNC_LOCAL);
	e->info.constant = attribute(e, HIP_FUNC_CONST);
	e->next = c->entries;
	c->entries = e;
	*out = e;
	return CUDA_SUCCESS;
}

CUresult
hip_entry(struct code *c, const char *kernel, struct entry **out,
	struct entry_info *info, struct text *log)
{
	struct entry *e = 0;
	CUresult err;

	c->dev->h->hipSetDevice(c->dev->index);
	pthread_mutex_lock(&c->lock);
	err = ensure(c);
	for (e = err ? 0 : c->entries; e; e = e->next)
		if (!strcmp(e->name, kernel))
			break;
	if (!err && !e)
		err = make_entry(c, kernel, &e);
	if (err && log && c->log.data)
		text_add(log, "%s", c->log.data);
	pthread_mutex_unlock(&c->lock);
	if (err)
		return err;
	*out = e;
	*info = e->info;
	return CUDA_SUCCESS;
}

CUresult
hip_variable(struct code *c, const char *name, uint64_t *addr, size_t *size)
{
	void *p = 0;
	CUresult err;

	c->dev->h->hipSetDevice(c->dev->index);
	pthread_mutex_lock(&c->lock);
	err = ensure(c);
	if (!err)
		err = hip_error(c->dev->h->hipModuleGetGlobal(&p, size,
			c->module, name));
	pthread_mutex_unlock(&c->lock);
	*addr = (uint64_t)(uintptr_t)p;
	return err;
}

unsigned
hip_occupancy(struct entry *e, unsigned threads, size_t shared)
{
	const struct dev *d = e->code->dev;
	int n = 0;

	d->h->hipSetDevice(d->index);
	if (d->h->hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&n,
			e->function, (int)threads, shared) || n < 0)
		return 0;
	return (unsigned)n;
}
