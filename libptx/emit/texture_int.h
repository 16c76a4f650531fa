/* texture_int.h - what the chapters on textures and surfaces share; private to
 * emit/.
 *
 * Sampling is written in PTX, texture*.ptx, over the struct texture of
 * include/texture.h.  Its functions take a handle first, and the bits of
 * floats as integers.
 */
#ifndef TEXTURE_INT_H
#define TEXTURE_INT_H

#include "emit_int.h"

/* texture_call.c */
/* i64: the handle that operand o of a texture, surface or sampler is or
 * holds */
LLVMValueRef texture_handle(struct emit *, const struct opnd *o);
/* calls function name of texture*.ptx with n arguments, where it stands */
LLVMValueRef texture_inline(struct emit *, const char *name,
	LLVMValueRef arg[], unsigned n);
/* … once for each handle, arg[0], that the threads here have: in what is
 * called it is the same in all of them.  For what is large. */
LLVMValueRef texture_call(struct emit *, const char *name,
	LLVMValueRef arg[], unsigned n);

/* coordinate k, an i32, of operand o: a vector or only one; what is not there
 * is 0 */
LLVMValueRef texture_coord(struct emit *, const struct opnd *o, uint32_t k);

/* where the coordinates of a geometry stand in its operand; 0xf: there is no
 * such */
struct texture_geometry {
	const char *word;       /* ".geom" */
	uint8_t x, y, z, layer;
};

/* of the ".geom" of i; 0: refused */
const struct texture_geometry *texture_geometry(struct emit *,
	const struct insn *i);

#endif
