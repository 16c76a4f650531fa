/* memory.c - shared, private and global memory; atomics; spills.
 *
 * Other threads' results are read only behind a barrier of the block.
 */
#include "kernel.h"

SHARED u32 words[BLOCK * 4];

KERNEL(lds_sum)(const u64 *in, u64 *out)
{
	u32 n;

	words[TID] = (u32)IN(0);
	SYNC();
	for (n = BLOCK / 2; n; n /= 2) {
		if (TID < n)
			words[TID] += words[TID + n];
		SYNC();
	}
	OUT(0, words[0]);
	OUT(1, TID);
	OUT(2, 0);
	OUT(3, 0);
}

KERNEL(lds_scan)(const u64 *in, u64 *out)
{
	u32 n, v;

	words[TID] = (u32)IN(0) & 0xffff;
	SYNC();
	for (n = 1; n < BLOCK; n *= 2) {
		v = TID >= n ? words[TID - n] : 0;
		SYNC();
		words[TID] += v;
		SYNC();
	}
	OUT(0, words[TID]);
	OUT(1, words[BLOCK - 1]);
	OUT(2, words[TID ^ 1]);
	OUT(3, 0);
}

SHARED u64 tile[8][9];

KERNEL(lds_transpose)(const u64 *in, u64 *out)
{
	u32 x = TID % 8, y = TID / 8;

	tile[y][x] = IN(0);
	SYNC();
	OUT(0, tile[x][y]);
	OUT(1, (u32)tile[7 - y][x]);
	OUT(2, ((const u16 *)&tile[y][7 - x])[1]);
	OUT(3, ((const i8 *)&tile[x][x])[5]);
}

SHARED float rows[8][8], columns[8][8];

KERNEL(lds_product)(const u64 *in, u64 *out)
{
	u32 x = TID % 8, y = TID / 8, k;
	float s = 0;

	rows[y][x] = (float)(i16)IN(0);
	columns[y][x] = (float)(i16)IN(1) / 256;
	SYNC();
	for (k = 0; k < 8; k++)
		s = __builtin_fmaf(rows[y][k], columns[k][x], s);
	OUT(0, b32(s));
	OUT(1, b32(rows[x][y]));
	OUT(2, b32(columns[x][y]));
	OUT(3, 0);
}

KERNEL(lds_histogram)(const u64 *in, u64 *out)
{
	u32 i;

	words[TID] = 0;
	SYNC();
	for (i = 0; i < 16; i++)
		__atomic_fetch_add(&words[IN(0) >> 4 * i & 15], 1,
			__ATOMIC_RELAXED);
	SYNC();
	OUT(0, words[TID & 15]);
	OUT(1, words[TID]);
	OUT(2, 0);
	OUT(3, 0);
}

KERNEL(lds_atomics)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0), old, i;

	if (TID < 4)
		words[TID] = TID == 1 ? 0xffffffff : 0;
	SYNC();
	__atomic_fetch_or(&words[0], v, __ATOMIC_RELAXED);
	__atomic_fetch_and(&words[1], v | 0xff, __ATOMIC_RELAXED);
	__atomic_fetch_xor(&words[2], v, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++) {
		old = __atomic_load_n(&words[3], __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&words[3], &old, old + v,
				0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			;
	}
	SYNC();
	for (i = 0; i < 4; i++)
		OUT(i, words[i]);
}

/* of the whole grid, in words of out that no thread writes otherwise: the
 * fourth ones of the threads 0 to 7 */
KERNEL(global_atomics)(const u64 *in, u64 *out)
{
	u32 v = (u32)IN(0);
	u64 *sum = &out[3];

	__atomic_fetch_add(&sum[0], v, __ATOMIC_RELAXED);
	__atomic_fetch_or(&sum[4], IN(1) & 0xf0f0, __ATOMIC_RELAXED);
	__atomic_fetch_xor(&sum[8], IN(1), __ATOMIC_RELAXED);
	__atomic_fetch_sub((u32 *)&sum[12], v, __ATOMIC_RELAXED);
	__atomic_fetch_add((u32 *)&sum[16] + (v & 1), 1, __ATOMIC_RELAXED);
	OUT(0, v);
	OUT(1, v * 2);
	OUT(2, v * 3);
}

KERNEL(private_array)(const u64 *in, u64 *out)
{
	u32 a[16], i, n = (u32)IN(1);

	for (i = 0; i < 16; i++)
		a[i] = (u32)IN(0) * (i + 1);
	for (i = 0; i < 16; i++) {
		n = n * 1103515245 + 12345;
		a[n >> 16 & 15] ^= a[n >> 20 & 15] + i;
	}
	for (i = 0; i < 4; i++)
		OUT(i, a[(n + i) & 15] ^ a[i]);
}

KERNEL(private_bytes)(const u64 *in, u64 *out)
{
	union { u8 b[32]; u16 h[16]; u32 w[8]; u64 d[4]; } u;
	u32 i;

	for (i = 0; i < 4; i++)
		u.d[i] = IN(i);
	for (i = 0; i < 32; i++)
		u.b[(i * 7 + IN(0)) & 31] += u.b[i];
	for (i = 0; i < 16; i++)
		u.h[i] ^= u.h[(i + IN(1)) & 15];
	u.w[IN(2) & 7] = 12345;
	for (i = 0; i < 4; i++)
		OUT(i, u.d[i]);
}

/* pointers that may be to either kind */
NOINLINE u64
through(const u64 *p, u32 n)
{
	return p[n] + p[0];
}

KERNEL(generic_pointer)(const u64 *in, u64 *out)
{
	u64 mine[4];
	u32 i;

	for (i = 0; i < 4; i++)
		mine[i] = IN(i) * 3;
	tile[TID / 8][TID % 8] = IN(1);
	SYNC();
	for (i = 0; i < 4; i++)
		OUT(i, through(IN(2) >> i & 1 ? mine : in + GID * 4, i) ^
			through(IN(3) >> i & 1 ? &tile[0][0] : mine, i));
}

/* more values alive than there are registers for them at -O0 or at 64 */
KERNEL(many_values)(const u64 *in, u64 *out)
{
	u64 v[40], s = IN(0);
	u32 i, j;

#ifdef __clang__
#pragma clang loop unroll(full)
#endif
	for (i = 0; i < 40; i++) {
		s = s * 6364136223846793005ULL + IN(i & 3);
		v[i] = s;
	}
	for (j = 0; j < 3; j++)
#ifdef __clang__
#pragma clang loop unroll(full)
#endif
		for (i = 0; i < 40; i++)
			v[i] = (v[i] ^ v[(i * 7 + 3) % 40]) + v[39 - i];
	for (s = 0, i = 0; i < 40; i++)
		s = s * 31 + v[i];
	OUT(0, s);
	OUT(1, v[0]);
	OUT(2, v[20]);
	OUT(3, v[39]);
}

KERNEL(unaligned)(const u64 *in, u64 *out)
{
	const u8 *p = (const u8 *)&IN(0);
	u32 w;
	u16 h;
	u64 d;

	__builtin_memcpy(&w, p + 1, 4);
	__builtin_memcpy(&h, p + 7, 2);
	__builtin_memcpy(&d, p + 11, 8);
	OUT(0, w);
	OUT(1, h);
	OUT(2, d);
	OUT(3, p[3] | (u64)(i64)(i8)p[5] << 8);
}
