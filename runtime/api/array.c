/* array.c - arrays: made, asked and freed. */
#include "array.h"

enum { ALIGN = 64 };             /* of rows: more than any element */

/* extents */

static bool
is_layered(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	return d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
}

/* what a level of that array is like: layers stay, all else is halved */
static size_t
extent(size_t n, unsigned level)
{
	return n >> level ? n >> level : 1;
}

CUresult
array_shape(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	CUresult err = image_format(d->Format, d->NumChannels, &a->format);

	if (err)
		return err;
	a->desc = *d;
	a->width = d->Width;
	a->height = d->Height ? d->Height : 1;
	a->depth = d->Depth ? d->Depth : 1;
	a->pitch = (a->width * a->format.texel + ALIGN - 1) / ALIGN * ALIGN;
	if (__builtin_mul_overflow(a->pitch, a->height, &a->slice)
		|| a->slice > SIZE_MAX / a->depth)
		return CUDA_ERROR_OUT_OF_MEMORY;
	return 0;
}

/* memory */

CUresult
array_memory(size_t size, uint64_t *addr)
{
	CUcontext c = context_current();
	struct region r = { .size = size, .kind = REGION_ARRAY };
	CUresult err;

	if (size > c->device->info.memory)
		return CUDA_ERROR_OUT_OF_MEMORY;
	err = c->device->ops->alloc(c->device->dev, size, &r.addr);
	if (!err)
		err = memory_enter(&r);
	*addr = r.addr;
	return err;
}

void
array_memory_free(uint64_t addr)
{
	struct region r;

	if (region_take(addr, 1u << REGION_ARRAY, &r))
		memory_release(&r);
}

/* arrays */

static void
destroy(struct owned *o)
{
	CUarray a = (CUarray)o;

	disown(a->context, o);
	array_memory_free(a->addr);
	handle_free(HANDLE_ARRAY, a);
}

CUresult
cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	CUarray a;
	CUresult err;

	if (!out || !d)
		return CUDA_ERROR_INVALID_VALUE;
	err = image_limit(d, false);
	if (err)
		return err;
	a = handle_new(HANDLE_ARRAY, sizeof *a);
	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	a->context = context_current();
	a->owned.destroy = destroy;
	err = array_shape(a, d);
	if (!err)
		err = array_memory(a->slice * a->depth, &a->addr);
	if (err) {
		handle_free(HANDLE_ARRAY, a);
		return err;
	}
	own(a->context, OWNED_IMAGE, &a->owned);
	*out = a;
	return 0;
}

CUresult
cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
	CUDA_ARRAY3D_DESCRIPTOR three = {0};

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	three.Width = d->Width;
	three.Height = d->Height;
	three.Format = d->Format;
	three.NumChannels = d->NumChannels;
	return cuArray3DCreate_v2(out, &three);
}

/* As with memory, no work that could use it is left when it goes.  A level
 * stays as long as the whole. */
CUresult
cuArrayDestroy(CUarray a)
{
	if (!handle_is(HANDLE_ARRAY, a))
		return CUDA_ERROR_INVALID_HANDLE;
	if (a->mipmap)
		return 0;
	streams_sync(a->context);
	destroy(&a->owned);
	return 0;
}

CUresult
cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray a)
{
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_ARRAY, a))
		return CUDA_ERROR_INVALID_HANDLE;
	*d = a->desc;
	return 0;
}

CUresult
cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray a)
{
	CUDA_ARRAY3D_DESCRIPTOR three;
	CUresult err;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	err = cuArray3DGetDescriptor_v2(&three, a);
	if (err)
		return err;
	d->Width = three.Width;
	d->Height = three.Height;
	d->Format = three.Format;
	d->NumChannels = three.NumChannels;
	return 0;
}

/* mipmapped arrays */

static void
destroy_mipmap(struct owned *o)
{
	CUmipmappedArray m = (CUmipmappedArray)o;
	unsigned l;

	if (o->link)
		disown(m->context, o);
	for (l = 0; l < m->levels; l++)
		handle_free(HANDLE_ARRAY, m->level[l]);
	if (m->addr)
		array_memory_free(m->addr);
	handle_free(HANDLE_MIPMAP, m);
}

/* the levels, and where they will be relative to the whole */
static CUresult
add_levels(CUmipmappedArray m, unsigned n)
{
	CUDA_ARRAY3D_DESCRIPTOR d = m->desc;
	CUresult err;
	CUarray a;

	while (m->levels < n) {
		a = handle_new(HANDLE_ARRAY, sizeof *a);
		if (!a)
			return CUDA_ERROR_OUT_OF_MEMORY;
		a->context = m->context;
		a->mipmap = m;
		d.Width = extent(m->desc.Width, m->levels);
		if (d.Height)
			d.Height = extent(m->desc.Height, m->levels);
		if (d.Depth && !is_layered(&d))
			d.Depth = extent(m->desc.Depth, m->levels);
		m->level[m->levels++] = a;
		err = array_shape(a, &d);
		if (err)
			return err;
		a->addr = m->size;
		if (__builtin_add_overflow(m->size, a->slice * a->depth,
			&m->size))
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	return 0;
}

static unsigned
most_levels(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	size_t n = d->Width > d->Height ? d->Width : d->Height;
	unsigned levels = 1;

	if (!is_layered(d) && d->Depth > n)
		n = d->Depth;
	while (n >>= 1)
		levels++;
	return levels;
}

CUresult
cuMipmappedArrayCreate(CUmipmappedArray *out,
	const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	CUmipmappedArray m;
	CUresult err;
	unsigned l;

	if (!out || !d)
		return CUDA_ERROR_INVALID_VALUE;
	err = image_limit(d, true);
	if (err)
		return err;
	m = handle_new(HANDLE_MIPMAP, sizeof *m);
	if (!m)
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->context = context_current();
	m->owned.destroy = destroy_mipmap;
	m->desc = *d;
	if (levels > most_levels(d))
		levels = most_levels(d);
	err = add_levels(m, levels ? levels : 1);
	if (!err)
		err = array_memory(m->size, &m->addr);
	if (err) {
		destroy_mipmap(&m->owned);
		return err;
	}
	for (l = 0; l < m->levels; l++)
		m->level[l]->addr += m->addr;
	own(m->context, OWNED_IMAGE, &m->owned);
	*out = m;
	return 0;
}

CUresult
cuMipmappedArrayDestroy(CUmipmappedArray m)
{
	if (!handle_is(HANDLE_MIPMAP, m))
		return CUDA_ERROR_INVALID_HANDLE;
	streams_sync(m->context);
	destroy_mipmap(&m->owned);
	return 0;
}

CUresult
cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray m, unsigned level)
{
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(HANDLE_MIPMAP, m))
		return CUDA_ERROR_INVALID_HANDLE;
	if (level >= m->levels)
		return CUDA_ERROR_INVALID_VALUE;
	*out = m->level[level];
	return 0;
}
