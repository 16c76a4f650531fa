/* texref_sampler.c - what texture references are told: how they are read.
 *
 * NVIDIA's driver takes most that is out of range, and so does this one.
 */
#include "reference.h"
#include <string.h>

static bool
is_mode(CUfilter_mode m)
{
	return m == CU_TR_FILTER_MODE_POINT || m == CU_TR_FILTER_MODE_LINEAR;
}

static bool
is_dim(int dim)
{
	return dim >= 0 && dim < 3;
}

/* what is no address mode changes nothing */
CUresult
cuTexRefSetAddressMode(CUtexref t, int dim, CUaddress_mode m)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_dim(dim))
		return CUDA_ERROR_INVALID_VALUE;
	if (m <= CU_TR_ADDRESS_MODE_BORDER)
		r->sampler.addressMode[dim] = m;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetAddressMode(CUaddress_mode *m, CUtexref t, int dim)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!m || !is_dim(dim))
		return CUDA_ERROR_INVALID_VALUE;
	*m = r->sampler.addressMode[dim];
	return 0;
}

CUresult
cuTexRefSetFilterMode(CUtexref t, CUfilter_mode m)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	r->sampler.filterMode = m;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetFilterMode(CUfilter_mode *m, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!m)
		return CUDA_ERROR_INVALID_VALUE;
	*m = r->sampler.filterMode;
	return 0;
}

CUresult
cuTexRefSetMipmapFilterMode(CUtexref t, CUfilter_mode m)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_mode(m))
		return CUDA_ERROR_INVALID_VALUE;
	r->sampler.mipmapFilterMode = m;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetMipmapFilterMode(CUfilter_mode *m, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!m)
		return CUDA_ERROR_INVALID_VALUE;
	*m = r->sampler.mipmapFilterMode;
	return 0;
}

CUresult
cuTexRefSetMipmapLevelBias(CUtexref t, float bias)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	r->sampler.mipmapLevelBias = bias;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetMipmapLevelBias(float *bias, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!bias)
		return CUDA_ERROR_INVALID_VALUE;
	*bias = r->sampler.mipmapLevelBias;
	return 0;
}

CUresult
cuTexRefSetMipmapLevelClamp(CUtexref t, float from, float to)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	r->sampler.minMipmapLevelClamp = from;
	r->sampler.maxMipmapLevelClamp = to;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetMipmapLevelClamp(float *from, float *to, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!from || !to)
		return CUDA_ERROR_INVALID_VALUE;
	*from = r->sampler.minMipmapLevelClamp;
	*to = r->sampler.maxMipmapLevelClamp;
	return 0;
}

CUresult
cuTexRefSetMaxAnisotropy(CUtexref t, unsigned most)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	r->sampler.maxAnisotropy = most;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetMaxAnisotropy(int *most, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!most)
		return CUDA_ERROR_INVALID_VALUE;
	*most = (int)r->sampler.maxAnisotropy;
	return 0;
}

CUresult
cuTexRefSetBorderColor(CUtexref t, float *colour)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!colour)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(r->sampler.borderColor, colour,
		sizeof r->sampler.borderColor);
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetBorderColor(float *colour, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!colour)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(colour, r->sampler.borderColor,
		sizeof r->sampler.borderColor);
	return 0;
}

CUresult
cuTexRefSetFlags(CUtexref t, unsigned flags)
{
	/* cubes are seamless in objects alone */
	const unsigned known = 0x3f;
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (flags & ~known)
		return CUDA_ERROR_INVALID_VALUE;
	r->sampler.flags = flags;
	reference_changed(r);
	return 0;
}

CUresult
cuTexRefGetFlags(unsigned *flags, CUtexref t)
{
	struct reference *r = reference_of(t, false);

	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = r->sampler.flags;
	return 0;
}
