/* bits.c - tricks with bits: counts, reversals, bytes, hashes. */
#include "kernel.h"

KERNEL(bit_count)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0) | 1;
	u64 b = IN(1) | (u64)1 << 40;

	OUT(0, (u32)__builtin_popcount(a) + 100 * (u32)__builtin_popcountll(b));
	OUT(1, (u32)__builtin_clz(a) + 100 * (u32)__builtin_clzll(b));
	OUT(2, (u32)__builtin_ctz(a) + 100 * (u32)__builtin_ctzll(b));
	OUT(3, (u32)__builtin_parity(a) + 2 * (u32)__builtin_ffs((int)a << 3));
}

FUNC u32
reverse(u32 v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

KERNEL(bit_reverse)(const u64 *in, u64 *out)
{
	OUT(0, reverse((u32)IN(0)));
	OUT(1, __builtin_bswap32((u32)IN(1)));
	OUT(2, __builtin_bswap64(IN(2)));
	OUT(3, (u64)reverse((u32)IN(3)) << 32 | reverse((u32)(IN(3) >> 32)));
}

KERNEL(bit_field)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), b = (u32)IN(1), at = b & 15, n = b >> 8 & 15;
	u32 mask = (1u << n) - 1;

	OUT(0, a >> at & mask);
	OUT(1, (a & ~(mask << at)) | (b & mask) << at);
	OUT(2, (i32)(a << 12) >> 20);
	OUT(3, (a & b) | (~a & (u32)IN(2)));
}

KERNEL(bit_bytes)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), b = (u32)IN(1);

	OUT(0, (a & 0xff) << 8 | (b >> 16 & 0xff) | (a >> 24) << 16 | b << 24);
	OUT(1, (u32)(((u64)a << 32 | b) >> 8));
	OUT(2, (u32)(((u64)a << 32 | b) >> ((u32)IN(2) & 31)));
	OUT(3, (a & 0xff00ff) * 3 + (b >> 8 & 0xff00ff));
}

KERNEL(bit_logic)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), b = (u32)IN(1), c = (u32)IN(2);

	OUT(0, a ^ b ^ c);
	OUT(1, (a & b) | c);
	OUT(2, ~(a ^ b) + ((a ^ c) + b));
	OUT(3, ((a + b) << 3) | (a << 5) | ((b << 4) + c));
}

FUNC u32
rotate(u32 v, int n)
{
	return v << n | v >> (32 - n);
}

KERNEL(hash_mix)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), b = (u32)IN(1), c = (u32)IN(2), d = (u32)IN(3), i;

	for (i = 0; i < 10; i++) {
		a += b, d = rotate(d ^ a, 16);
		c += d, b = rotate(b ^ c, 12);
		a += b, d = rotate(d ^ a, 8);
		c += d, b = rotate(b ^ c, 7);
	}
	OUT(0, a);
	OUT(1, b);
	OUT(2, c);
	OUT(3, d);
}

KERNEL(crc)(const u64 *in, u64 *out)
{
	u64 v = IN(0);
	u32 c = 0xffffffff, i;

	for (i = 0; i < 64; i++) {
		c = c >> 1 ^ ((c ^ (u32)v) & 1 ? 0xedb88320 : 0);
		v >>= 1;
	}
	OUT(0, c);
	OUT(1, ~c);
	OUT(2, v);
	OUT(3, c % 1000003);
}

KERNEL(shift_register)(const u64 *in, u64 *out)
{
	u64 s = IN(0) | 1;
	u32 i;

	for (i = 0; i < 100; i++) {
		s ^= s >> 12;
		s ^= s << 25;
		s ^= s >> 27;
		if (i % 25 == 0)
			OUT(i / 25, s * 0x2545f4914f6cdd1dULL);
	}
}
