/* matrix.c - elements of the matrix instructions' operands. */
#include "matrix.h"

unsigned
matrix_bits(enum matrix_kind kind)
{
	static const uint8_t bits[] = {
		[MATRIX_f64] = 64, [MATRIX_f32] = 32, [MATRIX_xf32] = 32,
		[MATRIX_f16] = 16, [MATRIX_bf16] = 16, [MATRIX_i8] = 8,
		[MATRIX_i4] = 4, [MATRIX_fp8fp8] = 8, [MATRIX_fp8bf8] = 8,
		[MATRIX_bf8fp8] = 8, [MATRIX_bf8bf8] = 8,
	};

	return bits[kind];
}

static double
integer(uint32_t v, unsigned bits, bool is_signed)
{
	v <<= 32 - bits;
	return is_signed ? (double)((int32_t)v >> (32 - bits))
		: (double)(v >> (32 - bits));
}

double
matrix_element(const struct wave *w, enum matrix_kind kind, unsigned reg,
	unsigned lane, unsigned k, bool second, bool is_signed)
{
	unsigned bits = matrix_bits(kind), at = k * bits;
	uint32_t v = w->v[reg + at / 32][lane] >> at % 32;
	bool fnuz = w->gpu->generation < 10;

	switch (kind) {
	case MATRIX_f64:
		return float64(w->v[reg + at / 32][lane] |
			(uint64_t)w->v[reg + at / 32 + 1][lane] << 32);
	case MATRIX_f32:
		return float32(v);
	case MATRIX_xf32:
		return float32(v & 0xffffe000);
	case MATRIX_f16:
		return f16_value((uint16_t)v);
	case MATRIX_bf16:
		return bf16_value((uint16_t)v);
	case MATRIX_i8:
	case MATRIX_i4:
		return integer(v, bits, is_signed);
	default:
		return f8_value((uint8_t)v, second ? kind == MATRIX_fp8bf8 ||
			kind == MATRIX_bf8bf8 : kind == MATRIX_bf8fp8 ||
			kind == MATRIX_bf8bf8, fnuz);
	}
}
