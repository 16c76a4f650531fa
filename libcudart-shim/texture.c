/* texture.c - texture and surface objects.
 *
 * The runtime says formats by channels, and refuses what makes no sense of
 * them; all else is the driver's.  Structures grew with CUDA's versions: what a
 * library's programs do not have is neither read nor written.
 */
#include "image.h"
#include <stddef.h>
#include <string.h>

/* resources */

/* bytes of a resource_desc that a program has */
static size_t
resource_size(void)
{
	return rt_version < 13000 ? offsetof(struct resource_desc, reserved) :
		sizeof(struct resource_desc);
}

/* … of a CUDA_RESOURCE_VIEW_DESC, which is the runtime's, too */
static size_t
view_size(void)
{
	return rt_version < 13000 ?
		offsetof(CUDA_RESOURCE_VIEW_DESC, reserved) :
		sizeof(CUDA_RESOURCE_VIEW_DESC);
}

static cudaError_t
resource_to_driver(CUDA_RESOURCE_DESC *d, const struct resource_desc *from)
{
	struct resource_desc r = {0};

	memcpy(&r, from, resource_size());
	memset(d, 0, sizeof *d);
	d->resType = r.type;
	switch (r.type) {
	case CU_RESOURCE_TYPE_ARRAY:
		d->res.array.hArray = r.u.array;
		return 0;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		d->res.mipmap.hMipmappedArray = r.u.mipmap;
		return 0;
	case CU_RESOURCE_TYPE_LINEAR:
		d->res.linear.devPtr = r.u.linear.p;
		d->res.linear.sizeInBytes = r.u.linear.size;
		return channel_format(&r.u.linear.desc, &d->res.linear.format,
			&d->res.linear.numChannels);
	case CU_RESOURCE_TYPE_PITCH2D:
		d->res.pitch2D.devPtr = r.u.pitched.p;
		d->res.pitch2D.width = r.u.pitched.width;
		d->res.pitch2D.height = r.u.pitched.height;
		d->res.pitch2D.pitchInBytes = r.u.pitched.pitch;
		return channel_format(&r.u.pitched.desc,
			&d->res.pitch2D.format, &d->res.pitch2D.numChannels);
	}
	return cudaErrorInvalidValue;
}

static void
resource_from_driver(struct resource_desc *to, const CUDA_RESOURCE_DESC *d)
{
	struct resource_desc r = { .type = d->resType };

	switch (d->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		r.u.array = d->res.array.hArray;
		break;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		r.u.mipmap = d->res.mipmap.hMipmappedArray;
		break;
	case CU_RESOURCE_TYPE_LINEAR:
		r.u.linear.p = d->res.linear.devPtr;
		r.u.linear.size = d->res.linear.sizeInBytes;
		r.u.linear.desc = channel_desc(d->res.linear.format,
			d->res.linear.numChannels);
		break;
	case CU_RESOURCE_TYPE_PITCH2D:
		r.u.pitched.p = d->res.pitch2D.devPtr;
		r.u.pitched.width = d->res.pitch2D.width;
		r.u.pitched.height = d->res.pitch2D.height;
		r.u.pitched.pitch = d->res.pitch2D.pitchInBytes;
		r.u.pitched.desc = channel_desc(d->res.pitch2D.format,
			d->res.pitch2D.numChannels);
		break;
	}
	memcpy(to, &r, resource_size());
}

/* the format of what is read */
static cudaError_t
format_of(const CUDA_RESOURCE_DESC *d, CUarray_format *format)
{
	CUDA_ARRAY3D_DESCRIPTOR a = {0};
	CUarray level;
	cudaError_t r = 0;

	switch (d->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		r = cuArray3DGetDescriptor_v2(&a, d->res.array.hArray);
		break;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		r = cuMipmappedArrayGetLevel(&level,
			d->res.mipmap.hMipmappedArray, 0);
		if (!r)
			r = cuArray3DGetDescriptor_v2(&a, level);
		break;
	case CU_RESOURCE_TYPE_LINEAR:
		a.Format = d->res.linear.format;
		break;
	case CU_RESOURCE_TYPE_PITCH2D:
		a.Format = d->res.pitch2D.format;
		break;
	}
	*format = a.Format;
	return r;
}

/* samplers */

/* what a component is read as, if the program asks for it */
enum reading { INTEGER, WIDE_INTEGER, FLOAT, NORMALIZED };

static enum reading
reading(CUarray_format f)
{
	switch (f) {
	case CU_AD_FORMAT_UNSIGNED_INT8:
	case CU_AD_FORMAT_SIGNED_INT8:
	case CU_AD_FORMAT_UNSIGNED_INT16:
	case CU_AD_FORMAT_SIGNED_INT16:
		return INTEGER;
	case CU_AD_FORMAT_UNSIGNED_INT32:
	case CU_AD_FORMAT_SIGNED_INT32:
		return WIDE_INTEGER;
	case CU_AD_FORMAT_HALF:
	case CU_AD_FORMAT_FLOAT:
		return FLOAT;
	default:
		return NORMALIZED;
	}
}

cudaError_t
texture_flags(CUarray_format f, bool linear, int mode, unsigned *flags)
{
	enum reading is = reading(f);

	if (linear && (is == WIDE_INTEGER ||
	    (is == INTEGER && mode == READ_ELEMENT)))
		return cudaErrorInvalidFilterSetting;
	if (is == NORMALIZED ? mode != READ_NORMALIZED :
	    is != INTEGER && mode == READ_NORMALIZED)
		return cudaErrorInvalidNormSetting;
	if (mode == READ_ELEMENT)
		*flags |= CU_TRSF_READ_AS_INTEGER;
	return 0;
}

static cudaError_t
sampler_to_driver(CUDA_TEXTURE_DESC *d, const struct texture_desc *t,
	bool seamless, CUarray_format format)
{
	int i;

	*d = (CUDA_TEXTURE_DESC){
		.filterMode = (CUfilter_mode)t->filter,
		.maxAnisotropy = t->anisotropy,
		.mipmapFilterMode = (CUfilter_mode)t->mipmap_filter,
		.mipmapLevelBias = t->bias,
		.minMipmapLevelClamp = t->min, .maxMipmapLevelClamp = t->max,
	};
	for (i = 0; i < 3; i++)
		d->addressMode[i] = (CUaddress_mode)t->address[i];
	memcpy(d->borderColor, t->border, sizeof d->borderColor);
	if (t->normalized)
		d->flags |= CU_TRSF_NORMALIZED_COORDINATES;
	if (t->srgb)
		d->flags |= CU_TRSF_SRGB;
	if (t->not_trilinear)
		d->flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
	if (seamless)
		d->flags |= CU_TRSF_SEAMLESS_CUBEMAP;
	return texture_flags(format, t->filter == CU_TR_FILTER_MODE_LINEAR,
		t->mode, &d->flags);
}

/* all but the last member, which not all programs have */
static void
sampler_from_driver(struct texture_desc *t, const CUDA_TEXTURE_DESC *d)
{
	int i;

	for (i = 0; i < 3; i++)
		t->address[i] = (int)d->addressMode[i];
	t->filter = (int)d->filterMode;
	t->mode = d->flags & CU_TRSF_READ_AS_INTEGER ? READ_ELEMENT :
		READ_NORMALIZED;
	t->srgb = (d->flags & CU_TRSF_SRGB) != 0;
	memcpy(t->border, d->borderColor, sizeof t->border);
	t->normalized = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	t->anisotropy = d->maxAnisotropy;
	t->mipmap_filter = (int)d->mipmapFilterMode;
	t->bias = d->mipmapLevelBias;
	t->min = d->minMipmapLevelClamp;
	t->max = d->maxMipmapLevelClamp;
	t->not_trilinear =
		(d->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
}

/* textures */

static cudaError_t
create(CUtexObject *out, const struct resource_desc *r,
	const struct texture_desc *t, bool seamless,
	const CUDA_RESOURCE_VIEW_DESC *v)
{
	CUDA_RESOURCE_VIEW_DESC view = {0};
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC sampler;
	CUarray_format format;
	cudaError_t err;

	err = resource_to_driver(&resource, r);
	if (!err)
		err = format_of(&resource, &format);
	if (!err)
		err = sampler_to_driver(&sampler, t, seamless, format);
	if (err)
		return err;
	if (v)
		memcpy(&view, v, view_size());
	return cuTexObjectCreate(out, &resource, &sampler, v ? &view : 0);
}

cudaError_t
texture_create(CUtexObject *out, const struct resource_desc *r,
	const struct texture_desc *t, const CUDA_RESOURCE_VIEW_DESC *v)
{
	if (!out || !r)
		return cudaErrorInvalidValue;
	return t ? create(out, r, t, t->seamless, v) :
		cudaErrorInvalidResourceHandle;
}

cudaError_t
texture_create_11(CUtexObject *out, const struct resource_desc *r,
	const struct texture_desc *t, const CUDA_RESOURCE_VIEW_DESC *v)
{
	if (!out || !r)
		return cudaErrorInvalidValue;
	return t ? create(out, r, t, false, v) :
		cudaErrorInvalidResourceHandle;
}

cudaError_t
cudaGetTextureObjectResourceDesc(struct resource_desc *r, CUtexObject t)
{
	CUDA_RESOURCE_DESC d;
	cudaError_t err = cuTexObjectGetResourceDesc(&d, t);

	if (!err && !r)
		err = cudaErrorInvalidValue;
	if (!err)
		resource_from_driver(r, &d);
	return err;
}

cudaError_t
cudaGetTextureObjectResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *v,
	CUtexObject t)
{
	CUDA_RESOURCE_VIEW_DESC d;
	cudaError_t err = cuTexObjectGetResourceViewDesc(&d, t);

	if (!err && !v)
		err = cudaErrorInvalidValue;
	if (!err)
		memcpy(v, &d, view_size());
	return err;
}

static cudaError_t
get_sampler(struct texture_desc *s, CUtexObject t, unsigned *flags)
{
	CUDA_TEXTURE_DESC d;
	cudaError_t err = cuTexObjectGetTextureDesc(&d, t);

	if (!err && !s)
		err = cudaErrorInvalidResourceHandle;
	if (err)
		return err;
	sampler_from_driver(s, &d);
	*flags = d.flags;
	return 0;
}

cudaError_t
texture_sampler_11(struct texture_desc *s, CUtexObject t)
{
	unsigned flags;

	return get_sampler(s, t, &flags);
}

cudaError_t
texture_sampler(struct texture_desc *s, CUtexObject t)
{
	unsigned flags;
	cudaError_t err = get_sampler(s, t, &flags);

	if (!err)
		s->seamless = (flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
	return err;
}

/* surfaces */

cudaError_t
cudaCreateSurfaceObject(CUsurfObject *out, const struct resource_desc *r)
{
	CUDA_RESOURCE_DESC d;
	cudaError_t err;

	if (!out || !r)
		return cudaErrorInvalidValue;
	err = resource_to_driver(&d, r);
	return err ? err : cuSurfObjectCreate(out, &d);
}

cudaError_t
cudaGetSurfaceObjectResourceDesc(struct resource_desc *r, CUsurfObject s)
{
	CUDA_RESOURCE_DESC d;
	cudaError_t err = cuSurfObjectGetResourceDesc(&d, s);

	if (!err && !r)
		err = cudaErrorInvalidValue;
	if (!err)
		resource_from_driver(r, &d);
	return err;
}
