/* vmem.c - vector memory: global, flat, scratch and buffer accesses;
 * isa/vmem.def.
 *
 * read_… put operands where access.c wants them: src[0] is the address,
 * src[1] the data, src[2] the scalar base or V#, src[3] the scalar offset.
 */
#include "access.h"

#include <string.h>

enum { ADDR, DATA, BASE, SOFFSET };

/* what a V# says of itself */
#define SWIZZLE (1u << 31) /* word 1 */
#define ADD_TID (1u << 23) /* word 3 */

static void
global(struct wave *w, const struct op *o)
{
	uint32_t (*v)[64] = w->v + o->src[ADDR].reg;
	bool wide = o->src[BASE].kind != OPND_SGPR;
	uint64_t base = (uint64_t)o->offset, addr;
	uint8_t *p[64];

	if (!wide)
		base += get64(w, &o->src[BASE]);
	EACH_LANE(w, l) {
		addr = base + v[0][l];
		if (wide)
			addr += (uint64_t)v[1][l] << 32;
		p[l] = global_at(w, (int)l, addr, o->row->bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

static void
flat(struct wave *w, const struct op *o)
{
	uint32_t (*v)[64] = w->v + o->src[ADDR].reg;
	unsigned bytes = o->row->bytes;
	uint64_t addr;
	uint8_t *p[64];

	EACH_LANE(w, l) {
		addr = (v[0][l] | (uint64_t)v[1][l] << 32) +
			(uint64_t)o->offset;
		if (addr >> 32 == SHARED_APERTURE)
			p[l] = lds_at(w, (int)l, (uint32_t)addr, bytes);
		else if (addr >> 32 == PRIVATE_APERTURE)
			p[l] = scratch_at(w, l, (uint32_t)addr, bytes);
		else
			p[l] = global_at(w, (int)l, addr, bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

static void
scratch(struct wave *w, const struct op *o)
{
	uint32_t base = (uint32_t)o->offset;
	uint8_t *p[64];

	base += get32(w, &o->src[BASE]);
	EACH_LANE(w, l) {
		p[l] = scratch_at(w, l, base +
			(o->src[ADDR].kind == OPND_VGPR ?
			w->v[o->src[ADDR].reg][l] : 0), o->row->bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

/* the voffset and index of lane l */
static uint64_t
buffer_offset(const struct wave *w, const struct op *o, unsigned l)
{
	unsigned reg = o->src[ADDR].reg;
	uint32_t stride = w->s[o->src[BASE].reg + 1] >> 16 & 0x3fff;
	uint64_t at = 0;

	if (o->flags & FLAG_IDXEN)
		at += (uint64_t)w->v[reg++][l] * stride;
	if (o->flags & FLAG_OFFEN)
		at += w->v[reg][l];
	return at;
}

/* a V# of memory: what is beyond its end reads as 0 and is not written */
static void
buffer(struct wave *w, const struct op *o)
{
	const uint32_t *d = w->s + o->src[BASE].reg;
	uint64_t base = (d[0] | (uint64_t)d[1] << 32) & 0xffffffffffff;
	uint32_t stride = d[1] >> 16 & 0x3fff;
	uint64_t size = d[2] * (uint64_t)(stride ? stride : 1);
	uint64_t at;
	uint8_t *p[64];
	static _Thread_local uint64_t nowhere[2];

	nowhere[0] = nowhere[1] = 0;
	EACH_LANE(w, l) {
		at = buffer_offset(w, o, l) + get32(w, &o->src[SOFFSET]) +
			(uint64_t)o->offset;
		p[l] = at + o->row->bytes > size ? (uint8_t *)nowhere :
			global_at(w, (int)l, base + at, o->row->bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

/* the V# of scratch: each lane has its own, the scalar offset counts bytes
 * of all lanes.  Sums have 32 bits: a register may hold a negative index. */
static void
buffer_scratch(struct wave *w, const struct op *o)
{
	uint64_t base = get32(w, &o->src[SOFFSET]) / w->size +
		(uint64_t)o->offset;
	uint8_t *p[64];

	EACH_LANE(w, l) {
		p[l] = scratch_at(w, l, (uint32_t)(base +
			buffer_offset(w, o, l)), o->row->bytes);
		if (!p[l])
			return;
	}
	o->row->access(w, o, p);
}

static void
buffer_any(struct wave *w, const struct op *o)
{
	const uint32_t *d = w->s + o->src[BASE].reg;

	if ((d[1] & SWIZZLE) && (d[3] & ADD_TID))
		buffer_scratch(w, o);
	else
		buffer(w, o);
}

static bool
is_vgpr(struct opnd *o, char *s)
{
	o->type = T_b32;
	return operand_read(o, s) && o->kind == OPND_VGPR;
}

/* "off" is the constant 0 */
static bool
is_scalar(struct opnd *o, char *s)
{
	o->type = T_b64;
	return operand_read(o, s) && o->kind != OPND_VGPR;
}

static bool
is_address(struct opnd *o, char *s)
{
	o->type = T_b32;
	return operand_read(o, s) && o->kind != OPND_SGPR;
}

/* Operands of global_, flat_ and scratch_ from part i on, in an order that
 * order[] gives; a missing scalar base is none. */
static bool
read_rest(struct op *o, struct line *l, size_t i, const char *order)
{
	struct opnd *s = o->src;
	bool ok = true;

	o->nsrc = MAX_SRC;
	for (; ok && *order && i < l->nparts; order++, i++)
		switch (*order) {
		case 'a':
			ok = is_address(&s[ADDR], l->part[i]);
			break;
		case 'd':
			ok = is_vgpr(&s[DATA], l->part[i]);
			break;
		case 'b':
			ok = is_scalar(&s[BASE], l->part[i]);
			break;
		case 'o':
			ok = is_scalar(&s[SOFFSET], l->part[i]);
			break;
		}
	return ok && i == l->nparts && (!*order || !strcmp(order, "b"));
}

static bool
read_load(struct op *o, struct line *l)
{
	o->ndst = 1;
	return l->nparts && is_vgpr(&o->dst[0], l->part[0]) &&
		read_rest(o, l, 1, "ab");
}

static bool
read_store(struct op *o, struct line *l)
{
	return read_rest(o, l, 0, "adb");
}

/* global_ and scratch_ have a base, flat_ has none; one operand more is the
 * destination */
static bool
read_rmw(struct op *o, struct line *l)
{
	size_t n = strncmp(l->name, "flat", 4) ? 3 : 2;

	o->ndst = l->nparts > n;
	if (o->ndst && !is_vgpr(&o->dst[0], l->part[0]))
		return false;
	return read_rest(o, l, o->ndst, "adb");
}

static bool
read_buffer_load(struct op *o, struct line *l)
{
	o->ndst = 1;
	return l->nparts == 4 && is_vgpr(&o->dst[0], l->part[0]) &&
		read_rest(o, l, 1, "abo") && o->src[BASE].kind == OPND_SGPR;
}

static bool
read_buffer_store(struct op *o, struct line *l)
{
	return l->nparts == 4 && read_rest(o, l, 0, "dabo") &&
		o->src[BASE].kind == OPND_SGPR;
}

/* gives what was there in the data's register, if a word says so */
static bool
read_buffer_rmw(struct op *o, struct line *l)
{
	size_t i;

	for (i = 0; i < l->nwords; i++)
		if (!strcmp(l->word[i], "glc") || !strcmp(l->word[i], "sc0") ||
				!strcmp(l->word[i], "th:TH_ATOMIC_RETURN"))
			o->ndst = 1;
	if (!read_buffer_store(o, l))
		return false;
	o->dst[0] = o->src[DATA];
	return true;
}

#define ROW(name, run, read, acc) { name, run, OP_VMEM, 0, 0, { 0 }, { 0 }, \
	read, access_##acc, BYTES_##acc },
#define FORMS(kind, how, old, new, acc) \
	ROW("global_" kind #old, global, read_##how, acc) \
	ROW("global_" kind #new, global, read_##how, acc) \
	ROW("flat_" kind #old, flat, read_##how, acc) \
	ROW("flat_" kind #new, flat, read_##how, acc) \
	ROW("scratch_" kind #old, scratch, read_##how, acc) \
	ROW("scratch_" kind #new, scratch, read_##how, acc) \
	ROW("buffer_" kind #old, buffer_any, read_buffer_##how, acc) \
	ROW("buffer_" kind #new, buffer_any, read_buffer_##how, acc)
#define LOAD(old, new, acc) FORMS("load_", load, old, new, acc)
#define STORE(old, new, acc) FORMS("store_", store, old, new, acc)
#define RMW(old, new, acc) FORMS("atomic_", rmw, old, new, acc)
const struct op_row rows_vmem[] = {
#include "isa/vmem.def"
	{ 0 },
};
