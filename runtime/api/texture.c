/* texture.c - what kernels are told of a resource, a view and a sampler. */
#include "image.h"
#include <string.h>

/* resources */

static void
enter_level(struct texture_level *l, const struct CUarray_st *a)
{
	l->base = a->addr;
	l->width = (uint32_t)a->width;
	l->height = (uint32_t)a->height;
	l->depth = (uint32_t)a->depth;
	l->pitch = (uint32_t)a->pitch;
	l->slice = a->slice;
}

/* layers, which are not depth: one cube is one */
static void
enter_shape(struct texture *t, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	uint32_t layers = (uint32_t)d->Depth;

	if (!d->Height)
		t->flags |= TEXTURE_1D;
	if (d->Flags & CUDA_ARRAY3D_CUBEMAP) {
		t->flags |= TEXTURE_CUBE;
		layers /= 6;
	}
	if (d->Flags & CUDA_ARRAY3D_LAYERED) {
		t->flags |= TEXTURE_LAYERED;
		t->layers = layers;
	}
	if (layers && !(d->Flags & (CUDA_ARRAY3D_CUBEMAP
		| CUDA_ARRAY3D_LAYERED)))
		t->flags |= TEXTURE_3D;
}

static bool
is_layered(const struct texture *t)
{
	return t->flags & (TEXTURE_LAYERED | TEXTURE_CUBE);
}

/* levels of layers have depth 1 */
static void
flatten(struct texture *t)
{
	unsigned l;

	for (l = 0; l < t->levels && is_layered(t); l++)
		t->level[l].depth = 1;
}

static CUresult
enter_array(CUarray a, struct texture *t)
{
	if (!handle_is(HANDLE_ARRAY, a))
		return CUDA_ERROR_INVALID_HANDLE;
	if (a->context != context_current())
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&a->format, t);
	enter_shape(t, &a->desc);
	enter_level(&t->level[0], a);
	flatten(t);
	return 0;
}

static CUresult
enter_mipmap(CUmipmappedArray m, struct texture *t)
{
	unsigned l;

	if (!handle_is(HANDLE_MIPMAP, m))
		return CUDA_ERROR_INVALID_HANDLE;
	if (m->context != context_current())
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&m->level[0]->format, t);
	enter_shape(t, &m->desc);
	t->levels = m->levels;
	for (l = 0; l < m->levels; l++)
		enter_level(&t->level[l], m->level[l]);
	flatten(t);
	return 0;
}

/* Memory that the device may use, all of it: the address as the device has
 * it.  It may be of several allocations that lie side by side. */
static CUresult
find_memory(CUdeviceptr addr, size_t size, uint64_t *out)
{
	struct region r, last;

	if (!region_find(addr, 1, &r) || addr + size < addr
		|| !region_find(addr + size - 1, 1, &last))
		return CUDA_ERROR_INVALID_VALUE;
	if (r.host && addr - r.host < r.size)
		addr = r.addr + (addr - r.host);
	*out = addr;
	return 0;
}

static int
limit(CUdevice_attribute a)
{
	int n = 0;

	cuDeviceGetAttribute(&n, a,
		(CUdevice)(context_current()->device - rt.device));
	return n;
}

static CUresult
enter_linear(const CUDA_RESOURCE_DESC *d, struct texture *t)
{
	struct texture_level *l = &t->level[0];
	struct image_format f;
	size_t n;
	CUresult err;

	err = image_format(d->res.linear.format, d->res.linear.numChannels,
		&f);
	if (err)
		return err;
	n = d->res.linear.sizeInBytes / f.texel;
	if (!n || n > (size_t)limit(
		CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH)
		|| d->res.linear.devPtr % (unsigned)limit(
			CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT))
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&f, t);
	t->flags |= TEXTURE_LINEAR;
	l->width = (uint32_t)n;
	l->height = l->depth = 1;
	/* of no use, and more than a word can say */
	l->pitch = 0;
	l->slice = 0;
	return find_memory(d->res.linear.devPtr, n * f.texel, &l->base);
}

static CUresult
enter_pitched(const CUDA_RESOURCE_DESC *d, struct texture *t)
{
	struct texture_level *l = &t->level[0];
	size_t width = d->res.pitch2D.width, height = d->res.pitch2D.height;
	size_t pitch = d->res.pitch2D.pitchInBytes;
	struct image_format f;
	CUresult err;

	err = image_format(d->res.pitch2D.format, d->res.pitch2D.numChannels,
		&f);
	if (err)
		return err;
	if (!width || !height || pitch < width * f.texel
		|| width > (size_t)limit(
			CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)
		|| height > (size_t)limit(
			CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)
		|| pitch > (size_t)limit(
			CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)
		|| pitch % (unsigned)limit(
			CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)
		|| d->res.pitch2D.devPtr % (unsigned)limit(
			CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT))
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&f, t);
	l->width = (uint32_t)width;
	l->height = (uint32_t)height;
	l->depth = 1;
	l->pitch = (uint32_t)pitch;
	l->slice = pitch * height;
	return find_memory(d->res.pitch2D.devPtr,
		(height - 1) * pitch + width * f.texel, &l->base);
}

CUresult
texture_resource(const CUDA_RESOURCE_DESC *d, struct texture *t)
{
	if (d->flags)
		return CUDA_ERROR_INVALID_VALUE;
	t->levels = t->layers = 1;
	switch (d->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		return enter_array(d->res.array.hArray, t);
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		return enter_mipmap(d->res.mipmap.hMipmappedArray, t);
	case CU_RESOURCE_TYPE_LINEAR:
		return enter_linear(d, t);
	case CU_RESOURCE_TYPE_PITCH2D:
		return enter_pitched(d, t);
	}
	return CUDA_ERROR_INVALID_VALUE;
}

/* views: some of the levels and layers, in another format of that size */

static CUresult
view_levels(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	unsigned n = v->lastMipmapLevel - v->firstMipmapLevel + 1;

	if (v->lastMipmapLevel < v->firstMipmapLevel
		|| v->lastMipmapLevel >= t->levels)
		return CUDA_ERROR_INVALID_VALUE;
	memmove(t->level, t->level + v->firstMipmapLevel,
		n * sizeof *t->level);
	memset(t->level + n, 0, (TEXTURE_LEVELS - n) * sizeof *t->level);
	t->levels = n;
	return 0;
}

static CUresult
view_layers(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	unsigned faces = t->flags & TEXTURE_CUBE ? 6 : 1, l;

	if (v->lastLayer < v->firstLayer
		|| (v->lastLayer && v->lastLayer >= t->layers))
		return CUDA_ERROR_INVALID_VALUE;
	if (!(t->flags & TEXTURE_LAYERED))
		return 0;
	t->layers = v->lastLayer - v->firstLayer + 1;
	for (l = 0; l < t->levels; l++)
		t->level[l].base += t->level[l].slice * v->firstLayer * faces;
	return 0;
}

CUresult
texture_view(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	struct image_format f = { (enum texture_format)t->format, t->channels,
		t->texel, t->flags & TEXTURE_UNORM };
	CUresult err;

	if (t->level[0].width != v->width
		|| t->level[0].height != (v->height ? v->height : 1))
		return CUDA_ERROR_INVALID_VALUE;
	err = image_view_format(v->format, &f);
	if (!err && f.texel != t->texel)
		err = CUDA_ERROR_INVALID_VALUE;
	if (!err)
		err = view_layers(v, t);
	if (!err)
		err = view_levels(v, t);
	if (err)
		return err;
	t->flags &= ~(uint32_t)TEXTURE_UNORM;
	image_format_enter(&f, t);
	return 0;
}

/* samplers */

static bool
is_mode(unsigned mode, unsigned most)
{
	return mode <= most;
}

/* integers of 8 and 16 bits are read as 0..1 unless the program says so */
static bool
reads_normalized(const CUDA_TEXTURE_DESC *s, const struct texture *t)
{
	return t->format <= TEXTURE_S16
		&& !(s->flags & CU_TRSF_READ_AS_INTEGER);
}

CUresult
texture_sampler(const CUDA_TEXTURE_DESC *s, struct texture *t)
{
	static const struct {
		unsigned from, to;
	} flag[] = {
		{ CU_TRSF_NORMALIZED_COORDINATES, TEXTURE_NORMALIZED },
		{ CU_TRSF_SRGB, TEXTURE_SRGB },
		{ CU_TRSF_SEAMLESS_CUBEMAP, TEXTURE_SEAMLESS },
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!is_mode(s->addressMode[i], CU_TR_ADDRESS_MODE_BORDER))
			return CUDA_ERROR_INVALID_VALUE;
		t->address[i] = s->addressMode[i];
		if (s->flags & flag[i].from)
			t->flags |= flag[i].to;
	}
	if (!is_mode(s->filterMode, CU_TR_FILTER_MODE_LINEAR)
		|| !is_mode(s->mipmapFilterMode, CU_TR_FILTER_MODE_LINEAR))
		return CUDA_ERROR_INVALID_VALUE;
	if (reads_normalized(s, t))
		t->flags |= TEXTURE_UNORM;
	t->filter = s->filterMode;
	t->mip_filter = s->mipmapFilterMode;
	t->bias = s->mipmapLevelBias;
	t->min_lod = s->minMipmapLevelClamp;
	t->max_lod = s->maxMipmapLevelClamp;
	t->anisotropy = s->maxAnisotropy;
	memcpy(t->border, s->borderColor, sizeof t->border);
	return 0;
}
