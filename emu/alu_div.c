/* alu_div.c - the steps of a division, and parts of floats.
 *
 * v_div_scale moves numerator and denominator to where the refinement of a
 * quotient neither overflows nor loses bits, v_div_fmas moves the quotient
 * back, v_div_fixup settles the special values.
 */
#include "alu.h"

/* both widths, from their parts: F float type, W bits, N the exponent's
 * greatest, FAR a distance of exponents, TINY an exponent, S the scale */
#define DIVISION(F, W, N, FAR, TINY, S, LEAST, UNDER) \
static bool \
is_tiny##W(F f) \
{ \
	return fabs(f) < LEAST; \
} \
\
F \
alu_div_scale##W(F x, F den, F num, bool *vcc) \
{ \
	bool is_den = bits##W(x) == bits##W(den); \
	bool is_num = bits##W(x) == bits##W(num); \
\
	*vcc = false; \
	if (num == 0 || den == 0) \
		return (F)NAN; \
	if (exponent##W(num) - exponent##W(den) >= FAR) { \
		*vcc = true; \
		return is_den ? alu_ldexp##W(x, S) : x; \
	} \
	if (is_tiny##W(den)) \
		return alu_ldexp##W(x, S); \
	if (is_tiny##W(1 / den) && is_tiny##W(num / den)) { \
		*vcc = true; \
		return is_den ? alu_ldexp##W(x, -S) : x; \
	} \
	if (is_tiny##W(1 / den)) \
		return alu_ldexp##W(x, -S); \
	if (is_tiny##W(num / den)) { \
		*vcc = true; \
		return is_num ? alu_ldexp##W(x, S) : x; \
	} \
	return exponent##W(num) <= TINY ? alu_ldexp##W(x, S) : x; \
} \
\
F \
alu_div_fixup##W(F quotient, F den, F num) \
{ \
	bool negative = signbit(den) != signbit(num); \
	F r; \
\
	if (num != num || den != den) \
		return nan##W(num != num ? num : den, num, den, den); \
	if ((num == 0 && den == 0) || (isinf(num) && isinf(den))) \
		return (F)-NAN; \
	if (den == 0 || isinf(num)) \
		r = (F)INFINITY; \
	else if (isinf(den) || num == 0) \
		r = 0; \
	else if (exponent##W(num) - exponent##W(den) < UNDER) \
		r = 0; \
	else if (exponent##W(den) == N || quotient != quotient) \
		r = (F)INFINITY; /* the estimates overflowed */ \
	else \
		r = (F)fabs(quotient); \
	return negative ? -r : r; \
}

DIVISION(float, 32, 255, 96, 23, 64, 0x1p-126f, -150)
DIVISION(double, 64, 2047, 768, 53, 128, 0x1p-1022, -1075)

/* a + b; *rest: what the sum leaves out */
static double
two_sum(double a, double b, double *rest)
{
	double s = a + b, t = s - a;

	*rest = (a - (s - t)) + (b - t);
	return s;
}

/* scaled and rounded once: the sum is rounded to odd before */
float
alu_div_fmas32(float a, float b, float c, bool vcc)
{
	double s, rest;
	uint64_t u;

	if (!vcc)
		return nan32(fmaf(a, b, c), a, b, c);
	s = two_sum((double)a * b, c, &rest);
	u = bits64(s);
	if (rest != 0 && rest == rest && !isinf(s) && !(u & 1))
		s = float64((rest < 0) == (s < 0) ? u | 1 : u - 1);
	return nan32((float)ldexp(s, exponent32(c) > 127 ? 64 : -64),
		a, b, c);
}

/* s + rest, times 2^-128, where that is subnormal: in units of 2^-1074, with
 * two bits behind those of s that tell where the rest lies */
static double
scale_down(double s, double rest)
{
	uint64_t m, q, half;
	int shift = 131 - exponent64(s);

	m = ((bits64(s) & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52) << 2;
	if (rest != 0)
		m += (rest < 0) == (s < 0) ? 1 : (uint64_t)-1;
	if (shift > 60)
		return copysign(0, s);
	half = (uint64_t)1 << (shift - 1);
	q = m >> shift;
	m &= 2 * half - 1;
	q += m > half || (m == half && q & 1);
	return copysign(float64(q), s);
}

double
alu_div_fmas64(double a, double b, double c, bool vcc)
{
	double r = fma(a, b, c), p, s, rest;

	if (vcc && exponent64(c) > 1023)
		r = ldexp(r, 128);
	else if (vcc && exponent64(r) && exponent64(r) <= 128) {
		p = a * b;
		s = two_sum(p, c, &rest);
		r = scale_down(s, rest + fma(a, b, -p));
	} else if (vcc)
		r = ldexp(r, -128);
	return nan64(r, a, b, c);
}

float
alu_ldexp32(float f, int32_t n)
{
	return nan32(ldexpf(f, n), f, f, f);
}

double
alu_ldexp64(double f, int32_t n)
{
	return nan64(ldexp(f, n), f, f, f);
}

int32_t
alu_frexp_exp(double f)
{
	int e;

	if (f == 0 || f != f || isinf(f))
		return 0;
	frexp(f, &e);
	return e;
}

double
alu_frexp_mant(double f)
{
	int e;

	return f != f || isinf(f) ? f : frexp(f, &e);
}

float
alu_fract32(float f)
{
	float r = f - floorf(f);

	return isinf(f) ? float32(0x7fc00000)
		: nan32(r < 1 ? r : r == r ? 0x1.fffffep-1f : r, f, f, f);
}

double
alu_fract64(double f)
{
	double r = f - floor(f);

	return isinf(f) ? float64((uint64_t)0x7ff8 << 48)
		: nan64(r < 1 ? r : r == r ? 0x1.fffffffffffffp-1 : r, f, f, f);
}

/* 2/pi to 1201 bits, the most significant first */
static const uint32_t two_over_pi[] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
	0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
	0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
	0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
	0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
	0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
	0x56033046, 0xfc7b6bab,
};

/* 53 bits of 2/pi from the bit that the segment and the exponent tell */
double
alu_trig_preop(double f, uint32_t segment)
{
	int shift = (int)(segment & 31) * 53, scale, i, bit;
	uint64_t m;

	if (exponent64(f) > 1077)
		shift += exponent64(f) - 1077;
	for (m = 0, i = 0; i < 53; i++) {
		bit = shift + i;
		m = m << 1 | (bit < 38 * 32 ?
			two_over_pi[bit / 32] >> (31 - bit % 32) & 1 : 0);
	}
	scale = -53 - shift;
	if (exponent64(f) >= 1968)
		scale += 128;
	return ldexp((double)m, scale);
}

/* bits of the mask: signalling NaN, quiet NaN, -infinity, -normal,
 * -subnormal, -0, +0, +subnormal, +normal, +infinity */
static bool
in_class(bool negative, unsigned exponent, unsigned most, uint64_t mant,
	bool quiet, uint32_t mask)
{
	unsigned k;

	if (exponent == most && mant)
		return mask >> quiet & 1;
	k = exponent == most ? 3 : exponent ? 2 : mant ? 1 : 0;
	return mask >> (negative ? 5 - k : 6 + k) & 1;
}

bool
alu_class16(uint16_t h, uint32_t mask)
{
	return in_class(h >> 15, h >> 10 & 31, 31, h & 0x3ff, h >> 9 & 1, mask);
}

bool
alu_class32(float f, uint32_t mask)
{
	uint32_t u = bits32(f);

	return in_class(u >> 31, u >> 23 & 255, 255, u & 0x7fffff,
		u >> 22 & 1, mask);
}

bool
alu_class64(double f, uint32_t mask)
{
	uint64_t u = bits64(f);

	return in_class(u >> 63, u >> 52 & 2047, 2047,
		u & (((uint64_t)1 << 52) - 1), u >> 51 & 1, mask);
}

/* to nearest even whatever the host's mode */
double
alu_rndne(double f)
{
	double down = floor(f), r = f - down;

	if (f != f || isinf(f) || r == 0)
		return nan64(f, f, f, f);
	if (r > 0.5 || (r == 0.5 && fmod(down, 2) != 0))
		down += 1;
	return copysign(down, f);
}
