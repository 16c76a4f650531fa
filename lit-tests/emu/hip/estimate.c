/* estimate.c - the hardware's estimates, as floats; the judge allows for an
 * error in them.  A result that is not a number or very small is left out. */
#include "kernel.h"

#ifdef __HIP__
#define RCP  __builtin_amdgcn_rcpf
#define RSQ  __builtin_amdgcn_rsqf
#define SQRT __builtin_amdgcn_sqrtf
#define EXP  __builtin_amdgcn_exp2f
#define LOG  __builtin_amdgcn_logf
#define SIN  __builtin_amdgcn_sinf
#define COS  __builtin_amdgcn_cosf
#define FRACT __builtin_amdgcn_fractf
#else
#include <math.h>
#define RCP(x)  (1 / (x))
#define RSQ(x)  (1 / sqrtf(x))
#define SQRT(x) sqrtf(x)
#define EXP(x)  exp2f(x)
#define LOG(x)  log2f(x)
#define SIN(x)  (float)sin((double)(x) * 6.283185307179586)
#define COS(x)  (float)cos((double)(x) * 6.283185307179586)
#define FRACT(x) ((x) - floorf(x))
#endif

FUNC u64
plain(float f)
{
	return __builtin_fabsf(f) > 1e-30f && __builtin_fabsf(f) < 1e30f ?
		b32(f) : 0;
}

/* of moderate size */
FUNC float
moderate(u64 u)
{
	return (float)((i32)u >> 8) / 65536 + 0.0001f;
}

KERNEL(estimate_roots)(const u64 *in, u64 *out)
{
	float a = moderate(IN(0)), b = __builtin_fabsf(f32(IN(1))) + 1e-30f;

	OUT(0, plain(RCP(a)));
	OUT(1, plain(RSQ(b)));
	OUT(2, plain(SQRT(b)));
	OUT(3, plain(RCP(f32(IN(2)))));
}

KERNEL(estimate_powers)(const u64 *in, u64 *out)
{
	float a = moderate(IN(0)), b = __builtin_fabsf(a) + 2;

	OUT(0, plain(EXP(a)));
	OUT(1, plain(LOG(b)));
	OUT(2, plain(EXP(LOG(b) * 0.5f)));
	OUT(3, plain(LOG(1 / b)));
}

KERNEL(estimate_waves)(const u64 *in, u64 *out)
{
	float a = (float)(IN(0) & 0xff) / 256 + 0.0625f;

	OUT(0, plain(SIN(a) + 2));
	OUT(1, plain(COS(a) + 2));
	OUT(2, plain(FRACT(moderate(IN(1))) + 1));
	OUT(3, plain(SIN(FRACT(moderate(IN(2)))) + 2));
}
