/* tex_model.h - what NVIDIA's texture unit computes, as a model in C.
 *
 * The model reads a struct texture (include/texture.h) whose addresses are of
 * this program.  Tests compare kernels with it.  doc/textures.md has its rules
 * and how they were found.
 */
#ifndef TEX_MODEL_H
#define TEX_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "texture.h"

enum tex_lod { TEX_AUTO, TEX_LEVEL, TEX_GRAD };

/* where to sample: what the operands of tex and tld4 say */
struct tex_at {
	int dims;               /* coordinates but the layer; of a cube 3 */
	bool integer;           /* i[] counts, else x[] */
	float x[3];
	int32_t i[3];
	uint32_t layer;         /* of .a1d, .a2d, .acube */
	int gather;             /* the component that tld4 asks for, or -1 */
	enum tex_lod lod;
	float level;            /* TEX_LEVEL */
	float dx[3], dy[3];     /* TEX_GRAD */
};

/* the four words that the instruction writes: f32 or integers */
void tex_sample(const struct texture *, const struct tex_at *,
	uint32_t out[4]);

#endif
