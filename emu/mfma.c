/* mfma.c - matrix fused multiply-add of gfx9.
 *
 * One instruction multiplies several blocks, each of A with n rows and B
 * with n columns.  A lane holds elements of one row of A and column of B;
 * the lanes of a block come in groups of n, a group for each part of the
 * depth.  D has four rows of a column in a lane's four registers, one row
 * where elements are doubles.  It runs in all lanes, whatever exec says.
 */
#include "matrix.h"

#include <string.h>

struct mfma {
	enum matrix_kind kind;
	unsigned n, depth, blocks;
	unsigned held;          /* elements of A in a lane */
};

/* the lane that holds element k of row (or column) i of a block */
static unsigned
lane_of(const struct mfma *m, unsigned i, unsigned k, unsigned block)
{
	return i + m->n * (block + m->blocks * (k / m->held));
}

/* which block of A stands for a block: cbsz and abid broadcast one */
static unsigned
a_block(const struct op *o, unsigned block)
{
	if (!o->cbsz || o->row->src[2] == T_f64)
		return block;
	return (block & ~((1u << o->cbsz) - 1)) + o->abid;
}

/* which lane of B stands for a lane: blgp permutes */
static unsigned
b_lane(const struct op *o, unsigned lane)
{
	if (o->row->src[2] == T_f64)
		return lane;
	switch (o->blgp) {
	case 0:
		return lane;
	case 1:
		return lane & 31;
	case 2:
		return lane | 32;
	case 3:
		return (lane + 16) & 63;
	default:
		return (lane & 15) | (o->blgp - 4u) << 4;
	}
}

static double
a_element(const struct wave *w, const struct op *o, const struct mfma *m,
	unsigned i, unsigned k, unsigned block)
{
	return matrix_element(w, m->kind, o->src[0].reg,
		lane_of(m, i, k, a_block(o, block)), k % m->held, false, true);
}

static double
b_element(const struct wave *w, const struct op *o, const struct mfma *m,
	unsigned j, unsigned k, unsigned block)
{
	return matrix_element(w, m->kind, o->src[1].reg,
		b_lane(o, lane_of(m, j, k, block)), k % m->held, true, true);
}

/* row, column and block of register r of a lane's results */
static void
place(const struct mfma *m, unsigned r, unsigned lane, unsigned *i,
	unsigned *j, unsigned *block)
{
	unsigned group = lane / m->n, groups = 64 / m->n, per;

	*j = lane % m->n;
	if (m->kind == MATRIX_f64) {
		*block = m->n == 4 ? group % 4 : 0;
		*i = 4 * r + lane / 16;
	} else if (m->n == 4) {
		*block = group;
		*i = r;
	} else {
		per = m->n / (4 * groups);
		*block = r / (4 * per);
		*i = 4 * (group + groups * (r / 4 % per)) + r % 4;
	}
}

static uint32_t
c_word(const struct wave *w, const struct op *o, unsigned r, unsigned lane)
{
	const struct opnd *c = &o->src[2];

	return c->kind == OPND_VGPR ? w->v[c->reg + r][lane]
		: (uint32_t)c->value;
}

/* one result, of 32 bits: floats are summed in steps of four products,
 * which are exact */
static uint32_t
result32(const struct wave *w, const struct op *o, const struct mfma *m,
	unsigned r, unsigned lane)
{
	unsigned i, j, block, k;
	int64_t sum = 0;
	double part = 0;
	float f;

	place(m, r, lane, &i, &j, &block);
	if (m->kind == MATRIX_i8) {
		for (k = 0; k < m->depth; k++)
			sum += (int64_t)(a_element(w, o, m, i, k, block) *
				b_element(w, o, m, j, k, block));
		return (uint32_t)sum + c_word(w, o, r, lane);
	}
	f = float32(c_word(w, o, r, lane));
	if (m->kind == MATRIX_f32) {
		for (k = 0; k < m->depth; k++)
			f = fmaf((float)a_element(w, o, m, i, k, block),
				(float)b_element(w, o, m, j, k, block), f);
		return bits32(nan32(f, f, f, f));
	}
	for (k = 0; k < m->depth; k++) {
		part += a_element(w, o, m, i, k, block) *
			b_element(w, o, m, j, k, block);
		if (k % 4 == 3 || k + 1 == m->depth) {
			f = (float)(f + part);
			part = 0;
		}
	}
	return bits32(nan32(f, f, f, f));
}

static uint64_t
result64(const struct wave *w, const struct op *o, const struct mfma *m,
	unsigned r, unsigned lane)
{
	const struct opnd *c = &o->src[2];
	unsigned i, j, block, k;
	double f, a, b;

	place(m, r, lane, &i, &j, &block);
	f = float64(c->kind == OPND_VGPR ? w->v[c->reg + 2 * r][lane] |
		(uint64_t)w->v[c->reg + 2 * r + 1][lane] << 32 : c->value);
	if (o->blgp & 4)
		f = -f;
	for (k = 0; k < m->depth; k++) {
		a = a_element(w, o, m, i, k, block);
		b = b_element(w, o, m, j, k, block);
		f = fma(o->blgp & 1 ? -a : a, o->blgp & 2 ? -b : b, f);
	}
	return bits64(f);
}

static void
mfma32(struct wave *w, const struct op *o, const struct mfma *m)
{
	uint32_t d[32][64];
	unsigned regs = m->n * m->n * m->blocks / 64, r, l;

	for (r = 0; r < regs; r++)
		for (l = 0; l < 64; l++)
			d[r][l] = result32(w, o, m, r, l);
	memcpy(w->v[o->dst[0].reg], d, regs * sizeof *d);
}

static void
mfma64(struct wave *w, const struct op *o, const struct mfma *m)
{
	uint64_t d[4][64];
	unsigned regs = m->n * m->n * m->blocks / 64, r, l, to = o->dst[0].reg;

	for (r = 0; r < regs; r++)
		for (l = 0; l < 64; l++)
			d[r][l] = result64(w, o, m, r, l);
	for (r = 0; r < regs; r++)
		for (l = 0; l < 64; l++) {
			w->v[to + 2 * r][l] = (uint32_t)d[r][l];
			w->v[to + 2 * r + 1][l] = (uint32_t)(d[r][l] >> 32);
		}
}

#define ROW_OF(name, of, n, k, b, run) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	static const struct mfma m = { MATRIX_##of, n, k, b, \
		(n) * (k) * (b) / 64 }; \
\
	run(w, o, &m); \
}
#define MFMA(name, kind, n, k, b)   ROW_OF(name, kind, n, k, b, mfma32)
#define MFMA64(name, kind, n, k, b) ROW_OF(name, kind, n, k, b, mfma64)
#define WMMA(name, kind, to, k)
#define ALIAS(name, row)

#include "isa/valu_matrix.def"
