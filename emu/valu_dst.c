/* valu_dst.c - the results of vector instructions. */
#include "valu.h"

#include <fenv.h>

static float
omod(float f, unsigned n)
{
	return n == 1 ? f * 2 : n == 2 ? f * 4 : f / 2;
}

static double
clamped(const struct wave *w, double f)
{
	if (f != f)
		return MODE_DX10(w) ? 0 : f;
	return f > 1 ? 1 : f > 0 ? f : 0;
}

void
valu_finish16(const struct wave *w, const struct op *o, const struct valu *x,
	a_b16 *d)
{
	ON_LANES(x, l) {
		if (o->omod)
			d[l] = f16_round(omod(f16_value(d[l]), o->omod),
				ROUND16(w));
		if (o->clamp && (d[l] & 0x7fff) <= 0x7c00)
			d[l] = f16_round(clamped(w, f16_value(d[l])), 0);
		else if (o->clamp && MODE_DX10(w))
			d[l] = 0;
		if (FLUSHES_OUT(w, 16))
			d[l] = flush16(d[l]);
	}
}

static void
finish32(const struct wave *w, const struct op *o, const struct valu *x,
	a_f32 *d)
{
	ON_LANES(x, l) {
		if (FLUSHES_OUT(w, 32))
			d[l] = flush32(d[l]);
		if (o->omod)
			d[l] = omod(d[l], o->omod);
		if (o->clamp)
			d[l] = (float)clamped(w, d[l]);
	}
}

static void
finish64(const struct wave *w, const struct op *o, const struct valu *x,
	a_f64 *d)
{
	ON_LANES(x, l) {
		if (FLUSHES_OUT(w, 64))
			d[l] = flush64(d[l]);
		if (o->omod)
			d[l] *= o->omod == 3 ? 0.5 : o->omod * 2;
		if (o->clamp)
			d[l] = clamped(w, d[l]);
	}
}

static void
store32(struct wave *w, const struct valu *x, unsigned reg, const a_b32 *d)
{
	a_b32 *row = w->v[reg];

	if (x->on == w->full)
		memcpy(row, d, w->size * sizeof *d);
	else
		ON_LANES(x, l)
			row[l] = d[l];
}

static void
store64(struct wave *w, const struct valu *x, unsigned reg, const a_b64 *d)
{
	uint32_t lo[LANES], hi[LANES];

	ALL_LANES(w, l) {
		lo[l] = (uint32_t)d[l];
		hi[l] = (uint32_t)(d[l] >> 32);
	}
	store32(w, x, reg, lo);
	store32(w, x, reg + 1, hi);
}

static void
store16(struct wave *w, const struct op *o, const struct valu *x,
	unsigned reg, const a_b16 *d, bool keep)
{
	a_b32 *row = w->v[reg];
	bool high = o->op_sel >> o->nsrc & 1;
	uint32_t others = high ? 0xffff : keep ? 0xffff0000 : 0;

	ON_LANES(x, l)
		row[l] = (row[l] & others) | (uint32_t)d[l] << (high ? 16 : 0);
}

/* SDWA: v, of any width up to 32 bits, into a part of a register */
static uint32_t
sdwa_part(const struct op *o, uint32_t old, uint32_t v)
{
	unsigned shift, width;
	uint32_t mask;

	if (o->dst_sel == SEL_DWORD)
		return v;
	width = o->dst_sel >= SEL_WORD_0 ? 16 : 8;
	shift = o->dst_sel >= SEL_WORD_0 ? (o->dst_sel - SEL_WORD_0) * 16u
		: (o->dst_sel - SEL_BYTE_0) * 8u;
	mask = ((1u << width) - 1) << shift;
	v = v << shift & mask;
	if (o->dst_unused == UNUSED_PRESERVE)
		return (old & ~mask) | v;
	if (o->dst_unused == UNUSED_SEXT && v >> (shift + width - 1) & 1)
		v |= ~mask & ~(mask - 1);
	return v;
}

static void
store_sdwa(struct wave *w, const struct op *o, const struct valu *x,
	unsigned reg, const void *d, bool half)
{
	const a_b16 *d16 = d;
	const a_b32 *d32 = d;
	a_b32 *row = w->v[reg];

	ON_LANES(x, l)
		row[l] = sdwa_part(o, row[l], half ? d16[l] : d32[l]);
}

static void
finish(struct wave *w, const struct op *o, struct valu *x, void *d)
{
	bool modified = o->clamp || o->omod;

	switch (o->dst[0].type) {
	case T_f16:
		if (modified || FLUSHES_OUT(w, 16))
			valu_finish16(w, o, x, d);
		break;
	case T_f32:
		if (modified || FLUSHES_OUT(w, 32))
			finish32(w, o, x, d);
		break;
	case T_f64:
		if (modified || FLUSHES_OUT(w, 64))
			finish64(w, o, x, d);
		break;
	}
	if (x->rounding)
		fesetround(FE_TONEAREST);
}

void
valu_end(struct wave *w, const struct op *o, struct valu *x, void *d,
	bool keep)
{
	unsigned reg = valu_index(w, &o->dst[0], 3);
	bool half = false;

	finish(w, o, x, d);
	switch (o->dst[0].type) {
	case T_b16:
	case T_u16:
	case T_i16:
	case T_f16:
	case T_bf16:
		half = true;
		break;
	case T_b64:
	case T_u64:
	case T_i64:
	case T_f64:
	case T_p32:
		store64(w, x, reg, d);
		return;
	}
	if (o->sdwa)
		store_sdwa(w, o, x, reg, d, half);
	else if (half)
		store16(w, o, x, reg, d, keep || w->gpu->keeps_high16);
	else
		store32(w, x, reg, d);
}

void
valu_end_mask(struct wave *w, const struct opnd *o, struct valu *x,
	uint64_t mask)
{
	put_mask(w, o, mask & x->on);
	if (x->rounding)
		fesetround(FE_TONEAREST);
}
