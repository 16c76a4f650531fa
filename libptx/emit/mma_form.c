/* mma_form.c - what a product of matrices is: shape, types, layouts.
 *
 * Read from the words of the instruction, for mma and wmma.mma alike.
 */
#include "matrix.h"
#include <stdlib.h>
#include <string.h>

static const struct {
	uint8_t type, bits, way; /* bits: that an element takes */
} type_row[] = {
	{ T_F16,  16, MMA_FLOAT },
	{ T_BF16, 16, MMA_FLOAT },
	{ T_TF32, 32, MMA_FLOAT },
	{ T_E4M3, 8,  MMA_FLOAT },
	{ T_E5M2, 8,  MMA_FLOAT },
	{ T_E3M2, 8,  MMA_FLOAT },
	{ T_E2M3, 8,  MMA_FLOAT },
	{ T_E2M1, 8,  MMA_FLOAT },
	{ T_F64,  64, MMA_DOUBLE },
	{ T_U8,   8,  MMA_INTEGER },
	{ T_S8,   8,  MMA_INTEGER },
	{ T_U4,   4,  MMA_INTEGER },
	{ T_S4,   4,  MMA_INTEGER },
	{ T_B1,   1,  MMA_BITS },
};

/* the major orders of a and b, in this order, and what b1 products are */
static void
read_words(struct mma *m, const struct op *op)
{
	const char *w;
	int i, n;

	for (i = 0, n = 0; i < op->nword; i++) {
		w = op->word[i].word;
		if (!strcmp(w, "row") || !strcmp(w, "col"))
			m->layout[n++ & 1] = w[0];
		else if (!strncmp(w, "and", 3)) /* and.popc */
			m->both = true;
	}
}

/* f16 products of wmma spell the types of d and c alone */
static void
read_types(struct mma *m, const struct insn *i)
{
	m->type[FRAG_D] = insn_type(i, 0);
	m->type[FRAG_C] = insn_type(i, insn_type(i, 2) ? 3 : 1);
	m->type[FRAG_A] = insn_type(i, 2) ? insn_type(i, 1) : T_F16;
	m->type[FRAG_B] = insn_type(i, 2) ? insn_type(i, 2) : T_F16;
}

/* the row of a type of a or b, or -1 */
static int
find_type(enum type t)
{
	int i, n = sizeof type_row / sizeof *type_row;

	for (i = 0; i < n; i++)
		if (type_row[i].type == t)
			return i;
	return -1;
}

static unsigned
element_bits(enum type t)
{
	int i = find_type(t);

	return i < 0 ? type_info[t].bits : type_row[i].bits;
}

const struct frag *
mma_frag(struct emit *e, const char *shape, enum frag_operand operand,
	enum type t, char layout)
{
	const struct frag *f;

	if (operand == FRAG_D)
		operand = FRAG_C;
	f = e->t->frag(e, shape, operand, t);
	return f ? f : frag_find(shape, operand, element_bits(t), layout);
}

bool
mma_form(struct emit *e, struct mma *m, const struct insn *i)
{
	const char *k;
	int op, row;

	memset(m, 0, sizeof *m);
	m->shape = matrix_shape(i);
	read_words(m, i->op);
	read_types(m, i);
	if (!m->shape || !(k = strchr(m->shape, 'k')))
		return false;
	m->k = (unsigned)atoi(k + 1);
	row = find_type(m->type[FRAG_A]);
	if (row < 0)
		return false;
	m->way = type_row[row].way;
	for (op = 0; op <= FRAG_D; op++) {
		m->bits[op] = element_bits(m->type[op]);
		m->frag[op] = mma_frag(e, m->shape, op, m->type[op],
			op < FRAG_C ? m->layout[op] : 0);
		if (!m->frag[op])
			return false;
		m->nreg[op] = frag_regs(m->frag[op], m->bits[op]);
	}
	m->saturate = insn_has(i, "satfinite");
	m->round = emit_round(i, ROUND_RN);
	return true;
}
