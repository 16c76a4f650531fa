/* texture.h - a texture, surface or sampler in device memory: what kernels
 * and the driver know of each other (PTX ISA, "Texture, Sampler and Surface
 * Types").
 *
 * A handle (CUtexObject, CUsurfObject, what a .texref, .surfref or .samplerref
 * variable holds) is the device address of a struct texture, 16-byte aligned.
 * The driver fills it; kernels only read it, through constant loads.  Handle
 * 0 is no texture.  Everything is little-endian, at fixed offsets, on every
 * target.  Texels lie in rows, rows in slices: element (x, y, z) of a level,
 * z a depth, a layer or layer * 6 + face, starts at
 * base + z * slice + y * pitch + x * texel.
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include <stdint.h>

/* of one component in memory */
enum texture_format {
	TEXTURE_U8, TEXTURE_S8, TEXTURE_U16, TEXTURE_S16,
	TEXTURE_U32, TEXTURE_S32, TEXTURE_F16, TEXTURE_F32,
};

enum texture_flag {
	TEXTURE_UNORM = 1,      /* 8- and 16-bit integers are read as f32, 0..1
	                         * or -1..1 */
	TEXTURE_SRGB = 2,       /* colour goes from sRGB to linear */
	TEXTURE_NORMALIZED = 4, /* coordinates are 0..1 over the extent */
	TEXTURE_SEAMLESS = 8,   /* a cube is filtered over its edges */
	TEXTURE_LAYERED = 16,
	TEXTURE_CUBE = 32,
	TEXTURE_LINEAR = 64,    /* level[0] is a buffer of width elements */
	TEXTURE_1D = 128,       /* the array has width only, and layers */
	TEXTURE_3D = 256,       /* the array has a depth of its own */
};

enum texture_filter { TEXTURE_POINT, TEXTURE_BILINEAR };

enum texture_address {
	TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER,
};

enum { TEXTURE_LEVELS = 16 };

struct texture_level {
	uint64_t base;
	uint32_t width, height, depth; /* elements; 1 where there is none */
	uint32_t pitch;         /* bytes from row to row */
	uint64_t slice;         /* bytes from slice to slice */
};

struct texture {
	uint32_t format;        /* enum texture_format */
	uint32_t channels;      /* 1, 2, 4 */
	uint32_t texel;         /* bytes of an element */
	uint32_t flags;         /* enum texture_flag */
	uint32_t filter, mip_filter; /* enum texture_filter */
	uint32_t levels;        /* used of level[], from 1 */
	uint32_t layers;        /* 1 unless layered; cubes count as one */
	uint32_t address[4];    /* enum texture_address of x, y, z; 0 */
	float border[4];        /* rounded to the format by the driver: what a
	                         * texel is, of UNORM its code / the greatest,
	                         * also if that is sRGB; else the words */
	float bias, min_lod, max_lod; /* relative to level[0] */
	uint32_t anisotropy;    /* at most; kernels take it as 1 */
	uint32_t data_type, order; /* what txq and suq answer for
	                         * .channel_data_type and .channel_order */
	uint32_t zero[6];
	struct texture_level level[TEXTURE_LEVELS];
};

_Static_assert(sizeof (struct texture_level) == 32, "level");
_Static_assert(__builtin_offsetof(struct texture, level) == 112, "texture");

#endif
