/* lane.c - the lanes of a wave exchange values.
 *
 * Waves are of 32 or 64; all exchanges are within 32 lanes.  On the host a
 * block's threads meet and read each other's.
 */
#include "kernel.h"

#ifdef __HIP__
FUNC u32
lane_read(u32 v, u32 lane)
{
	u32 first = __builtin_amdgcn_mbcnt_hi(~0u,
		__builtin_amdgcn_mbcnt_lo(~0u, 0)) & ~31u;

	return (u32)__builtin_amdgcn_ds_bpermute((int)((first | lane) * 4),
		(int)v);
}
#define DPP(v, control, of) ((u32)__builtin_amdgcn_update_dpp(0, (int)(v), \
	control, 15, 15, 1))
#define SWIZZLE(v, pattern, of) ((u32)__builtin_amdgcn_ds_swizzle((int)(v), \
	pattern))
FUNC u32
ballot(int p)
{
	u64 b = __builtin_amdgcn_ballot_w64(p);

	return (u32)(TID & 32 && b >> 32 ? b >> 32 : b);
}
#else
/* v of the thread of the same 32 */
u32 host_exchange(u32 v, int lane);
#define lane_read(v, lane) host_exchange(v, (int)(lane))
#define DPP(v, control, of) host_exchange(v, of)
#define SWIZZLE(v, pattern, of) host_exchange(v, of)
FUNC u32
ballot(int p)
{
	u32 b = 0;
	int i;

	for (i = 0; i < 32; i++)
		b |= host_exchange(p != 0, i) << i;
	return b;
}
#endif
#define LANE ((int)(TID & 31))
#define ROW  (LANE & 16)

KERNEL(lane_permute)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0);

	OUT(0, lane_read(v, (u32)LANE ^ 5));
	OUT(1, lane_read(v, (u32)IN(1) & 31));
	OUT(2, lane_read(v * 3, ((u32)LANE + 7) & 31));
	OUT(3, lane_read(v, 31 - (u32)LANE));
}

KERNEL(lane_butterfly)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0), i;

	for (i = 1; i < 32; i *= 2)
		v += lane_read(v, (u32)LANE ^ i);
	OUT(0, v);
	OUT(1, LANE);
	OUT(2, 0);
	OUT(3, 0);
}

/* quad_perm, row_shl, row_shr, row_ror, row_mirror, row_half_mirror; where a
 * row ends the value is 0 */
KERNEL(lane_dpp)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0), a, b, c, d;

	a = DPP(v, 0x1b, LANE ^ 3);
	b = DPP(v, 0x4e, LANE ^ 2);
	OUT(0, a + b * 3);
	c = DPP(v, 0x101, (LANE & 15) == 15 ? -1 : LANE + 1);
	d = DPP(v, 0x114, (LANE & 15) < 4 ? -1 : LANE - 4);
	OUT(1, c + d * 3);
	a = DPP(v, 0x123, ROW | ((LANE - 3) & 15));
	b = DPP(v, 0x140, LANE ^ 15);
	OUT(2, a + b * 3);
	c = DPP(v, 0x141, LANE ^ 7);
	OUT(3, c);
}

/* sums into which LLVM folds the permutation */
KERNEL(lane_dpp_sum)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0);

	v += DPP(v, 0x111, (LANE & 15) < 1 ? -1 : LANE - 1);
	v += DPP(v, 0x112, (LANE & 15) < 2 ? -1 : LANE - 2);
	v ^= DPP(v, 0x114, (LANE & 15) < 4 ? -1 : LANE - 4);
	v += DPP(v, 0x118, (LANE & 15) < 8 ? -1 : LANE - 8);
	OUT(0, v);
	OUT(1, 0);
	OUT(2, 0);
	OUT(3, 0);
}

KERNEL(lane_swizzle)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0);

	OUT(0, SWIZZLE(v, 0x041f, LANE ^ 1));
	OUT(1, SWIZZLE(v, 0x401f, LANE ^ 16));
	OUT(2, SWIZZLE(v, 0x0007, LANE & 7));
	OUT(3, SWIZZLE(v, 0x80b1, (LANE & ~3) | (0xb1 >> 2 * (LANE & 3) & 3)));
}

KERNEL(lane_ballot)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0), b = ballot(v & 1), c = ballot(v % 3 == 0);

	OUT(0, b);
	OUT(1, c);
	OUT(2, (u32)__builtin_popcount(b & ((1u << LANE) - 1)));
	OUT(3, b ^ c);
}
