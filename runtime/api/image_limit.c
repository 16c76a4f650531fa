/* image_limit.c - which arrays a device takes: shapes, flags and extents. */
#include "array.h"

enum shape { LINE, PLANE, BOX, LINES, PLANES, CUBE, CUBES };

#define A(name) CU_DEVICE_ATTRIBUTE_MAXIMUM_##name

/* by enum shape: the attributes of devices that say how wide, high and deep
 * an array may be; 0: that needs no limit of its own */
static const CUdevice_attribute texture_most[][3] = {
	[LINE] = { A(TEXTURE1D_WIDTH) },
	[PLANE] = { A(TEXTURE2D_WIDTH), A(TEXTURE2D_HEIGHT) },
	[BOX] = { A(TEXTURE3D_WIDTH), A(TEXTURE3D_HEIGHT),
		A(TEXTURE3D_DEPTH) },
	[LINES] = { A(TEXTURE1D_LAYERED_WIDTH), 0,
		A(TEXTURE1D_LAYERED_LAYERS) },
	[PLANES] = { A(TEXTURE2D_LAYERED_WIDTH), A(TEXTURE2D_LAYERED_HEIGHT),
		A(TEXTURE2D_LAYERED_LAYERS) },
	[CUBE] = { A(TEXTURECUBEMAP_WIDTH), A(TEXTURECUBEMAP_WIDTH) },
	[CUBES] = { A(TEXTURECUBEMAP_LAYERED_WIDTH),
		A(TEXTURECUBEMAP_LAYERED_WIDTH),
		A(TEXTURECUBEMAP_LAYERED_LAYERS) },
};

static const CUdevice_attribute surface_most[][3] = {
	[LINE] = { A(SURFACE1D_WIDTH) },
	[PLANE] = { A(SURFACE2D_WIDTH), A(SURFACE2D_HEIGHT) },
	[BOX] = { A(SURFACE3D_WIDTH), A(SURFACE3D_HEIGHT),
		A(SURFACE3D_DEPTH) },
	[LINES] = { A(SURFACE1D_LAYERED_WIDTH), 0,
		A(SURFACE1D_LAYERED_LAYERS) },
	[PLANES] = { A(SURFACE2D_LAYERED_WIDTH), A(SURFACE2D_LAYERED_HEIGHT),
		A(SURFACE2D_LAYERED_LAYERS) },
	[CUBE] = { A(SURFACECUBEMAP_WIDTH), A(SURFACECUBEMAP_WIDTH) },
	[CUBES] = { A(SURFACECUBEMAP_LAYERED_WIDTH),
		A(SURFACECUBEMAP_LAYERED_WIDTH),
		A(SURFACECUBEMAP_LAYERED_LAYERS) },
};

/* … another box that does as well */
static const CUdevice_attribute alternate_most[3] = {
	A(TEXTURE3D_WIDTH_ALTERNATE), A(TEXTURE3D_HEIGHT_ALTERNATE),
	A(TEXTURE3D_DEPTH_ALTERNATE),
};

/* … where they are less than a texture's without levels, or with gather */
static const CUdevice_attribute mipmapped_most[][3] = {
	[LINE] = { A(TEXTURE1D_MIPMAPPED_WIDTH) },
	[PLANE] = { A(TEXTURE2D_MIPMAPPED_WIDTH),
		A(TEXTURE2D_MIPMAPPED_HEIGHT) },
	[CUBES] = { 0 },
};

static const CUdevice_attribute gather_most[][3] = {
	[PLANE] = { A(TEXTURE2D_GATHER_WIDTH), A(TEXTURE2D_GATHER_HEIGHT) },
	[CUBES] = { 0 },
};

static bool
fits(const CUDA_ARRAY3D_DESCRIPTOR *d, const CUdevice_attribute most[3])
{
	const size_t extent[3] = { d->Width, d->Height, d->Depth };
	CUdevice dev = (CUdevice)(context_current()->device - rt.device);
	int i, n;

	for (i = 0; i < 3; i++)
		if (most[i] && !cuDeviceGetAttribute(&n, most[i], dev)
			&& extent[i] > (size_t)n)
			return false;
	return true;
}

/* which one it is; false: none */
static bool
find_shape(const CUDA_ARRAY3D_DESCRIPTOR *d, enum shape *s)
{
	bool layered = d->Flags & CUDA_ARRAY3D_LAYERED;

	if (!d->Width)
		return false;
	if (d->Flags & CUDA_ARRAY3D_CUBEMAP) {
		*s = layered ? CUBES : CUBE;
		return d->Width == d->Height && d->Depth
			&& d->Depth % 6 == 0 && (layered || d->Depth == 6);
	}
	if (layered) {
		*s = d->Height ? PLANES : LINES;
		return d->Depth != 0;
	}
	*s = d->Depth ? BOX : d->Height ? PLANE : LINE;
	return d->Height || !d->Depth;
}

/* The highest one is taken, whatever it is.  Those for graphics are for arrays
 * that come from there. */
static CUresult
check_flags(unsigned flags, enum shape s)
{
	const unsigned known = CUDA_ARRAY3D_LAYERED
		| CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP
		| CUDA_ARRAY3D_TEXTURE_GATHER | 1u << 31;
	const unsigned refused = CUDA_ARRAY3D_SPARSE
		| CUDA_ARRAY3D_DEFERRED_MAPPING
		| CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;

	if (flags & ~(known | refused))
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & refused) {
		rt_log("sparse arrays, arrays mapped later and arrays for "
			"video are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return (flags & CUDA_ARRAY3D_TEXTURE_GATHER) && s != PLANE
		? CUDA_ERROR_INVALID_VALUE : 0;
}

CUresult
image_limit(const CUDA_ARRAY3D_DESCRIPTOR *d, bool mipmapped)
{
	enum shape s;
	CUresult err;

	if (!find_shape(d, &s))
		return CUDA_ERROR_INVALID_VALUE;
	err = check_flags(d->Flags, s);
	if (err)
		return err;
	if (!(fits(d, texture_most[s])
			|| (s == BOX && fits(d, alternate_most)))
		|| ((d->Flags & CUDA_ARRAY3D_SURFACE_LDST)
			&& !fits(d, surface_most[s]))
		|| ((d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER)
			&& !fits(d, gather_most[s]))
		|| (mipmapped && !fits(d, mipmapped_most[s])))
		return CUDA_ERROR_INVALID_VALUE;
	return 0;
}
