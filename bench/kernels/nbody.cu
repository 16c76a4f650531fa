/* accelerations of n bodies, a block's worth of them at a time */
#include "common.h"

struct body { float x, y, z, m; };

KERNEL
nbody(GLOBAL const struct body *p, GLOBAL struct body *acc, unsigned n)
{
	SHARED struct body tile[128];
	unsigned i = BID_X * 128 + TID_X, t, k;
	struct body me = p[i];
	float ax = 0, ay = 0, az = 0, dx, dy, dz, r, s;

	for (t = 0; t < n; t += 128) {
		tile[TID_X] = p[t + TID_X];
		SYNC();
		for (k = 0; k < 128; k++) {
			dx = tile[k].x - me.x;
			dy = tile[k].y - me.y;
			dz = tile[k].z - me.z;
			r = FAST_RSQRT(dx * dx + dy * dy + dz * dz + 1e-9f);
			s = tile[k].m * r * r * r;
			ax += dx * s;
			ay += dy * s;
			az += dz * s;
		}
		SYNC();
	}
	acc[i].x = ax;
	acc[i].y = ay;
	acc[i].z = az;
	acc[i].m = me.m;
}
