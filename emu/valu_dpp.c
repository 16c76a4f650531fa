/* valu_dpp.c - data parallel primitives: source 0 comes from other lanes. */
#include "valu.h"

/* the lane whose value lane l gets; -1: there is none */
static int
source(const struct op *o, int l, int size)
{
	int n = o->dpp_arg, row = l & ~15, at = l & 15;

	switch (o->dpp) {
	case DPP_QUAD_PERM:
		return (l & ~3) | (n >> 2 * (l & 3) & 3);
	case DPP_ROW_SHL:
		return at + n > 15 ? -1 : l + n;
	case DPP_ROW_SHR:
		return at - n < 0 ? -1 : l - n;
	case DPP_ROW_ROR:
		return row | ((at - n) & 15);
	case DPP_WAVE_SHL:
		return l + 1 < size ? l + 1 : -1;
	case DPP_WAVE_ROL:
		return (l + 1) % size;
	case DPP_WAVE_SHR:
		return l - 1;
	case DPP_WAVE_ROR:
		return (l + size - 1) % size;
	case DPP_ROW_MIRROR:
		return row | (15 - at);
	case DPP_ROW_HALF_MIRROR:
		return l ^ 7;
	case DPP_ROW_BCAST:
		return n == 31 ? (l < 32 ? -1 : 31) : row - 1;
	case DPP_ROW_NEWBCAST:
	case DPP_ROW_SHARE:
		return row | n;
	case DPP_ROW_XMASK:
		return l ^ n;
	default:
		return (l & ~7) | o->dpp8[l & 7];
	}
}

void
valu_dpp(struct wave *w, const struct op *o, struct valu *x)
{
	int l, from;
	uint64_t bit;

	x->zero = 0;
	for (l = 0; l < (int)w->size; l++) {
		bit = (uint64_t)1 << l;
		if (!(o->row_mask >> l / 16 & 1) ||
				!(o->bank_mask >> l % 16 / 4 & 1))
			x->on &= ~bit;
		from = source(o, l, (int)w->size);
		if (from < 0 || (!o->fi && !ACTIVE(w, from))) {
			if (o->bound_ctrl || o->dpp == DPP_DPP8)
				x->zero |= bit;
			else
				x->on &= ~bit;
			from = l;
		}
		x->from[l] = (uint8_t)from;
	}
}
