/* smem.c - loads into SGPRs; isa/smem.def. */
#include "emu_int.h"

#include <string.h>

/* base + soffset + offset */
static uint64_t
place(struct wave *w, const struct op *o)
{
	return get32(w, &o->src[1]) + (uint64_t)o->offset;
}

/* n registers of bytes each */
static void
fetch(struct wave *w, const struct op *o, const uint8_t *p, unsigned n,
	unsigned bytes, bool is_signed)
{
	uint32_t v[16] = { 0 };
	unsigned i;

	memcpy(v, p, (size_t)n * bytes);
	if (is_signed)
		v[0] = bytes == 1 ? (uint32_t)(int8_t)v[0] :
			(uint32_t)(int16_t)v[0];
	for (i = 0; i < n; i++)
		if (o->dst[0].reg != NULL_REG)
			w->s[o->dst[0].reg + i] = v[i];
}

static void
load(struct wave *w, const struct op *o, unsigned n, unsigned bytes,
	bool is_signed)
{
	uint64_t addr = get64(w, &o->src[0]) + place(w, o);
	const uint8_t *p;

	if (bytes == 4)
		addr &= ~(uint64_t)3;
	p = global_at(w, -1, addr, (uint64_t)n * bytes);
	if (p)
		fetch(w, o, p, n, bytes, is_signed);
}

/* by a V#: base in bits 0 to 47, bytes in word 2; beyond them is 0 */
static void
buffer_load(struct wave *w, const struct op *o, unsigned n, unsigned bytes,
	bool is_signed)
{
	uint64_t base = get64(w, &o->src[0]) & 0xffffffffffff;
	uint32_t size = w->s[o->src[0].reg + 2];
	uint64_t at = place(w, o);
	static const uint8_t zero[64];
	const uint8_t *p = zero;

	if (bytes == 4)
		at &= ~(uint64_t)3;
	if (at + (uint64_t)n * bytes <= size)
		p = global_at(w, -1, base + at, (uint64_t)n * bytes);
	if (p)
		fetch(w, o, p, n, bytes, is_signed);
}

/* dst, base, soffset or number */
static bool
read_load(struct op *o, struct line *l)
{
	o->ndst = 1;
	o->nsrc = 2;
	o->dst[0].type = o->src[1].type = T_b32;
	o->src[0].type = T_b64;
	if (l->nparts != 3 || !operand_read(&o->dst[0], l->part[0]) ||
			!operand_read(&o->src[0], l->part[1]) ||
			!operand_read(&o->src[1], l->part[2]))
		return false;
	if (o->src[1].kind == OPND_CONST) {
		o->offset = (int64_t)o->src[1].value;
		o->src[1].value = 0;
	}
	return o->src[0].kind == OPND_SGPR;
}

#define SMEM(old, new, n, bytes, type) \
static void load_##new(struct wave *w, const struct op *o) \
{ load(w, o, n, bytes, (type)-1 < 1); } \
static void buffer_load_##new(struct wave *w, const struct op *o) \
{ buffer_load(w, o, n, bytes, (type)-1 < 1); }
#include "isa/smem.def"
#undef SMEM

#define ROW(name, run) { #name, run, OP_SMEM, 1, 2, { 0 }, { 0 }, \
	read_load, 0, 0 },
#define SMEM(old, new, n, bytes, type) \
	ROW(s_load_##old, load_##new) ROW(s_load_##new, load_##new) \
	ROW(s_buffer_load_##old, buffer_load_##new) \
	ROW(s_buffer_load_##new, buffer_load_##new)
const struct op_row rows_smem[] = {
#include "isa/smem.def"
	{ 0 },
};
