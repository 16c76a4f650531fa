/* module.c - programs in a context: made, eagerly compiled, taken apart. */
#include "module.h"
#include "preset.h"
#include "progress.h"
#include "trace.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* programs */

struct program
module_options(const struct device *dev)
{
	struct program o = preset_program();

	if (!preset_level(&o.level))
		rt_warn("PTXAMD_OPT_LEVEL: \"%s\" is none of 0 to 3",
			env_text("PTXAMD_OPT_LEVEL"));
	o.force_jit = env_flag("CUDA_FORCE_PTX_JIT") ||
		env_flag("CUDA_FORCE_JIT");
	o.no_jit = env_flag("CUDA_DISABLE_PTX_JIT") ||
		env_flag("CUDA_DISABLE_JIT");
	o.sm = 0;
	if (dev) {
		o.sm = (unsigned)(10 * dev->major + dev->minor);
		o.arch = dev->info.arch;
	}
	return o;
}

CUresult
shared_program_load(struct shared_program **out, const void *data,
	size_t size, const struct program *options, struct jit_log *log)
{
	struct shared_program *s = calloc(1, sizeof *s);
	CUresult err;

	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_init(&s->users, 1);
	err = program_load(&s->program, data, size, options, &log->text);
	if (err) {
		free(s);
		return err;
	}
	if (trace_on())
		trace_program(s->program);
	*out = s;
	return CUDA_SUCCESS;
}

void
shared_program_free(struct shared_program *s)
{
	if (atomic_fetch_sub(&s->users, 1) > 1)
		return;
	program_free(s->program);
	free(s);
}

static int
in_order(const void *a, const void *b)
{
	const struct func *const *f = a, *const *g = b;

	return strcmp((*f)->sym->name->text, (*g)->sym->name->text);
}

const struct func **
module_kernels(const struct program *p, size_t *n)
{
	const struct func **list, *f;
	size_t cap = 1;

	*n = 0;
	for (f = p->has_ptx ? p->x.func : 0; f; f = f->next)
		cap++;
	list = calloc(cap, sizeof *list);
	if (!list)
		return 0;
	for (f = p->has_ptx ? p->x.func : 0; f; f = f->next)
		if (f->entry && f->has_body)
			list[(*n)++] = f;
	qsort(list, *n, sizeof *list, in_order);
	return list;
}

/* functions */

static CUresult
list_functions(CUmodule m)
{
	const struct func **list;
	struct param *at;
	size_t n, k, nparam = 0;

	list = module_kernels(m->shared->program, &n);
	for (k = 0; list && k < n; k++)
		nparam += sym_count(list[k]->param);
	m->function = calloc(n + 1, sizeof *m->function);
	m->param = at = calloc(nparam + 1, sizeof *m->param);
	for (k = 0; list && m->function && at && k < n; k++) {
		m->function[k] = function_new(m, list[k]->sym->name->text,
			list[k], at);
		if (!m->function[k])
			break;
		at += m->function[k]->nparam;
	}
	free(list);
	m->nfunction = k;
	return list && m->function && at && k == n ? CUDA_SUCCESS :
		CUDA_ERROR_OUT_OF_MEMORY;
}

/* CUDA_MODULE_LOADING=EAGER: all kernels, on all cores */

struct eager {
	CUmodule m;
	_Atomic size_t next;
	struct text *log;
	pthread_mutex_t lock; /* of the log */
};

static void *
compile_some(void *arg)
{
	struct eager *e = arg;
	struct text log = {0};
	size_t k;

	while ((k = atomic_fetch_add(&e->next, 1)) < e->m->nfunction) {
		progress_expect(-1);
		function_load(e->m->function[k], &log);
	}
	pthread_mutex_lock(&e->lock);
	if (log.size)
		text_add(e->log, "%s", log.data);
	pthread_mutex_unlock(&e->lock);
	text_free(&log);
	return 0;
}

/* a kernel that is refused fails when it is asked for, not here */
static void
compile_all(CUmodule m, struct text *log)
{
	enum { MOST = 64 };
	struct eager e = { .m = m, .log = log };
	size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN), n = 0;
	pthread_t thread[MOST];

	pthread_mutex_init(&e.lock, 0);
	progress_expect((long)m->nfunction);
	while (n < MOST && n + 1 < cores && n + 1 < m->nfunction &&
	    !pthread_create(&thread[n], 0, compile_some, &e))
		n++;
	compile_some(&e);
	while (n--)
		pthread_join(thread[n], 0);
	pthread_mutex_destroy(&e.lock);
}

static bool
is_eager(void)
{
	const char *s = env_text("CUDA_MODULE_LOADING");

	return s && !strcmp(s, "EAGER");
}

/* modules */

static void
destroy(struct owned *o)
{
	CUmodule m = (CUmodule)o;

	if (m->library)
		library_forget(m);
	module_free(m);
}

CUresult
module_make(CUcontext c, struct shared_program *s, struct text *log,
	CUmodule *out)
{
	const struct device *dev = c->device;
	CUmodule m = handle_new(HANDLE_MODULE, sizeof *m);
	CUresult err;

	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->context = c;
	m->shared = s;
	atomic_fetch_add(&s->users, 1);
	m->owned.destroy = destroy;
	pthread_mutex_init(&m->lock, 0);
	err = list_functions(m);
	if (!err)
		err = dev->ops->load(dev->dev, s->program, &m->code, log);
	if (err) {
		m->code = 0;
		module_free(m);
		return err;
	}
	own(c, OWNED_CODE, &m->owned);
	if (is_eager())
		compile_all(m, log);
	*out = m;
	return CUDA_SUCCESS;
}

void
module_free(CUmodule m)
{
	CUfunction f;
	size_t k;

	if (m->owned.link)
		disown(m->context, &m->owned);
	reference_forget(m);
	module_forget_variables(m);
	if (m->code)
		m->context->device->ops->unload(m->code);
	for (k = 0; k < m->nfunction; k++)
		function_free(m->function[k]);
	while ((f = m->more)) {
		m->more = f->next;
		function_free(f);
	}
	free(m->function);
	free(m->param);
	pthread_mutex_destroy(&m->lock);
	shared_program_free(m->shared);
	handle_free(HANDLE_MODULE, m);
}

/* the API */

static CUresult
load(CUmodule *out, const void *data, size_t size, struct program *options,
	struct jit_log *log)
{
	CUcontext c = context_current();
	struct shared_program *s;
	CUresult err;

	err = shared_program_load(&s, data, size, options, log);
	if (err)
		return err;
	err = module_make(c, s, &log->text, out);
	shared_program_free(s);
	return err;
}

CUresult
cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned n,
	CUjit_option *option, void **value)
{
	struct program o = module_options(context_current()->device);
	struct jit_log log;
	CUresult err;

	if (!out || !image)
		return CUDA_ERROR_INVALID_VALUE;
	err = jit_options(&log, &o, n, option, value);
	if (!err)
		err = load(out, image, 0, &o, &log);
	jit_log_end(&log, err);
	return err;
}

CUresult
cuModuleLoadData(CUmodule *out, const void *image)
{
	return cuModuleLoadDataEx(out, image, 0, 0, 0);
}

CUresult
cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
	return cuModuleLoadDataEx(out, image, 0, 0, 0);
}

CUresult
cuModuleLoad(CUmodule *out, const char *name)
{
	struct program o = module_options(context_current()->device);
	struct jit_log log;
	struct file_data file;
	CUresult err;

	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	err = jit_file(name, &file);
	if (err)
		return err;
	o.file = name;
	err = jit_options(&log, &o, 0, 0, 0);
	if (!err)
		err = load(out, file.data, file.size, &o, &log);
	jit_log_end(&log, err);
	free(file.data);
	return err;
}

CUresult
cuModuleUnload(CUmodule m)
{
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	/* a library's modules end with it */
	if (m->library)
		return CUDA_ERROR_NOT_PERMITTED;
	/* what still runs uses the code */
	streams_sync(m->context);
	module_free(m);
	return CUDA_SUCCESS;
}

CUresult
cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = is_eager() ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
	return CUDA_SUCCESS;
}
