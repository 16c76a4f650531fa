/* convert.c - conversions between numbers; those that C leaves undefined are
 * kept away from. */
#include "kernel.h"

FUNC float
within(float f, float least, float most)
{
	return f >= least && f <= most ? f : 1.5f;
}

FUNC double
dwithin(double f, double least, double most)
{
	return f >= least && f <= most ? f : -2.5;
}

KERNEL(convert_to_single)(const u64 *in, u64 *out)
{
	OUT(0, b32((float)(i32)IN(0)) | b32((float)(u32)IN(1)) << 32);
	OUT(1, b32((float)(i64)IN(2)) | b32((float)IN(3)) << 32);
	OUT(2, b32((float)f64(IN(1))));
	OUT(3, b32((float)(u8)IN(0)) | b32((float)(u8)(IN(1) >> 16)) << 32);
}

KERNEL(convert_to_double)(const u64 *in, u64 *out)
{
	OUT(0, b64((double)(i32)IN(0)));
	OUT(1, b64((double)(u32)IN(1)));
	OUT(2, b64((double)(i64)IN(2)) ^ b64((double)IN(3)));
	OUT(3, b64((double)f32(IN(0))));
}

KERNEL(convert_from_single)(const u64 *in, u64 *out)
{
	float a = f32(IN(0));

	OUT(0, (u32)(i32)within(a, -2e9f, 2e9f));
	OUT(1, (u32)within(a, 0, 4e9f));
	OUT(2, (i64)within(a, -9e18f, 9e18f));
	OUT(3, (u64)within(__builtin_fabsf(a), 0, 1.8e19f));
}

KERNEL(convert_from_double)(const u64 *in, u64 *out)
{
	double a = f64(IN(0)), b = (double)(i64)IN(1) / 65536;

	OUT(0, (u32)(i32)dwithin(a, -2e9, 2e9));
	OUT(1, (u32)__builtin_fabs(dwithin(b, -4e9, 4e9)));
	OUT(2, (i64)dwithin(b, -9e18, 9e18));
	OUT(3, (u64)__builtin_fabs(dwithin(b, -1.8e19, 1.8e19)));
}

KERNEL(convert_narrow)(const u64 *in, u64 *out)
{
	float a = within(f32(IN(0)), -100, 100);

	OUT(0, (u8)(i8)a);
	OUT(1, (u16)(i16)(a * 300));
	OUT(2, (u8)(u32)__builtin_fabsf(a) | (u32)(u8)(i8)IN(1) << 8);
	OUT(3, (u64)(i64)(i16)IN(2) + (u64)(i64)(i8)IN(3));
}
