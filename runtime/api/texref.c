/* texref.c - what texture references are told: resources, and surfaces'. */
#include "reference.h"

static CUresult
no_handle(void)
{
	return CUDA_ERROR_INVALID_HANDLE;
}

/* references without a module, which no kernel reads */

static void
destroy(struct owned *o)
{
	reference_free((struct reference *)o);
}

CUresult
cuTexRefCreate(CUtexref *out)
{
	struct reference *r;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	r = reference_new(context_current(), false);
	if (!r)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->owned.destroy = destroy;
	own(r->context, OWNED_IMAGE, &r->owned);
	*out = (CUtexref)(void *)r;
	return 0;
}

/* a module's ends with the module */
CUresult
cuTexRefDestroy(CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (!r->module)
		reference_free(r);
	return 0;
}

/* resources */

/* binds it, if it is one */
static CUresult
bind(struct reference *r, const CUDA_RESOURCE_DESC *d)
{
	struct texture t = {0};
	CUresult err = texture_resource(d, &t);

	if (err)
		return err;
	r->resource = *d;
	r->bound = true;
	reference_changed(r);
	return 0;
}

static void
unbind(struct reference *r)
{
	r->bound = false;
	reference_changed(r);
}

/* The format is the array's, also where a program forgets to say so. */
static void
take_format(struct reference *r, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	r->format = d->Format;
	r->channels = d->NumChannels;
}

CUresult
cuTexRefSetArray(CUtexref t, CUarray a, unsigned flags)
{
	CUDA_RESOURCE_DESC d = { .resType = CU_RESOURCE_TYPE_ARRAY };
	struct reference *r = reference_of(t, false);
	CUresult err;

	if (!r)
		return no_handle();
	if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
		return CUDA_ERROR_INVALID_VALUE;
	d.res.array.hArray = a;
	err = bind(r, &d);
	if (!err)
		take_format(r, &a->desc);
	return err;
}

CUresult
cuTexRefGetArray(CUarray *a, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (!a || !reference_has(r, CU_RESOURCE_TYPE_ARRAY))
		return CUDA_ERROR_INVALID_VALUE;
	*a = r->resource.res.array.hArray;
	return 0;
}

CUresult
cuTexRefSetMipmappedArray(CUtexref t, CUmipmappedArray m, unsigned flags)
{
	CUDA_RESOURCE_DESC d = { .resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
	struct reference *r = reference_of(t, false);
	CUresult err;

	if (!r)
		return no_handle();
	if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT)
		return CUDA_ERROR_INVALID_VALUE;
	d.res.mipmap.hMipmappedArray = m;
	err = bind(r, &d);
	if (!err)
		take_format(r, &m->desc);
	return err;
}

CUresult
cuTexRefGetMipmappedArray(CUmipmappedArray *m, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (!m || !reference_has(r, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY))
		return CUDA_ERROR_INVALID_VALUE;
	*m = r->resource.res.mipmap.hMipmappedArray;
	return 0;
}

/* A line begins at an aligned address; the program adds what is left over to
 * its indices. */
CUresult
cuTexRefSetAddress_v2(size_t *offset, CUtexref t, CUdeviceptr p, size_t size)
{
	enum { ALIGN = 512 }; /* TEXTURE_ALIGNMENT of attr.def */
	CUDA_RESOURCE_DESC d = { .resType = CU_RESOURCE_TYPE_LINEAR };
	struct reference *r = reference_of(t, false);
	size_t over = p % ALIGN;
	CUresult err;

	if (!r)
		return no_handle();
	if (over && !offset)
		return CUDA_ERROR_INVALID_VALUE;
	if (!p) {
		unbind(r);
		return 0;
	}
	d.res.linear.devPtr = p - over;
	d.res.linear.format = r->format;
	d.res.linear.numChannels = r->channels;
	d.res.linear.sizeInBytes = size + over;
	err = bind(r, &d);
	if (!err && offset)
		*offset = over;
	return err;
}

CUresult
cuTexRefSetAddress2D_v3(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *a,
	CUdeviceptr p, size_t pitch)
{
	CUDA_RESOURCE_DESC d = { .resType = CU_RESOURCE_TYPE_PITCH2D };
	struct reference *r = reference_of(t, false);
	CUresult err;

	if (!r)
		return no_handle();
	if (!a)
		return CUDA_ERROR_INVALID_VALUE;
	d.res.pitch2D.devPtr = p;
	d.res.pitch2D.format = a->Format;
	d.res.pitch2D.numChannels = a->NumChannels;
	d.res.pitch2D.width = a->Width;
	d.res.pitch2D.height = a->Height;
	d.res.pitch2D.pitchInBytes = pitch;
	err = bind(r, &d);
	if (err)
		return err;
	r->format = a->Format;
	r->channels = a->NumChannels;
	return 0;
}

CUresult
cuTexRefSetAddress2D_v2(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *a,
	CUdeviceptr p, size_t pitch)
{
	return cuTexRefSetAddress2D_v3(t, a, p, pitch);
}

CUresult
cuTexRefGetAddress_v2(CUdeviceptr *p, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (p && reference_has(r, CU_RESOURCE_TYPE_LINEAR))
		*p = r->resource.res.linear.devPtr;
	else if (p && reference_has(r, CU_RESOURCE_TYPE_PITCH2D))
		*p = r->resource.res.pitch2D.devPtr;
	else
		return CUDA_ERROR_INVALID_VALUE;
	return 0;
}

/* … of memory that is bound already, too */
CUresult
cuTexRefSetFormat(CUtexref t, CUarray_format format, int channels)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (channels != 1 && channels != 2 && channels != 4)
		return CUDA_ERROR_INVALID_VALUE;
	r->format = format;
	r->channels = (unsigned)channels;
	if (reference_has(r, CU_RESOURCE_TYPE_LINEAR)) {
		r->resource.res.linear.format = format;
		r->resource.res.linear.numChannels = (unsigned)channels;
	}
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return no_handle();
	if (format)
		*format = r->format;
	if (channels)
		*channels = (int)r->channels;
	return 0;
}

/* surfaces */

CUresult
cuSurfRefSetArray(CUsurfref s, CUarray a, unsigned flags)
{
	CUDA_RESOURCE_DESC d = { .resType = CU_RESOURCE_TYPE_ARRAY };
	struct reference *r = reference_of(s, true);

	if (!r || !handle_is(HANDLE_ARRAY, a))
		return no_handle();
	if (flags || !(a->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST))
		return CUDA_ERROR_INVALID_VALUE;
	d.res.array.hArray = a;
	return bind(r, &d);
}

CUresult
cuSurfRefGetArray(CUarray *a, CUsurfref s)
{
	struct reference *r = reference_of(s, true);

	if (!r)
		return no_handle();
	if (!a || !reference_has(r, CU_RESOURCE_TYPE_ARRAY))
		return CUDA_ERROR_INVALID_VALUE;
	*a = r->resource.res.array.hArray;
	return 0;
}
