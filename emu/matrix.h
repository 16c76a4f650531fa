/* matrix.h - elements of the matrix instructions' operands. */
#ifndef MATRIX_H
#define MATRIX_H

#include "alu.h"
#include "emu.h"

enum matrix_kind { MATRIX_f64, MATRIX_f32, MATRIX_xf32, MATRIX_f16,
	MATRIX_bf16, MATRIX_i8, MATRIX_i4, MATRIX_fp8fp8, MATRIX_fp8bf8,
	MATRIX_bf8fp8, MATRIX_bf8bf8 };

/* bits of an element of A and B */
unsigned matrix_bits(enum matrix_kind);
/* element k of those that a lane holds from register reg on: as a double, for
 * integers exact.  second: it is of B; is_signed: of integers */
double matrix_element(const struct wave *, enum matrix_kind, unsigned reg,
	unsigned lane, unsigned k, bool second, bool is_signed);

#endif
