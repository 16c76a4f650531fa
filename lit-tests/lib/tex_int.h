/* tex_int.h - between the files of the texture model */
#ifndef TEX_INT_H
#define TEX_INT_H

#include <string.h>

#include "tex_model.h"

static inline uint32_t
tex_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

static inline float
tex_f32(uint32_t u)
{
	float f;

	memcpy(&f, &u, 4);
	return f;
}

/* tex_texel.c: formats.  A place is { x, y, slice }, negative: the border. */
bool tex_is_float(const struct texture *);
/* the components as an instruction without a filter returns them */
void tex_point(const struct texture *, const struct texture_level *,
	const int at[3], uint32_t out[4]);
/* A number in the filter is m * 2^e, e being the same for all fixed-point
 * texels; floating-point ones come with all the bits that stay. */
enum { TEX_INF = 1, TEX_NEGINF = 2, TEX_NAN = 4 };
struct tex_num {
	int64_t m;
	int e;
	int phase;              /* of e in units of 16^k, modulo 4 */
	unsigned special;
	bool negative;          /* for the sign of zero */
};

/* the components as the filter takes them */
void tex_value(const struct texture *, const struct texture_level *,
	const int at[3], struct tex_num out[4]);
/* what the instruction returns of a sum of 256 weights */
uint32_t tex_result(const struct texture *, int channel, struct tex_num);

/* tex_cube.c: a direction becomes a face (in layer) and two coordinates */
void tex_cube(const struct texture *, struct tex_at *);
/* a texel one beyond an edge of its face becomes its neighbour; false at a
 * corner, where there is none */
bool tex_over(int size, int at[3]);

/* tex_level.c: the level of detail, 8 bits of fraction */
int tex_lod(const struct texture *, const struct tex_at *);

#endif
