/* y = a x + y */
#include "common.h"

KERNEL
saxpy(GLOBAL const float *x, GLOBAL float *y, float a, unsigned n)
{
	unsigned i = BID_X * DIM_X + TID_X;

	if (i < n)
		y[i] = a * x[i] + y[i];
}
