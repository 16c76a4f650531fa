/* valu_pk.c - vector instructions of packed operands. */
#include "valu_expr.h"

#include <string.h>

/* the half of a packed source that goes into the low or high result */
static void
half_src(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	int high, bool is_float, uint16_t *d)
{
	valu_array buf;
	const a_b32 *s = valu_src(w, o, x, i, buf);
	unsigned shift = (high ? o->op_sel_hi : o->op_sel) >> i & 1 ? 16 : 0;
	bool neg = (high ? o->neg_hi : o->neg_lo) >> i & 1;
	uint16_t xor = neg && is_float ? 0x8000 : 0;

	ALL_LANES(w, l)
		d[l] = (uint16_t)(s[l] >> shift) ^ xor;
	if (is_float && FLUSHES_IN(w, 16))
		ALL_LANES(w, l)
			d[l] = flush16(d[l]);
}

static void
join(struct wave *w, const struct op *o, struct valu *x, a_b16 *lo, a_b16 *hi,
	bool is_float)
{
	valu_array buf;
	a_b32 *d = (a_b32 *)buf;

	if (is_float && (o->clamp || FLUSHES_OUT(w, 16))) {
		valu_finish16(w, o, x, lo);
		valu_finish16(w, o, x, hi);
	}
	ALL_LANES(w, l)
		d[l] = lo[l] | (uint32_t)hi[l] << 16;
	valu_end(w, o, x, buf, false);
}

/* is_float and the C type by the type of the halves */
enum { IS_u16, IS_i16 = 0, IS_f16 = 1 };

#define HALF_SRC(i, type) \
	c_b16 s##i[LANES]; \
	half_src(w, o, &x, i, high, IS_##type, s##i);
#define EACH(i, type) const c_##type S##i = (c_##type)s##i[l];

#define PACKED(name, type, sources, each, expr) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	c_b16 d[2][LANES]; \
\
	valu_begin(w, o, &x, R_##type); \
	for (int high = 0; high < 2; high++) { \
		sources \
		ALL_LANES(w, l) { \
			each \
			d[high][l] = (c_b16)(expr); \
		} \
	} \
	join(w, o, &x, d[0], d[1], IS_##type); \
}
#define P2(name, type, expr) \
PACKED(name, type, HALF_SRC(0, type) HALF_SRC(1, type), \
	EACH(0, type) EACH(1, type), expr)
#define P3(name, type, expr) \
PACKED(name, type, HALF_SRC(0, type) HALF_SRC(1, type) HALF_SRC(2, type), \
	EACH(0, type) EACH(1, type) EACH(2, type), expr)
#define PA2(name, type, expr) \
PACKED(name, type, HALF_SRC(0, type) HALF_SRC(1, type) \
	valu_array oldbuf; const a_b32 *old = valu_old(w, o, oldbuf);, \
	EACH(0, type) EACH(1, type) \
	const c_##type D = (c_##type)(old[l] >> 16 * high);, expr)

/* of pairs of 32 bits, as floats */
static void
word_src(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	int high, float *d)
{
	valu_array buf;
	const a_b64 *s = valu_src(w, o, x, i, buf);
	unsigned shift = (high ? o->op_sel_hi : o->op_sel) >> i & 1 ? 32 : 0;
	bool neg = (high ? o->neg_hi : o->neg_lo) >> i & 1;

	ALL_LANES(w, l) {
		d[l] = float32((uint32_t)(s[l] >> shift));
		if (neg)
			d[l] = -d[l];
		if (FLUSHES_IN(w, 32))
			d[l] = flush32(d[l]);
	}
}

static void
join_words(struct wave *w, const struct op *o, struct valu *x,
	const float *lo, const float *hi)
{
	valu_array d;
	float a, b;

	ALL_LANES(w, l) {
		a = lo[l];
		b = hi[l];
		if (o->clamp) {
			a = a > 0 ? a < 1 ? a : 1 : 0;
			b = b > 0 ? b < 1 ? b : 1 : 0;
		}
		if (FLUSHES_OUT(w, 32)) {
			a = flush32(a);
			b = flush32(b);
		}
		d[l] = PAIR(a, b);
	}
	valu_end(w, o, x, d, false);
}

#define WORD_SRC(i) \
	float s##i[LANES]; \
	word_src(w, o, &x, i, high, s##i);
#define WORDS(name, sources, each, expr) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	float d[2][LANES]; \
\
	valu_begin(w, o, &x, ROUND_SINGLE); \
	for (int high = 0; high < 2; high++) { \
		sources \
		ALL_LANES(w, l) { \
			each \
			d[high][l] = (expr); \
		} \
	} \
	join_words(w, o, &x, d[0], d[1]); \
}
#define Q2(name, expr) \
WORDS(name, WORD_SRC(0) WORD_SRC(1), \
	const float S0 = s0[l]; const float S1 = s1[l];, expr)
#define Q3(name, expr) \
WORDS(name, WORD_SRC(0) WORD_SRC(1) WORD_SRC(2), \
	const float S0 = s0[l]; const float S1 = s1[l]; \
	const float S2 = s2[l];, expr)

/* each source is a float or, where op_sel_hi says so, the half of it that
 * op_sel tells; -x and |x| are of either.  Without op_sel_hi all are floats:
 * the decoder's default is that of packed operands. */
static void
mix_src(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	float *d)
{
	struct op plain = *o;
	valu_array buf;
	const a_b32 *s;
	bool half = o->op_sel_hi >> i & 1;
	unsigned shift = o->op_sel >> i & 1 ? 16 : 0;

	if (o->op_sel_hi == 0xff && !strstr(o->text, "op_sel_hi"))
		half = false;
	plain.src[i].mods = 0;
	plain.src[i].type = T_b32;
	s = valu_src(w, &plain, x, i, buf);
	if (half && o->src[i].kind == OPND_CONST)
		half = false;       /* inline constants read as floats */
	ALL_LANES(w, l) {
		d[l] = half ? f16_value((uint16_t)(s[l] >> shift))
			: float32(s[l]);
		if (!half && FLUSHES_IN(w, 32))
			d[l] = flush32(d[l]);
		if (o->src[i].mods & MOD_ABS)
			d[l] = fabsf(d[l]);
		if (o->src[i].mods & MOD_NEG)
			d[l] = -d[l];
	}
}

static void
mix(struct wave *w, const struct op *o, struct valu *x, float *d)
{
	float a[LANES], b[LANES], c[LANES];

	mix_src(w, o, x, 0, a);
	mix_src(w, o, x, 1, b);
	mix_src(w, o, x, 2, c);
	ALL_LANES(w, l)
		d[l] = nan32(fmaf(a[l], b[l], c[l]), a[l], b[l], c[l]);
}

op_run valu_v_fma_mix_f32, valu_v_fma_mixlo_f16, valu_v_fma_mixhi_f16;

void
valu_v_fma_mix_f32(struct wave *w, const struct op *o)
{
	struct valu x;
	float d[LANES];

	valu_begin(w, o, &x, ROUND_SINGLE);
	mix(w, o, &x, d);
	valu_end(w, o, &x, d, false);
}

/* the sum in double, to be rounded once */
static void
mix_half(struct wave *w, const struct op *o, bool high)
{
	struct op to = *o;
	struct valu x;
	float a[LANES], b[LANES], c[LANES];
	c_b16 d[LANES];

	valu_begin(w, o, &x, ROUND_DOUBLE);
	mix_src(w, o, &x, 0, a);
	mix_src(w, o, &x, 1, b);
	mix_src(w, o, &x, 2, c);
	ALL_LANES(w, l)
		d[l] = H(nan32(fmaf(a[l], b[l], c[l]), a[l], b[l], c[l]));
	to.op_sel = high ? 8 : 0;
	valu_end(w, &to, &x, d, true);
}

void
valu_v_fma_mixlo_f16(struct wave *w, const struct op *o)
{
	mix_half(w, o, false);
}

void
valu_v_fma_mixhi_f16(struct wave *w, const struct op *o)
{
	mix_half(w, o, true);
}

#undef EACH
#define EACH(i, t) const c_##t S##i = s##i[l];
/* dot products are plain sums of three sources or of two and the old value */
#define V3(name, td, t0, t1, t2, expr) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array buf0, buf1, buf2, dbuf; \
	a_##td *d = (a_##td *)dbuf; \
	const a_##t0 *s0; \
	const a_##t1 *s1; \
	const a_##t2 *s2; \
\
	valu_begin(w, o, &x, R_##td); \
	s0 = valu_src(w, o, &x, 0, buf0); \
	s1 = valu_src(w, o, &x, 1, buf1); \
	s2 = valu_src(w, o, &x, 2, buf2); \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) EACH(2, t2) \
		d[l] = (c_##td)(expr); \
	} \
	valu_end(w, o, &x, dbuf, false); \
}
#define A2(name, td, t0, t1, expr) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array buf0, buf1, oldbuf, dbuf; \
	a_##td *d = (a_##td *)dbuf; \
	const a_##t0 *s0; \
	const a_##t1 *s1; \
	const a_##td *old; \
\
	valu_begin(w, o, &x, R_##td); \
	s0 = valu_src(w, o, &x, 0, buf0); \
	s1 = valu_src(w, o, &x, 1, buf1); \
	old = valu_old(w, o, oldbuf); \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) \
		const c_##td D = old[l]; \
		d[l] = (c_##td)(expr); \
	} \
	valu_end(w, o, &x, dbuf, true); \
}
#define M3(name, d)
#define ALIAS(name, row)

#include "isa/valu_pk.def"
