/* function.c - kernels of a module: found by name, compiled when needed. */
#include "module.h"
#include <stdlib.h>
#include <string.h>

/* param: where those of the PTX go */
CUfunction
function_new(CUmodule m, const char *name, const struct func *ptx,
	struct param *param)
{
	CUfunction f = handle_new(HANDLE_FUNCTION, sizeof *f);
	const struct sym *s;

	if (!f)
		return 0;
	f->module = m;
	f->name = name;
	f->ptx = ptx;
	f->param = param;
	pthread_mutex_init(&f->lock, 0);
	settings_init(&f->settings);
	for (s = ptx ? ptx->param : 0; s; s = s->next)
		param[f->nparam++] = (struct param){
			(uint32_t)s->u.var->offset, (uint32_t)s->u.var->size
		};
	f->param_size = ptx ? (uint32_t)ptx->param_size : 0;
	f->required = ptx ? func_attr(ptx, "reqntid") : 0;
	return f;
}

void
function_free(CUfunction f)
{
	if (!f)
		return;
	pthread_mutex_destroy(&f->lock);
	if (!f->ptx)
		free((char *)f->name);
	free(f->old);
	handle_free(HANDLE_FUNCTION, f);
}

static CUresult
load(CUfunction f, struct text *log)
{
	const struct device *dev = f->module->context->device;
	struct entry *entry;
	CUresult err;

	if (f->ptx && f->ptx->param_size > MAX_PARAM_SIZE) {
		text_add(log, "error: kernel '%s' has %llu bytes of "
			"parameters, more than %d\n", f->name, (unsigned
			long long)f->ptx->param_size, MAX_PARAM_SIZE);
		return CUDA_ERROR_INVALID_PTX;
	}
	err = dev->ops->entry(f->module->code, f->name, &entry, &f->info,
		log);
	if (!err)
		atomic_store_explicit(&f->entry, entry, memory_order_release);
	return err;
}

CUresult
function_load(CUfunction f, struct text *log)
{
	struct text own = {0};
	CUresult err = CUDA_SUCCESS;

	if (atomic_load_explicit(&f->entry, memory_order_acquire))
		return CUDA_SUCCESS;
	pthread_mutex_lock(&f->lock);
	if (!atomic_load_explicit(&f->entry, memory_order_relaxed))
		err = load(f, log ? log : &own);
	pthread_mutex_unlock(&f->lock);
	if (err || env_flag("PTXAMD_LOG"))
		jit_say(&own);
	text_free(&own);
	return err;
}

static int
by_name(const void *key, const void *element)
{
	const CUfunction *f = element;

	return strcmp(key, (*f)->name);
}

/* ready code alone does not list its kernels: the device knows them */
static CUresult
find_in_code(CUmodule m, const char *name, CUfunction *out)
{
	struct text log = {0};
	char *copy;
	CUfunction f;
	CUresult err;

	for (f = m->more; f && strcmp(f->name, name); f = f->next)
		;
	if (f) {
		*out = f;
		return CUDA_SUCCESS;
	}
	copy = strdup(name);
	f = copy ? function_new(m, copy, 0, 0) : 0;
	if (!f) {
		free(copy);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	err = function_load(f, &log);
	text_free(&log);
	if (err) {
		function_free(f);
		return err;
	}
	f->next = m->more;
	*out = m->more = f;
	return CUDA_SUCCESS;
}

CUresult
function_find(CUmodule m, const char *name, CUfunction *out)
{
	CUfunction *f;
	CUresult err;

	f = bsearch(name, m->function, m->nfunction, sizeof *f, by_name);
	if (f)
		*out = *f;
	if (f || m->shared->program->has_ptx)
		return f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&m->lock);
	err = find_in_code(m, name, out);
	pthread_mutex_unlock(&m->lock);
	return err;
}

CUresult
function_in_context(CUfunction handle, CUcontext c, CUfunction *out)
{
	CUfunction f = handle;
	CUresult err;

	if (!handle_is(HANDLE_FUNCTION, f)) {
		if (!c)
			return CUDA_ERROR_INVALID_CONTEXT;
		if (!handle_is(HANDLE_KERNEL, f))
			return CUDA_ERROR_INVALID_HANDLE;
		err = kernel_function((CUkernel)handle, c, &f);
		if (err)
			return err;
	}
	*out = f;
	if (atomic_load_explicit(&f->entry, memory_order_acquire))
		return CUDA_SUCCESS;
	return function_load(f, 0);
}

CUresult
function_of(CUfunction handle, CUfunction *out)
{
	return function_in_context(handle, context_current(), out);
}

/* the API */

CUresult
cuFuncGetModule(CUmodule *out, CUfunction h)
{
	CUfunction f;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (!err)
		*out = f->module;
	return err;
}

CUresult
cuFuncGetName(const char **out, CUfunction h)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (handle_is(HANDLE_FUNCTION, h))
		*out = h->name;
	else if (handle_is(HANDLE_KERNEL, h))
		*out = ((CUkernel)h)->name;
	else
		return CUDA_ERROR_INVALID_HANDLE;
	return CUDA_SUCCESS;
}

CUresult
cuFuncGetParamInfo(CUfunction h, size_t index, size_t *offset, size_t *size)
{
	CUfunction f;
	CUresult err;

	if (!offset)
		return CUDA_ERROR_INVALID_VALUE;
	err = function_of(h, &f);
	if (err)
		return err;
	if (index >= f->nparam)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = f->param[index].offset;
	if (size)
		*size = f->param[index].size;
	return CUDA_SUCCESS;
}

CUresult
cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction f)
{
	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_FUNCTION, f))
		return CUDA_ERROR_INVALID_HANDLE;
	*state = atomic_load(&f->entry) ? CU_FUNCTION_LOADING_STATE_LOADED :
		CU_FUNCTION_LOADING_STATE_UNLOADED;
	return CUDA_SUCCESS;
}

CUresult
cuFuncLoad(CUfunction h)
{
	CUfunction f;

	return function_of(h, &f);
}
