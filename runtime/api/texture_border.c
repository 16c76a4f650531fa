/* texture_border.c - the border colour, rounded to what texels can be.
 *
 * Found with an H200 (doc/textures.md).  Kernels find in the descriptor what
 * a texel of that colour is: k / 255 for a code k of 8 bits, also if it is one
 * of sRGB, and so on.
 */
#include <math.h>

#include "array.h"

/* not a number is 0 */
static float
limit(float v, float low, float high)
{
	return v != v ? 0 : v < low ? low : v > high ? high : v;
}

/* the nearest of -one..one or 0..one; of two the one next to 0 */
static float
normalized(float v, float one, bool sign)
{
	float x = limit(v, sign ? -1 : 0, 1) * one;

	return (x > 0 ? ceilf(x - 0.5f) : floorf(x + 0.5f)) / one;
}

static float
srgb(float v)
{
	v = limit(v, 0, 1);
	v = v <= 0.0031308f ? v * 12.92f :
		1.055f * powf(v, 1 / 2.4f) - 0.055f;
	return floorf(v * 255 + 0.5f) / 255;
}

/* truncated, and finite */
static float
half(float v)
{
	int e;

	v = v != v ? v : limit(v, -65504, 65504);
	if (v == 0 || v != v)
		return v;
	frexpf(v, &e);
	e = e < -13 ? -24 : e - 11;
	return ldexpf(truncf(ldexpf(v, -e)), e);
}

void
texture_border(struct texture *t, const float colour[4])
{
	static const float one[] = {
		[TEXTURE_U8] = 255, [TEXTURE_S8] = 127,
		[TEXTURE_U16] = 65535, [TEXTURE_S16] = 32767,
	};
	bool is_srgb = t->flags & TEXTURE_SRGB && t->format == TEXTURE_U8;
	uint32_t i;

	for (i = 0; i < 4; i++) {
		t->border[i] = colour[i];
		if (t->format == TEXTURE_F16)
			t->border[i] = half(colour[i]);
		else if (!(t->flags & TEXTURE_UNORM))
			continue;
		else if (is_srgb && i < (t->channels == 4 ? 3u : 1u))
			t->border[i] = srgb(colour[i]);
		else
			t->border[i] = normalized(colour[i], one[t->format],
				t->format & 1);
	}
}
