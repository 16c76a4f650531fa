/* call and put prices of n European options */
#include "common.h"

static __device__ inline float
cnd(float d)
{
	float k = FAST_RCP(1 + 0.2316419f * (d < 0 ? -d : d)), p;

	p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f
		+ k * (-1.821255978f + k * 1.330274429f))));
	p *= 0.39894228f * FAST_EXP2(-0.5f * 1.442695041f * d * d);
	return d > 0 ? 1 - p : p;
}

KERNEL
blackscholes(GLOBAL const float *price, GLOBAL const float *strike,
	GLOBAL const float *years, GLOBAL float *call, GLOBAL float *put,
	float rate, float vol, int n)
{
	int i = (int)(BID_X * DIM_X + TID_X);
	float s, x, t, root, d1, d2, e;

	if (i >= n)
		return;
	s = price[i];
	x = strike[i];
	t = years[i];
	root = FAST_SQRT(t);
	d1 = (0.693147181f * FAST_LOG2(s * FAST_RCP(x))
		+ (rate + 0.5f * vol * vol) * t) * FAST_RCP(vol * root);
	d2 = d1 - vol * root;
	e = x * FAST_EXP2(-1.442695041f * rate * t);
	call[i] = s * cnd(d1) - e * cnd(d2);
	put[i] = e * (1 - cnd(d2)) - s * (1 - cnd(d1));
}
