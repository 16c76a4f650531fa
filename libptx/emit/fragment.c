/* fragment.c - the layouts of matrix fragments, looked up and read.
 *
 * Every layout is linear in the bits of the numbers involved (fragment.def),
 * so that a place is found by moving bits, for constants here and for lane
 * numbers in the code that is made.
 */
#include "matrix.h"
#include <ctype.h>
#include <string.h>

static const struct frag frags[] = {
#define FRAG(shape, operand, bits, layout, rows, cols) \
	{ #shape, FRAG_##operand, bits, layout, rows, cols },
#include "fragment.def"
#undef FRAG
};

const struct frag *
frag_find(const char *shape, enum frag_operand operand, unsigned bits,
	char layout)
{
	const struct frag *f;

	for (f = frags; f < frags + sizeof frags / sizeof *frags; f++)
		if (f->operand == operand && !strcmp(f->shape, shape) &&
		    (!f->bits || f->bits == bits) &&
		    (!f->layout || f->layout == layout))
			return f;
	return 0;
}

/* one more than the largest element number that place needs */
static unsigned
elems(const char *place)
{
	unsigned n;

	for (n = 1; *place; place++)
		if (islower((unsigned char)*place) && n < 2u << (*place - 'a'))
			n = 2u << (*place - 'a');
	return n;
}

unsigned
frag_elems(const struct frag *f)
{
	unsigned r = elems(f->rows), c = elems(f->cols);

	return r > c ? r : c;
}

unsigned
frag_regs(const struct frag *f, unsigned bits)
{
	return bits < 32 ? frag_elems(f) * bits / 32 : frag_elems(f);
}

bool
frag_packed(const char *place, unsigned bits)
{
	unsigned i;

	for (i = 0; bits << i < 32; i++)
		if (place[i] != (char)('a' + i))
			return false;
	return true;
}

unsigned
frag_static(const char *place, unsigned elem)
{
	unsigned i, n;

	for (i = n = 0; place[i]; i++)
		if (islower((unsigned char)place[i]))
			n |= (elem >> (place[i] - 'a') & 1) << i;
	return n;
}

struct coord
frag_coord(const char *place, unsigned elem)
{
	struct coord c = coord_const(frag_static(place, elem));
	unsigned i;

	for (i = 0; place[i]; i++)
		if (isdigit((unsigned char)place[i]))
			c.bit[i] = (uint8_t)(place[i] - '0');
	return c;
}

struct coord
coord_const(unsigned n)
{
	struct coord c;
	int i;

	for (i = 0; i < FRAG_BITS; i++)
		c.bit[i] = n >> i & 1 ? COORD_1 : COORD_0;
	return c;
}

const char *
matrix_shape(const struct insn *i)
{
	const char *w;
	int k;

	for (k = 0; k < i->op->nword; k++) {
		w = i->op->word[k].word;
		if (w[0] == 'm' && isdigit((unsigned char)w[1]))
			return w;
	}
	return 0;
}

unsigned
matrix_count(const struct opnd *o)
{
	return o->kind == OP_VEC ? o->n : 1;
}

/* register r of an operand that may be a tuple */
static const struct opnd *
member(const struct opnd *o, unsigned r)
{
	return o->kind == OP_VEC ? &o->u.list[r] : o;
}

LLVMValueRef
matrix_read(struct emit *e, const struct opnd *o, unsigned r, unsigned bits)
{
	return emit_read(e, member(o, r), bits == 64 ? T_B64 : T_B32);
}

void
matrix_write(struct emit *e, const struct opnd *o, unsigned r, unsigned bits,
	LLVMValueRef v)
{
	emit_write(e, member(o, r), bits == 64 ? T_B64 : T_B32, v);
}
