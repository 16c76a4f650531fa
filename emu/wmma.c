/* wmma.c - matrix multiply-add of gfx11 and gfx12: 16 rows and columns.
 *
 * A lane holds a row of A and a column of B.  On gfx11 it is all of it, and
 * the upper lanes repeat the lower ones; on gfx12 the upper lanes have the
 * upper half of the depth.  D has a column in two lanes of a wave of 32:
 * every other row on gfx11, eight rows each on gfx12.
 */
#include "matrix.h"

#include <string.h>

enum to { TO_f32, TO_i32, TO_f16, TO_bf16 };

struct wmma {
	enum matrix_kind kind;
	enum to to;
	unsigned depth;
};

static double
element(const struct wave *w, const struct op *o, const struct wmma *m,
	unsigned source, unsigned i, unsigned k)
{
	bool upper = w->gpu->generation >= 12 && k >= m->depth / 2;
	unsigned at = w->gpu->generation >= 12 ? k % (m->depth / 2) : k;
	bool neg = (k % 2 ? o->neg_hi : o->neg_lo) >> source & 1;
	double v;

	v = matrix_element(w, m->kind, o->src[source].reg,
		i + (upper ? 16 : 0), at, source == 1,
		o->neg_lo >> source & 1);
	return neg && (m->kind == MATRIX_f16 || m->kind == MATRIX_bf16) ?
		-v : v;
}

/* the rows of a lane's results, in order */
static unsigned
row(const struct wave *w, unsigned r, unsigned lane)
{
	unsigned group = lane / 16;

	if (w->gpu->generation >= 12)
		return r + 16 / (w->size / 16) * group;
	return r * (w->size / 16) + group;
}

/* where result r is: a register, and its bits */
static unsigned
word(const struct wave *w, const struct wmma *m, unsigned r)
{
	bool packed = m->to >= TO_f16 && w->gpu->generation >= 12;

	return packed ? r / 2 : r;
}

static unsigned
shift(const struct wave *w, const struct op *o, const struct wmma *m,
	unsigned r)
{
	if (m->to < TO_f16)
		return 0;
	if (w->gpu->generation >= 12)
		return r % 2 * 16;
	return o->op_sel >> 2 & 1 ? 16 : 0;
}

static double
addend(const struct wave *w, const struct op *o, const struct wmma *m,
	unsigned r, unsigned lane)
{
	const struct opnd *c = &o->src[2];
	uint32_t v = c->kind == OPND_VGPR ?
		w->v[c->reg + word(w, m, r)][lane] >> shift(w, o, m, r)
		: (uint32_t)c->value;
	double f;

	if (m->to == TO_i32)
		return (int32_t)v;
	f = m->to == TO_f32 ? float32(v) : m->to == TO_f16 ?
		f16_value((uint16_t)v) : bf16_value((uint16_t)v);
	if (o->neg_hi >> 2 & 1)
		f = fabs(f);
	return o->neg_lo >> 2 & 1 ? -f : f;
}

static uint32_t
result(const struct wave *w, const struct op *o, const struct wmma *m,
	unsigned r, unsigned lane)
{
	double sum = addend(w, o, m, r, lane);
	unsigned k, i = row(w, r, lane), j = lane % 16;

	for (k = 0; k < m->depth; k++)
		sum += element(w, o, m, 0, i, k) * element(w, o, m, 1, j, k);
	switch (m->to) {
	case TO_i32:
		return (uint32_t)(o->clamp ? alu_sat_i32((int64_t)sum)
			: (int32_t)(int64_t)sum);
	case TO_f32:
		return bits32(nan32((float)sum, (float)sum, 0, 0));
	case TO_f16:
		return f16_round(sum, 0);
	default:
		return bf16_round((float)sum, 0);
	}
}

static void
run(struct wave *w, const struct op *o, const struct wmma *m)
{
	uint32_t d[8][64], mask;
	unsigned rows = 16 * 16 / w->size, r, l, to = o->dst[0].reg, s;

	for (r = 0; r < rows; r++)
		for (l = 0; l < w->size; l++)
			d[r][l] = result(w, o, m, r, l);
	mask = m->to < TO_f16 ? UINT32_MAX : 0xffff;
	for (r = 0; r < rows; r++)
		for (l = 0; l < w->size; l++) {
			uint32_t *v = &w->v[to + word(w, m, r)][l];

			s = shift(w, o, m, r);
			*v = (*v & ~(mask << s)) | d[r][l] << s;
		}
}

#define WMMA(name, kind, to, k) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	static const struct wmma m = { MATRIX_##kind, TO_##to, k }; \
\
	run(w, o, &m); \
}
#define MFMA(name, kind, n, k, b)
#define MFMA64(name, kind, n, k, b)
#define ALIAS(name, row)

#include "isa/valu_matrix.def"
