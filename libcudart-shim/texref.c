/* texref.c - texture and surface references, which programs up to CUDA 11
 * have: variables of the program that are read as textures.
 *
 * What a reference says of sampling counts when something is bound to it.
 */
#include "image.h"

/* registered ones */

void
__cudaRegisterTexture(void **handle, const void *host, const void **address,
	const char *name, int dim, int as_float, int ext)
{
	(void)address, (void)dim, (void)ext;
	/* how it is read is part of its type in the program, and kept as its
	 * size */
	if (handle)
		registry_add((struct fat *)handle, ENTRY_TEXTURE, host, name,
			(size_t)as_float);
}

void
__cudaRegisterSurface(void **handle, const void *host, const void **address,
	const char *name, int dim, int ext)
{
	(void)address, (void)dim, (void)ext;
	if (handle)
		registry_add((struct fat *)handle, ENTRY_SURFACE, host, name,
			0);
}

static struct entry *
find(const void *reference, enum entry_kind kind)
{
	struct entry *e = registry_find(reference);

	return e && e->kind == kind ? e : 0;
}

/* in the current context */
static cudaError_t
module_of(const struct entry *e, CUmodule *m)
{
	CUlibrary l;
	cudaError_t r = fat_library(e->fat, &l);

	return r ? r : cuLibraryGetModule(m, l);
}

static cudaError_t
driver_texture(const struct texture_reference *t, CUtexref *out,
	struct entry **entry)
{
	CUmodule m;
	cudaError_t r;

	*entry = find(t, ENTRY_TEXTURE);
	if (!*entry)
		return cudaErrorInvalidTexture;
	r = module_of(*entry, &m);
	if (!r)
		r = cuModuleGetTexRef(out, m, (*entry)->name);
	return r == cudaErrorSymbolNotFound ? cudaErrorInvalidTexture : r;
}

/* what the program says of sampling */
static cudaError_t
set_sampler(CUtexref to, const struct texture_reference *t, int mode,
	CUarray_format format)
{
	unsigned flags = 0;
	cudaError_t r;
	int i;

	r = texture_flags(format, t->filter == CU_TR_FILTER_MODE_LINEAR,
		mode, &flags);
	if (r)
		return r;
	if (t->normalized)
		flags |= CU_TRSF_NORMALIZED_COORDINATES;
	if (t->srgb)
		flags |= CU_TRSF_SRGB;
	for (i = 0; i < 3; i++)
		cuTexRefSetAddressMode(to, i, (CUaddress_mode)t->address[i]);
	cuTexRefSetFilterMode(to, (CUfilter_mode)t->filter);
	cuTexRefSetMipmapFilterMode(to, (CUfilter_mode)t->mipmap_filter);
	cuTexRefSetMipmapLevelBias(to, t->bias);
	cuTexRefSetMipmapLevelClamp(to, t->min, t->max);
	cuTexRefSetMaxAnisotropy(to, t->anisotropy);
	return cuTexRefSetFlags(to, flags);
}

/* a reference that something is being bound to */
struct binding {
	CUtexref to;
	struct entry *entry;
	CUarray_format format;
	unsigned channels;
};

static cudaError_t
prepare(struct binding *b, const struct texture_reference *t,
	const struct channel_desc *d)
{
	cudaError_t r;

	if (!t || !d)
		return cudaErrorInvalidValue;
	r = driver_texture(t, &b->to, &b->entry);
	if (!r)
		r = channel_format(d, &b->format, &b->channels);
	if (!r)
		r = set_sampler(b->to, t, b->entry->size ? READ_NORMALIZED :
			READ_ELEMENT, b->format);
	if (!r)
		b->entry->offset = 0;
	return r;
}

/* as much as can be read: programs ask for 4 GB where they do not say */
static size_t
readable(CUdeviceptr p, size_t size)
{
	CUdeviceptr base;
	size_t most;

	if (!cuMemGetAddressRange_v2(&base, &most, p) &&
	    base + most - p < size)
		return base + most - p;
	return size;
}

cudaError_t
cudaBindTexture(size_t *offset, const struct texture_reference *t,
	CUdeviceptr p, const struct channel_desc *d, size_t size)
{
	struct binding b = {0};
	cudaError_t r = prepare(&b, t, d);

	if (!r)
		r = cuTexRefSetFormat(b.to, b.format, (int)b.channels);
	if (!r)
		r = cuTexRefSetAddress_v2(offset, b.to, p, readable(p, size));
	if (!r && offset)
		b.entry->offset = *offset;
	return r;
}

/* The address is aligned down, and what that puts before each row is part of
 * it. */
cudaError_t
cudaBindTexture2D(size_t *offset, const struct texture_reference *t,
	CUdeviceptr p, const struct channel_desc *d, size_t width,
	size_t height, size_t pitch)
{
	struct binding b = {0};
	CUDA_ARRAY_DESCRIPTOR a = { .Width = width, .Height = height };
	size_t over = p % 512; /* TEXTURE_ALIGNMENT of attr.def */
	cudaError_t r = prepare(&b, t, d);

	if (!r && over && !offset)
		r = cudaErrorInvalidValue;
	if (r)
		return r;
	a.Format = b.format;
	a.NumChannels = b.channels;
	a.Width += over / channel_size(b.format, b.channels);
	r = cuTexRefSetAddress2D_v3(b.to, &a, p - over, pitch);
	if (!r && offset)
		*offset = b.entry->offset = over;
	return r;
}

cudaError_t
cudaBindTextureToArray(const struct texture_reference *t, CUarray array,
	const struct channel_desc *d)
{
	struct binding b = {0};
	cudaError_t r = prepare(&b, t, d);

	return r ? r : cuTexRefSetArray(b.to, array, CU_TRSA_OVERRIDE_FORMAT);
}

cudaError_t
cudaBindTextureToMipmappedArray(const struct texture_reference *t,
	CUmipmappedArray m, const struct channel_desc *d)
{
	struct binding b = {0};
	cudaError_t r = prepare(&b, t, d);

	return r ? r : cuTexRefSetMipmappedArray(b.to, m,
		CU_TRSA_OVERRIDE_FORMAT);
}

cudaError_t
cudaUnbindTexture(const struct texture_reference *t)
{
	struct entry *e;
	CUtexref to;
	cudaError_t r = driver_texture(t, &to, &e);

	return r ? r : cuTexRefSetAddress_v2(0, to, 0, 0);
}

cudaError_t
cudaGetTextureAlignmentOffset(size_t *offset,
	const struct texture_reference *t)
{
	struct entry *e;
	CUdeviceptr p;
	CUtexref to;
	cudaError_t r;

	if (!offset)
		return cudaErrorInvalidValue;
	r = driver_texture(t, &to, &e);
	if (r)
		return r;
	if (cuTexRefGetAddress_v2(&p, to))
		return cudaErrorInvalidTextureBinding;
	*offset = e->offset;
	return 0;
}

cudaError_t
cudaGetTextureReference(const struct texture_reference **t,
	const void *symbol)
{
	if (!t)
		return cudaErrorInvalidValue;
	if (!find(symbol, ENTRY_TEXTURE))
		return cudaErrorInvalidTexture;
	*t = symbol;
	return 0;
}

/* surfaces */

cudaError_t
cudaBindSurfaceToArray(const struct surface_reference *s, CUarray array,
	const struct channel_desc *d)
{
	struct entry *e = find(s, ENTRY_SURFACE);
	CUsurfref to;
	CUmodule m;
	cudaError_t r;

	if (!e)
		return cudaErrorInvalidSurface;
	if (!d)
		return cudaErrorInvalidValue;
	r = module_of(e, &m);
	if (!r)
		r = cuModuleGetSurfRef(&to, m, e->name);
	if (r)
		return r == cudaErrorSymbolNotFound ?
			cudaErrorInvalidSurface : r;
	return cuSurfRefSetArray(to, array, 0);
}

cudaError_t
cudaGetSurfaceReference(const struct surface_reference **s,
	const void *symbol)
{
	if (!s)
		return cudaErrorInvalidValue;
	if (!find(symbol, ENTRY_SURFACE))
		return cudaErrorInvalidSurface;
	*s = symbol;
	return 0;
}
