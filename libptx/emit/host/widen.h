/* widen.h - scalar LLVM IR of one thread becomes vector IR of a warp.
 *
 * The emitter writes what one thread does, with calls of markers (@ptx.ballot
 * …) where other lanes matter.  Widening makes of each function one that runs
 * LANES threads: void KERNEL.run(struct warp *).  Values that are the same in
 * all lanes stay scalar, and so do those that grow by a constant from lane to
 * lane.
 *
 * A scalar value is a list of parts, each of a type that stands in a vector:
 * <2 x half> has two, { i32, i1 } has two, [3 x float] has three.  Each part
 * has a shape, which the analysis finds before anything is built, and after
 * that a value: one scalar a run, or one vector.
 *
 * A chapter handles some instructions: rows in its .def name a function that
 * tells the shape of each part of the result and one that builds it.  Shapes
 * are asked for many times, with operands' shapes that only ever get worse:
 * the answer must then not get better, and depend on nothing else.
 */
#ifndef WIDEN_H
#define WIDEN_H

#include "emit/emit_int.h"
#include "host.h"

enum { LANES = HOST_LANES, RUNS = 4 };

/* LLVM's address space of shared memory in scalar code: 32-bit pointers, which
 * are offsets into the memory of the block.  A part that is one becomes a flat
 * pointer, so that what is added to it finds its way into the instruction. */
enum { SHARED_AS = 271 };

/* The lanes form runs of LANES / seg neighbours.  In a run the value is that
 * of its first lane plus stride for each lane; integers wrap.  Floats and i1
 * have stride 0.  A pointer's stride is in bytes.
 *
 * An index of 32 bits that was made one of 64 may wrap inside a run, which
 * only the run can tell: where maybe is set, first lane plus stride for each
 * lane is right if widen_exact() says so when the code runs, and the lanes
 * behind the wrap are jump further otherwise; what widen_wide() gives is right
 * in any case. */
struct shape {
	uint8_t seg;            /* 1, 2, 4; 0: varying, nothing is known */
	uint8_t zeros;          /* the first lanes' low bits known to be 0 */
	bool maybe;
	int64_t stride;
	int64_t jump;           /* 0 unless maybe */
};

#define UNIFORM ((struct shape){ 1, 0, false, 0, 0 })
#define VARYING ((struct shape){ 0, 0, false, 0, 0 })

struct widen_value;         /* private to widen_value.c */
struct widen_block;

struct widen {
	struct ptx *x;
	const struct emit_options *o;
	struct host_shape form;     /* of the block of threads */
	LLVMContextRef c;
	LLVMModuleRef m;
	LLVMTargetDataRef layout;
	LLVMBuilderRef b;           /* at the end of what has been built; a
	                             * handler may leave it in another block */
	LLVMTypeRef i1, i8, i32, i64, ptr, mask_type; /* <32 x i1> */

	LLVMValueRef from, to;      /* scalar function, vector function */
	LLVMValueRef warp;          /* struct warp * */
	LLVMBasicBlockRef entry;    /* allocas and loads of w's members */
	bool kernel;                /* or a function that is called */
	uint64_t launch;            /* bytes from the kernel's first argument
	                             * to struct launch */
	bool dispatched;            /* lanes run in turns: widen_dispatch.c */

	/* of the scalar block that is being built */
	LLVMValueRef mask;          /* <32 x i1>: lanes that are here */
	bool full;                  /* mask is known to be all lanes */
	bool whole;                 /* mask is known to be all lanes that
	                             * have come into the function: no lane
	                             * is elsewhere, or has ended */
	bool refused;               /* sticky */
	unsigned flags;             /* enum host_flag: handlers or theirs */
	uint64_t local;             /* bytes a thread: handlers add theirs */
	struct host_kernel *info;   /* shared, dynamic: widen_shared() */
	LLVMBasicBlockRef misaligned; /* calls the fault; 0: not yet built */

	struct widen_map *value;
	struct widen_block *block;
	unsigned nblock;
	struct widen_place *place;  /* blocks, sorted by the scalar ones */
	LLVMValueRef came;          /* mask of the lanes that came in */
	LLVMValueRef *result;       /* slots of the parts that are returned */
	LLVMBasicBlockRef out;      /* returns */
	LLVMValueRef rounds;        /* slot: of loops that spin */
	struct widen_hub *hub;      /* of a function that is dispatched */
	struct widen_block *at;
	struct widen_field {
		size_t offset;
		LLVMTypeRef ty;
		LLVMValueRef v;
	} field[32];                /* by widen_field() */
};

/* widen_value.c - parts and their values */

/* parts of a value of this type, and the type of one in vector code */
unsigned widen_parts(struct widen *, LLVMTypeRef);
LLVMTypeRef widen_part_type(struct widen *, LLVMTypeRef, unsigned part);
/* <32 x ty> */
LLVMTypeRef widen_wide_type(LLVMTypeRef ty);

struct shape widen_shape(struct widen *, LLVMValueRef scalar, unsigned part);
bool widen_is_uniform(struct widen *, LLVMValueRef scalar, unsigned part);
/* the part in all lanes: <32 x T>, whatever its shape */
LLVMValueRef widen_wide(struct widen *, LLVMValueRef scalar, unsigned part);
/* a part that is uniform, as a T */
LLVMValueRef widen_scalar(struct widen *, LLVMValueRef scalar, unsigned part);
/* the first lanes of the runs, seen as seg runs: at least as many as the
 * part's shape has */
void widen_runs(struct widen *, LLVMValueRef scalar, unsigned part,
	unsigned seg, LLVMValueRef run[]);

/* i1: is a part whose shape is maybe what its runs say?  true where it is not
 * maybe */
LLVMValueRef widen_exact(struct widen *, LLVMValueRef scalar, unsigned part);

/* the result of the instruction that is being built, a part each; it is
 * brought into the shape that the analysis found */
void widen_set_wide(struct widen *, LLVMValueRef insn, unsigned part,
	LLVMValueRef wide);
void widen_set_scalar(struct widen *, LLVMValueRef insn, unsigned part,
	LLVMValueRef v);    /* the same in all lanes */
void widen_set_runs(struct widen *, LLVMValueRef insn, unsigned part,
	struct shape, const LLVMValueRef run[]);

/* widen_build.c - pieces of vector IR; n-ary ones know nothing of shapes */
LLVMValueRef widen_k32(struct widen *, uint32_t);
LLVMValueRef widen_k64(struct widen *, uint64_t);
LLVMValueRef widen_splat(struct widen *, LLVMValueRef scalar);
/* <32 x ty>, lane l: l * step; ty is an integer */
LLVMValueRef widen_steps(struct widen *, LLVMTypeRef ty, int64_t step);
LLVMValueRef widen_expand(struct widen *, struct shape,
	const LLVMValueRef run[]);        /* runs to <32 x T> */
/* element lane (i32; a constant is best) of a vector */
LLVMValueRef widen_extract(struct widen *, LLVMValueRef wide,
	LLVMValueRef lane);
LLVMValueRef widen_bits(struct widen *, LLVMValueRef mask); /* to i32 */
LLVMValueRef widen_unbits(struct widen *, LLVMValueRef i32); /* and back */
LLVMValueRef widen_any(struct widen *, LLVMValueRef mask);  /* i1 */
LLVMValueRef widen_all(struct widen *, LLVMValueRef mask);  /* i1 */
/* mask && p, where p may be poison in lanes that mask leaves out */
LLVMValueRef widen_and(struct widen *, LLVMValueRef mask, LLVMValueRef p);
/* i32: the first lane that is here */
LLVMValueRef widen_first(struct widen *);
/* wide v where mask is false becomes what is safe (a T), as for divisors */
LLVMValueRef widen_safe(struct widen *, LLVMValueRef v, LLVMValueRef safe);
LLVMValueRef widen_intrinsic(struct widen *, const char *name,
	LLVMTypeRef *over, unsigned nover, LLVMValueRef *arg, unsigned narg);
/* llvm.NAME overloaded on the first argument's type alone */
LLVMValueRef widen_call1(struct widen *, const char *, LLVMValueRef);
LLVMValueRef widen_call2(struct widen *, const char *, LLVMValueRef,
	LLVMValueRef);
LLVMBasicBlockRef widen_new_block(struct widen *, const char *name);
/* alloca in the entry block */
LLVMValueRef widen_slot(struct widen *, LLVMTypeRef, const char *name);
/* a member of struct warp, loaded in the entry block once: what does not
 * change while the warp runs */
#define WARP_FIELD(w, member, ty) \
	widen_field(w, offsetof(struct warp, member), ty)
LLVMValueRef widen_field(struct widen *, size_t offset, LLVMTypeRef);
/* offsets (i32) into shared memory as flat pointers, and back; scalar or wide.
 * An offset is extended by its sign: the first lane of a run may lie before
 * the memory, and one that wraps in 32 bits does not in 64. */
bool widen_is_shared(LLVMTypeRef scalar);
LLVMValueRef widen_shared_pointer(struct widen *, LLVMValueRef offset);
LLVMValueRef widen_shared_offset(struct widen *, LLVMValueRef p);
/* w->call->member(w, arg…) of this type; sets HOST_SWITCHES if switches */
LLVMValueRef widen_device(struct widen *, size_t offset, LLVMTypeRef fnty,
	LLVMValueRef *arg, unsigned narg, bool switches);

/* if (p) { what is built between these two }; p an i1.  A value made inside
 * reaches the outside through widen_slot() or a phi of after and then. */
struct widen_if {
	LLVMBasicBlockRef before, then, after;
};
void widen_if(struct widen *, struct widen_if *, LLVMValueRef p);
void widen_endif(struct widen *, struct widen_if *);
/* for each set bit of bits (i32), from the lowest: lane is its number */
struct widen_loop {
	LLVMValueRef lane;          /* i32 */
	LLVMValueRef left;          /* bits still to be done, with this one */
	LLVMBasicBlockRef before, head, after;
};
void widen_each(struct widen *, struct widen_loop *, LLVMValueRef bits);
void widen_endeach(struct widen *, struct widen_loop *);

/* "NAME" in "KERNEL": why; the kernel is not translated */
void widen_refuse(struct widen *, LLVMValueRef insn, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* widen_shape.c - what shapes do */
struct shape shape_join(struct shape, struct shape); /* either of them */
struct shape shape_cut(struct shape, unsigned seg);  /* as seg runs at least */
bool shape_same(struct shape, struct shape);
struct shape shape_in_shared(struct shape offset); /* … of the pointer */

typedef struct shape shape_fn(struct widen *, LLVMValueRef insn,
	unsigned part);
/* rules that many share */
shape_fn shape_uniform, shape_varying;
shape_fn shape_like;  /* runs of the same where all operands are; no strides */

/* handlers: build the vector form of insn at w->b */
typedef void widen_fn(struct widen *, LLVMValueRef insn);

/* widen_mem.c …: gives the variables of AS 271 their places, before anything
 * is widened: they become constants; sets info->shared and dynamic */
void widen_shared(struct widen *);

/* Rows, by chapter:
 *	OPCODE(LLVMAdd, shape, how)       an instruction of LLVM
 *	CALL("llvm.fma", shape, how)      a declared function: this name, or
 *	                                  one that goes on with a '.'; the
 *	                                  longest row that fits is taken
 * for functions shape_SHAPE and widen_HOW. */
#define OPCODE(opcode, shape, how) shape_fn shape_##shape; widen_fn widen_##how;
#define CALL(name, shape, how) shape_fn shape_##shape; widen_fn widen_##how;
#include "widen.def"
#undef OPCODE
#undef CALL

#endif
