/* integer.c - integers of 8 to 64 bits. */
#include "kernel.h"

KERNEL(int_sum)(const u64 *in, u64 *out)
{
	i32 a = (i32)IN(0), b = (i32)IN(1);
	u32 x = (u32)IN(2), y = (u32)IN(3);

	OUT(0, (u32)a + (u32)b * 3u - (x ^ y));
	OUT(1, a > b ? (u32)a - (u32)b : (u32)b - (u32)a);
	OUT(2, x < y ? x : y);
	OUT(3, (u64)(i64)(a < b ? b : a));
}

KERNEL(int_multiply)(const u64 *in, u64 *out)
{
	i32 a = (i32)IN(0), b = (i32)IN(1);
	u32 x = (u32)IN(2), y = (u32)IN(3);

	OUT(0, x * y + 17u);
	OUT(1, (u64)x * y >> 32);
	OUT(2, (i64)a * b);
	OUT(3, (u32)(((i64)a * b) >> 32) + (x & 0xffffff) * (y & 0xffffff));
}

KERNEL(int_divide)(const u64 *in, u64 *out)
{
	i32 a = (i32)IN(0), b = (i32)IN(1);
	u32 x = (u32)IN(2), y = (u32)IN(3);

	b = b == 0 || (b == -1 && (u32)a == 0x80000000) ? 7 : b;
	y = y ? y : 3;
	OUT(0, (u32)(a / b));
	OUT(1, (u32)(a % b));
	OUT(2, x / y);
	OUT(3, x % y + x / 10 + (u32)(a / 7));
}

KERNEL(int_shift)(const u64 *in, u64 *out)
{
	i32 a = (i32)IN(0);
	u32 x = (u32)IN(1), n = (u32)IN(2) & 31;

	OUT(0, x << n);
	OUT(1, x >> n);
	OUT(2, (u32)(a >> n));
	OUT(3, x << n | x >> ((32 - n) & 31));
}

KERNEL(long_sum)(const u64 *in, u64 *out)
{
	u64 a = IN(0), b = IN(1), c = IN(2);

	OUT(0, a + b - c);
	OUT(1, a < b ? a - c : b + c);
	OUT(2, (i64)a < (i64)b ? a ^ c : b & ~c);
	OUT(3, (a > b) + 2 * ((i64)a >= (i64)c) + 4 * (a == b) + 8 * (b != c));
}

KERNEL(long_multiply)(const u64 *in, u64 *out)
{
	u64 a = IN(0), b = IN(1);

	OUT(0, a * b);
	OUT(1, a * (u32)b + IN(2));
	OUT(2, (i64)(i32)a * (i64)(i32)b + (i64)IN(3));
	OUT(3, (u64)((u128)a * b >> 64));
}

KERNEL(long_divide)(const u64 *in, u64 *out)
{
	u64 a = IN(0), b = IN(1), c = IN(2) >> (IN(3) & 63);

	b = b ? b : 5;
	c = c ? c : 9;
	OUT(0, a / b);
	OUT(1, a % c);
	OUT(2, a / c);
	OUT(3, (i64)c == -1 ? 0 : (u64)((i64)a / (i64)c) ^
		(u64)((i64)b % (i64)c));
}

KERNEL(long_shift)(const u64 *in, u64 *out)
{
	u64 a = IN(0), n = IN(1) & 63;

	OUT(0, a << n);
	OUT(1, a >> n);
	OUT(2, (i64)a >> n);
	OUT(3, (a << n | a >> ((64 - n) & 63)) + (a << 3) + (a >> 33));
}

KERNEL(short_sum)(const u64 *in, u64 *out)
{
	i16 a = (i16)IN(0), b = (i16)IN(1);
	u16 x = (u16)IN(2), y = (u16)IN(3);

	OUT(0, (u16)(a + b * 5));
	OUT(1, (u16)(x * y - a));
	OUT(2, (u64)(i64)(i16)(a < b ? a : b));
	OUT(3, (u16)(x > y ? x >> (y & 15) : y << (x & 15)) +
		(u32)(a >> (x & 15)));
}

KERNEL(byte_sum)(const u64 *in, u64 *out)
{
	u64 v = IN(0), w = IN(1);
	i8 s[8];
	u8 u[8];
	u32 i, n = 0;
	i32 d = 0;

	for (i = 0; i < 8; i++) {
		s[i] = (i8)(v >> 8 * i);
		u[i] = (u8)(w >> 8 * i);
		d += s[i] * u[i];
		n += s[i] < (i8)u[i] ? u[i] : (u8)(s[i] / 3);
	}
	OUT(0, (u32)d);
	OUT(1, n);
	OUT(2, (u8)(s[0] + u[1]) | (u32)(u8)(s[2] - u[3]) << 16);
	OUT(3, (u16)(u[4] << 4 | u[5] >> 3) | (u64)(u8)-s[6] << 40);
}

FUNC i32
saturated(i64 v)
{
	return v > 0x7fffffff ? 0x7fffffff : v < -0x7fffffff - 1 ?
		-0x7fffffff - 1 : (i32)v;
}

KERNEL(int_saturate)(const u64 *in, u64 *out)
{
	i32 a = (i32)IN(0), b = (i32)IN(1);
	u32 x = (u32)IN(2), y = (u32)IN(3);

	OUT(0, (u32)saturated((i64)a + b));
	OUT(1, (u32)saturated((i64)a - b));
	OUT(2, x + y < x ? 0xffffffff : x + y);
	OUT(3, x < y ? 0 : x - y);
}

KERNEL(int_carry)(const u64 *in, u64 *out)
{
	u32 a[4], b[4], i;
	u64 c = 0;

	for (i = 0; i < 4; i++) {
		a[i] = (u32)(IN(0) >> 8 * i);
		b[i] = (u32)(IN(1) >> 7 * i) | (u32)IN(2);
	}
	for (i = 0; i < 4; i++) {
		c += (u64)a[i] + b[i];
		OUT(i, (u32)c);
		c >>= 32;
	}
}
