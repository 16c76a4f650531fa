/* alu_math.c - estimates of the transcendental unit.
 *
 * The hardware's are within an ulp of f32; these are rounded right, so code
 * that demands more than the manual gives must be found by reading it.  Those
 * of f64 are cut to 26 bits, as the manual allows: code has to refine them.
 */
#include "alu.h"

static const double turn = 6.283185307179586476925286766559;

/* f as an estimate: of 26 bits, which are not the best ones */
static double
cut(double f)
{
	if (f != f || isinf(f) || !exponent64(f))
		return f;
	return float64(bits64(f) & ~(((uint64_t)1 << 27) - 1));
}

float
alu_rcp32(float f)
{
	return nan32(flush32(1.0f / flush32(f)), f, f, f);
}

float
alu_rsq32(float f)
{
	f = flush32(f);
	if (f == 0)
		return copysignf(INFINITY, f);
	return nan32((float)(1 / sqrt((double)f)), f, f, f);
}

float
alu_sqrt32(float f)
{
	return nan32(sqrtf(f), f, f, f);
}

float
alu_exp32(float f)
{
	return nan32(flush32((float)exp2((double)flush32(f))), f, f, f);
}

float
alu_log32(float f)
{
	return nan32((float)log2((double)flush32(f)), f, f, f);
}

/* sine or cosine of f turns, exact at the quarters */
static double
wave(double f, double quarter)
{
	double t;

	t = f + quarter;
	t -= floor(t);
	if (t == 0 || t == 0.5)
		return 0;
	if (t == 0.25 || t == 0.75)
		return t < 0.5 ? 1 : -1;
	return sin(t * turn);
}

double
alu_sin16(double f)
{
	if (f == 0 || f != f)
		return f;
	if (isinf(f))
		return NAN;
	return fabs(f) > 256 ? 0 : wave(f, 0);
}

double
alu_cos16(double f)
{
	if (f != f)
		return f;
	if (isinf(f))
		return NAN;
	return fabs(f) > 256 ? 1 : wave(f, 0.25);
}

float
alu_sin32(float f)
{
	return nan32((float)alu_sin16(flush32(f)), f, f, f);
}

float
alu_cos32(float f)
{
	return nan32((float)alu_cos16(flush32(f)), f, f, f);
}

double
alu_rcp64(double f)
{
	return nan64(cut(1 / f), f, f, f);
}

double
alu_rsq64(double f)
{
	return f == 0 ? copysign(INFINITY, f)
		: nan64(cut(1 / sqrt(f)), f, f, f);
}

double
alu_sqrt64(double f)
{
	return nan64(cut(sqrt(f)), f, f, f);
}

double
alu_rcp16(double f)
{
	return nan64(1 / f, f, f, f);
}

double
alu_rsq16(double f)
{
	return f == 0 ? copysign(INFINITY, f) : nan64(1 / sqrt(f), f, f, f);
}
