/* iterations until each point of a w by h window escapes */
#include "common.h"

KERNEL
mandelbrot(GLOBAL int *out, int w, int h, float x0, float y0, float step,
	int limit)
{
	int px = (int)(BID_X * DIM_X + TID_X), py = (int)(BID_Y * DIM_Y + TID_Y);
	float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0, t;
	int n;

	if (px >= w || py >= h)
		return;
	for (n = 0; n < limit && x * x + y * y < 4; n++) {
		t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
	}
	out[py * w + px] = n;
}
