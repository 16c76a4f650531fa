/* alu_minmax.c - the lesser and the greater of floats.
 *
 * Three kinds: v_min and v_max of gfx9 to gfx11, where a NaN loses and in
 * IEEE mode a signalling one wins, made quiet; gfx12's _num, where every NaN
 * loses; gfx12's minimum and maximum, where every NaN wins.  All order -0
 * below +0.
 */
#include "alu.h"

#define QUIET32 0x400000u
#define QUIET64 ((uint64_t)1 << 51)

#define MINMAX(F, W) \
static bool \
signals##W(F f) \
{ \
	return f != f && !(bits##W(f) & QUIET##W); \
} \
\
static F \
quiet##W(F f) \
{ \
	return float##W(bits##W(f) | QUIET##W); \
} \
\
/* a < b, of numbers, with -0 < +0 */ \
static bool \
less##W(F a, F b) \
{ \
	return a < b || (a == b && signbit(a) && !signbit(b)); \
} \
\
/* what a NaN among a and b makes of them; there is one */ \
static F \
losing##W(F a, F b, bool ieee) \
{ \
	if (ieee && signals##W(a)) \
		return quiet##W(a); \
	if (ieee && signals##W(b)) \
		return quiet##W(b); \
	return a != a ? b : a; \
} \
\
F \
alu_min##W(F a, F b, bool ieee) \
{ \
	if (a != a || b != b) \
		return losing##W(a, b, ieee); \
	return less##W(a, b) ? a : b; \
} \
\
F \
alu_max##W(F a, F b, bool ieee) \
{ \
	if (a != a || b != b) \
		return losing##W(a, b, ieee); \
	return less##W(a, b) ? b : a; \
} \
\
F \
alu_minnum##W(F a, F b) \
{ \
	if (a != a && b != b) \
		return quiet##W(a); \
	return alu_min##W(a, b, false); \
} \
\
F \
alu_maxnum##W(F a, F b) \
{ \
	if (a != a && b != b) \
		return quiet##W(a); \
	return alu_max##W(a, b, false); \
} \
\
F \
alu_minimum##W(F a, F b) \
{ \
	if (a != a || b != b) \
		return quiet##W(a != a ? a : b); \
	return less##W(a, b) ? a : b; \
} \
\
F \
alu_maximum##W(F a, F b) \
{ \
	if (a != a || b != b) \
		return quiet##W(a != a ? a : b); \
	return less##W(a, b) ? b : a; \
}

MINMAX(float, 32)
MINMAX(double, 64)

/* the one that is neither the greatest nor the least, of numbers */
static float
middle(float a, float b, float c)
{
	float most;

	most = less32(a, b) ? b : a;
	most = less32(most, c) ? c : most;
	if (most == a)
		return less32(b, c) ? c : b;
	if (most == b)
		return less32(a, c) ? c : a;
	return less32(a, b) ? b : a;
}

float
alu_med32(float a, float b, float c, bool ieee)
{
	if (a != a || b != b || c != c)
		return alu_min32(alu_min32(a, b, ieee), c, ieee);
	return middle(a, b, c);
}

float
alu_mednum32(float a, float b, float c)
{
	if (a != a || b != b || c != c)
		return alu_minnum32(alu_minnum32(a, b), c);
	return middle(a, b, c);
}
