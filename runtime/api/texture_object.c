/* texture_object.c - texture and surface objects. */
#include "array.h"
#include <stdlib.h>

/* Destroying what is none, or no longer one, is nothing. */

/* of textures */

static CUresult
fill(struct texture *t, const CUDA_RESOURCE_DESC *r,
	const CUDA_TEXTURE_DESC *s, const CUDA_RESOURCE_VIEW_DESC *v)
{
	CUresult err = texture_resource(r, t);

	/* memory has no other view */
	if (!err && v && r->resType <= CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
		err = texture_view(v, t);
	return err ? err : texture_sampler(s, t);
}

CUresult
cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *r,
	const CUDA_TEXTURE_DESC *s, const CUDA_RESOURCE_VIEW_DESC *v)
{
	struct texture t = {0};
	struct texture_object *o;
	CUresult err;

	if (!out || !r || !s)
		return CUDA_ERROR_INVALID_VALUE;
	err = fill(&t, r, s, v);
	if (err)
		return err;
	o = calloc(1, sizeof *o);
	if (!o)
		return CUDA_ERROR_OUT_OF_MEMORY;
	o->resource = *r;
	o->sampler = *s;
	if (v)
		o->view = *v;
	return texture_put(&t, o, out);
}

CUresult
cuTexObjectDestroy(CUtexObject t)
{
	texture_drop(t, false);
	return 0;
}

CUresult
cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *r, CUtexObject t)
{
	struct texture_object o;

	if (!r || !texture_find(t, false, &o))
		return CUDA_ERROR_INVALID_VALUE;
	*r = o.resource;
	return 0;
}

CUresult
cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *s, CUtexObject t)
{
	struct texture_object o;

	if (!s || !texture_find(t, false, &o))
		return CUDA_ERROR_INVALID_VALUE;
	*s = o.sampler;
	return 0;
}

CUresult
cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *v, CUtexObject t)
{
	struct texture_object o;

	if (!v || !texture_find(t, false, &o))
		return CUDA_ERROR_INVALID_VALUE;
	*v = o.view;
	return 0;
}

/* of surfaces */

CUresult
cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *r)
{
	struct texture t = {0};
	struct texture_object *o;
	CUresult err;

	if (!out || !r || r->resType != CU_RESOURCE_TYPE_ARRAY)
		return CUDA_ERROR_INVALID_VALUE;
	err = texture_resource(r, &t);
	if (err)
		return err;
	o = calloc(1, sizeof *o);
	if (!o)
		return CUDA_ERROR_OUT_OF_MEMORY;
	o->surface = true;
	o->resource = *r;
	return texture_put(&t, o, out);
}

CUresult
cuSurfObjectDestroy(CUsurfObject s)
{
	texture_drop(s, true);
	return 0;
}

CUresult
cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *r, CUsurfObject s)
{
	struct texture_object o;

	if (!r || !texture_find(s, true, &o))
		return CUDA_ERROR_INVALID_VALUE;
	*r = o.resource;
	return 0;
}
