/* alu.h - what the vector units compute that C has no operator for.
 *
 * Nothing here knows of waves.  Half and bfloat values are their bits.  A
 * rounding is a field of the MODE register: 0 to nearest, 1 up, 2 down,
 * 3 to zero; where none is given the host's rounding mode decides, which
 * valu_begin() sets.
 */
#ifndef ALU_H
#define ALU_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
bits32(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline float
float32(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static inline uint64_t
bits64(double f)
{
	uint64_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline double
float64(uint64_t u)
{
	double f;

	memcpy(&f, &u, sizeof f);
	return f;
}

/* biased exponents */
static inline int
exponent32(float f)
{
	return bits32(f) >> 23 & 0xff;
}

static inline int
exponent64(double f)
{
	return bits64(f) >> 52 & 0x7ff;
}

/* a subnormal as the zero of its sign */
static inline float
flush32(float f)
{
	return exponent32(f) ? f : float32(bits32(f) & 0x80000000);
}

static inline double
flush64(double f)
{
	return exponent64(f) ? f : float64(bits64(f) & (uint64_t)1 << 63);
}

static inline uint16_t
flush16(uint16_t h)
{
	return h & 0x7c00 ? h : h & 0x8000;
}

/* A NaN that an operation makes is positive; one that it was given comes
 * out quiet.  x86 makes negative ones. */
static inline float
nan32(float r, float a, float b, float c)
{
	if (r == r)
		return r;
	if (a == a && b == b && c == c)
		return float32(0x7fc00000);
	r = a != a ? a : b != b ? b : c;
	return float32(bits32(r) | 0x400000);
}

static inline double
nan64(double r, double a, double b, double c)
{
	if (r == r)
		return r;
	if (a == a && b == b && c == c)
		return float64((uint64_t)0x7ff8 << 48);
	r = a != a ? a : b != b ? b : c;
	return float64(bits64(r) | (uint64_t)1 << 51);
}

/* alu_half.c */
float f16_value(uint16_t h);                /* NaNs keep their payload */
uint16_t f16_round(double, unsigned round);
/* the same for the result of an operation on a, b and c */
uint16_t f16_result(double, unsigned round, uint16_t a, uint16_t b,
	uint16_t c);
uint16_t alu_fract16(uint16_t);
float bf16_value(uint16_t);
uint16_t bf16_round(float, unsigned round);
/* 8 bits: e5m2 where wide, else e4m3; fnuz: gfx942's, which has no infinity
 * and one NaN, 0x80; else OCP's */
float f8_value(uint8_t, bool wide, bool fnuz);
/* to nearest; too large becomes the largest where it saturates, else the
 * infinity or NaN.  dither: bits added below the result's last one, of which
 * the highest counts half of that (stochastic rounding) */
uint8_t f8_round(float, bool wide, bool fnuz, bool saturate);
uint8_t f8_dither(float, bool wide, bool fnuz, bool saturate, uint32_t dither);

/* alu_math.c: estimates.  These of f32 take subnormals for zeros and give
 * none, but alu_sqrt32(); those of f64 are good to 2^-26 only */
float alu_rcp32(float), alu_rsq32(float), alu_sqrt32(float);
float alu_exp32(float), alu_log32(float);   /* base 2 */
float alu_sin32(float), alu_cos32(float);   /* of turns in [-256, 256] */
double alu_rcp64(double), alu_rsq64(double), alu_sqrt64(double);
/* of and to halves, as doubles to be rounded */
double alu_rcp16(double), alu_rsq16(double);
double alu_sin16(double), alu_cos16(double);

/* alu_div.c: the steps of a division num / den; *vcc is set where
 * div_fmas must scale back.  x is num or den, as bits. */
float alu_div_scale32(float x, float den, float num, bool *vcc);
double alu_div_scale64(double x, double den, double num, bool *vcc);
float alu_div_fmas32(float, float, float, bool vcc);
double alu_div_fmas64(double, double, double, bool vcc);
float alu_div_fixup32(float quotient, float den, float num);
double alu_div_fixup64(double quotient, double den, double num);
float alu_ldexp32(float, int32_t);
double alu_ldexp64(double, int32_t);
int32_t alu_frexp_exp(double);              /* 0 for 0, infinity and NaN */
double alu_frexp_mant(double);
float alu_fract32(float);
double alu_fract64(double);
double alu_rndne(double);
double alu_trig_preop(double, uint32_t segment);
/* v_cmp_class: is x of a class in mask? */
bool alu_class16(uint16_t, uint32_t mask), alu_class32(float, uint32_t mask);
bool alu_class64(double, uint32_t mask);

/* alu_minmax.c: as v_min and v_max do it, quieting in IEEE mode; as
 * minimumNumber and maximumNumber (gfx12's _num); as minimum and maximum */
float alu_min32(float, float, bool ieee), alu_max32(float, float, bool ieee);
double alu_min64(double, double, bool ieee);
double alu_max64(double, double, bool ieee);
float alu_med32(float, float, float, bool ieee);
float alu_minnum32(float, float), alu_maxnum32(float, float);
double alu_minnum64(double, double), alu_maxnum64(double, double);
float alu_mednum32(float, float, float);
float alu_minimum32(float, float), alu_maximum32(float, float);
double alu_minimum64(double, double), alu_maximum64(double, double);

/* alu_int.c */
int32_t alu_sat_i32(int64_t), alu_sat_i16(int32_t), alu_sat_i8(int32_t);
uint32_t alu_sat_u32(int64_t), alu_sat_u16(int32_t), alu_sat_u8(int32_t);
int32_t alu_to_i32(double);                 /* truncates, saturates; NaN: 0 */
uint32_t alu_to_u32(double);
int32_t alu_to_i16(double);
uint32_t alu_to_u16(double);
uint32_t alu_bfe_u32(uint32_t, uint32_t offset, uint32_t width);
int32_t alu_bfe_i32(uint32_t, uint32_t offset, uint32_t width);
uint32_t alu_reverse(uint32_t);
uint32_t alu_clz(uint32_t), alu_ctz(uint32_t), alu_cls(uint32_t); /* or -1 */
uint32_t alu_perm(uint32_t hi, uint32_t lo, uint32_t sel);
uint32_t alu_sad_u8(uint32_t, uint32_t, uint32_t);
uint32_t alu_msad_u8(uint32_t, uint32_t ref, uint32_t);
uint32_t alu_lerp_u8(uint32_t, uint32_t, uint32_t);
int32_t alu_dot_i(uint32_t, bool asigned, uint32_t, bool bsigned,
	unsigned bits, int32_t c, bool clamp, bool usigned);
int64_t alu_mid_i(int64_t, int64_t, int64_t);

#endif
