/* tex_model.c - what NVIDIA's texture unit computes: coordinates, addresses,
 * weights and their sum.
 *
 * Everything is exact but what the comments call rounded.
 */
#include <math.h>

#include "tex_int.h"

/* where a filter reads in one level, and with what weight for each texel;
 * bit k of n: the second texel in direction k */
struct footprint {
	int64_t first[3];
	int frac[3];            /* of 256 */
	int weight[8];
	bool used[8];           /* read, even with weight 0 */
};

static bool
is_seamless(const struct texture *t)
{
	return t->flags & TEXTURE_CUBE && t->flags & TEXTURE_SEAMLESS;
}

static enum texture_address
mode(const struct texture *t, int k)
{
	if (is_seamless(t))
		return TEXTURE_CLAMP;
	if (t->address[k] == TEXTURE_BORDER ||
			t->flags & TEXTURE_NORMALIZED)
		return t->address[k];
	return TEXTURE_CLAMP;
}

/* an index inside, or -1: the border */
static int
address(int64_t i, int size, enum texture_address mode)
{
	if (i >= 0 && i < size)
		return (int)i;
	switch (mode) {
	case TEXTURE_BORDER:
		return -1;
	case TEXTURE_CLAMP:
		return i < 0 ? 0 : size - 1;
	case TEXTURE_WRAP:
		i %= size;
		return (int)(i < 0 ? i + size : i);
	case TEXTURE_MIRROR:
		i %= 2 * size;
		i = i < 0 ? i + 2 * size : i;
		return (int)(i < size ? i : 2 * size - 1 - i);
	}
	return -1;
}

/* bits that normalized coordinates have */
static int
fraction(const struct texture *t)
{
	const struct texture_level *l = &t->level[0];

	return l->width > 8192 || l->height > 8192 ? 22 : 21;
}

/* a coordinate in texels, near enough to the texture to be an integer */
static double
texels(const struct texture *t, const struct tex_at *a, int k, int size)
{
	float x = a->x[k];
	enum texture_address m = mode(t, k);
	double u;

	if (x != x || fabsf(x) < 0x1p-126f)
		return 0;
	if (t->flags & TEXTURE_NORMALIZED) {
		if (m == TEXTURE_WRAP || m == TEXTURE_MIRROR)
			x = isinf(x) ? 0 : fmodf(x, 2);
		u = ldexp(floor(ldexp(x, fraction(t))) * size, -fraction(t));
	} else {
		u = x;
	}
	return fmax(fmin(u, 0x1p40), -0x1p40);
}

static int
slice(const struct texture *t, const struct tex_at *a)
{
	if (t->flags & TEXTURE_CUBE)
		return (int)a->layer;
	if (!(t->flags & TEXTURE_LAYERED))
		return 0;
	return (int)(a->layer < t->layers ? a->layer : t->layers - 1);
}

/* the share of total that the second of two gets; half is 128 or 127 */
static int
part(int total, int frac, int half)
{
	return (total * frac + half) >> 8;
}

/* split total in z, then x, then y */
static void
weights(struct footprint *f, int total)
{
	int z, x, n, of_z[2], of_x;

	of_z[1] = part(total, f->frac[2], 127);
	of_z[0] = total - of_z[1];
	for (z = 0; z < 2; z++)
		for (x = 0; x < 2; x++) {
			n = 4 * z + x;
			of_x = part(of_z[z], f->frac[0], 128);
			of_x = x ? of_x : of_z[z] - of_x;
			f->weight[n + 2] = part(of_x, f->frac[1], 127 + x);
			f->weight[n] = of_x - f->weight[n + 2];
		}
	for (n = 0; n < 8; n++)
		f->used[n] = (!(n & 1) || f->frac[0]) &&
			(!(n & 2) || f->frac[1]) && (!(n & 4) || f->frac[2]);
}

/* where the filter begins in direction k, by 256 */
static int64_t
start(const struct texture *t, const struct tex_at *a, int k, int size)
{
	int64_t last = 256 * ((int64_t)size - 1), u;

	if (k >= a->dims)       /* one dimension is two, at y = 0 */
		return -128;
	u = (int64_t)floor(texels(t, a, k, size) * 256 - 128 + 0.5);
	if (mode(t, k) != TEXTURE_CLAMP || is_seamless(t) || a->gather >= 0)
		return u;
	return u < 0 ? 0 : u < last ? u : last;
}

static void
footprint(const struct texture *t, const struct tex_at *a, const int size[3],
	struct footprint *f)
{
	bool flat = a->dims == 1 && !(t->flags & TEXTURE_LAYERED);
	int64_t u;
	int k;

	memset(f, 0, sizeof *f);
	for (k = 0; k < a->dims + flat; k++)
		if (t->filter || a->gather >= 0) {
			u = start(t, a, k, size[k]);
			f->first[k] = u >> 8;
			f->frac[k] = (int)(u & 255);
		} else if (k < a->dims) {
			f->first[k] = (int64_t)floor(texels(t, a, k, size[k]));
		}
}

/* texel n of the footprint; false where a cube has none */
static bool
place(const struct texture *t, const struct tex_at *a, const int size[3],
	const struct footprint *f, int n, int at[3])
{
	bool filter = t->filter || a->gather >= 0;
	int64_t i;
	int k;

	at[1] = 0;
	at[2] = slice(t, a);
	for (k = 0; k < a->dims; k++) {
		i = f->first[k] + (n >> k & 1);
		at[k] = is_seamless(t) && filter ? (int)i :
			address(i, size[k], mode(t, k));
	}
	if (a->dims == 1 && f->first[1] + (n >> 1 & 1) != 0)
		at[1] = address(f->first[1] + (n >> 1 & 1), 1, mode(t, 1));
	return !(is_seamless(t) && filter) || tex_over(size[0], at);
}

/* what a corner of a cube lacks goes to the other three */
static void
share(struct footprint *f, int n)
{
	int *w = f->weight, third = (w[n] + 1) / 3;

	w[n ^ 1] += third;
	w[n ^ 2] += third;
	w[n ^ 3] += w[n] - 2 * third;
	w[n] = 0;
	f->used[n] = false;
}

/* add w * n, the unit being the greater; what is smaller is truncated */
static void
add(struct tex_num *sum, struct tex_num n, int w)
{
	int shift = sum->e - n.e;

	sum->special |= n.special;
	sum->negative &= n.negative;
	sum->phase = n.phase;
	if (w == 0 || n.m == 0)
		return;
	if (shift > 62)
		shift = 62;
	sum->m += w * (n.m < 0 ? -(-n.m >> shift) : n.m >> shift);
}

/* four texels, in the unit of the greatest */
static void
quad(const struct texture *t, const struct texture_level *l,
	int at[4][3], const int weight[4], const bool used[4],
	struct tex_num sum[4])
{
	struct tex_num v[4][4];
	unsigned c;
	int n;

	for (c = 0; c < t->channels; c++)
		sum[c] = (struct tex_num){ .e = -10000, .negative = true };
	for (n = 0; n < 4; n++) {
		if (!used[n])
			continue;
		tex_value(t, l, at[n], v[n]);
		for (c = 0; c < t->channels; c++)
			if (weight[n] && v[n][c].m && v[n][c].e > sum[c].e)
				sum[c].e = v[n][c].e;
	}
	for (n = 0; n < 4; n++)
		for (c = 0; c < t->channels && used[n]; c++)
			add(&sum[c], v[n][c], weight[n]);
}

/* Quads are joined in units of 16^k; here bits are lost downwards. */
static void
join(struct tex_num *a, struct tex_num b)
{
	int up = (b.e - b.phase) & 3, shift;

	b.m *= 1 << up;
	b.e -= up;
	shift = a->e - b.e;
	if (shift < 0) {
		struct tex_num swap = *a;

		*a = b, b = swap, shift = -shift;
	}
	a->m += b.m >> (shift > 62 ? 62 : shift);
	a->special |= b.special;
	a->negative &= b.negative;
}

/* add a level's part, total of 256, to the sums */
static void
accumulate(const struct texture *t, const struct tex_at *a, int level,
	int total, struct tex_num sum[4])
{
	const struct texture_level *l = &t->level[level];
	int size[3] = { l->width, l->height, l->depth };
	int n, z, at[8][3];
	unsigned c;
	struct footprint f;
	struct tex_num part[4];

	footprint(t, a, size, &f);
	weights(&f, total);
	for (n = 0; n < 8; n++)
		if (!place(t, a, size, &f, n, at[n]))
			share(&f, n);
	for (z = 0; z < 8; z += 4) {
		quad(t, l, at + z, f.weight + z, f.used + z, part);
		for (c = 0; c < t->channels; c++)
			join(&sum[c], part[c]);
	}
}

/* Without any filter components are returned as they are.  Else texels are
 * made ready for the filter, even one. */
static void
sample(const struct texture *t, const struct tex_at *a, int lod,
	uint32_t out[4])
{
	int level, frac = t->mip_filter ? lod & 255 : 0, at[3];
	const struct texture_level *l;
	struct footprint f;
	struct tex_num sum[4];
	unsigned c;

	for (c = 0; c < 4; c++)
		sum[c] = (struct tex_num){ .e = -10000, .negative = true };
	level = t->mip_filter ? lod >> 8 : (lod + 128) >> 8;
	l = &t->level[level];
	if (!t->filter && !t->mip_filter) {
		int size[3] = { l->width, l->height, l->depth };

		footprint(t, a, size, &f);
		place(t, a, size, &f, 0, at);
		tex_point(t, l, at, out);
		return;
	}
	accumulate(t, a, level, 256 - frac, sum);
	if (frac)
		accumulate(t, a, level + 1, frac, sum);
	for (c = 0; c < t->channels; c++)
		out[c] = tex_result(t, c, sum[c]);
}

/* tld4: one component of four texels */
static void
gather(const struct texture *t, const struct tex_at *a, uint32_t out[4])
{
	static const int order[4] = { 2, 3, 1, 0 };
	const struct texture_level *l = &t->level[0];
	int size[3] = { l->width, l->height, l->depth };
	int c = a->gather, n, at[3];
	struct footprint f;
	struct tex_num v[4];
	uint32_t u[4];

	if (c >= (int)t->channels)
		return;
	footprint(t, a, size, &f);
	for (n = 0; n < 4; n++) {
		if (!place(t, a, size, &f, order[n], at))
			continue;
		if (tex_is_float(t)) {
			tex_value(t, l, at, v);
			v[c].m *= 256;
			out[n] = tex_result(t, c, v[c]);
		} else {
			tex_point(t, l, at, u);
			out[n] = u[c];
		}
	}
}

/* integer coordinates: no address modes, no border */
static void
fetch(const struct texture *t, const struct tex_at *a, uint32_t out[4])
{
	const struct texture_level *l = &t->level[0];
	int size[3] = { l->width, l->height, l->depth }, k;
	int at[3] = { 0, 0, slice(t, a) };

	/* .1d is for buffers */
	if (a->dims == 1 && !(t->flags & (TEXTURE_LAYERED | TEXTURE_LINEAR)))
		return;
	if (t->flags & TEXTURE_LAYERED && a->layer >= t->layers)
		return;
	for (k = 0; k < a->dims; k++) {
		if (a->i[k] < 0 || a->i[k] >= size[k])
			return;
		at[k] = a->i[k];
	}
	tex_point(t, l, at, out);
}

void
tex_sample(const struct texture *t, const struct tex_at *at, uint32_t out[4])
{
	struct tex_at a = *at;

	memset(out, 0, 16);
	if (t->flags & TEXTURE_CUBE)
		tex_cube(t, &a);
	if (a.integer)
		fetch(t, &a, out);
	else if (a.gather >= 0)
		gather(t, &a, out);
	else
		sample(t, &a, tex_lod(t, at), out);
}
