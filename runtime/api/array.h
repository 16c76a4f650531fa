/* array.h - arrays, textures and surfaces inside the runtime.
 *
 * An array is one allocation of the device: rows with a pitch, slices of rows
 * one after the other.  A mipmapped array is one as well; its levels are
 * arrays that lie in it.  What kernels see of them is struct texture
 * (texture.h), in device memory that texture_heap.c hands out.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include "api.h"
#include "texture.h"

/* what an element is */
struct image_format {
	enum texture_format component;
	unsigned channels;       /* 1, 2, 4 */
	unsigned texel;          /* bytes */
	bool normalized;         /* the format says: read as 0..1 or -1..1 */
};

struct CUarray_st {
	struct owned owned;      /* not of a level */
	CUcontext context;
	CUmipmappedArray mipmap; /* that it is a level of, or 0 */
	CUDA_ARRAY3D_DESCRIPTOR desc;
	struct image_format format;
	size_t width, height, depth; /* elements; from 1 */
	uint64_t addr;
	size_t pitch, slice;     /* bytes */
};

struct CUmipmappedArray_st {
	struct owned owned;
	CUcontext context;
	CUDA_ARRAY3D_DESCRIPTOR desc;
	unsigned levels;
	CUarray level[TEXTURE_LEVELS]; /* of 32768: 16 */
	uint64_t addr;
	size_t size;             /* bytes */
};

/* image_format.c: what is not supported goes to the log by its name */
CUresult image_format(CUarray_format, unsigned channels,
	struct image_format *);
/* … of a view */
CUresult image_view_format(CUresourceViewFormat, struct image_format *);
void image_format_enter(const struct image_format *, struct texture *);

/* image_limit.c: does the device take an array of that shape? */
CUresult image_limit(const CUDA_ARRAY3D_DESCRIPTOR *, bool mipmapped);

/* array.c: the format, extents and strides of one; not where it is */
CUresult array_shape(CUarray, const CUDA_ARRAY3D_DESCRIPTOR *);
CUresult array_memory(size_t, uint64_t *addr); /* in the current context */
void array_memory_free(uint64_t addr);
/* image_array.c: a box in an array: where it begins.  x and width in bytes */
CUresult array_box(CUarray, size_t x, size_t y, size_t z, size_t width,
	size_t height, size_t depth, uint64_t *addr);

/* texture.c: what a resource looks like, and what it is read through; the
 * texture is filled in that order, from zeroes */
CUresult texture_resource(const CUDA_RESOURCE_DESC *, struct texture *);
CUresult texture_view(const CUDA_RESOURCE_VIEW_DESC *, struct texture *);
CUresult texture_sampler(const CUDA_TEXTURE_DESC *, struct texture *);
/* texture_border.c: rounded to the format, which is known */
void texture_border(struct texture *, const float colour[4]);

/* texture_heap.c: textures in device memory, and what was said of them */
struct texture_object {
	CUcontext context;
	bool surface;
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC sampler;
	CUDA_RESOURCE_VIEW_DESC view; /* zeroes: none */
};

/* puts a texture into device memory of the current context; the object is
 * malloc'ed, and the heap's from then on */
CUresult texture_put(const struct texture *, struct texture_object *,
	CUtexObject *handle);
/* writes another one over it: what kernels see from the next launch on */
CUresult texture_set(uint64_t handle, const struct texture *);
/* writes the handle, or 0, into a variable in memory of its device; streams
 * have nothing to do with it */
CUresult texture_name(uint64_t handle, uint64_t variable, bool bound);
/* a copy of what belongs to a handle of a texture, or of a surface */
bool texture_find(uint64_t handle, bool surface, struct texture_object *);
void texture_drop(uint64_t handle, bool surface);

#endif
