/* double.c - arithmetic of 64-bit floats. */
#include "kernel.h"

KERNEL(f64_sum)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = f64(IN(1)), c = f64(IN(2));

	OUT(0, b64(a + b));
	OUT(1, b64(a * b - c));
	OUT(2, b64(-a - b * c));
	OUT(3, b64(a * 0.5 + 3));
}

KERNEL(f64_divide)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = f64(IN(1));

	OUT(0, b64(a / b));
	OUT(1, b64(1.0 / b));
	OUT(2, b64(b / a));
	OUT(3, b64(__builtin_sqrt(__builtin_fabs(a))));
}

KERNEL(f64_fuse)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = f64(IN(1)), c = f64(IN(2));

	OUT(0, b64(__builtin_fma(a, b, c)));
	OUT(1, b64(__builtin_fma(-a, b, c)));
	OUT(2, b64(__builtin_fma(a, 2.5, -c)));
	OUT(3, b64(__builtin_fma(__builtin_fabs(a), b, 1)));
}

/* zeros are added, since fmin and fmax leave open which one they give */
KERNEL(f64_extreme)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = f64(IN(1)), c = f64(IN(2));

	OUT(0, b64(__builtin_fmin(a, b) + 0.0));
	OUT(1, b64(__builtin_fmax(a, c) + 0.0));
	OUT(2, b64(a < b ? a : b));
	OUT(3, b64(__builtin_fmin(__builtin_fmax(a, -1), 1) + 0.0));
}

KERNEL(f64_compare)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = f64(IN(1));

	OUT(0, (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b));
	OUT(1, (a == b) + 2 * (a != b) + 4 * !(a < b) + 8 * !(a >= b));
	OUT(2, __builtin_isless(a, b) + 2 * __builtin_isunordered(a, b) +
		4 * __builtin_islessgreater(a, b));
	OUT(3, !!__builtin_isnan(a) + 2 * !!__builtin_isinf(a) +
		4 * !!__builtin_isfinite(b) + 8 * !!__builtin_isnormal(b));
}

KERNEL(f64_round)(const u64 *in, u64 *out)
{
	double a = f64(IN(0));

	OUT(0, b64(__builtin_floor(a)));
	OUT(1, b64(__builtin_ceil(a)));
	OUT(2, b64(__builtin_trunc(a)));
	OUT(3, b64(__builtin_rint(a)));
}

KERNEL(f64_scale)(const u64 *in, u64 *out)
{
	double a = f64(IN(0));

	OUT(0, b64(__builtin_ldexp(a, (i32)(IN(1) % 2300) - 1150)));
	OUT(1, b64(__builtin_ldexp(a, -3)));
	OUT(2, b64(__builtin_fabs(a)));
	OUT(3, b64(-a * -0.0));
}

KERNEL(f64_series)(const u64 *in, u64 *out)
{
	double x = (double)(i64)IN(0) / 9223372036854775808.0, p = 0, t = 1;
	i32 i;

	for (i = 1; i < 20; i++) {
		p += t;
		t = t * x / (double)i;
		OUT(i & 3, b64(p));
	}
}

KERNEL(f64_escape)(const u64 *in, u64 *out)
{
	double cr = (double)(IN(0) & 0xffff) / 32768 - 1.5;
	double ci = (double)(IN(1) & 0xffff) / 32768 - 1, r = 0, i = 0, t;
	u32 n;

	for (n = 0; n < 100 && r * r + i * i < 4; n++) {
		t = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = t;
	}
	OUT(0, n);
	OUT(1, b64(r));
	OUT(2, b64(i));
	OUT(3, r > i);
}

/* quotients that are subnormal, or nearly, or too large */
KERNEL(f64_divide_edge)(const u64 *in, u64 *out)
{
	u64 a = IN(0) & 0x800fffffffffffff, b = IN(1) & 0x800fffffffffffff;
	u64 e = IN(2) & 63;

	OUT(0, b64(f64(a | (u64)0x100 << 52) /
		f64(b | ((u64)0x4e0 + e) << 52)));
	OUT(1, b64(f64(a) / f64(b | e << 52)));
	OUT(2, b64(f64(a | (u64)0x7fe << 52) / f64(b | e << 52)));
	OUT(3, b64(f64(a | e << 52) / f64(b | (u64)0x7fe << 52)));
}
