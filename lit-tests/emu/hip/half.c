/* half.c - 16-bit floats.  Each operation is followed by a conversion, so
 * that a host that computes in float rounds as often. */
#include "kernel.h"

KERNEL(f16_sum)(const u64 *in, u64 *out)
{
	half a = f16(IN(0)), b = f16(IN(1)), c = f16(IN(2));
	half p = (half)(a * b);

	OUT(0, b16((half)(a + b)));
	OUT(1, b16((half)(p - c)));
	OUT(2, b16((half)(a * (half)0.5f)));
	OUT(3, b16((half)(-a)) | b16((half)(c - a)) << 16);
}

KERNEL(f16_divide)(const u64 *in, u64 *out)
{
	half a = f16(IN(0)), b = f16(IN(1));

	OUT(0, b16((half)(a / b)));
	OUT(1, b16((half)((half)1 / b)));
	OUT(2, (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a > b));
	OUT(3, (a >= b) + 2 * (a != b) + 4 * (a != a) + 8 * !(a < b));
}

KERNEL(f16_convert)(const u64 *in, u64 *out)
{
	half a = f16(IN(0));
	float b = f32(IN(1));

	OUT(0, b32((float)a));
	OUT(1, b16((half)b));
	OUT(2, b64((double)a));
	OUT(3, b16((half)(i32)(i16)IN(2)) | b16((half)(u16)IN(3)) << 16);
}

KERNEL(f16_mixed)(const u64 *in, u64 *out)
{
	half a = f16(IN(0)), b = f16(IN(1));
	float c = f32(IN(2));

	OUT(0, b32((float)a * (float)b + c));
	OUT(1, b32(__builtin_fmaf((float)a, (float)b, c)));
	OUT(2, b32(__builtin_fmaf((float)a, c, (float)b)));
	OUT(3, b16((half)__builtin_fmaf((float)a, (float)b, c)));
}

/* pairs, in registers of both */
KERNEL(f16_pairs)(const u64 *in, u64 *out)
{
	half a[4], b[4], s[4], p[4];
	u32 i;

	for (i = 0; i < 4; i++) {
		a[i] = f16(IN(0) >> 16 * i);
		b[i] = f16(IN(1) >> 16 * i);
	}
	for (i = 0; i < 4; i++) {
		s[i] = (half)(a[i] + b[i ^ 1]);
		p[i] = (half)(s[i] * a[i ^ 2]);
	}
	for (i = 0; i < 4; i++)
		OUT(i, b16(s[i]) | b16(p[i]) << 16);
}

KERNEL(i16_pairs)(const u64 *in, u64 *out)
{
	u16 a[4], b[4], s[4];
	i16 m[4];
	u32 i;

	for (i = 0; i < 4; i++) {
		a[i] = (u16)(IN(0) >> 16 * i);
		b[i] = (u16)(IN(1) >> 16 * i);
	}
	for (i = 0; i < 4; i++) {
		s[i] = (u16)((u32)a[i] * b[i] + (u32)(a[i] >> 3));
		m[i] = (i16)((i16)a[i] > (i16)b[i] ? a[i] : b[i]);
	}
	for (i = 0; i < 4; i++)
		OUT(i, s[i] | (u64)(u16)m[i] << 16 |
			(u64)(u16)(a[i] << (b[i] & 15)) << 32 |
			(u64)(u16)((i16)b[i] >> (a[i] & 15)) << 48);
}
