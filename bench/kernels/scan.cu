/* inclusive prefix sums of each block's 256 integers */
#include "common.h"

KERNEL
scan(GLOBAL const int *in, GLOBAL int *out, GLOBAL int *total, unsigned n)
{
	SHARED int buf[2][256];
	unsigned i = BID_X * 256 + TID_X, d, from = 0;
	int v;

	buf[0][TID_X] = i < n ? in[i] : 0;
	SYNC();
	for (d = 1; d < 256; d <<= 1) {
		v = buf[from][TID_X];
		if (TID_X >= d)
			v += buf[from][TID_X - d];
		from ^= 1;
		buf[from][TID_X] = v;
		SYNC();
	}
	if (i < n)
		out[i] = buf[from][TID_X];
	if (TID_X == 255)
		total[BID_X] = buf[from][255];
}
