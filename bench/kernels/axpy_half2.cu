/* y = a x + y on pairs of halves, four pairs a thread */
#include "common.h"

struct quad { unsigned v[4]; };

KERNEL
axpy_half2(GLOBAL const struct quad *x, GLOBAL struct quad *y, unsigned a, unsigned n)
{
	unsigned i = BID_X * DIM_X + TID_X, k;
	struct quad u, v;

	if (i >= n)
		return;
	u = x[i];
	v = y[i];
#pragma unroll
	for (k = 0; k < 4; k++)
		v.v[k] = FMA_HALF2(a, u.v[k], v.v[k]);
	y[i] = v;
}
