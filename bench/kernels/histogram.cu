/* counts of n bytes, by shared atomics */
#include "common.h"

KERNEL
histogram(GLOBAL const unsigned char *in, GLOBAL unsigned *out, unsigned n)
{
	SHARED unsigned bin[256];
	unsigned i;

	bin[TID_X] = 0;
	SYNC();
	for (i = BID_X * 256 + TID_X; i < n; i += GRID_X * 256)
		ATOMIC_ADD(&bin[in[i]], 1);
	SYNC();
	ATOMIC_ADD(&out[TID_X], bin[TID_X]);
}
