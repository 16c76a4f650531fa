/* kernel.h - kernels that clang compiles for AMD GPUs, as HIP, and that the
 * host's compiler compiles as C.
 *
 *	KERNEL(name)(const u64 *in, u64 *out)
 *	{ … IN(0) … IN(3), OUT(0, x) … OUT(3, x) … }
 *
 * Thread i has four words of each.  Blocks are of 64 threads.  A NaN is
 * written as one NaN only, since which one a sum makes is not told;
 * those that are read are quiet.
 */
#ifndef KERNEL_H
#define KERNEL_H

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
__extension__ typedef _Float16 half;
__extension__ typedef unsigned __int128 u128;

enum { BLOCK = 64 };

#ifdef __HIP__
#define DEVICE __attribute__((device))
#define KERNEL(name) extern "C" __attribute__((global)) \
	__attribute__((amdgpu_flat_work_group_size(64, 64))) void name
#define SHARED __attribute__((shared))
#define NOINLINE static DEVICE __attribute__((noinline))
#define TID ((u32)__builtin_amdgcn_workitem_id_x())
#define BID ((u32)__builtin_amdgcn_workgroup_id_x())
#define SYNC() do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
	__builtin_amdgcn_s_barrier(); \
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
#else
#define DEVICE
#define KERNEL(name) void name(const u64 *in, u64 *out); void name
#define SHARED static
#define NOINLINE static __attribute__((noinline, unused))
extern _Thread_local u32 thread_id, block_id;
void host_sync(void);
#define TID thread_id
#define BID block_id
#define SYNC() host_sync()
#endif
#define FUNC static inline DEVICE __attribute__((unused))

#define GID (BID * BLOCK + TID)
#define IN(k) in[GID * 4 + (k)]
#define OUT(k, x) (out[GID * 4 + (k)] = (u64)(x))

FUNC float
f32(u64 u)
{
	u32 v = (u32)u;
	float f;

	if ((v & 0x7fffffff) > 0x7f800000)
		v |= 0x400000;
	__builtin_memcpy(&f, &v, 4);
	return f;
}

FUNC double
f64(u64 u)
{
	double f;

	if ((u & 0x7fffffffffffffffULL) > 0x7ff0000000000000ULL)
		u |= 0x8000000000000ULL;
	__builtin_memcpy(&f, &u, 8);
	return f;
}

FUNC half
f16(u64 u)
{
	u16 v = (u16)u;
	half f;

	if ((v & 0x7fff) > 0x7c00)
		v |= 0x200;
	__builtin_memcpy(&f, &v, 2);
	return f;
}

FUNC u64
b32(float f)
{
	u32 v;

	__builtin_memcpy(&v, &f, 4);
	return f != f ? 0x7fc00000 : v;
}

FUNC u64
b64(double f)
{
	u64 v;

	__builtin_memcpy(&v, &f, 8);
	return f != f ? 0x7ff8000000000000ULL : v;
}

FUNC u64
b16(half f)
{
	u16 v;

	__builtin_memcpy(&v, &f, 2);
	return f != f ? 0x7e00 : v;
}

#endif
