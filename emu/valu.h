/* valu.h - how vector instructions get at their operands.
 *
 * An instruction's sources become arrays of a value a lane, already selected,
 * permuted, negated and flushed as op and mode demand; its expression makes
 * an array of results, which are clamped, flushed and put where they go, in
 * the lanes that are on.  So a row's loop is plain C that vectorises.
 */
#ifndef VALU_H
#define VALU_H

#include "alu.h"
#include "emu.h"

/* what arrays are read as: rows of registers have many types */
#define TYPE(name, ctype, bits, form) \
	typedef ctype __attribute__((may_alias)) a_##name;
#include "isa/type.def"
#undef TYPE

enum { LANES = 64 };
/* room for an array of any type of up to 64 bits */
typedef uint64_t valu_array[LANES] __attribute__((aligned(64)));

/* l over all lanes; inner loops of a constant length vectorise */
#define ALL_LANES(w, l) \
	for (unsigned l##0 = 0; l##0 < (w)->size; l##0 += 32) \
		for (unsigned l = l##0; l < l##0 + 32; l++)
#define ON_LANES(x, l) \
	for (uint64_t l##0 = (x)->on; l##0; l##0 &= l##0 - 1) \
		for (unsigned l = (unsigned)__builtin_ctzll(l##0), \
			l##1 = 1; l##1; l##1 = 0)

/* an instruction at work in a wave */
struct valu {
	uint64_t on;            /* lanes that get a result */
	bool rounding;          /* the host's mode is not to nearest */
	uint64_t zero;          /* DPP: lanes whose source 0 is 0 */
	uint8_t from[LANES];    /* DPP: the lane that source 0 is of */
};

/* which part of MODE rules the rounding of results of a type */
enum { ROUND_NONE, ROUND_SINGLE, ROUND_DOUBLE };

void valu_begin(struct wave *, const struct op *, struct valu *, int round);
/* source i, of the type that its row says; buf is room for it */
const void *valu_src(struct wave *, const struct op *, struct valu *,
	unsigned i, void *buf);
/* what the destination holds, for instructions that add to it */
const void *valu_old(struct wave *, const struct op *, void *buf);
/* stores results, of destination 0; keep: of 16 bits, they leave the other
 * half of the register alone on every processor */
void valu_end(struct wave *, const struct op *, struct valu *, void *d,
	bool keep);
/* clamps, scales and flushes results that are halves */
void valu_finish16(const struct wave *, const struct op *,
	const struct valu *, a_b16 *);
/* a mask: a bit of each lane that is on, 0 of the others */
void valu_end_mask(struct wave *, const struct opnd *, struct valu *,
	uint64_t mask);
/* a mask as a source */
static inline uint64_t
valu_mask(const struct wave *w, const struct opnd *o)
{
	return o->kind == OPND_CONST ? o->value : get_mask(w, o);
}

/* valu_dpp.c */
void valu_dpp(struct wave *, const struct op *, struct valu *);

/* row r of the destination or a source of op, moved by gfx9's index */
unsigned valu_index(const struct wave *, const struct opnd *, unsigned bit);

/* the parts of MODE */
#define MODE_IEEE(w)  ((w)->mode >> 9 & 1)
#define MODE_DX10(w)  ((w)->gpu->generation >= 12 || ((w)->mode >> 8 & 1))
#define ROUND32(w)    ((w)->mode & 3)
#define ROUND16(w)    ((w)->mode >> 2 & 3)
#define FLUSHES_IN(w, bits)  (!((w)->mode >> ((bits) == 32 ? 4 : 6) & 1))
#define FLUSHES_OUT(w, bits) (!((w)->mode >> ((bits) == 32 ? 5 : 7) & 1))

#endif
