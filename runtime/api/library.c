/* library.c - programs that belong to no context, and their kernels.
 *
 * A library is loaded into a context by the first call that needs it there.
 * Its modules are that context's like any other, but end with the library.
 */
#include "module.h"
#include <stdlib.h>
#include <string.h>

static CUkernel
kernel_new(CUlibrary l, const char *name, const struct func *ptx)
{
	CUkernel k = handle_new(HANDLE_KERNEL, sizeof *k);

	if (!k)
		return 0;
	k->library = l;
	k->name = name;
	k->ptx = ptx;
	settings_init(&k->settings);
	return k;
}

static void
kernel_free(CUkernel k)
{
	if (!k->ptx)
		free((char *)k->name);
	handle_free(HANDLE_KERNEL, k);
}

static CUresult
list_kernels(CUlibrary l)
{
	const struct func **list;
	size_t n, k;

	list = module_kernels(l->shared->program, &n);
	l->kernel = calloc(n + 1, sizeof *l->kernel);
	for (k = 0; list && l->kernel && k < n; k++) {
		l->kernel[k] = kernel_new(l, list[k]->sym->name->text,
			list[k]);
		if (!l->kernel[k])
			break;
	}
	free(list);
	l->nkernel = k;
	return list && l->kernel && k == n ? CUDA_SUCCESS :
		CUDA_ERROR_OUT_OF_MEMORY;
}

static void
library_free(CUlibrary l)
{
	CUmodule m;
	CUkernel k;
	size_t i;

	while ((m = l->module)) {
		l->module = m->next;
		module_free(m);
	}
	for (i = 0; i < l->nkernel; i++)
		kernel_free(l->kernel[i]);
	while ((k = l->more)) {
		l->more = k->next;
		kernel_free(k);
	}
	free(l->kernel);
	if (l->shared)
		shared_program_free(l->shared);
	pthread_mutex_destroy(&l->lock);
	handle_free(HANDLE_LIBRARY, l);
}

/* in contexts */

/* the library in c, loaded if it is not there yet; l is locked */
static CUresult
module_in(CUlibrary l, CUcontext c, CUmodule *out)
{
	struct text log = {0};
	CUmodule m;
	CUresult err;

	for (m = l->module; m && m->context != c; m = m->next)
		;
	*out = m;
	if (m)
		return CUDA_SUCCESS;
	err = module_make(c, l->shared, &log, &m);
	if (err || env_flag("PTXAMD_LOG"))
		jit_say(&log);
	text_free(&log);
	if (err)
		return err;
	m->library = l;
	m->next = l->module;
	*out = l->module = m;
	return CUDA_SUCCESS;
}

static CUresult
module_here(CUlibrary l, CUcontext c, CUmodule *out)
{
	CUresult err;

	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	pthread_mutex_lock(&l->lock);
	err = module_in(l, c, out);
	pthread_mutex_unlock(&l->lock);
	return err;
}

void
library_forget(CUmodule m)
{
	CUlibrary l = m->library;
	CUmodule *p;
	size_t k;

	pthread_mutex_lock(&l->lock);
	for (p = &l->module; *p && *p != m; p = &(*p)->next)
		;
	if (*p)
		*p = m->next;
	for (k = 0; k < l->nkernel; k++)
		atomic_store(&l->kernel[k]->last, 0);
	pthread_mutex_unlock(&l->lock);
}

static CUresult
function_in(CUkernel k, CUcontext c, CUfunction *out)
{
	CUmodule m;
	CUfunction f;
	CUresult err;

	err = module_here(k->library, c, &m);
	if (!err)
		err = function_find(m, k->name, &f);
	if (err)
		return err;
	f->base = &k->settings;
	atomic_store_explicit(&k->last, f, memory_order_release);
	*out = f;
	return CUDA_SUCCESS;
}

CUresult
kernel_function(CUkernel k, CUcontext c, CUfunction *out)
{
	CUfunction f;

	f = atomic_load_explicit(&k->last, memory_order_acquire);
	if (f && f->module->context == c) {
		*out = f;
		return CUDA_SUCCESS;
	}
	return function_in(k, c, out);
}

/* libraries */

static CUresult
read_options(unsigned n, const CUlibraryOption *option, void *const *value)
{
	unsigned k;

	if (n && !option)
		return CUDA_ERROR_INVALID_VALUE;
	for (k = 0; k < n; k++)
		switch ((int)option[k]) {
		case CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE:
			if (value && value[k])
				return CUDA_ERROR_NOT_SUPPORTED;
			break;
		case CU_LIBRARY_BINARY_IS_PRESERVED:
			break;
		default:
			return CUDA_ERROR_INVALID_VALUE;
		}
	return CUDA_SUCCESS;
}

static CUresult
library_make(struct shared_program *s, CUlibrary *out)
{
	CUlibrary l = handle_new(HANDLE_LIBRARY, sizeof *l);
	CUresult err;

	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_fetch_add(&s->users, 1);
	l->shared = s;
	pthread_mutex_init(&l->lock, 0);
	err = list_kernels(l);
	if (err)
		library_free(l);
	else
		*out = l;
	return err;
}

/* the device that decides among the entries of a fat binary */
static const struct device *
some_device(void)
{
	CUcontext c = context_current();

	return c ? c->device : device_of(0);
}

static CUresult
load(CUlibrary *out, const char *file, const void *data, size_t size,
	unsigned n, CUjit_option *option, void **value)
{
	struct program o = module_options(some_device());
	struct shared_program *s;
	struct jit_log log;
	CUresult err;

	o.file = file;
	err = jit_options(&log, &o, n, option, value);
	if (!err)
		err = shared_program_load(&s, data, size, &o, &log);
	if (!err) {
		err = library_make(s, out);
		shared_program_free(s);
	}
	jit_log_end(&log, err);
	return err;
}

CUresult
cuLibraryLoadData(CUlibrary *out, const void *code, CUjit_option *option,
	void **value, unsigned n, CUlibraryOption *library_option,
	void **library_value, unsigned nlibrary)
{
	CUresult err;

	if (!out || !code)
		return CUDA_ERROR_INVALID_VALUE;
	err = read_options(nlibrary, library_option, library_value);
	return err ? err : load(out, 0, code, 0, n, option, value);
}

CUresult
cuLibraryLoadFromFile(CUlibrary *out, const char *name, CUjit_option *option,
	void **value, unsigned n, CUlibraryOption *library_option,
	void **library_value, unsigned nlibrary)
{
	struct file_data file;
	CUresult err;

	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	err = read_options(nlibrary, library_option, library_value);
	if (!err)
		err = jit_file(name, &file);
	if (err)
		return err;
	err = load(out, name, file.data, file.size, n, option, value);
	free(file.data);
	return err;
}

CUresult
cuLibraryUnload(CUlibrary l)
{
	CUmodule m;
	CUresult err;

	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	err = capture_forbids();
	if (err)
		return err;
	for (m = l->module; m; m = m->next)
		streams_sync(m->context);
	library_free(l);
	return CUDA_SUCCESS;
}

CUresult
cuLibraryGetModule(CUmodule *out, CUlibrary l)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	return module_here(l, context_current(), out);
}

CUresult
cuLibraryGetGlobal(CUdeviceptr *addr, size_t *size, CUlibrary l,
	const char *name)
{
	CUmodule m;
	CUresult err;

	if (!name || (!addr && !size))
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	err = module_here(l, context_current(), &m);
	return err ? err : module_variable(m, name, T_NONE, addr, size);
}

static bool
is_managed(const struct program *p, const char *name)
{
	struct link_walk w = { .item = p->has_ptx ? p->x.item : 0 };
	const struct sym *s;

	while ((s = link_walk(&w)))
		if (s->kind == SYM_VAR && w.defined && s->u.var->managed &&
		    !strcmp(s->name->text, name))
			return true;
	return false;
}

CUresult
cuLibraryGetManaged(CUdeviceptr *addr, size_t *size, CUlibrary l,
	const char *name)
{
	if (!name || (!addr && !size))
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_managed(l->shared->program, name))
		return CUDA_ERROR_NOT_FOUND;
	return cuLibraryGetGlobal(addr, size, l, name);
}

/* kernels */

static int
by_name(const void *key, const void *element)
{
	const CUkernel *k = element;

	return strcmp(key, (*k)->name);
}

/* ready code alone does not list its kernels: the device is asked, if there
 * is a context to ask it in */
static CUresult
find_in_code(CUlibrary l, const char *name, CUkernel *out)
{
	CUfunction f;
	CUmodule m;
	CUresult err;
	CUkernel k;
	char *copy;

	for (k = l->more; k && strcmp(k->name, name); k = k->next)
		;
	*out = k;
	if (k)
		return CUDA_SUCCESS;
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	err = module_in(l, context_current(), &m);
	if (!err)
		err = function_find(m, name, &f);
	if (err)
		return err;
	copy = strdup(name);
	k = copy ? kernel_new(l, copy, 0) : 0;
	if (!k) {
		free(copy);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	k->next = l->more;
	*out = l->more = k;
	return CUDA_SUCCESS;
}

CUresult
cuLibraryGetKernel(CUkernel *out, CUlibrary l, const char *name)
{
	CUkernel *k;
	CUresult err;

	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	k = bsearch(name, l->kernel, l->nkernel, sizeof *k, by_name);
	if (k)
		*out = *k;
	if (k || l->shared->program->has_ptx)
		return k ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&l->lock);
	err = find_in_code(l, name, out);
	pthread_mutex_unlock(&l->lock);
	return err;
}

CUresult
cuLibraryGetKernelCount(unsigned *count, CUlibrary l)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	*count = (unsigned)l->nkernel;
	return CUDA_SUCCESS;
}

CUresult
cuLibraryEnumerateKernels(CUkernel *list, unsigned n, CUlibrary l)
{
	if (!list || !n)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_LIBRARY, l))
		return CUDA_ERROR_INVALID_HANDLE;
	if (n > l->nkernel)
		n = (unsigned)l->nkernel;
	memcpy(list, l->kernel, n * sizeof *list);
	return CUDA_SUCCESS;
}
