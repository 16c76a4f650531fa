/* c = a b of n by n floats, in tiles of 16 by 16 */
#include "common.h"

KERNEL
sgemm(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, unsigned n)
{
	SHARED float as[16][16], bs[16][16];
	unsigned row = BID_Y * 16 + TID_Y, col = BID_X * 16 + TID_X, t, k;
	float sum = 0;

	for (t = 0; t < n; t += 16) {
		as[TID_Y][TID_X] = a[row * n + t + TID_X];
		bs[TID_Y][TID_X] = b[(t + TID_Y) * n + col];
		SYNC();
		for (k = 0; k < 16; k++)
			sum += as[TID_Y][k] * bs[k][TID_X];
		SYNC();
	}
	c[row * n + col] = sum;
}
