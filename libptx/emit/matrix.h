/* matrix.h - what the matrix instructions share; private to emit/.
 *
 * A fragment is what one lane holds of a matrix: its registers, and in them
 * its elements, counted through the registers upwards.  fragment.def says
 * which they are.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "emit_int.h"

enum {
	FRAG_LANE_BITS = 5,     /* of a lane's number */
	FRAG_ELEM_BITS = 7,     /* of an element's number, at most */
	FRAG_BITS = 8,          /* of a row's or a column's, at most */
};

struct frag {
	const char *shape;
	uint8_t operand, bits;
	char layout;
	const char *rows, *cols;
};

/* a row or column number bit by bit, lowest first: 0 to 4, that bit of this
 * lane's number; else constant */
enum { COORD_0 = FRAG_LANE_BITS, COORD_1 };

struct coord {
	uint8_t bit[FRAG_BITS];
};

/* reads elements of other lanes' fragments.  All in one basic block: what
 * has been fetched once is kept. */
struct gather {
	struct emit *e;
	LLVMValueRef lane;       /* this lane's number */
	const struct frag *frag[FRAG_D];
	unsigned bits[FRAG_D];   /* of an element */
	LLVMValueRef reg[FRAG_D][FRAG_REGS];
	size_t nkept;
	struct kept {
		uint64_t key;
		LLVMValueRef v;
	} kept[256];
};

/* fragment.c */
const struct frag *frag_find(const char *shape, enum frag_operand,
	unsigned bits, char layout);
unsigned frag_elems(const struct frag *);
/* registers of bits-wide elements, copies not counted */
unsigned frag_regs(const struct frag *, unsigned bits);
/* do a register's elements follow each other along this coordinate? */
bool frag_packed(const char *place, unsigned bits);
/* the part of a row or column number that the element's number gives */
unsigned frag_static(const char *place, unsigned elem);
struct coord frag_coord(const char *place, unsigned elem);
struct coord coord_const(unsigned);
/* the shape that i spells: "m16n8k4"; 0: none */
const char *matrix_shape(const struct insn *);
/* how many registers operand o has */
unsigned matrix_count(const struct opnd *o);
/* register r of operand o, whose elements are bits wide, as i32 or i64 */
LLVMValueRef matrix_read(struct emit *, const struct opnd *o, unsigned r,
	unsigned bits);
void matrix_write(struct emit *, const struct opnd *o, unsigned r,
	unsigned bits, LLVMValueRef);

/* gather.c */
/* a number of n bits, each as in struct coord, as an i32 */
LLVMValueRef lane_number(struct emit *, LLVMValueRef lane, const uint8_t *bit,
	int n);
/* v, an integer of whole words or a pointer, of the lane whose number bit
 * says */
LLVMValueRef lane_fetch(struct emit *, LLVMValueRef lane, const uint8_t *bit,
	LLVMValueRef v);
/* the register with the element at row, col of a fragment, shifted so that
 * this stands lowest */
LLVMValueRef gather(struct gather *, enum frag_operand, struct coord row,
	struct coord col);
bool kept_find(struct gather *, uint64_t key, LLVMValueRef *);
LLVMValueRef kept_add(struct gather *, uint64_t key, LLVMValueRef);

/* widen.c - a register of four small floats as two of two f16 each */
void mma_widen(struct emit *, enum type, LLVMValueRef v, LLVMValueRef half[2]);

/* mma_form.c - a product's form, taken apart */
struct mma {
	enum mma_way {
		MMA_FLOAT,           /* in f32 */
		MMA_DOUBLE,
		MMA_INTEGER,         /* from here on: integers, of which a
		                      * register holds several */
		MMA_BITS,
	} way;
	const char *shape;
	char layout[2];              /* of a and b: r or c */
	bool saturate;
	bool both;                   /* b1: and, not xor */
	enum round round;            /* f64 */
	unsigned k;
	enum type type[NFRAG];
	unsigned bits[NFRAG];
	unsigned nreg[NFRAG];        /* copies not counted */
	const struct frag *frag[NFRAG];
};

/* false: there is no such form in fragment.def */
bool mma_form(struct emit *, struct mma *, const struct insn *);
/* the layout of a fragment; layout: r or c; 0: there is none */
const struct frag *mma_frag(struct emit *, const char *shape,
	enum frag_operand, enum type, char layout);

#endif
