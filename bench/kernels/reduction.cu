/* sum of n floats: a block's tree in shared memory, one value a block */
#include "common.h"

KERNEL
reduction(GLOBAL const float *in, GLOBAL float *out, unsigned n)
{
	SHARED float part[256];
	unsigned i, s;
	float sum = 0;

	for (i = BID_X * 256 + TID_X; i < n; i += GRID_X * 256)
		sum += in[i];
	part[TID_X] = sum;
	SYNC();
	for (s = 128; s; s >>= 1) {
		if (TID_X < s)
			part[TID_X] += part[TID_X + s];
		SYNC();
	}
	if (!TID_X)
		out[BID_X] = part[0];
}
