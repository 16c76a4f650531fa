/* tex_level.c - the level of detail in the texture model */
#include <math.h>

#include "tex_int.h"

/* log2 of 1 + i / 256, by 256 */
static const uint8_t log_table[256] = {
	0, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16,
	18, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 32,
	34, 35, 36, 38, 39, 40, 42, 43, 44, 45, 47, 48,
	49, 50, 52, 53, 54, 55, 57, 58, 59, 60, 62, 63,
	64, 65, 66, 68, 69, 70, 71, 72, 74, 75, 76, 77,
	78, 79, 81, 82, 83, 84, 85, 86, 88, 89, 90, 91,
	92, 93, 94, 95, 97, 98, 99, 100, 101, 102, 103, 104,
	105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117,
	118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129,
	130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141,
	142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153,
	154, 155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164,
	165, 166, 167, 168, 169, 170, 171, 172, 173, 173, 174, 175,
	176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186,
	187, 188, 188, 189, 190, 191, 192, 193, 194, 195, 195, 196,
	197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206,
	207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216,
	217, 218, 218, 219, 220, 221, 222, 222, 223, 224, 225, 226,
	226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234, 235,
	236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244,
	245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253,
	253, 254, 255, 255,
};

/* what numbers like v are truncated to a multiple of */
static double
unit(double v)
{
	return ldexp(1, ilogb(v) - 9);
}

static void
order(double *a, double *b)
{
	double swap = *a;

	if (*a < *b)
		*a = *b, *b = swap;
}

/* nearly the length of a vector: the greatest component and some of the rest */
static double
length(const double v[3])
{
	double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]), u;

	order(&a, &b);
	order(&b, &c);
	order(&a, &b);
	if (a == 0)
		return 0;
	u = unit(a);
	return (floor(a / u) + floor(b / u * 11 / 32) + floor(c / u / 4)) * u;
}

/* Nearly the longer axis of the ellipse that the two gradients span: the
 * longest of both, their sum and their difference, these at 45 degrees. */
static double
axis(const double x[3], const double y[3])
{
	double most = 0, u, sum[3], difference[3], a, b;
	int k;

	for (k = 0; k < 3; k++)
		most = fmax(most, fmax(fabs(x[k]), fabs(y[k])));
	if (most == 0)
		return 0;
	u = unit(most);
	for (k = 0; k < 3; k++) {
		a = trunc(x[k] / u) * u;
		b = trunc(y[k] / u) * u;
		sum[k] = (a + b) * 11 / 16;
		difference[k] = (a - b) * 11 / 16;
	}
	return fmax(fmax(length(x), length(y)),
		fmax(length(sum), length(difference)));
}

/* a component of a gradient in texels; NaN is 0 */
static double
texels(float d, uint32_t size)
{
	return d != d ? 0 : fmax(fmin((double)d * size, 0x1p40), -0x1p40);
}

/* log2 of the gradient in texels of level 0, by 256 */
static int
gradient(const struct texture *t, const struct tex_at *a)
{
	const struct texture_level *l = &t->level[0];
	uint32_t size[3] = { l->width, l->height, l->depth };
	double x[3] = { 0 }, y[3] = { 0 }, d;
	int k, e;

	for (k = 0; k < a->dims; k++) {
		x[k] = texels(a->dx[k], size[k]);
		y[k] = texels(a->dy[k], size[k]);
	}
	d = axis(x, y);
	if (d == 0)
		return -(1 << 18);
	e = ilogb(d);
	return 256 * e + log_table[(int)ldexp(d, 8 - e) & 255];
}

/* to 8 bits of fraction, within what there can be */
static int
fixed(double v, double (*to_integer)(double))
{
	v = fmin(fmax(v, -1024), 1024);
	return (int)to_integer(v * 256);
}

int
tex_lod(const struct texture *t, const struct tex_at *a)
{
	int lod = -(1 << 18), low, high, last = 256 * ((int)t->levels - 1);

	if (a->lod == TEX_LEVEL)
		lod = a->level != a->level ? 0 : fixed(a->level, floor);
	if (a->lod == TEX_GRAD)
		lod = gradient(t, a);
	lod += fixed(t->bias, trunc);
	low = fixed(t->min_lod, trunc);
	high = fixed(t->max_lod, trunc);
	lod = lod > low ? lod : low;
	lod = lod < high ? lod : high;
	lod = lod > 0 ? lod : 0;
	return lod < last ? lod : last;
}
