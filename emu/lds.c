/* lds.c - LDS, and lanes' values through its crossbar; isa/lds.def.
 *
 * src[0] is the address, src[1] and src[2] the data, as access.c wants them.
 */
#include "access.h"

#include <string.h>

enum { ADDR, DATA, DATA2 };

static void
lds(struct wave *w, const struct op *o)
{
	const uint32_t *v = w->v[o->src[ADDR].reg];
	uint8_t *p[64];

	EACH_LANE(w, l) {
		p[l] = lds_at(w, (int)l, (uint64_t)v[l] +
			(uint64_t)o->offset, o->row->bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

/* two of n registers each, at addr + offset * factor of their size */
static void
load_two(struct wave *w, const struct op *o, unsigned n, unsigned factor)
{
	uint32_t addr[64];
	const uint8_t *p, *q;

	memcpy(addr, w->v[o->src[ADDR].reg], sizeof addr);
	EACH_LANE(w, l) {
		p = lds_at(w, (int)l, addr[l] + (uint64_t)o->offset *
			factor * n * 4, n * 4);
		q = lds_at(w, (int)l, addr[l] + (uint64_t)o->offset1 *
			factor * n * 4, n * 4);
		if (!p || !q)
			return;
		for (unsigned i = 0; i < n; i++) {
			memcpy(&w->v[o->dst[0].reg + i][l], p + 4 * i, 4);
			memcpy(&w->v[o->dst[0].reg + n + i][l], q + 4 * i, 4);
		}
	}
}

static void
store_two(struct wave *w, const struct op *o, unsigned n, unsigned factor)
{
	const uint32_t *addr = w->v[o->src[ADDR].reg];
	uint8_t *p, *q;

	EACH_LANE(w, l) {
		p = lds_at(w, (int)l, addr[l] + (uint64_t)o->offset *
			factor * n * 4, n * 4);
		q = lds_at(w, (int)l, addr[l] + (uint64_t)o->offset1 *
			factor * n * 4, n * 4);
		if (!p || !q)
			return;
		for (unsigned i = 0; i < n; i++) {
			memcpy(p + 4 * i, &w->v[o->src[DATA].reg + i][l], 4);
			memcpy(q + 4 * i, &w->v[o->src[DATA2].reg + i][l], 4);
		}
	}
}

/* what lane from gives lane l, where it is on; the crossbar of waves of 64
 * reaches 32 lanes since gfx10 */
static uint32_t
of_lane(const struct wave *w, const uint32_t *v, unsigned l, unsigned from)
{
	unsigned span = w->gpu->generation >= 10 ? 32 : w->size;

	from = (l & ~(span - 1)) | (from & (span - 1));
	return ACTIVE(w, from) ? v[from] : 0;
}

static void
bpermute(struct wave *w, const struct op *o)
{
	const uint32_t *addr = w->v[o->src[ADDR].reg];
	uint32_t v[64], r[64];

	memcpy(v, w->v[o->src[DATA].reg], sizeof v);
	EACH_LANE(w, l)
		r[l] = of_lane(w, v, l, (addr[l] + (uint32_t)o->offset) / 4);
	EACH_LANE(w, l)
		w->v[o->dst[0].reg][l] = r[l];
}

/* as bpermute, but lanes that are off give what they hold */
static void
bpermute_fi(struct wave *w, const struct op *o)
{
	const uint32_t *addr = w->v[o->src[ADDR].reg];
	uint32_t v[64], r[64];

	memcpy(v, w->v[o->src[DATA].reg], sizeof v);
	EACH_LANE(w, l)
		r[l] = v[(l & ~31u) |
			((addr[l] + (uint32_t)o->offset) / 4 & 31)];
	EACH_LANE(w, l)
		w->v[o->dst[0].reg][l] = r[l];
}

static void
permute(struct wave *w, const struct op *o)
{
	unsigned span = w->gpu->generation >= 10 ? 32 : w->size;
	const uint32_t *addr = w->v[o->src[ADDR].reg];
	const uint32_t *v = w->v[o->src[DATA].reg];
	uint32_t r[64] = { 0 };

	EACH_LANE(w, l)
		r[(l & ~(span - 1)) | ((addr[l] + (uint32_t)o->offset) / 4 &
			(span - 1))] = v[l];
	EACH_LANE(w, l)
		w->v[o->dst[0].reg][l] = r[l];
}

/* offset: quads with bit 15, else and, or, xor masks of 5 bits each */
static void
swizzle(struct wave *w, const struct op *o)
{
	uint32_t how = (uint32_t)o->offset, v[64], r[64];
	unsigned from;

	memcpy(v, w->v[o->src[ADDR].reg], sizeof v);
	EACH_LANE(w, l) {
		if (how & 0x8000)
			from = (l & ~3u) | (how >> 2 * (l & 3) & 3);
		else
			from = (l & 32) | ((((l & how) | how >> 5) ^
				how >> 10) & 31);
		r[l] = ACTIVE(w, from) ? v[from] : 0;
	}
	EACH_LANE(w, l)
		w->v[o->dst[0].reg][l] = r[l];
}

/* the destination, n of them, then sources in order */
static bool
read_some(struct op *o, struct line *l, size_t ndst)
{
	size_t i, n = l->nparts - ndst;

	if (l->nparts < ndst || n < 1 || n > 3)
		return false;
	o->ndst = (uint8_t)ndst;
	o->nsrc = (uint8_t)n;
	for (i = 0; i < l->nparts; i++) {
		struct opnd *x = i < ndst ? &o->dst[i] : &o->src[i - ndst];

		x->type = T_b32;
		if (!operand_read(x, l->part[i]) || x->kind != OPND_VGPR)
			return false;
	}
	for (i = 0; i < l->nwords; i++)
		if (!strcmp(l->word[i], "gds"))
			return false;
	return true;
}

static bool
read_result(struct op *o, struct line *l)
{
	return read_some(o, l, 1);
}

static bool
read_none(struct op *o, struct line *l)
{
	return read_some(o, l, 0);
}

#define LOAD(...)
#define STORE(...)
#define RMW(...)
#define TWO(old, new, bytes, factor) \
static void load_##new(struct wave *w, const struct op *o) \
{ load_two(w, o, bytes / 4, factor); } \
static void store_##new(struct wave *w, const struct op *o) \
{ store_two(w, o, bytes / 4, factor); }
#include "isa/lds.def"
#undef LOAD
#undef STORE
#undef RMW
#undef TWO

#define ROW(name, run, read, access, bytes) { name, run, OP_LDS, 0, 0, { 0 }, \
	{ 0 }, read, access, bytes },
#define LOAD(old, new, acc) \
	ROW("ds_read_" #old, lds, read_result, access_##acc, BYTES_##acc) \
	ROW("ds_load_" #new, lds, read_result, access_##acc, BYTES_##acc)
#define STORE(old, new, acc) \
	ROW("ds_write_" #old, lds, read_none, access_##acc, BYTES_##acc) \
	ROW("ds_store_" #new, lds, read_none, access_##acc, BYTES_##acc)
#define RMW(plain, result, acc) \
	ROW("ds_" #plain, lds, read_none, access_##acc, BYTES_##acc) \
	ROW("ds_" #result, lds, read_result, access_##acc, BYTES_##acc)
#define TWO(old, new, bytes, factor) \
	ROW("ds_read" #old, load_##new, read_result, 0, 0) \
	ROW("ds_load_" #new, load_##new, read_result, 0, 0) \
	ROW("ds_write" #old, store_##new, read_none, 0, 0) \
	ROW("ds_store_" #new, store_##new, read_none, 0, 0)
const struct op_row rows_lds[] = {
#include "isa/lds.def"
	ROW("ds_bpermute_b32", bpermute, read_result, 0, 0)
	ROW("ds_bpermute_fi_b32", bpermute_fi, read_result, 0, 0)
	ROW("ds_permute_b32", permute, read_result, 0, 0)
	ROW("ds_swizzle_b32", swizzle, read_result, 0, 0)
	{ 0 },
};
