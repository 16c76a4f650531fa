/* alu_half.c - floats of 16 and 8 bits.
 *
 * All are made from doubles: to a double every operation on halves is exact
 * or so far from a tie that rounding twice does no harm.
 */
#include "alu.h"

/* x in units of the last place, an integer below 2^52, rounded */
static double
round_units(double x, unsigned round, bool negative)
{
	double r, down;

	down = floor(x);
	r = x - down;
	if (r == 0)
		return down;
	switch (round) {
	case 0:
		if (r != 0.5)
			return down + (r > 0.5);
		return down + (fmod(down, 2) != 0);
	case 1:
		return negative ? down : down + 1;
	case 2:
		return negative ? down + 1 : down;
	default:
		return down;
	}
}

/* |x| as a float of mant bits behind the point and exponents from least, as
 * bits; the infinity is what comes behind the greatest */
static uint32_t
pack(double x, int mant, int least, unsigned round, bool negative)
{
	int e;
	double units;

	frexp(x, &e);
	e--;
	if (x == 0 || e < least)
		e = least;
	units = round_units(ldexp(x, mant - e), round, negative);
	/* a subnormal has no leading one; a carry into it raises e */
	return ((uint32_t)(e - least) << mant) + (uint32_t)units;
}

float
f16_value(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, m = h & 0x7fff;

	if (m >= 0x7c00)
		return float32(sign | 0x7f800000 | (m & 0x3ff) << 13);
	if (m >= 0x400)
		return float32(sign | ((m << 13) + 0x38000000));
	return float32(sign | bits32((float)m * 0x1p-24f));
}

/* a normal half, where to nearest: the common case, in integers */
static bool
quick(uint64_t b, uint16_t *h)
{
	uint64_t m;

	m = b & ~((uint64_t)1 << 63);
	if (m < (uint64_t)0x3f1 << 52 || m >= (uint64_t)0x40e << 52)
		return false;
	m -= (uint64_t)0x3f0 << 52;
	m += ((uint64_t)1 << 41) - 1 + (m >> 42 & 1);
	*h = (uint16_t)(b >> 48 & 0x8000) | (uint16_t)(m >> 42);
	return true;
}

uint16_t
f16_round(double x, unsigned round)
{
	uint64_t b = bits64(x);
	uint16_t sign = b >> 48 & 0x8000, h;
	uint32_t m;

	if (round == 0 && quick(b, &h))
		return h;
	if (x != x)
		return sign | 0x7e00 | (b >> 42 & 0x3ff);
	if (isinf(x))
		return sign | 0x7c00;
	if (fabs(x) >= 65536) {
		if (round == 3 || (round == 1 && sign) || (round == 2 && !sign))
			return sign | 0x7bff;
		return sign | 0x7c00;
	}
	m = pack(fabs(x), 10, -14, round, sign != 0);
	return sign | (uint16_t)m;
}

static bool
is_nan16(uint16_t h)
{
	return (h & 0x7fff) > 0x7c00;
}

uint16_t
f16_result(double x, unsigned round, uint16_t a, uint16_t b, uint16_t c)
{
	if (x == x)
		return f16_round(x, round);
	return is_nan16(a) ? a | 0x200 : is_nan16(b) ? b | 0x200
		: is_nan16(c) ? c | 0x200 : 0x7e00;
}

uint16_t
alu_fract16(uint16_t h)
{
	double x = f16_value(h), r = x - floor(x);

	if (x != x || isinf(x))
		return x != x ? h | 0x200 : 0x7e00;
	return r > 0x1.ffcp-1 ? 0x3bff : f16_round(r, 0);
}

float
bf16_value(uint16_t h)
{
	return float32((uint32_t)h << 16);
}

uint16_t
bf16_round(float f, unsigned round)
{
	uint32_t u = bits32(f), low = u & 0xffff;
	bool negative = u >> 31;

	if (f != f)
		return (uint16_t)(u >> 16 | 0x40);
	if (isinf(f))
		return (uint16_t)(u >> 16);
	if (round == 0)
		u += 0x7fff + (u >> 16 & 1);
	else if (low && ((round == 1 && !negative) || (round == 2 && negative)))
		u += 0x10000;
	return (uint16_t)(u >> 16);
}

float
f8_value(uint8_t b, bool wide, bool fnuz)
{
	int mant = wide ? 2 : 3, bias = (wide ? 15 : 7) + fnuz;
	int e = (b & 0x7f) >> mant, m = b & ((1 << mant) - 1);
	double x;

	if (fnuz ? b == 0x80 : wide ? (b & 0x7f) > 0x7c : (b & 0x7f) == 0x7f)
		return float32(0x7fc00000 |
			(fnuz ? 0 : (uint32_t)(b & 0x80) << 24));
	if (!fnuz && wide && (b & 0x7f) == 0x7c)
		x = INFINITY;
	else
		x = e ? ldexp(m + (1 << mant), e - bias - mant)
			: ldexp(m, 1 - bias - mant);
	return (float)(b & 0x80 ? -x : x);
}

/* what is too large, or infinite */
static uint8_t
f8_large(bool wide, bool fnuz, bool saturate, uint8_t sign)
{
	if (saturate)
		return sign | (fnuz ? 0x7f : wide ? 0x7b : 0x7e);
	return fnuz ? 0x80 : sign | (wide ? 0x7c : 0x7f);
}

static uint8_t
f8_nan(bool fnuz, uint8_t sign)
{
	return fnuz ? 0x80 : sign | 0x7f;
}

static uint8_t
f8_finish(uint32_t m, bool wide, bool fnuz, bool saturate, uint8_t sign)
{
	uint32_t most = fnuz ? 0x7f : wide ? 0x7b : 0x7e;

	if (m > most)
		return f8_large(wide, fnuz, saturate, sign);
	return fnuz && !m ? 0 : sign | (uint8_t)m;
}

uint8_t
f8_round(float f, bool wide, bool fnuz, bool saturate)
{
	uint8_t sign = bits32(f) >> 24 & 0x80;
	int bias = (wide ? 15 : 7) + fnuz;

	if (f != f)
		return f8_nan(fnuz, sign);
	if (isinf(f) || fabsf(f) > 1e6f)
		return f8_large(wide, fnuz, saturate, sign);
	return f8_finish(pack(fabsf(f), wide ? 2 : 3, 1 - bias, 0, false),
		wide, fnuz, saturate, sign);
}

uint8_t
f8_dither(float f, bool wide, bool fnuz, bool saturate, uint32_t dither)
{
	uint8_t sign = bits32(f) >> 24 & 0x80;
	int bias = (wide ? 15 : 7) + fnuz, mant = wide ? 2 : 3, e;
	double x;

	if (f != f)
		return f8_nan(fnuz, sign);
	if (isinf(f) || fabsf(f) > 1e6f)
		return f8_large(wide, fnuz, saturate, sign);
	frexp(f, &e);
	e = f == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1;
	x = fabs(f) + ldexp(dither >> (9 + mant), e - 23);
	return f8_finish(pack(x, mant, 1 - bias, 3, false), wide, fnuz,
		saturate, sign);
}
