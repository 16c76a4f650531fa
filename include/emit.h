/* emit.h - a verified PTX module as LLVM IR, as objects, as an image.
 *
 * Only tools that generate code include this; ptx-opt does not link LLVM.
 * Code generation reads struct ptx and never changes it (diag() locks), so
 * units may be compiled on several threads.
 */
#ifndef EMIT_H
#define EMIT_H

#include "ptx.h"
#include "image.h"
#include "host.h"
#include <llvm-c/Core.h>

struct emit; /* one unit on its way to LLVM; private to emit/ */
struct atomic;

/* matrix instructions; see emit/matrix.h */
enum frag_operand { FRAG_A, FRAG_B, FRAG_C, FRAG_D, NFRAG };
enum { FRAG_REGS = 16 };    /* of a fragment, at most */
struct frag;
struct mma;

enum round { ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP };

/* everything in which one machine differs from another; every member is set,
 * and one that a machine cannot do refuses by name with emit_refuse().
 * Values are of e->lanes lanes: a scalar where lanes is 1. */
struct target {
	const char *name;           /* "amdgpu" */
	const char *triple;
	unsigned space[NSPACE];     /* LLVM address space of each state space */
	unsigned lanes;             /* 1: one value is one thread's */
	bool orders_zeros;          /* llvm.minnum takes -0 below +0 */
	bool fuses_half;            /* llvm.fma on half rounds once */
	bool flushes_f32;           /* has a mode for that; see ftz.c */
	bool refines_f64;           /* fdiv is a refined estimate; divide.c */
	bool far_data;              /* a kernel's code may lie anywhere from
	                             * the variables: a table has addresses */

	/* is this the name of a processor of mine? */
	bool (*has_arch)(const char *arch);
	/* LLVM's name of it; 0: the same */
	const char *(*cpu)(const char *arch);
	const char *(*features)(const char *arch);
	/* fn was created for kernel or function f, or (f is 0) as a helper:
	 * calling convention, attributes, launch bounds */
	void (*function)(struct emit *, LLVMValueRef fn, const struct func *f);
	/* a special register that struct launch does not tell: %tid, %ctaid
	 * (comp 0 x … 2 z), clocks, %smid …; 0: there is none such */
	LLVMValueRef (*sreg)(struct emit *, enum sreg, int comp);

	/* float v as an i32, by an instruction that saturates and makes 0 of a
	 * NaN; 0: there is none such */
	LLVMValueRef (*to_int)(struct emit *, LLVMValueRef v, bool is_signed);
	/* i32 v of lane src (i32, 0..31) of this thread's warp; any value
	 * where that lane is not active */
	LLVMValueRef (*shuffle)(struct emit *, LLVMValueRef v,
		LLVMValueRef src);
	/* i32 v of lane src where src is the same in all threads of the warp
	 * and that lane is active */
	LLVMValueRef (*broadcast)(struct emit *, LLVMValueRef v,
		LLVMValueRef src);
	/* i32 v of lane src[l] in lane l, where that is a pattern for which
	 * the machine has an instruction; 0: use shuffle */
	LLVMValueRef (*permute)(struct emit *, LLVMValueRef v,
		const uint8_t src[32]);
	/* i32: bit l is set where lane l of this warp is here and p (i1) */
	LLVMValueRef (*ballot)(struct emit *, LLVMValueRef p);
	/* v (i32) of members (i32; not the same in all threads, perhaps, but
	 * in all members) folded by op: "add" "and" "or" "xor" "umin" "smin"
	 * "umax" "smax"; 0: as redux.c does it */
	LLVMValueRef (*reduce)(struct emit *, const char *op, LLVMValueRef v,
		LLVMValueRef members);
	/* the members (i32) of the warp that live meet before they do something
	 * together with v (i32) of each, which they may do at several places;
	 * 0: those that do are here */
	void (*gather)(struct emit *, LLVMValueRef members, LLVMValueRef v);
	/* i32 0..31 */
	LLVMValueRef (*laneid)(struct emit *);
	/* i64 v of one of the threads that are here, as a scalar */
	LLVMValueRef (*first)(struct emit *, LLVMValueRef v);
	/* i1: is generic address p in space? 0: the machine cannot tell */
	LLVMValueRef (*within)(struct emit *, LLVMValueRef p, enum space);
	/* i1: this thread is the first one here of those that run in step;
	 * *warps (i32): of how many warps these are */
	LLVMValueRef (*leads)(struct emit *, LLVMValueRef *warps);
	/* the threads of a warp that are here meet; their accesses are
	 * ordered among them */
	void (*converge)(struct emit *);
	/* the whole block meets here; memory of the block is ordered */
	void (*barrier)(struct emit *);
	/* bar and barrier of all kinds: 's' sync, 'a' arrive, 'r' reduce by p;
	 * id i32, count i32 or 0.  i64: of those that came how many with a
	 * true p, and in the upper half how many in all.  0: barrier.c makes
	 * them of words in shared memory. */
	LLVMValueRef (*meet)(struct emit *, char kind, LLVMValueRef id,
		LLVMValueRef count, LLVMValueRef p);
	/* orders this thread's accesses; ordering as LLVM's, scope "cta",
	 * "cluster", "gpu", "sys" */
	void (*fence)(struct emit *, LLVMAtomicOrdering, const char *scope);
	const char *(*syncscope)(const char *scope); /* LLVM's name for it */
	/* adds the float v of type to what is at a in space GLOBAL or SHARED
	 * by one instruction, each thread for itself, and gives what was
	 * there; 0: there is none.  *flush: subnormals are zeros to PTX; it
	 * is cleared where they are so only in v */
	LLVMValueRef (*atomic_add)(struct emit *, const struct atomic *a,
		enum type, enum space, LLVMValueRef v, bool *flush);

	/* native estimate of "rcp" "rsqrt" "sqrt" "sin" "cos" "lg2" "ex2"
	 * (sin, cos: radians; lg2, ex2: base 2) on f32; may flush
	 * subnormals, at most 1 ulp (sin, cos: 2^-20.5 absolute in [-pi,pi]) */
	LLVMValueRef (*approx)(struct emit *, const char *op, LLVMValueRef f32);
	const char *const *approx_ftz; /* those that take subnormals for
	                             * zeros and give none; ends in 0 */
	const char *const *approx_full; /* those that need no care at the ends
	                             * of the range; ends in 0; 0: none */
	/* c + the dot product of the bits-wide (8, 4) integers in a and b,
	 * signed or not; 0: no such instruction.  See dot.c */
	LLVMValueRef (*dot)(struct emit *, unsigned bits, bool asigned,
		bool bsigned, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
	/* the bytes of hi:lo that the bytes of sel, 0 to 7, name; 0: no such
	 * instruction */
	LLVMValueRef (*perm)(struct emit *, LLVMValueRef hi, LLVMValueRef lo,
		LLVMValueRef sel);
	/* the machine's own layout of a fragment of wmma with elements of
	 * this type; 0: as in fragment.def */
	const struct frag *(*frag)(struct emit *, const char *shape,
		enum frag_operand, enum type);
	/* d = a*b + c on whole fragments in reg, d's too; false: spell it
	 * out; see mma.c */
	bool (*mma)(struct emit *, const struct mma *,
		LLVMValueRef reg[][FRAG_REGS]);

	/* does LLVM pass scalar arguments (inreg) wrong? 0: it does not */
	bool (*spoils_scalars)(const char *arch);
	/* where it does: pointer p, the same in all threads, as a scalar */
	LLVMValueRef (*scalar)(struct emit *, LLVMValueRef p);
	/* v, of which LLVM then knows nothing; 0: nothing need be hidden */
	LLVMValueRef (*hide)(struct emit *, LLVMValueRef v);
	void (*trap)(struct emit *);
	void (*sleep)(struct emit *, LLVMValueRef nanoseconds);
	/* asks the host for enum service_function with four i64, as host.h has
	 * them, and gives its i64; 0: service.ptx asks through a ring */
	LLVMValueRef (*service)(struct emit *, unsigned function,
		LLVMValueRef arg[4]);
};

extern const struct target target_amdgpu; /* AMD GPUs */
extern const struct target target_host;   /* this CPU; see host/ */

struct emit_options {
	const struct target *target;
	const char *arch;   /* "gfx1100" */
	int level;          /* 0 to 3: -O */
	bool fmad;          /* may mul and add of one rounding fuse where PTX
	                     * leaves it open (mul.f32; add.f32)? */
	bool line_info;     /* DWARF line tables from .loc, .file */
	bool apart;         /* variables are in another image: compile_part */
};

/* resources of one kernel, for -v and --stats */
struct kernel_stats {
	const char *name;
	unsigned vgpr, sgpr, agpr, vgpr_spill, sgpr_spill;
	unsigned lds, scratch, kernarg;   /* bytes; scratch per lane */
	unsigned code;                    /* bytes of machine code */
	unsigned occupancy;               /* waves per SIMD */
	unsigned wave;                    /* 32 or 64 */
	unsigned max_threads;             /* of a block */
	bool dynamic_stack;
};

/* unit.c - which functions are compiled together, in one LLVM module */
struct unit {
	const struct func **kernel;  /* entries of the unit */
	size_t nkernel;
	const struct func **func;    /* functions reachable from them */
	size_t nfunc;
	bool data;                   /* the unit that defines all variables: */
	struct sym **var;
	size_t nvar;
	const struct func **exits;   /* functions that may end the thread */
	size_t nexits;
	bool any_exits;              /* … that may be called by address */
	const struct func **loops;   /* functions that may recurse */
	size_t nloops;
};

struct unit *unit_split(const struct ptx *, struct arena *, size_t *n);
/* one kernel and what it may call; the variables, and what their initial
 * values may call */
struct unit *unit_kernel(const struct ptx *, struct arena *,
	const struct func *kernel);
struct unit *unit_data(const struct ptx *, struct arena *);
/* may a call of f end the thread: exit in it or in what it calls? */
bool unit_exits(const struct unit *, const struct func *f);
bool unit_recurses(const struct unit *, const struct func *f);

/* emit.c: a unit to LLVM IR; 0 if any of it was refused, with diagnostics
 * that name kernel, line and instruction.  The context is the caller's. */
LLVMModuleRef emit_unit(struct ptx *, const struct unit *,
	const struct emit_options *, LLVMContextRef);
/* optimise.c, object.c */
bool emit_optimise(struct ptx *, LLVMModuleRef, const struct emit_options *);
struct blob emit_object(struct ptx *, LLVMModuleRef,
	const struct emit_options *, bool assembly);

/* link_lld.cpp: objects to one shared object, by lld in this process */
struct blob link_image(struct ptx *, const struct blob *obj, size_t n);

/* compile.c: the whole way, jobs units at a time.  A unit that is refused is
 * left out; *nkernel counts those that made it, nerror of x those that did
 * not.  stats may be 0; *stats lives as long as x. */
struct blob compile_image(struct ptx *, const struct emit_options *,
	int jobs, struct kernel_stats **stats, size_t *nkernel);

/* An image of one kernel or, if that is 0, of the variables, for a module in
 * which no function's address is taken.  A kernel's image takes the address
 * of variable v from a word of its own, EMIT_AT v, which who loads the image
 * fills in before.  data 0: refused, with diagnostics. */
#define EMIT_AT "ptxamd.at."
struct blob compile_part(struct ptx *, const struct emit_options *,
	const char *kernel);

/* host/host.c: one kernel for blocks of this shape, as jit.h has it; kernel 0:
 * the variables.  o->target is target_host.  HOST_SCALAR, HOST_WIDENED,
 * HOST_IR: text of what is made vectors of, of these, and as optimised. */
enum host_output {
	HOST_OBJECT, HOST_ASSEMBLY, HOST_SCALAR, HOST_WIDENED, HOST_IR,
};
struct blob host_compile(struct ptx *, const struct emit_options *o,
	const char *kernel, struct host_shape, enum host_output);

/* stats.c: read from an image's notes and kernel descriptors */
size_t image_stats(const struct blob *image, struct arena *,
	struct kernel_stats **);

#endif
