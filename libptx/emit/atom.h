/* atom.h - one atomic operation, as the files atom*.c hand it around. */
#ifndef ATOM_H
#define ATOM_H

#include "emit_int.h"

struct atom {
	struct atomic at;
	enum type type;      /* of one element */
	enum space space;    /* GENERIC, GLOBAL, SHARED */
	const char *op;      /* "add" */
	LLVMValueRef b, c;   /* bits of type's width; c of cas alone */
};

/* atom.c */
const char *emit_atom_op(const struct insn *);
LLVMValueRef emit_atom_one(struct emit *, const struct atom *);

/* these and emit_atom_one return what was there, as bits */

/* atom_float.c: add, min, max of floats */
LLVMValueRef emit_atom_float(struct emit *, const struct atom *);
/* atom_loop.c: what step makes of the old value goes there, by compare and
 * swap until nobody came in between */
LLVMValueRef emit_atom_loop(struct emit *, const struct atom *,
	LLVMValueRef (*step)(struct emit *, const struct atom *,
		LLVMValueRef old));

#endif
