/* texture.c - what kernels are told of a resource, a view and a sampler. */
#include "array.h"
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

/* The address as the device has it.  What is not there is for the kernel to
 * find. */
static uint64_t
device_address(CUdeviceptr addr)
{
	struct region r;

	if (region_find(addr, 1, &r) && r.host && addr - r.host < r.size)
		return r.addr + (addr - r.host);
	return addr;
}

#define A(name) CU_DEVICE_ATTRIBUTE_##name

static int
limit(CUdevice_attribute a)
{
	int n = 0;

	cuDeviceGetAttribute(&n, a,
		(CUdevice)(context_current()->device - rt.device));
	return n;
}

static bool
is_aligned(uint64_t v, CUdevice_attribute a)
{
	return v % (unsigned)limit(a) == 0;
}

/* how many elements of so many bytes a texture of plain memory may have */
static size_t
linear_most(size_t texel)
{
	const size_t bytes = (size_t)1 << 32, elements = (size_t)1 << 30;

	return bytes / texel < elements ? bytes / texel : elements;
}

CUresult
cuDeviceGetTexture1DLinearMaxWidth(size_t *n, CUarray_format format,
	unsigned channels, CUdevice dev)
{
	struct image_format f;
	CUresult err;

	if (!n)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_of(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	err = image_format(format, channels, &f);
	if (!err)
		*n = linear_most(f.texel);
	return err;
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
	if (f.normalized || !d->res.linear.devPtr
		|| n > linear_most(f.texel)
		|| !is_aligned(d->res.linear.devPtr, A(TEXTURE_ALIGNMENT)))
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&f, t);
	t->flags |= TEXTURE_LINEAR;
	/* the pitch is of no use, and more than a word can say */
	*l = (struct texture_level){
		.base = device_address(d->res.linear.devPtr),
		.width = (uint32_t)n, .height = 1, .depth = 1,
	};
	return 0;
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
	if (f.normalized || !d->res.pitch2D.devPtr
		|| width > (size_t)limit(A(MAXIMUM_TEXTURE2D_LINEAR_WIDTH))
		|| height > (size_t)limit(A(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT))
		|| pitch > (size_t)limit(A(MAXIMUM_TEXTURE2D_LINEAR_PITCH))
		|| (pitch && pitch < width * f.texel)
		|| !is_aligned(pitch, A(TEXTURE_PITCH_ALIGNMENT))
		|| !is_aligned(d->res.pitch2D.devPtr, A(TEXTURE_ALIGNMENT)))
		return CUDA_ERROR_INVALID_VALUE;
	image_format_enter(&f, t);
	*l = (struct texture_level){
		.base = device_address(d->res.pitch2D.devPtr),
		.width = (uint32_t)width, .height = (uint32_t)height,
		.depth = 1, .pitch = (uint32_t)pitch, .slice = pitch * height,
	};
	return 0;
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

/* what is said to be there beyond the last one is not */
static bool
view_range(unsigned first, unsigned last, unsigned *n)
{
	if (last < first || first >= *n)
		return false;
	*n = last < *n ? last - first + 1 : *n - first;
	return true;
}

static bool
view_levels(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	unsigned n = t->levels;

	if (!view_range(v->firstMipmapLevel, v->lastMipmapLevel, &n))
		return false;
	memmove(t->level, t->level + v->firstMipmapLevel,
		n * sizeof *t->level);
	memset(t->level + n, 0, (TEXTURE_LEVELS - n) * sizeof *t->level);
	t->levels = n;
	return true;
}

static bool
view_layers(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	unsigned faces = t->flags & TEXTURE_CUBE ? 6 : 1, l;

	if (!(t->flags & TEXTURE_LAYERED))
		return !v->firstLayer && !v->lastLayer;
	if (!view_range(v->firstLayer, v->lastLayer, &t->layers))
		return false;
	for (l = 0; l < t->levels; l++)
		t->level[l].base += t->level[l].slice * v->firstLayer * faces;
	return true;
}

/* the extents of the whole, as they were when the array was made */
static bool
is_extent(const CUDA_RESOURCE_VIEW_DESC *v, const struct texture *t)
{
	unsigned faces = t->flags & TEXTURE_CUBE ? 6 : 1;
	size_t height = t->flags & TEXTURE_1D ? 0 : t->level[0].height;
	size_t depth = t->flags & TEXTURE_3D ? t->level[0].depth :
		is_layered(t) ? t->layers * faces : 0;

	return v->width == t->level[0].width && v->height == height
		&& v->depth == depth;
}

CUresult
texture_view(const CUDA_RESOURCE_VIEW_DESC *v, struct texture *t)
{
	struct image_format f;
	CUresult err = image_view_format(v->format, &f);

	if (err)
		return err;
	if (f.texel != t->texel || !is_extent(v, t) || !view_layers(v, t)
		|| !view_levels(v, t))
		return CUDA_ERROR_INVALID_VALUE;
	t->flags &= ~(uint32_t)TEXTURE_UNORM;
	image_format_enter(&f, t);
	return 0;
}

/* samplers */

/* integers of 8 and 16 bits are read as 0..1 unless the program says so */
static bool
reads_normalized(const CUDA_TEXTURE_DESC *s, const struct texture *t)
{
	return t->format <= TEXTURE_S16
		&& !(s->flags & CU_TRSF_READ_AS_INTEGER);
}

/* what a sampler must not say */
static bool
is_sampler(const CUDA_TEXTURE_DESC *s, const struct texture *t)
{
	const unsigned known = 0x7f;
	int dims = t->flags & TEXTURE_3D ? 3 : t->flags & TEXTURE_1D ? 1 : 2;
	size_t i;

	for (i = 0; i < sizeof s->reserved / sizeof *s->reserved; i++)
		if (s->reserved[i])
			return false;
	while (dims--)
		if (s->addressMode[dims] > CU_TR_ADDRESS_MODE_BORDER)
			return false;
	return s->filterMode <= CU_TR_FILTER_MODE_LINEAR
		&& s->mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR
		&& !(s->flags & ~known)
		&& (!(s->flags & CU_TRSF_SEAMLESS_CUBEMAP)
			|| (t->flags & TEXTURE_CUBE));
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

	if (!is_sampler(s, t))
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < 3; i++) {
		t->address[i] = s->addressMode[i] & 3;
		if (s->flags & flag[i].from)
			t->flags |= flag[i].to;
	}
	if (reads_normalized(s, t))
		t->flags |= TEXTURE_UNORM;
	t->filter = s->filterMode;
	t->mip_filter = s->mipmapFilterMode;
	t->bias = s->mipmapLevelBias;
	t->min_lod = s->minMipmapLevelClamp;
	t->max_lod = s->maxMipmapLevelClamp;
	t->anisotropy = s->maxAnisotropy;
	texture_border(t, s->borderColor);
	return 0;
}
