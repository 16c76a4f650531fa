/* hip_code.c - a program's code on a GPU.
 *
 * A code object for the processor that came with the program is taken.  Else
 * each kernel is compiled when it is first needed, several at once, and so are
 * the variables, which have an image of their own; kernels' images are told
 * their addresses.  A program that deals with addresses of functions is
 * compiled as a whole.
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
		if (e->module)
			c->dev->h->hipModuleUnload(e->module);
		pthread_mutex_destroy(&e->lock);
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
load_module(struct code *c, const void *data, void **module)
{
	return hip_error(c->dev->h->hipModuleLoadData(module, data));
}

/* all of it, or of parts the variables */
static CUresult
load_base(struct code *c)
{
	const struct program *p = c->program;
	const struct image_code *ready = 0;
	struct blob b;
	CUresult err;

	if (p->image.kind != IMAGE_NONE && !p->image.relocatable)
		ready = image_find(&p->image, c->dev->arch);
	if (ready)
		return load_module(c, ready->data, &c->module);
	if (!p->has_ptx)
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	c->parts = !p->pointers;
	if (c->parts && !compile_has_data(&p->x))
		return CUDA_SUCCESS;
	b = compile_amdgpu(p, 0, c->dev->arch, &c->log, &err);
	if (!b.data)
		return err;
	err = load_module(c, b.data, &c->module);
	free(b.data);
	return err;
}

/* under the lock: c has what all kernels need, or the error that says why
 * not */
static CUresult
ensure(struct code *c)
{
	if (!c->tried) {
		c->tried = true;
		c->asks = may_ask(c->program);
		c->error = load_base(c);
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

static uint64_t
find_variable(void *arg, const char *name)
{
	const struct code *c = arg;
	void *p = 0;
	size_t size;

	if (!c->module || c->dev->h->hipModuleGetGlobal(&p, &size, c->module,
			name))
		return 0;
	return (uint64_t)(uintptr_t)p;
}

/* a kernel of parts: its own module */
static CUresult
load_part(struct entry *e, struct text *log)
{
	struct code *c = e->code;
	struct blob b;
	CUresult err;

	b = compile_amdgpu(c->program, e->name, c->dev->arch, log, &err);
	if (!b.data)
		return err;
	if (hip_patch(b.data, b.size, find_variable, c))
		err = load_module(c, b.data, &e->module);
	else
		err = CUDA_ERROR_INVALID_IMAGE;
	free(b.data);
	return err;
}

/* it is there, and was refused: the log says why */
static CUresult
missing(const struct entry *e, int error)
{
	const struct program *p = e->code->program;

	return error == hipErrorNotFound && p->has_ptx &&
		program_kernel(p, e->name) ? CUDA_ERROR_INVALID_PTX :
		hip_error(error);
}

static CUresult
make(struct entry *e, struct text *log)
{
	struct code *c = e->code;
	CUresult err = CUDA_SUCCESS;
	int error;

	if (c->parts && !program_kernel(c->program, e->name))
		return CUDA_ERROR_NOT_FOUND;
	if (c->parts && !e->module)
		err = load_part(e, log);
	if (err)
		return err;
	error = c->dev->h->hipModuleGetFunction(&e->function,
		c->parts ? e->module : c->module, e->name);
	if (error)
		return missing(e, error);
	e->info.registers = attribute(e, HIP_FUNC_REGISTERS);
	e->info.max_threads = attribute(e, HIP_FUNC_MAX_THREADS);
	e->info.shared = attribute(e, HIP_FUNC_SHARED);
	e->info.local = attribute(e, HIP_FUNC_LOCAL);
	e->info.constant = attribute(e, HIP_FUNC_CONST);
	e->made = true;
	return CUDA_SUCCESS;
}

/* under the lock of c; 0: out of memory */
static struct entry *
entry_of(struct code *c, const char *name)
{
	struct entry *e;

	for (e = c->entries; e; e = e->next)
		if (!strcmp(e->name, name))
			return e;
	e = calloc(1, sizeof *e + strlen(name) + 1);
	if (!e)
		return 0;
	strcpy(e->name, name);
	e->code = c;
	pthread_mutex_init(&e->lock, 0);
	e->next = c->entries;
	c->entries = e;
	return e;
}

CUresult
hip_entry(struct code *c, const char *kernel, struct entry **out,
	struct entry_info *info, struct text *log)
{
	struct text nobody = {0};
	struct entry *e = 0;
	CUresult err;

	c->dev->h->hipSetDevice(c->dev->index);
	pthread_mutex_lock(&c->lock);
	err = ensure(c);
	if (!err && !(e = entry_of(c, kernel)))
		err = CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_unlock(&c->lock);
	if (!err) {
		pthread_mutex_lock(&e->lock);
		if (!e->made)
			err = make(e, log ? log : &nobody);
		pthread_mutex_unlock(&e->lock);
	}
	if (err && log && c->log.data)
		text_add(log, "%s", c->log.data);
	text_free(&nobody);
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
	if (!err && !c->module)
		err = CUDA_ERROR_NOT_FOUND;
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
