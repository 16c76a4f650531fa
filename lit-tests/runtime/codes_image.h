/* codes_image.h - what codes_array.c and codes_texture.c call things. */
#ifndef CODES_IMAGE_H
#define CODES_IMAGE_H

#include "codes.h"
#include "cuda_api.h"

#define U8 CU_AD_FORMAT_UNSIGNED_INT8
#define U16 CU_AD_FORMAT_UNSIGNED_INT16
#define U32 CU_AD_FORMAT_UNSIGNED_INT32
#define S8 CU_AD_FORMAT_SIGNED_INT8
#define S16 CU_AD_FORMAT_SIGNED_INT16
#define S32 CU_AD_FORMAT_SIGNED_INT32
#define F16 CU_AD_FORMAT_HALF
#define F32 CU_AD_FORMAT_FLOAT
#define LAYERED CUDA_ARRAY3D_LAYERED
#define SURFACE CUDA_ARRAY3D_SURFACE_LDST
#define CUBE CUDA_ARRAY3D_CUBEMAP
#define GATHER CUDA_ARRAY3D_TEXTURE_GATHER
#define HOST CU_MEMORYTYPE_HOST
#define ARRAY CU_MEMORYTYPE_ARRAY

static inline void *
make(size_t w, size_t h, size_t d, int format, unsigned channels,
	unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { w, h, d, (CUarray_format)format,
		channels, flags };
	void *p = 0;
	int r = f("cuArray3DCreate_v2")(&p, &a);

	if (r)
		printf("no array: %d\n", r);
	return p;
}

/* a context, and one of the things that a program can do */
struct section {
	const char *name;
	void (*run)(void);
};

static inline int
run_section(int argc, char *argv[], const struct section *s)
{
	void *context;

	if (argc < 2 || !open_driver(argv[2]))
		return 1;
	if (f("cuInit")(0) || f("cuDevicePrimaryCtxRetain")(&context, 0)
		|| f("cuCtxSetCurrent")(context))
		return 1;
	for (; s->name; s++)
		if (!strcmp(argv[1], s->name))
			s->run();
	CASE("in the end", f("cuCtxSynchronize")());
	return 0;
}

#endif
