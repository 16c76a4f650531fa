/* common.h - the subset of CUDA, HIP and OpenCL C in which the kernels are
 * written.
 *
 * The same source goes through nvcc (or clang) to PTX, through clang to AMD
 * code, with no header of either SDK, and to an OpenCL driver.  FAST_ functions
 * are the native estimates of each machine, so that all compute the same thing.
 */
#ifndef COMMON_H
#define COMMON_H

#ifdef __OPENCL_C_VERSION__

#define KERNEL __kernel void
#define __device__
#define SHARED __local
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#define TID_X (unsigned)get_local_id(0)
#define TID_Y (unsigned)get_local_id(1)
#define BID_X (unsigned)get_group_id(0)
#define BID_Y (unsigned)get_group_id(1)
#define DIM_X (unsigned)get_local_size(0)
#define DIM_Y (unsigned)get_local_size(1)
#define GRID_X (unsigned)get_num_groups(0)

#elif defined(__CUDACC__) && !defined(__clang__) /* nvcc brings its own names */

#define KERNEL extern "C" __global__ void
#define SHARED __shared__
#define SYNC() __syncthreads()
#define TID_X threadIdx.x
#define TID_Y threadIdx.y
#define BID_X blockIdx.x
#define BID_Y blockIdx.y
#define DIM_X blockDim.x
#define DIM_Y blockDim.y
#define GRID_X gridDim.x

#elif defined(__HIP__)

#define KERNEL extern "C" __attribute__((global)) void
#define __device__ __attribute__((device))
#define SHARED __attribute__((shared))
#define SYNC() (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), \
	__builtin_amdgcn_s_barrier(), \
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define TID_X __builtin_amdgcn_workitem_id_x()
#define TID_Y __builtin_amdgcn_workitem_id_y()
#define BID_X __builtin_amdgcn_workgroup_id_x()
#define BID_Y __builtin_amdgcn_workgroup_id_y()
#define DIM_X (unsigned)__builtin_amdgcn_workgroup_size_x()
#define DIM_Y (unsigned)__builtin_amdgcn_workgroup_size_y()
#define GRID_X (__builtin_amdgcn_grid_size_x() / DIM_X)

#else /* clang as a CUDA compiler */

#define KERNEL extern "C" __attribute__((global)) void
#define __device__ __attribute__((device))
#define SHARED __attribute__((shared))
#define SYNC() __nvvm_bar_sync(0)
#define TID_X (unsigned)__nvvm_read_ptx_sreg_tid_x()
#define TID_Y (unsigned)__nvvm_read_ptx_sreg_tid_y()
#define BID_X (unsigned)__nvvm_read_ptx_sreg_ctaid_x()
#define BID_Y (unsigned)__nvvm_read_ptx_sreg_ctaid_y()
#define DIM_X (unsigned)__nvvm_read_ptx_sreg_ntid_x()
#define DIM_Y (unsigned)__nvvm_read_ptx_sreg_ntid_y()
#define GRID_X (unsigned)__nvvm_read_ptx_sreg_nctaid_x()

#endif

#ifdef __OPENCL_C_VERSION__
#define GLOBAL __global
#else
#define GLOBAL
#endif

#ifdef __OPENCL_C_VERSION__
#define FAST_EXP2 native_exp2
#define FAST_LOG2 native_log2
#define FAST_RSQRT native_rsqrt
#define FAST_RCP native_recip
#define FAST_SQRT native_sqrt
#define ATOMIC_ADD atomic_add
#elif defined(__HIP__)
#define FAST(name, builtin) \
	static __device__ inline float name(float x) { return builtin(x); }
FAST(FAST_EXP2, __builtin_amdgcn_exp2f)
FAST(FAST_LOG2, __builtin_amdgcn_logf)
FAST(FAST_RSQRT, __builtin_amdgcn_rsqf)
FAST(FAST_RCP, __builtin_amdgcn_rcpf)
FAST(FAST_SQRT, __builtin_amdgcn_sqrtf)
typedef _Float16 half2_t __attribute__((ext_vector_type(2)));
static __device__ inline unsigned
FMA_HALF2(unsigned a, unsigned b, unsigned c)
{
	half2_t x = __builtin_elementwise_fma(
		__builtin_bit_cast(half2_t, a), __builtin_bit_cast(half2_t, b),
		__builtin_bit_cast(half2_t, c));
	return __builtin_bit_cast(unsigned, x);
}
static __device__ inline void
ATOMIC_ADD(unsigned *p, unsigned v)
{
	__hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED,
		__HIP_MEMORY_SCOPE_AGENT);
}
#else
#define FAST(name, insn) \
	static __device__ inline float name(float x) \
	{ float d; asm(insn ".approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(x)); \
	  return d; }
FAST(FAST_EXP2, "ex2")
FAST(FAST_LOG2, "lg2")
FAST(FAST_RSQRT, "rsqrt")
FAST(FAST_RCP, "rcp")
FAST(FAST_SQRT, "sqrt")
static __device__ inline unsigned
FMA_HALF2(unsigned a, unsigned b, unsigned c)
{
	unsigned d;

	asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d)
		: "r"(a), "r"(b), "r"(c));
	return d;
}
static __device__ inline void
ATOMIC_ADD(unsigned *p, unsigned v)
{
#ifdef __clang__
	__nvvm_atom_add_gen_i((int *)p, (int)v);
#else
	atomicAdd(p, v);
#endif
}
#endif

#endif
