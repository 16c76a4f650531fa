/* tex_level.c - the level of detail in the texture model */
#include <math.h>
#include <stdlib.h>

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

/* a magnitude, m * 2^e; m has up to ten bits, or eleven, or is 0 */
struct number {
	int64_t m;
	int e;
};

static double
value(struct number n)
{
	return ldexp((double)n.m, n.e);
}

/* to ten bits at most */
static struct number
ten(struct number n)
{
	for (; n.m >= 1024; n.m >>= 1)
		n.e++;
	return n;
}

/* A component of a gradient in texels: ten bits of it, times size.  The
 * product is a sum of shifts that drop what falls off three bits below. */
static struct number
component(float d, uint32_t size)
{
	struct number n = { 0 };
	int e, k, bits;

	if (d != d || d == 0)
		return n;
	d = fminf(fabsf(d), 0x1p40f);
	frexpf(d, &e);
	bits = ilogb(size);
	for (k = 0; k <= bits; k++)
		if (size >> (bits - k) & 1)
			n.m += 8 * (int64_t)ldexp(d, 10 - e) >> k;
	n.m = (n.m + 7) >> 3;
	n.e = e + bits - 10;
	return ten(n);
}

/* 11/8 n, which also stands for 11/16 and 11/32 */
static struct number
eleven(struct number n, int shift)
{
	n.m = (11 * n.m + 4) >> 3;
	n.e -= shift;
	return n;
}

static void
order(struct number *a, struct number *b)
{
	struct number swap = *a;

	if (value(*a) < value(*b))
		*a = *b, *b = swap;
}

static void
sort(struct number v[3])
{
	order(&v[0], &v[1]);
	order(&v[1], &v[2]);
	order(&v[0], &v[1]);
}

/* nearly the length: the greatest component, and some of the others */
static double
length(const struct number v[3])
{
	struct number n[3] = { v[0], v[1], v[2] };

	sort(n);
	return value(n[0]) + value(eleven(n[1], 2)) + value(n[2]) / 4;
}

/* … of x + y or x - y, each of one sign, at 45 degrees: 11/16 of it */
static double
diagonal(const struct number x[3], const struct number y[3],
	const int sign[3])
{
	struct number sum[3], a, b;
	int k;

	for (k = 0; k < 3; k++) {
		a = x[k], b = y[k];
		order(&a, &b);
		if (b.m)
			b.m = a.e - b.e > 60 ? 0 : b.m >> (a.e - b.e);
		a.m += sign[k] * b.m;
		sum[k] = ten((struct number){ llabs(a.m), a.e });
	}
	sort(sum);
	b.m = (121 * sum[1].m + 32) >> 6;
	b.e = sum[1].e - 3;
	return value(ten(eleven(sum[0], 1))) + value(b) +
		value(eleven(sum[2], 1)) / 4;
}

/* Nearly the longer axis of the ellipse that two gradients span: the longest
 * of both, their sum and their difference. */
static double
axis(const struct tex_at *at, const uint32_t size[3])
{
	struct number x[3] = { 0 }, y[3] = { 0 };
	int same[3] = { 0 }, other[3] = { 0 }, k;

	for (k = 0; k < at->dims; k++) {
		x[k] = component(at->dx[k], size[k]);
		y[k] = component(at->dy[k], size[k]);
		same[k] = (at->dx[k] < 0) == (at->dy[k] < 0) ? 1 : -1;
		other[k] = -same[k];
	}
	return fmax(fmax(length(x), length(y)),
		fmax(diagonal(x, y, same), diagonal(x, y, other)));
}

/* log2 of the gradient in texels of level 0, by 256 */
static int
gradient(const struct texture *t, const struct tex_at *a)
{
	const struct texture_level *l = &t->level[0];
	uint32_t size[3] = { l->width, l->height, l->depth };
	double d = axis(a, size);
	int e;

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
