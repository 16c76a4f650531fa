/* reference.c - texture and surface references of modules, and how kernels
 * get to see them.
 *
 * A reference has a slot in the heap of textures, and its variable holds the
 * address of the slot.  Both are written at the first launch after a change,
 * when nothing is running: what was launched before sees what was before.
 */
#include "reference.h"
#include <stdlib.h>
#include <string.h>

static enum handle_kind
kind_of(bool surface)
{
	return surface ? HANDLE_SURFREF : HANDLE_TEXREF;
}

struct reference *
reference_new(CUcontext c, bool surface)
{
	struct reference *r = handle_new(kind_of(surface), sizeof *r);
	int i;

	if (!r)
		return 0;
	r->context = c;
	r->surface = surface;
	r->format = CU_AD_FORMAT_FLOAT;
	r->channels = 1;
	for (i = 0; i < 3; i++)
		r->sampler.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
	return r;
}

void
reference_free(struct reference *r)
{
	if (r->owned.link)
		disown(r->context, &r->owned);
	texture_drop(r->handle, r->surface);
	free(r->name);
	handle_free(kind_of(r->surface), r);
}

struct reference *
reference_of(const void *handle, bool surface)
{
	return handle_is(kind_of(surface), handle) ? (void *)handle : 0;
}

bool
reference_has(const struct reference *r, CUresourcetype type)
{
	return r->bound && r->resource.resType == type;
}

/* what kernels see */

void
reference_changed(struct reference *r)
{
	CUmodule m = r->module;

	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	r->stale = true;
	atomic_store(&m->stale, true);
	pthread_mutex_unlock(&m->lock);
}

/* a filter that is none is taken for the simplest */
static CUresult
sample(const struct reference *r, struct texture *t)
{
	CUDA_TEXTURE_DESC s = r->sampler;

	if (s.filterMode != CU_TR_FILTER_MODE_LINEAR)
		s.filterMode = CU_TR_FILTER_MODE_POINT;
	return texture_sampler(&s, t);
}

static CUresult
write_slot(struct reference *r)
{
	struct texture t = {0};
	struct texture_object *o;
	CUresult err = texture_resource(&r->resource, &t);

	if (!err && !r->surface)
		err = sample(r, &t);
	if (err)
		return err;
	if (r->handle)
		return texture_set(r->handle, &t);
	o = calloc(1, sizeof *o);
	if (!o)
		return CUDA_ERROR_OUT_OF_MEMORY;
	o->surface = r->surface;
	return texture_put(&t, o, &r->handle);
}

static CUresult
show(struct reference *r)
{
	CUresult err = r->bound ? write_slot(r) : CUDA_SUCCESS;

	/* a variable without a slot is 0 from the beginning */
	if (!err && r->handle)
		err = texture_name(r->handle, r->variable, r->bound);
	if (!err)
		r->stale = false;
	return err;
}

CUresult
reference_show(CUmodule m)
{
	struct reference *r;
	CUresult err = 0;

	if (context_current() != m->context)
		return 0; /* it will not be launched */
	pthread_mutex_lock(&m->lock);
	if (atomic_load(&m->stale))
		err = streams_sync(m->context);
	for (r = m->reference; r && !err; r = r->next)
		if (r->stale)
			err = show(r);
	if (!err)
		atomic_store(&m->stale, false);
	pthread_mutex_unlock(&m->lock);
	return err;
}

/* references of modules */

void
reference_forget(CUmodule m)
{
	struct reference *r;

	while ((r = m->reference)) {
		m->reference = r->next;
		reference_free(r);
	}
}

static CUresult
enter(CUmodule m, const char *name, bool surface, CUdeviceptr variable,
	struct reference **out)
{
	struct reference *r = reference_new(m->context, surface);

	if (!r)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->name = strdup(name);
	if (!r->name) {
		reference_free(r);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	r->module = m;
	r->variable = variable;
	r->next = m->reference;
	*out = m->reference = r;
	return 0;
}

static CUresult
find_or_enter(CUmodule m, const char *name, bool surface,
	struct reference **out)
{
	struct reference *r;
	CUdeviceptr variable;
	CUresult err;

	err = module_variable(m, name, surface ? T_SURFREF : T_TEXREF,
		&variable, 0);
	if (err)
		return err;
	pthread_mutex_lock(&m->lock);
	for (r = m->reference; r; r = r->next)
		if (r->surface == surface && !strcmp(r->name, name))
			break;
	*out = r;
	if (!r)
		err = enter(m, name, surface, variable, out);
	pthread_mutex_unlock(&m->lock);
	return err;
}

static CUresult
get(void **out, CUmodule m, const char *name, bool surface)
{
	struct reference *r;
	CUresult err;

	if (!out || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MODULE, m))
		return CUDA_ERROR_INVALID_HANDLE;
	err = find_or_enter(m, name, surface, &r);
	if (!err)
		*out = r;
	return err;
}

CUresult
cuModuleGetTexRef(CUtexref *out, CUmodule m, const char *name)
{
	return get((void **)out, m, name, false);
}

CUresult
cuModuleGetSurfRef(CUsurfref *out, CUmodule m, const char *name)
{
	return get((void **)out, m, name, true);
}

/* The reference that a kernel reads is the one that its code names; there is
 * nothing to add. */
CUresult
cuParamSetTexRef(CUfunction f, int unit, CUtexref t)
{
	CUfunction known;
	CUresult err = function_of(f, &known);

	if (err)
		return err;
	if (!reference_of(t, false))
		return CUDA_ERROR_INVALID_HANDLE;
	return unit == CU_PARAM_TR_DEFAULT ? 0 : CUDA_ERROR_INVALID_VALUE;
}
