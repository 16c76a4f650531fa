/* out = in transposed, through a padded tile of 32 by 32, 8 rows a thread */
#include "common.h"

KERNEL
transpose(GLOBAL const float *in, GLOBAL float *out, unsigned w, unsigned h)
{
	SHARED float tile[32][33];
	unsigned x = BID_X * 32 + TID_X, y = BID_Y * 32 + TID_Y, k;

	for (k = 0; k < 32; k += 8)
		if (x < w && y + k < h)
			tile[TID_Y + k][TID_X] = in[(y + k) * w + x];
	SYNC();
	x = BID_Y * 32 + TID_X;
	y = BID_X * 32 + TID_Y;
	for (k = 0; k < 32; k += 8)
		if (x < h && y + k < w)
			out[(y + k) * h + x] = tile[TID_X][TID_Y + k];
}
