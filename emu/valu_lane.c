/* valu_lane.c - vector instructions that move values between lanes, and
 * those whose registers M0 tells. */
#include "valu_expr.h"

op_run valu_v_readlane_b32, valu_v_readfirstlane_b32, valu_v_writelane_b32,
	valu_v_permlane16_b32, valu_v_permlanex16_b32,
	valu_v_permlane16_var_b32, valu_v_permlanex16_var_b32,
	valu_v_permlane64_b32, valu_v_movrels_b32, valu_v_movreld_b32,
	valu_v_movrelsd_b32, valu_v_movrelsd_2_b32, valu_v_swap_b32,
	valu_v_swaprel_b32, valu_v_swap_b16;

static uint32_t
lane_value(const struct wave *w, const struct opnd *o, unsigned lane)
{
	return o->kind == OPND_VGPR ? w->v[o->reg][lane] : get32(w, o);
}

void
valu_v_readlane_b32(struct wave *w, const struct op *o)
{
	w->s[o->dst[0].reg] = lane_value(w, &o->src[0],
		get32(w, &o->src[1]) & (w->size - 1));
}

/* the first lane that is on, or lane 0 */
void
valu_v_readfirstlane_b32(struct wave *w, const struct op *o)
{
	w->s[o->dst[0].reg] = lane_value(w, &o->src[0],
		EXEC(w) ? (unsigned)__builtin_ctzll(EXEC(w)) : 0);
}

/* whether that lane is on or not */
void
valu_v_writelane_b32(struct wave *w, const struct op *o)
{
	unsigned lane = get32(w, &o->src[1]) & (w->size - 1);

	w->v[o->dst[0].reg][lane] = get32(w, &o->src[0]);
}

/* lane l gets the value of lane from[l]; of lanes that are off, fetched or
 * (bound) zero, or keeps what it has */
static void
gather(struct wave *w, const struct op *o, const uint8_t *from, bool fetch,
	bool bound)
{
	uint32_t old[LANES];

	memcpy(old, w->v[o->src[0].reg], sizeof old);
	EACH_LANE(w, l) {
		if (fetch || ACTIVE(w, from[l]))
			w->v[o->dst[0].reg][l] = old[from[l]];
		else if (bound)
			w->v[o->dst[0].reg][l] = 0;
	}
}

/* a nibble for each lane of a row; other: rows change places with their
 * neighbours.  op_sel holds fetch-inactive and bound-control. */
static void
permlane16(struct wave *w, const struct op *o, unsigned other)
{
	uint64_t sel = get32(w, &o->src[1]) |
		(uint64_t)get32(w, &o->src[2]) << 32;
	uint8_t from[LANES];

	for (unsigned l = 0; l < w->size; l++)
		from[l] = (uint8_t)(((l & ~15u) ^ other) |
			(sel >> 4 * (l & 15) & 15));
	gather(w, o, from, o->op_sel & 1, o->op_sel & 2);
}

void
valu_v_permlane16_b32(struct wave *w, const struct op *o)
{
	permlane16(w, o, 0);
}

void
valu_v_permlanex16_b32(struct wave *w, const struct op *o)
{
	permlane16(w, o, 16);
}

static void
permlane16_var(struct wave *w, const struct op *o, unsigned other)
{
	uint8_t from[LANES];

	for (unsigned l = 0; l < w->size; l++)
		from[l] = (uint8_t)(((l & ~15u) ^ other) |
			(lane_value(w, &o->src[1], l) & 15));
	gather(w, o, from, o->op_sel & 1, o->op_sel & 2);
}

void
valu_v_permlane16_var_b32(struct wave *w, const struct op *o)
{
	permlane16_var(w, o, 0);
}

void
valu_v_permlanex16_var_b32(struct wave *w, const struct op *o)
{
	permlane16_var(w, o, 16);
}

/* the halves of a wave of 64 change places; one of 32 is its own */
void
valu_v_permlane64_b32(struct wave *w, const struct op *o)
{
	uint8_t from[LANES];

	for (unsigned l = 0; l < w->size; l++)
		from[l] = (uint8_t)(w->size == 64 ? l ^ 32 : l);
	gather(w, o, from, true, false);
}

/* registers beside those that the text names; past the file the first one */
static unsigned
beside(unsigned reg, uint32_t offset)
{
	unsigned base = reg & AGPR_REG;

	return reg - base + offset < 256 ? reg + offset : base;
}

static void
move(struct wave *w, const struct op *o, uint32_t dst, uint32_t src)
{
	const struct opnd *s = &o->src[0];
	struct opnd from = *s;
	unsigned to = beside(o->dst[0].reg, dst);

	if (s->kind == OPND_VGPR)
		from.reg = (uint16_t)beside(s->reg, src);
	EACH_LANE(w, l)
		w->v[to][l] = lane_value(w, &from, l);
}

void
valu_v_movrels_b32(struct wave *w, const struct op *o)
{
	move(w, o, 0, w->s[M0_REG]);
}

void
valu_v_movreld_b32(struct wave *w, const struct op *o)
{
	move(w, o, w->s[M0_REG], 0);
}

void
valu_v_movrelsd_b32(struct wave *w, const struct op *o)
{
	move(w, o, w->s[M0_REG], w->s[M0_REG]);
}

void
valu_v_movrelsd_2_b32(struct wave *w, const struct op *o)
{
	move(w, o, w->s[M0_REG] >> 16 & 0x3ff, w->s[M0_REG] & 0x3ff);
}

static void
swap(struct wave *w, unsigned a, unsigned b, uint32_t bits)
{
	uint32_t differ;

	EACH_LANE(w, l) {
		differ = (w->v[a][l] ^ w->v[b][l]) & bits;
		w->v[a][l] ^= differ;
		w->v[b][l] ^= differ;
	}
}

void
valu_v_swap_b32(struct wave *w, const struct op *o)
{
	swap(w, o->dst[0].reg, o->src[0].reg, UINT32_MAX);
}

void
valu_v_swap_b16(struct wave *w, const struct op *o)
{
	swap(w, o->dst[0].reg, o->src[0].reg, 0xffff);
}

void
valu_v_swaprel_b32(struct wave *w, const struct op *o)
{
	swap(w, beside(o->dst[0].reg, w->s[M0_REG] >> 16 & 0x3ff),
		beside(o->src[0].reg, w->s[M0_REG] & 0x3ff), UINT32_MAX);
}
