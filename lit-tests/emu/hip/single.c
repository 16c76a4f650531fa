/* single.c - arithmetic of 32-bit floats. */
#include "kernel.h"

KERNEL(f32_sum)(const u64 *in, u64 *out)
{
	float a = f32(IN(0)), b = f32(IN(1)), c = f32(IN(2));

	OUT(0, b32(a + b));
	OUT(1, b32(a * b - c));
	OUT(2, b32(-a - b * c));
	OUT(3, b32(a * 0.5f + 3));
}

KERNEL(f32_divide)(const u64 *in, u64 *out)
{
	float a = f32(IN(0)), b = f32(IN(1));

	OUT(0, b32(a / b));
	OUT(1, b32(1.0f / b));
	OUT(2, b32(b / a));
	OUT(3, b32(__builtin_sqrtf(__builtin_fabsf(a))));
}

KERNEL(f32_fuse)(const u64 *in, u64 *out)
{
	float a = f32(IN(0)), b = f32(IN(1)), c = f32(IN(2));

	OUT(0, b32(__builtin_fmaf(a, b, c)));
	OUT(1, b32(__builtin_fmaf(-a, b, c)));
	OUT(2, b32(__builtin_fmaf(a, 2.5f, -c)));
	OUT(3, b32(__builtin_fmaf(__builtin_fabsf(a), b, 1)));
}

/* zeros are added, since fmin and fmax leave open which one they give */
KERNEL(f32_extreme)(const u64 *in, u64 *out)
{
	float a = f32(IN(0)), b = f32(IN(1)), c = f32(IN(2));

	OUT(0, b32(__builtin_fminf(a, b) + 0.0f));
	OUT(1, b32(__builtin_fmaxf(a, c) + 0.0f));
	OUT(2, b32(a < b ? a : b));
	OUT(3, b32(__builtin_fminf(__builtin_fmaxf(a, -1), 1) + 0.0f));
}

KERNEL(f32_compare)(const u64 *in, u64 *out)
{
	float a = f32(IN(0)), b = f32(IN(1));

	OUT(0, (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b));
	OUT(1, (a == b) + 2 * (a != b) + 4 * !(a < b) + 8 * !(a >= b));
	OUT(2, __builtin_isless(a, b) + 2 * __builtin_isunordered(a, b) +
		4 * __builtin_islessgreater(a, b));
	OUT(3, !!__builtin_isnan(a) + 2 * !!__builtin_isinf(a) +
		4 * !!__builtin_isfinite(b) + 8 * !!__builtin_isnormal(b));
}

KERNEL(f32_round)(const u64 *in, u64 *out)
{
	float a = f32(IN(0));

	OUT(0, b32(__builtin_floorf(a)) | b32(__builtin_ceilf(a)) << 32);
	OUT(1, b32(__builtin_truncf(a)) | b32(__builtin_rintf(a)) << 32);
	OUT(2, b32(__builtin_roundf(a)));
	OUT(3, b32(__builtin_copysignf(f32(IN(1)), a)));
}

KERNEL(f32_scale)(const u64 *in, u64 *out)
{
	float a = f32(IN(0));

	OUT(0, b32(__builtin_ldexpf(a, (i32)(IN(1) % 300) - 150)));
	OUT(1, b32(__builtin_ldexpf(a, -3)));
	OUT(2, b32(__builtin_fabsf(a)));
	OUT(3, b32(-a * -0.0f));
}

KERNEL(f32_series)(const u64 *in, u64 *out)
{
	float x = (float)(i32)IN(0) / 2147483648.0f, p = 0, t = 1;
	i32 i;

	for (i = 1; i < 20; i++) {
		p += t;
		t = t * x / (float)i;
		OUT(i & 3, b32(p));
	}
}

KERNEL(f32_escape)(const u64 *in, u64 *out)
{
	float cr = (float)(IN(0) & 0xffff) / 32768 - 1.5f;
	float ci = (float)(IN(1) & 0xffff) / 32768 - 1, r = 0, i = 0, t;
	u32 n;

	for (n = 0; n < 100 && r * r + i * i < 4; n++) {
		t = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = t;
	}
	OUT(0, n);
	OUT(1, b32(r));
	OUT(2, b32(i));
	OUT(3, r > i);
}

/* quotients that are subnormal, or nearly, or too large */
KERNEL(f32_divide_edge)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0) & 0x807fffff, b = (u32)IN(1) & 0x807fffff;
	u32 e = (u32)IN(2) & 31;

	OUT(0, b32(f32(a | 0x10000000) / f32(b | (0x4f000000 + (e << 23)))));
	OUT(1, b32(f32(a) / f32(b | e << 23)));
	OUT(2, b32(f32(a | 0x7f000000) / f32(b | e << 23)));
	OUT(3, b32(f32(a | e << 23) / f32(b | 0x7f000000)));
}
