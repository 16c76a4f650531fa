/* valu_src.c - the sources of vector instructions as arrays. */
#include "valu.h"

#include <fenv.h>

static const uint16_t bits_of[] = {
#define TYPE(name, ctype, bits, form) [T_##name] = bits,
#include "isa/type.def"
#undef TYPE
	[T_none] = 0,
};

static void
set_rounding(struct wave *w, struct valu *x, int round)
{
	static const int host[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
		FE_TOWARDZERO };
	unsigned r = round == ROUND_SINGLE ? ROUND32(w) : ROUND16(w);

	x->rounding = r != 0;
	if (r)
		fesetround(host[r]);
}

void
valu_begin(struct wave *w, const struct op *o, struct valu *x, int round)
{
	x->on = EXEC(w);
	x->rounding = false;
	if (o->dpp)
		valu_dpp(w, o, x);
	if (round != ROUND_NONE && w->mode & 15)
		set_rounding(w, x, round);
}

unsigned
valu_index(const struct wave *w, const struct opnd *o, unsigned bit)
{
	uint32_t m0 = w->s[M0_REG];

	if (!w->gpr_idx || !(m0 >> (12 + bit) & 1))
		return o->reg;
	return o->reg + (m0 & 0xff);
}

/* Source i, 32 bits of each lane from its register number part on.  The
 * row itself where it may be, else buf. */
static const a_b32 *
words(struct wave *w, const struct op *o, const struct valu *x, unsigned i,
	unsigned part, a_b32 *buf)
{
	const struct opnd *s = &o->src[i];
	const a_b32 *row;
	uint32_t v;

	if (s->kind != OPND_VGPR) {
		v = s->kind == OPND_SGPR ? w->s[s->reg + part]
			: (uint32_t)(s->value >> 32 * part);
		for (unsigned l = 0; l < LANES; l++)
			buf[l] = v;
		return buf;
	}
	row = w->v[valu_index(w, s, i) + part];
	if (!o->dpp || i)
		return row;
	ALL_LANES(w, l)
		buf[l] = x->zero >> l & 1 ? 0 : row[x->from[l]];
	return buf;
}

/* the part of a register that SDWA or op_sel tells, as 32 bits */
static const a_b32 *
select_part(struct wave *w, const struct op *o, unsigned i,
	const a_b32 *v, a_b32 *buf)
{
	const struct opnd *s = &o->src[i];
	unsigned sel = o->sdwa ? s->sel : SEL_DWORD, shift, width;
	bool sext = s->mods & MOD_SEXT;

	if (!o->sdwa && bits_of[s->type] == 16 && o->op_sel >> i & 1)
		sel = SEL_WORD_1;
	if (sel == SEL_DWORD)
		return v;
	width = sel >= SEL_WORD_0 ? 16 : 8;
	shift = sel >= SEL_WORD_0 ? (sel - SEL_WORD_0) * 16
		: (sel - SEL_BYTE_0) * 8;
	ALL_LANES(w, l) {
		uint32_t t = v[l] << (32 - shift - width);

		buf[l] = sext ? (uint32_t)((int32_t)t >> (32 - width))
			: t >> (32 - width);
	}
	return buf;
}

static bool
flushes(const struct wave *w, unsigned type)
{
	switch (type) {
	case T_f32:
		return FLUSHES_IN(w, 32);
	case T_f16:
		return FLUSHES_IN(w, 16);
	case T_f64:
		return FLUSHES_IN(w, 64);
	default:
		return false;
	}
}

static void
modify16(struct wave *w, a_b16 *v, unsigned mods, bool flush)
{
	uint16_t and = mods & MOD_ABS ? 0x7fff : 0xffff;
	uint16_t xor = mods & MOD_NEG ? 0x8000 : 0;

	ALL_LANES(w, l)
		v[l] = (v[l] & and) ^ xor;
	if (flush)
		ALL_LANES(w, l)
			v[l] = flush16(v[l]);
}

static void
modify32(struct wave *w, a_b32 *v, unsigned mods, bool flush)
{
	uint32_t and = mods & MOD_ABS ? 0x7fffffff : 0xffffffff;
	uint32_t xor = mods & MOD_NEG ? 0x80000000 : 0;

	ALL_LANES(w, l)
		v[l] = (v[l] & and) ^ xor;
	if (flush)
		ALL_LANES(w, l)
			v[l] = v[l] & 0x7f800000 ? v[l] : v[l] & 0x80000000;
}

static void
modify64(struct wave *w, a_b64 *v, unsigned mods, bool flush)
{
	uint64_t top = (uint64_t)1 << 63;
	uint64_t and = mods & MOD_ABS ? ~top : ~(uint64_t)0;
	uint64_t xor = mods & MOD_NEG ? top : 0;

	ALL_LANES(w, l)
		v[l] = (v[l] & and) ^ xor;
	if (flush)
		ALL_LANES(w, l)
			v[l] = v[l] << 1 >> 53 ? v[l] : v[l] & top;
}

static const void *
src64(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	a_b64 *buf)
{
	const struct opnd *s = &o->src[i];
	const a_b32 *lo, *hi;
	uint32_t lobuf[LANES], hibuf[LANES];
	unsigned mods = s->mods & (MOD_NEG | MOD_ABS);
	bool flush = flushes(w, s->type);

	lo = words(w, o, x, i, 0, lobuf);
	hi = words(w, o, x, i, 1, hibuf);
	if (s->kind != OPND_CONST && s->width == 1) /* a pair in 32 bits */
		hi = lo;
	ALL_LANES(w, l)
		buf[l] = lo[l] | (uint64_t)hi[l] << 32;
	if (mods || flush)
		modify64(w, buf, mods, flush);
	return buf;
}

static const void *
src32(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	a_b32 *buf)
{
	const struct opnd *s = &o->src[i];
	const a_b32 *v;
	unsigned mods = s->mods & (MOD_NEG | MOD_ABS);
	bool flush = flushes(w, s->type);

	v = words(w, o, x, i, 0, buf);
	if (o->sdwa)
		v = select_part(w, o, i, v, buf);
	if (!mods && !flush)
		return v;
	if (v != buf)
		memcpy(buf, v, w->size * sizeof *buf);
	modify32(w, buf, mods, flush);
	return buf;
}

static const void *
src16(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	a_b16 *buf)
{
	const struct opnd *s = &o->src[i];
	const a_b32 *v;
	uint32_t full[LANES];
	unsigned mods = s->mods & (MOD_NEG | MOD_ABS);
	bool flush = flushes(w, s->type);

	v = words(w, o, x, i, 0, full);
	v = select_part(w, o, i, v, full);
	ALL_LANES(w, l)
		buf[l] = (uint16_t)v[l];
	if (mods || flush)
		modify16(w, buf, mods, flush);
	return buf;
}

const void *
valu_src(struct wave *w, const struct op *o, struct valu *x, unsigned i,
	void *buf)
{
	switch (bits_of[o->src[i].type]) {
	case 16:
		return src16(w, o, x, i, buf);
	case 32:
		return src32(w, o, x, i, buf);
	default:
		return src64(w, o, x, i, buf);
	}
}

const void *
valu_old(struct wave *w, const struct op *o, void *buf)
{
	struct op old = { 0 };
	struct valu x;

	old.src[0] = o->dst[0];
	old.src[0].reg = (uint16_t)valu_index(w, &o->dst[0], 3);
	old.op_sel = o->op_sel >> o->nsrc & 1;
	return valu_src(w, &old, &x, 0, buf);
}
