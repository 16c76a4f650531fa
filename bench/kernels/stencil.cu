/* one step of a five-point stencil on a w by h grid */
#include "common.h"

KERNEL
stencil(GLOBAL const float *in, GLOBAL float *out, int w, int h, float k)
{
	int x = (int)(BID_X * DIM_X + TID_X), y = (int)(BID_Y * DIM_Y + TID_Y);
	int i = y * w + x;

	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
		return;
	out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]
		- 4 * in[i]);
}
