/* tex_texel.c - formats of the texture model: a texel in memory, in the filter,
 * as a result.
 *
 * What stands for one component is a code: its bits in memory, extended by its
 * sign; of the border, what the sampler made of the border colour.
 */
#include <math.h>

#include "tex_int.h"

static const struct {
	int bytes, bits;
	bool sign;
} format[] = {
	[TEXTURE_U8]  = { 1, 8, false },
	[TEXTURE_S8]  = { 1, 8, true },
	[TEXTURE_U16] = { 2, 16, false },
	[TEXTURE_S16] = { 2, 16, true },
	[TEXTURE_U32] = { 4, 32, false },
	[TEXTURE_S32] = { 4, 32, true },
	[TEXTURE_F16] = { 2, 16, false },
	[TEXTURE_F32] = { 4, 32, false },
};

/* what sRGB codes become, by 2^14 */
static const uint16_t linear[256] = {
	0, 5, 10, 15, 20, 25, 30, 35, 40, 45,
	50, 55, 60, 66, 72, 78, 85, 92, 99, 107,
	115, 123, 131, 140, 150, 159, 169, 180, 190, 201,
	213, 224, 236, 250, 262, 276, 290, 304, 318, 332,
	348, 364, 380, 396, 412, 430, 448, 466, 484, 504,
	524, 544, 564, 584, 604, 624, 648, 672, 692, 716,
	740, 764, 788, 816, 840, 864, 896, 920, 944, 976,
	1000, 1032, 1064, 1088, 1120, 1152, 1184, 1216, 1248, 1280,
	1312, 1352, 1384, 1416, 1456, 1488, 1528, 1560, 1600, 1640,
	1672, 1712, 1752, 1792, 1832, 1872, 1920, 1952, 2000, 2048,
	2080, 2128, 2176, 2224, 2272, 2320, 2368, 2416, 2464, 2512,
	2560, 2608, 2656, 2704, 2752, 2816, 2864, 2912, 2976, 3024,
	3072, 3136, 3184, 3248, 3296, 3360, 3424, 3472, 3536, 3600,
	3664, 3712, 3776, 3840, 3904, 3968, 4032, 4096, 4160, 4224,
	4288, 4352, 4416, 4512, 4576, 4640, 4704, 4768, 4864, 4928,
	4992, 5056, 5152, 5216, 5280, 5376, 5440, 5536, 5600, 5696,
	5760, 5824, 5920, 6016, 6080, 6176, 6240, 6336, 6400, 6496,
	6592, 6688, 6752, 6848, 6944, 7008, 7104, 7200, 7296, 7392,
	7488, 7584, 7680, 7744, 7872, 7936, 8064, 8128, 8256, 8320,
	8448, 8512, 8640, 8768, 8832, 8960, 9024, 9152, 9280, 9344,
	9472, 9600, 9664, 9792, 9920, 9984, 10112, 10240, 10304, 10432,
	10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584,
	11712, 11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864,
	12992, 13120, 13248, 13376, 13504, 13632, 13760, 13888, 14016, 14144,
	14272, 14400, 14528, 14656, 14848, 14976, 15104, 15232, 15360, 15488,
	15616, 15744, 16000, 16128, 16256, 16384,
};

bool
tex_is_float(const struct texture *t)
{
	return t->flags & TEXTURE_UNORM || t->format >= TEXTURE_F16;
}

static bool
is_srgb(const struct texture *t, int channel)
{
	return t->flags & TEXTURE_SRGB && t->format == TEXTURE_U8 &&
		channel < (t->channels == 4 ? 3 : 1);
}

/* the greatest code of a normalized format */
static double
one(const struct texture *t)
{
	return (1 << (format[t->format].bits - format[t->format].sign)) - 1;
}

static int32_t
extend(const struct texture *t, uint32_t v)
{
	switch (t->format) {
	case TEXTURE_U8:
		return (uint8_t)v;
	case TEXTURE_S8:
		return (int8_t)v;
	case TEXTURE_U16:
	case TEXTURE_F16:
		return (uint16_t)v;
	case TEXTURE_S16:
		return (int16_t)v;
	}
	return (int32_t)v;
}

/* truncated, and finite */
static uint32_t
to_half(float f)
{
	uint32_t sign = signbit(f) ? 0x8000 : 0;
	int e;

	f = fminf(fabsf(f), 65504);
	if (f < 0x1p-14f)
		return sign | (uint32_t)ldexpf(f, 24);
	frexpf(f, &e);
	return (sign | (uint32_t)(e + 13) << 10) +
		(uint32_t)ldexpf(f, 11 - e);
}

static float
from_half(uint32_t h)
{
	uint32_t e = h >> 10 & 31, m = h & 1023, sign = (h & 0x8000) << 16;

	if (e == 31)
		return tex_f32(sign | 0x7f800000 | m << 13);
	if (e == 0)
		return copysignf(ldexpf((float)m, -24), tex_f32(sign));
	return tex_f32(sign | (e + 112) << 23 | m << 13);
}

/* The code of the border: the driver has rounded the colour to the format,
 * and made it sRGB where that is read. */
static int32_t
border(const struct texture *t, int channel)
{
	float b = t->border[channel];

	if (!(t->flags & TEXTURE_UNORM))
		return t->format == TEXTURE_F16 ? (int32_t)to_half(b) :
			extend(t, tex_bits(b));
	b = fmaxf(fminf(b, 1), format[t->format].sign ? -1 : 0);
	return (int32_t)floor(b * one(t) + 0.5);
}

/* the codes of a texel or the border; absent components are 0 */
static void
codes(const struct texture *t, const struct texture_level *l, const int at[3],
	int32_t code[4])
{
	int c, size = format[t->format].bytes;
	bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;
	const unsigned char *p = (unsigned char *)(uintptr_t)l->base;
	uint32_t v;

	if (!outside)
		p += (uint64_t)at[2] * l->slice + (uint64_t)at[1] * l->pitch +
			(uint64_t)at[0] * t->texel;
	for (c = 0; c < (int)t->channels; c++) {
		v = 0;
		if (!outside)
			memcpy(&v, p + c * size, size);
		code[c] = outside ? border(t, c) : extend(t, v);
	}
}

void
tex_point(const struct texture *t, const struct texture_level *l,
	const int at[3], uint32_t out[4])
{
	int32_t code[4];
	int c;

	memset(out, 0, 16);
	codes(t, l, at, code);
	for (c = 0; c < (int)t->channels; c++)
		if (is_srgb(t, c))
			out[c] = tex_bits(linear[code[c]] / 16384.f);
		else if (t->flags & TEXTURE_UNORM)
			out[c] = tex_bits(fmaxf((float)(code[c] / one(t)), -1));
		else if (t->format == TEXTURE_F16)
			out[c] = tex_bits(from_half(code[c]));
		else
			out[c] = (uint32_t)code[c];
}

/* The filter keeps four bits more than the format has.  Subnormals of f32 are
 * 0, those of f16 are not. */
static struct tex_num
number(const struct texture *t, float f)
{
	int bits = t->format == TEXTURE_F16 ? 15 : 28;
	struct tex_num n = { .negative = signbit(f), .phase = 2 - bits };

	if (f != f)
		n.special = TEX_NAN;
	else if (isinf(f))
		n.special = f < 0 ? TEX_NEGINF : TEX_INF;
	else if (fabsf(f) >= 0x1p-126f)
		n.m = (int64_t)ldexp(frexp(f, &n.e), bits);
	n.e -= bits;
	return n;
}

/* codes of sRGB from which the filter keeps one bit less */
static const int step[] = { 32, 48, 64, 96, 136, 184, 248 };

static struct tex_num
srgb(int code)
{
	struct tex_num n = { .e = -14, .phase = 2 - 8 };
	int k;

	for (k = 0; k < 7 && code >= step[k]; k++)
		n.e++;
	n.m = linear[code] >> (n.e + 14);
	return n;
}

void
tex_value(const struct texture *t, const struct texture_level *l,
	const int at[3], struct tex_num out[4])
{
	int32_t code[4];
	int c;

	codes(t, l, at, code);
	for (c = 0; c < (int)t->channels; c++)
		if (is_srgb(t, c))
			out[c] = srgb(code[c]);
		else if (t->format == TEXTURE_F16)
			out[c] = number(t, from_half(code[c]));
		else if (t->format == TEXTURE_F32)
			out[c] = number(t, tex_f32(code[c]));
		else
			out[c] = (struct tex_num){ .m = code[c] };
}

/* to bits of significance, halves away from zero */
static float
rounded(double v, int bits, int least)
{
	int e;

	frexp(v, &e);
	e = e - bits < least ? least : e - bits;
	return (float)ldexp(round(ldexp(v, -e)), e);
}

static uint32_t
floating(const struct texture *t, struct tex_num n)
{
	bool half = t->format != TEXTURE_F32;
	float f = rounded(ldexp((double)n.m, n.e - 8), half ? 11 : 24,
		half ? -24 : -149);

	if (n.special & TEX_NAN || n.special == (TEX_INF | TEX_NEGINF))
		return half ? 0x7fffe000 : 0x7fffffff;
	if (n.special)
		f = n.special == TEX_NEGINF ? -INFINITY : INFINITY;
	if (fabsf(f) < 0x1p-126f)
		f = (n.m ? n.m < 0 : n.negative) ? -0.f : 0.f;
	return tex_bits(f);
}

/* eight bits and a sign to fifteen and a sign, the sum being by 2^8 */
static int64_t
widen(int64_t m)
{
	int64_t r = 8 * m + (m >> 4) + (m >> 12);

	return (r + 4) >> 3;
}

uint32_t
tex_result(const struct texture *t, int channel, struct tex_num n)
{
	if (is_srgb(t, channel))
		return floating(t, n);
	switch (t->format) {
	case TEXTURE_U8:        /* by 257 to 16 bits */
		n.m *= 257;
		/* fallthrough */
	case TEXTURE_U16:
		return tex_bits((float)(((n.m + 128) >> 8) / 65535.0));
	case TEXTURE_S8:
		return tex_bits(fmaxf((float)(widen(n.m) / 32767.0), -1));
	case TEXTURE_S16:
		return tex_bits(fmaxf((float)(((n.m + 128) >> 8) / 32767.0),
			-1));
	}
	return floating(t, n);
}
