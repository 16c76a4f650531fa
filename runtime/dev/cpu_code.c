/* cpu_code.c - programs on the CPU device: kernels compiled when they are
 * first asked for, one object for each shape of block.
 *
 * All objects of a program share its variables, which an object of their own
 * defines; that is made when the first of them is needed.
 */
#include "cpu_int.h"
#include "compile.h"
#include "program.h"
#include <stdlib.h>
#include <string.h>

enum { NSHAPE = sizeof ((struct entry *)0)->kernel / sizeof(void *) };

/* dense numbers of shapes */
static unsigned
shape_index(struct host_shape s)
{
	unsigned form = s.form == HOST_SHORT ? 2u + s.log2x : s.form;

	return (form * 2 + s.full) % NSHAPE;
}

CUresult
cpu_load(struct dev *d, const struct program *p, struct code **out,
	struct text *log)
{
	struct code *c;

	if (!p->has_ptx) {
		text_add(log, "no PTX for the CPU device\n");
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	c = calloc(1, sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->dev = d;
	c->program = p;
	c->refs = 1;
	pthread_mutex_init(&c->lock, 0);
	*out = c;
	return CUDA_SUCCESS;
}

void
code_hold(struct code *c)
{
	atomic_fetch_add(&c->refs, 1);
}

static void
entry_free(struct entry *e)
{
	struct kernel *k;
	unsigned i;

	for (i = 0; i < NSHAPE; i++) {
		k = atomic_load(&e->kernel[i]);
		if (k)
			object_free(k->object);
		free(k);
	}
	pthread_mutex_destroy(&e->lock);
	free(e->name);
	free(e);
}

void
code_drop(struct code *c)
{
	struct entry *e;

	if (atomic_fetch_sub(&c->refs, 1) != 1)
		return;
	while ((e = c->entry)) {
		c->entry = e->next;
		entry_free(e);
	}
	object_free(c->data);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void
cpu_unload(struct code *c)
{
	code_drop(c);
}

/* what compiled code may call of C */
static void *
c_function(const char *name)
{
	static const struct {
		const char *name;
		void *(*copy)(void *, const void *, size_t);
		void *(*set)(void *, int, size_t);
	} known[] = {
		{ "memcpy", memcpy, 0 },
		{ "memmove", memmove, 0 },
		{ "memset", 0, memset },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].copy ? (void *)(uintptr_t)known[i].copy
				: (void *)(uintptr_t)known[i].set;
	return 0;
}

static void *
resolve(void *arg, const char *name)
{
	const struct object *data = arg;
	void *p = data ? object_symbol(data, name, 0) : 0;

	return p ? p : c_function(name);
}

/* the compiler's object of kernel (0: the variables), loaded */
static CUresult
compile(struct code *c, const char *kernel, struct host_shape shape,
	struct object **out, struct text *log)
{
	struct blob blob;
	CUresult err;
	char why[128];

	blob = compile_host(c->program, kernel, shape, log, &err);
	if (!blob.data)
		return err;
	*out = object_load(blob.data, blob.size, resolve, c->data, why);
	free(blob.data);
	if (*out)
		return CUDA_SUCCESS;
	text_add(log, "code of \"%s\": %s\n", kernel ? kernel : "variables",
		why);
	return CUDA_ERROR_INVALID_IMAGE;
}

/* the variables; with the lock held */
static CUresult
need_data(struct code *c, struct text *log)
{
	const struct host_shape any = { HOST_ANY, 0, false };
	CUresult err;

	if (c->data)
		return CUDA_SUCCESS;
	if (c->data_failed)
		return CUDA_ERROR_INVALID_PTX;
	err = compile(c, 0, any, &c->data, log);
	c->data_failed = err != CUDA_SUCCESS;
	return err;
}

static CUresult
make_kernel(struct entry *e, struct host_shape shape, struct kernel **out,
	struct text *log)
{
	struct kernel *k = calloc(1, sizeof *k);
	struct code *c = e->code;
	char *symbol = malloc(strlen(e->name) + sizeof ".host");
	CUresult err = CUDA_SUCCESS;

	if (!k || !symbol)
		err = CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&c->lock);
	if (!err && compile_has_data(&c->program->x))
		err = need_data(c, log);
	pthread_mutex_unlock(&c->lock);
	if (!err)
		err = compile(c, e->name, shape, &k->object, log);
	if (!err) {
		strcat(strcpy(symbol, e->name), ".host");
		k->host = object_symbol(k->object, symbol, 0);
		if (!k->host || k->host->version != HOST_VERSION) {
			text_add(log, "code of \"%s\": no entry\n", e->name);
			err = CUDA_ERROR_INVALID_IMAGE;
		}
	}
	free(symbol);
	*out = k;
	if (!err)
		return CUDA_SUCCESS;
	if (k)
		object_free(k->object);
	free(k);
	return err;
}

/* log: 0 if nobody wants to read it */
CUresult
code_kernel(struct entry *e, struct host_shape shape,
	const struct host_kernel **out, struct text *log)
{
	struct text nobody = { 0 };
	struct kernel *_Atomic *slot = &e->kernel[shape_index(shape)];
	struct kernel *k = atomic_load(slot);
	CUresult err = CUDA_SUCCESS;

	if (!k) {
		pthread_mutex_lock(&e->lock);
		k = atomic_load(slot);
		if (!k)
			err = make_kernel(e, shape, &k, log ? log : &nobody);
		if (!err) {
			atomic_store(slot, k);
			atomic_store(&e->any, k);
		}
		pthread_mutex_unlock(&e->lock);
		text_free(&nobody);
	}
	if (!err)
		*out = k->host;
	return err;
}

static unsigned
constant_size(const struct ptx *x)
{
	const struct item *i;
	const struct sym *s;
	uint64_t n = 0;

	for (i = x->item; i; i = i->next)
		for (s = i->kind == ITEM_VAR ? i->sym : 0; s; s = s->next)
			if (s->space == CONST)
				n += s->u.var->size;
	return (unsigned)n;
}

static void
describe(const struct entry *e, const struct host_kernel *k,
	struct entry_info *info)
{
	uint32_t n[3];
	uint64_t threads = 1024, most;

	if (compile_demands(e->func, "reqntid", n) ||
	    compile_demands(e->func, "maxntid", n)) {
		most = (uint64_t)n[0] * n[1] * n[2];
		threads = most < threads ? most : threads;
	}
	info->registers = 32;
	info->max_threads = (unsigned)threads;
	info->shared = k->shared;
	info->local = k->local;
	info->constant = constant_size(&e->code->program->x);
}

/* the entry of that name, made if need be; 0: out of memory */
static struct entry *
entry_of(struct code *c, const struct func *f, const char *name)
{
	struct entry *e;

	for (e = c->entry; e; e = e->next)
		if (strcmp(e->name, name) == 0)
			return e;
	e = calloc(1, sizeof *e);
	if (!e)
		return 0;
	e->name = strdup(name);
	if (!e->name) {
		free(e);
		return 0;
	}
	e->code = c;
	e->func = f;
	pthread_mutex_init(&e->lock, 0);
	e->next = c->entry;
	c->entry = e;
	return e;
}

CUresult
cpu_entry(struct code *c, const char *name, struct entry **out,
	struct entry_info *info, struct text *log)
{
	const struct func *f = ptx_func(&c->program->x, name);
	const struct host_kernel *k;
	struct entry *e;
	CUresult err;

	if (!f || !f->entry)
		return CUDA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&c->lock);
	e = entry_of(c, f, name);
	pthread_mutex_unlock(&c->lock);
	if (!e)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = code_kernel(e, compile_shape(f), &k, log);
	if (err)
		return err;
	if (info)
		describe(e, k, info);
	*out = e;
	return CUDA_SUCCESS;
}

/* is it a variable of the module that has an address? */
static bool
is_variable(const struct ptx *x, const char *name)
{
	const struct item *i;
	const struct sym *s;

	for (i = x->item; i; i = i->next)
		for (s = i->kind == ITEM_VAR ? i->sym : 0; s; s = s->next)
			if (s->space != SHARED &&
			    strcmp(s->name->text, name) == 0)
				return true;
	return false;
}

CUresult
cpu_variable(struct code *c, const char *name, uint64_t *addr, size_t *size)
{
	struct text nobody = { 0 };
	CUresult err;
	void *p;

	if (!is_variable(&c->program->x, name))
		return CUDA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&c->lock);
	err = need_data(c, &nobody);
	pthread_mutex_unlock(&c->lock);
	text_free(&nobody);
	if (err)
		return err;
	p = object_symbol(c->data, name, size);
	if (!p)
		return CUDA_ERROR_NOT_FOUND;
	*addr = (uint64_t)(uintptr_t)p;
	return CUDA_SUCCESS;
}
