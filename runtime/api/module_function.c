/* module_function.c - what a module has: functions and variables. */
#include "module.h"
#include <stdlib.h>
#include <string.h>

CUresult
cuModuleGetFunction(CUfunction *out, CUmodule m, const char *name)
{
	CUfunction f;
	CUresult err;

	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	err = function_find(m, name, &f);
	if (!err)
		err = function_load(f, 0);
	if (!err)
		*out = f;
	return err;
}

CUresult
cuModuleGetFunctionCount(unsigned *count, CUmodule m)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	*count = (unsigned)m->nfunction;
	return CUDA_SUCCESS;
}

CUresult
cuModuleEnumerateFunctions(CUfunction *list, unsigned n, CUmodule m)
{
	if (!list || !n)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	if (n > m->nfunction)
		n = (unsigned)m->nfunction;
	memcpy(list, m->function, n * sizeof *list);
	return CUDA_SUCCESS;
}

/* variables */

struct variable {
	struct variable *next;
	CUdeviceptr addr;
	size_t size;
	char name[];
};

/* the device tells where it is, and copies to and from it are allowed from
 * now on */
static CUresult
find(CUmodule m, const char *name, struct variable **out)
{
	const struct device *dev = m->context->device;
	struct variable *v;
	struct region r = { .kind = REGION_VARIABLE, .context = m->context,
		.device = m->context->device };
	CUresult err;

	for (v = m->variable; v && strcmp(v->name, name); v = v->next)
		;
	*out = v;
	if (v)
		return CUDA_SUCCESS;
	v = malloc(sizeof *v + strlen(name) + 1);
	if (!v)
		return CUDA_ERROR_OUT_OF_MEMORY;
	strcpy(v->name, name);
	err = dev->ops->variable(m->code, name, &r.addr, &r.size);
	r.host = dev->info.host_visible ? r.addr : 0;
	if (!err && r.size)
		err = region_add(&r);
	if (err) {
		free(v);
		return err;
	}
	v->addr = r.addr;
	v->size = r.size;
	v->next = m->variable;
	*out = m->variable = v;
	return CUDA_SUCCESS;
}

/* is it of that type; T_NONE: of one that has a value? */
static bool
has_type(const struct sym *s, enum type t)
{
	return t ? s->type == t : s->type != T_TEXREF && s->type != T_SURFREF
		&& s->type != T_SAMPLERREF;
}

/* With PTX at hand, the device is not asked for what there is not.  Ready code
 * does not tell types. */
static bool
is_variable(const struct program *p, const char *name, enum type t)
{
	struct link_walk w = { .item = p->has_ptx ? p->x.item : 0 };
	const struct sym *s;

	if (!p->has_ptx)
		return true;
	while ((s = link_walk(&w)))
		if (s->kind == SYM_VAR && w.defined &&
		    (s->space == GLOBAL || s->space == CONST) &&
		    !strcmp(s->name->text, name))
			return has_type(s, t);
	return false;
}

CUresult
module_variable(CUmodule m, const char *name, enum type t, CUdeviceptr *addr,
	size_t *size)
{
	struct variable *v;
	CUresult err;

	if (!is_variable(m->shared->program, name, t))
		return CUDA_ERROR_NOT_FOUND;
	pthread_mutex_lock(&m->lock);
	err = find(m, name, &v);
	pthread_mutex_unlock(&m->lock);
	if (err)
		return err;
	if (addr)
		*addr = v->addr;
	if (size)
		*size = v->size;
	return CUDA_SUCCESS;
}

void
module_forget_variables(CUmodule m)
{
	struct variable *v;
	struct region r;

	while ((v = m->variable)) {
		m->variable = v->next;
		if (v->size)
			region_take(v->addr, 1u << REGION_VARIABLE, &r);
		free(v);
	}
}

CUresult
cuModuleGetGlobal_v2(CUdeviceptr *addr, size_t *size, CUmodule m,
	const char *name)
{
	if (!name || (!addr && !size))
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	return module_variable(m, name, T_NONE, addr, size);
}
