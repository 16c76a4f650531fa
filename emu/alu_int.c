/* alu_int.c - integers: saturation, bits, bytes. */
#include "alu.h"

int32_t
alu_sat_i32(int64_t v)
{
	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN
		: (int32_t)v;
}

uint32_t
alu_sat_u32(int64_t v)
{
	return v > UINT32_MAX ? UINT32_MAX : v < 0 ? 0 : (uint32_t)v;
}

int32_t
alu_sat_i16(int32_t v)
{
	return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v;
}

uint32_t
alu_sat_u16(int32_t v)
{
	return v > UINT16_MAX ? UINT16_MAX : v < 0 ? 0 : (uint32_t)v;
}

int32_t
alu_sat_i8(int32_t v)
{
	return v > INT8_MAX ? INT8_MAX : v < INT8_MIN ? INT8_MIN : v;
}

uint32_t
alu_sat_u8(int32_t v)
{
	return v > UINT8_MAX ? UINT8_MAX : v < 0 ? 0 : (uint32_t)v;
}

int32_t
alu_to_i32(double f)
{
	if (f != f)
		return 0;
	return f >= 0x1p31 ? INT32_MAX : f <= -0x1p31 ? INT32_MIN : (int32_t)f;
}

uint32_t
alu_to_u32(double f)
{
	if (!(f > 0))
		return 0;
	return f >= 0x1p32 ? UINT32_MAX : (uint32_t)f;
}

int32_t
alu_to_i16(double f)
{
	return alu_sat_i16(alu_to_i32(f));
}

uint32_t
alu_to_u16(double f)
{
	uint32_t u = alu_to_u32(f);

	return u > UINT16_MAX ? UINT16_MAX : u;
}

uint32_t
alu_bfe_u32(uint32_t v, uint32_t offset, uint32_t width)
{
	return v >> (offset & 31) & ((1u << (width & 31)) - 1);
}

int32_t
alu_bfe_i32(uint32_t v, uint32_t offset, uint32_t width)
{
	offset &= 31;
	width &= 31;
	if (!width)
		return 0;
	if (offset + width >= 32)
		return (int32_t)v >> offset;
	return (int32_t)(v << (32 - offset - width)) >> (32 - width);
}

uint32_t
alu_reverse(uint32_t v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

uint32_t
alu_clz(uint32_t v)
{
	return v ? (uint32_t)__builtin_clz(v) : UINT32_MAX;
}

uint32_t
alu_ctz(uint32_t v)
{
	return v ? (uint32_t)__builtin_ctz(v) : UINT32_MAX;
}

/* the first bit from above that is not as the sign */
uint32_t
alu_cls(uint32_t v)
{
	return alu_clz(v >> 31 ? ~v : v);
}

static uint32_t
perm_byte(uint64_t both, uint32_t sel)
{
	if (sel < 8)
		return both >> sel * 8 & 0xff;
	if (sel < 12)
		return both >> ((sel - 8) * 16 + 15) & 1 ? 0xff : 0;
	return sel == 12 ? 0 : 0xff;
}

uint32_t
alu_perm(uint32_t hi, uint32_t lo, uint32_t sel)
{
	uint64_t both = (uint64_t)hi << 32 | lo;
	uint32_t d;
	int i;

	for (d = 0, i = 0; i < 32; i += 8)
		d |= perm_byte(both, sel >> i & 0xff) << i;
	return d;
}

static uint32_t
distance(uint32_t a, uint32_t b, int i)
{
	a = a >> i & 0xff;
	b = b >> i & 0xff;
	return a > b ? a - b : b - a;
}

uint32_t
alu_sad_u8(uint32_t a, uint32_t b, uint32_t c)
{
	int i;

	for (i = 0; i < 32; i += 8)
		c += distance(a, b, i);
	return c;
}

/* bytes that are 0 in ref do not count */
uint32_t
alu_msad_u8(uint32_t a, uint32_t ref, uint32_t c)
{
	int i;

	for (i = 0; i < 32; i += 8)
		if (ref >> i & 0xff)
			c += distance(a, ref, i);
	return c;
}

uint32_t
alu_lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d;
	int i;

	for (d = 0, i = 0; i < 32; i += 8)
		d |= (((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1)
			<< i;
	return d;
}

static int64_t
element(uint32_t v, unsigned i, unsigned bits, bool is_signed)
{
	uint32_t top = v << (32 - bits - i);

	return is_signed ? (int32_t)top >> (32 - bits)
		: (int64_t)(top >> (32 - bits));
}

/* c + the dot product of elements of so many bits; where it clamps, to
 * signed or (usigned) to unsigned 32 bits */
int32_t
alu_dot_i(uint32_t a, bool asigned, uint32_t b, bool bsigned, unsigned bits,
	int32_t c, bool clamp, bool usigned)
{
	int64_t d;
	unsigned i;

	d = usigned ? (int64_t)(uint32_t)c : c;
	for (i = 0; i < 32; i += bits)
		d += element(a, i, bits, asigned) *
			element(b, i, bits, bsigned);
	if (!clamp)
		return (int32_t)d;
	return usigned ? (int32_t)alu_sat_u32(d) : alu_sat_i32(d);
}

int64_t
alu_mid_i(int64_t a, int64_t b, int64_t c)
{
	int64_t most = a > b ? a : b, least = a > b ? b : a;

	return c > most ? most : c < least ? least : c;
}
