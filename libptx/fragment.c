/* fragment.c - how many registers the vector operands of matrices have.
 *
 * A fragment spreads a matrix over the lanes: rows times columns times bits
 * over 32 registers' bits a lane.  What departs from that: wmma keeps f16
 * twice, m8n8k4 is four products of quads of lanes, and the 8 bit kinds pad
 * narrower elements.
 */
#include "form.h"
#include <stdlib.h>
#include <string.h>

struct shape_mnk {
	int m, n, k;
};

static const char *
word(const struct op *op, const char *slot)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (!strcmp(op->word[k].slot, slot))
			return op->word[k].word;
	return 0;
}

static const char *
word_starting(const struct op *op, const char *s)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (!strncmp(op->word[k].word, s, strlen(s)))
			return op->word[k].word;
	return 0;
}

/* m16n8k32 among the words */
static bool
read_shape(const struct op *op, struct shape_mnk *s)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (sscanf(op->word[k].word, "m%dn%dk%d", &s->m, &s->n, &s->k)
		== 3)
			return true;
	return false;
}

static int
element_bits(const struct op *op, enum type t)
{
	const char *kind;

	kind = word_starting(op, "kind::");
	if (kind && (!strcmp(kind, "kind::f8f6f4")
	|| !strcmp(kind, "kind::mxf8f6f4")) && type_info[t].bits < 8)
		return 8;
	return type_info[t].bits;
}

/* of 32 bits, or of 64 for f64 */
static int
registers(int elements, int bits, int lanes)
{
	return elements * bits / (lanes * (bits == 64 ? 64 : 32));
}

static int
accumulator(const struct op *op, const struct shape_mnk *s, enum type t,
	int lanes)
{
	if (s->m == 8 && s->k == 4 && t != T_F64 && lanes == 32)
		return t == T_F16 ? 4 : 8;
	return registers(s->m * s->n, element_bits(op, t), lanes);
}

static int
factor(const struct op *op, const struct shape_mnk *s, char which, enum type t,
	int lanes)
{
	int rows, depth;

	if (s->m == 8 && s->k == 4 && t == T_F16)
		return 2;
	if (t == T_F16 && !strncmp(op->name->text, "wmma", 4))
		return 8;
	rows = which == 'a' ? s->m : s->n;
	depth = which == 'a' && word_starting(op, "sp") ? s->k / 2 : s->k;
	return registers(rows * depth, element_bits(op, t), lanes);
}

static int
matrix(const struct op *op, const char *name, enum type t)
{
	struct shape_mnk s;
	const char *frag;
	int lanes;

	if (!read_shape(op, &s))
		return 0;
	lanes = !strncmp(op->name->text, "wgmma", 5) ? 128 : 32;
	frag = word(op, "frag");
	frag = frag ? frag : op->id == INSN_WMMA_LD_SUB ? "a"
		: op->id == INSN_WMMA_LD_SUB_B ? "b"
		: op->id == INSN_WMMA_LD_C || op->id == INSN_WMMA_ST ? "c" : 0;
	if (name[1])
		return 2;
	if (frag)
		name = frag;
	if (*name == 'a' || *name == 'b')
		return factor(op, &s, *name, t, lanes);
	return accumulator(op, &s, t, lanes);
}

static int
number(const struct op *op)
{
	const char *num;

	num = word(op, "num");
	return num ? atoi(num + 1) : 0;
}

/* tcgen05.ld and .st: registers a repetition */
static int
tensor_memory(const struct op *op)
{
	const char *shape;
	int each;

	shape = word(op, "shape");
	each = !shape ? 1 : !strcmp(shape, "16x128b") ? 2
		: !strcmp(shape, "16x256b") ? 4 : 1;
	return each * number(op);
}

static int
im2col(const struct op *op)
{
	const char *mode;

	mode = word(op, "mode");
	if (mode && strcmp(mode, "im2col"))
		return 2;
	return atoi(word(op, "dim")) - 2;
}

int
op_length(const struct op *op, const char *name, enum type t)
{
	const char *s;

	s = op->name->text;
	if (!strcmp(name, "lanes"))
		return word_starting(op, "cta_group::2") ? 8 : 4;
	if (!strcmp(name, "im2col"))
		return im2col(op);
	if (!strncmp(s, "ldmatrix", 8) || !strncmp(s, "stmatrix", 8))
		return number(op) * (word_starting(op, "m16n16") ? 2 : 1);
	if (!strncmp(s, "tcgen05", 7))
		return tensor_memory(op);
	if (op->id == INSN_CVT_F8X4_RS || op->id == INSN_CVT_F6X4_RS
	|| op->id == INSN_CVT_F4X4_RS)
		return 4;
	return strstr(s, "mma") ? matrix(op, name, t) : 0;
}
