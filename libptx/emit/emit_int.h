/* emit_int.h - what the chapters of the emitter share; private to emit/.
 *
 * A value is an LLVM scalar, or a vector of e->lanes of it: build types with
 * emit_ity() and emit_fty() and constants with emit_k(), and every chapter
 * serves targets of any width.  Registers hold integers (predicates i1);
 * floats are bitcast where they are used.
 */
#ifndef EMIT_INT_H
#define EMIT_INT_H

#include "emit.h"
#include <llvm-c/TargetMachine.h>

struct emit {
	struct ptx *x;
	const struct emit_options *o;
	const struct target *t;
	LLVMContextRef c;
	LLVMModuleRef m;
	LLVMBuilderRef b;
	LLVMTargetDataRef layout;
	unsigned lanes;

	const struct func *f;    /* being emitted */
	const struct func *kernel; /* entry or function named in messages */
	const struct sym *global; /* before the first: the variable */
	LLVMValueRef fn;
	const struct insn *at;
	bool refused;            /* sticky; the unit is dropped */

	LLVMValueRef *reg;       /* by sym->id: alloca of emit_ity() */
	LLVMBasicBlockRef *label; /* by sym->id */
	LLVMValueRef *var;       /* by sym->id: address of a local, param */
	LLVMValueRef carry;      /* alloca i1: CC.CF */
	LLVMValueRef launch;     /* address of struct launch */
	bool ftz_mode;           /* the machine itself flushes subnormal f32
	                          * operands and results in this unit, in
	                          * which all f32 arithmetic is .ftz and
	                          * rounds to nearest */
	const struct unit *u;

	unsigned barrier_use;    /* of barrier.c */
	LLVMValueRef barrier;    /* its words in shared memory, or 0 */
	LLVMBasicBlockRef end;   /* where all threads of a kernel end, or 0 */
	struct debug *debug;     /* of debug.c; 0: no line tables */
	struct library *services; /* of service.c; 0: none needed yet */
	struct library *textures; /* of texture_call.c; 0: none needed yet */
};

/* ftz.c: may the machine's mode flush f32 subnormals in all of the unit? */
bool unit_flushes(const struct unit *);

/* emit.c - functions and their bodies */
void emit_function(struct emit *, const struct func *);
LLVMValueRef emit_reg(struct emit *, const struct sym *); /* its alloca */
LLVMBasicBlockRef emit_label(struct emit *, const struct sym *);

/* call.c - parameters, results, calls */
bool emit_spoils_scalars(const struct emit *); /* see struct target */
LLVMValueRef emit_declare(struct emit *, const struct func *); /* 0: refused */
void emit_params(struct emit *, const struct func *);
void emit_return(struct emit *); /* ends the block: ret */
void emit_leave(struct emit *);  /* ends the block: exit */

/* service.c - functions that the host serves */
/* the definition that stands for f, declared only; it takes the address of
 * struct service first.  0: f is none of them */
const struct func *emit_service(struct emit *, const struct func *f);
void emit_services(struct emit *); /* the bodies of those that are called */

/* library.c - functions of ours that are written in PTX */
/* the n lines of text, a module of this name */
struct library *library_parse(struct emit *, const char *name,
	const char *const *line, size_t n);
void library_free(struct library *);     /* 0 is none */
const struct func *library_first(const struct library *);
const struct func *library_func(const struct library *, const char *name);
/* those variables that the unit names become constants in it */
void library_define(struct emit *, const struct library *);

/* texture_call.c - what textures and surfaces share */
/* the bodies of the library's functions that are called */
void emit_textures(struct emit *);

/* debug.c - line tables; no-ops without line_info */
void emit_debug_begin(struct emit *);
void emit_debug_function(struct emit *, const struct func *);
void emit_debug_loc(struct emit *, const char *text);
void emit_debug_end(struct emit *);

/* global.c - variables */
void emit_globals(struct emit *, const struct unit *);
/* s, declared as g, is data of ours in this unit, without addresses */
void emit_constant(struct emit *, const struct sym *s, LLVMValueRef g);
/* the address of a variable or function, in its own space; 0: refused */
LLVMValueRef emit_sym(struct emit *, const struct sym *);
/* is s a parameter of the kernel that is being emitted? */
bool emit_is_kernel_param(struct emit *, const struct sym *s);

/* memory.c */
enum space emit_space(const struct insn *); /* its ".space"; else GENERIC */
/* what is loaded by v does not change while the kernel runs */
void emit_invariant(struct emit *, LLVMValueRef v);

/* sreg.c - a special register, with what all targets have in common */
LLVMValueRef emit_sreg(struct emit *, enum sreg, int comp);
LLVMValueRef emit_service_address(struct emit *); /* launch.service */

/* object.c */
LLVMTargetMachineRef emit_machine(const struct emit_options *);
LLVMTargetDataRef emit_layout(const struct emit_options *);
/* work(arg) on m, with LLVM's errors caught; false: there were some */
bool emit_guarded(struct ptx *, LLVMModuleRef m, bool (*work)(void *),
	void *arg);

/* address.c: integers that are addresses become pointers */
void emit_addresses(LLVMModuleRef, const struct emit_options *);

/* turns.c - keeps a lock that a lane takes and gives in one turn of a loop
 * there; before any pass that changes branches.  amdgpu only */
void emit_turns(LLVMModuleRef);

/* link_lld.cpp - what LLVM's C interface cannot say */
void emit_syncscope(LLVMValueRef access, const char *scope); /* LLVM's name */
void emit_avoid_sdwa(void); /* once, before code is generated */
void emit_split(LLVMValueRef at); /* the block in two, before it */

/* value.c - types, constants, operands */
LLVMTypeRef emit_ity(struct emit *, unsigned bits);       /* iN */
LLVMTypeRef emit_fty(struct emit *, enum type); /* half … <2 x half> */
LLVMTypeRef emit_tty(struct emit *, enum type);           /* as integer */
LLVMValueRef emit_k(struct emit *, LLVMTypeRef, int64_t); /* splat */
LLVMValueRef emit_kf(struct emit *, LLVMTypeRef, double);
LLVMValueRef emit_bits(struct emit *, LLVMValueRef, LLVMTypeRef); /* bitcast */
/* operand o as an integer of type's width; literals are converted as PTX
 * says (5.x, 6.x), -r and !p applied, narrower or wider registers cut or
 * extended as the type's kind asks */
LLVMValueRef emit_read(struct emit *, const struct opnd *, enum type);
/* the same as a float value of type */
LLVMValueRef emit_readf(struct emit *, const struct opnd *, enum type);
/* v (integer or float of type's width) to operand o; a wider register gets
 * it zero- or sign-extended by type's kind; OP_SINK takes it away.  PTX lets
 * a wider register's upper bits be anything for floats and .b: zero them. */
void emit_write(struct emit *, const struct opnd *, enum type, LLVMValueRef);
/* address operand o = [base+off] of instruction i in space: an LLVM pointer
 * of the target's address space for it, with the element taken into account
 * nowhere (byte pointers) */
LLVMValueRef emit_addr(struct emit *, const struct opnd *, enum space);

/* build.c - pieces of LLVM IR */
/* intrinsic by name; ty: the overloaded types, n of them */
LLVMValueRef emit_intrinsic(struct emit *, const char *name,
	LLVMTypeRef *ty, unsigned nty, LLVMValueRef *arg, unsigned narg);
/* the usual case: overloaded on the first argument's type alone */
LLVMValueRef emit_call1(struct emit *, const char *name, LLVMValueRef);
LLVMValueRef emit_call2(struct emit *, const char *name,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_call3(struct emit *, const char *name,
	LLVMValueRef, LLVMValueRef, LLVMValueRef);
/* calls an internal function of the module that holds the body of something
 * large (mma, div.rn.f64 …), made on first use by build(), which finds the
 * builder in fn's entry block */
LLVMValueRef emit_helper(struct emit *, const char *name, LLVMTypeRef fnty,
	void (*build)(struct emit *, LLVMValueRef fn), LLVMValueRef *arg,
	unsigned narg);
/* an empty block at the end of the function */
LLVMBasicBlockRef emit_block(struct emit *, const char *name);
/* alloca in the function's entry block */
LLVMValueRef emit_alloca(struct emit *, LLVMTypeRef, const char *name);
/* an operation we know and do not translate: "NAME: why", at e->at */
void emit_refuse(struct emit *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* a string attribute, an attribute of LLVM's own ("nounwind") */
void emit_attr(struct emit *, LLVMValueRef fn, const char *, const char *);
void emit_flag(struct emit *, LLVMValueRef fn, const char *);

/* round.c - arithmetic with PTX's roundings and flushes */
enum round emit_round(const struct insn *, enum round otherwise);
/* fabs(v) below the least normal number becomes a zero of v's sign */
LLVMValueRef emit_flush(struct emit *, LLVMValueRef);
LLVMValueRef emit_saturate(struct emit *, LLVMValueRef); /* to [0,1], NaN 0 */
LLVMValueRef emit_fadd(struct emit *, enum round, LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_fmul(struct emit *, enum round, LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_ffma(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef, LLVMValueRef);

/* dot.c - c + the dot product of the integers of bits (8, 4) packed in the
 * i32 a and b, each signed or not; wraps */
LLVMValueRef emit_dot(struct emit *, unsigned bits, bool asigned, bool bsigned,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

/* warp.c - lanes of a warp */
/* i32 v of lane l ^ k (a constant) in lane l */
LLVMValueRef emit_bfly(struct emit *, LLVMValueRef v, unsigned k);
/* i32: which threads of membermask (operand o, or all of them) are here */
LLVMValueRef emit_members(struct emit *, const struct opnd *o);
/* those of membermask (operand o, or 0: none asked for) meet here, each with
 * v (i32 or i1; 0: none) */
void emit_gather(struct emit *, const struct opnd *o, LLVMValueRef v);

/* barrier.c - what the unit's barriers need: at first, at a kernel's begin,
 * and where a thread of it ends, which ends the block */
void emit_barriers(struct emit *);
void emit_barrier_begin(struct emit *);
void emit_barrier_end(struct emit *);
/* refuses a kernel that wants a cluster of several blocks */
void emit_cluster(struct emit *, const struct func *);

/* fence.c - order and scope; atomic accesses for other chapters */
struct atomic {
	LLVMValueRef p;           /* byte pointer */
	LLVMAtomicOrdering order; /* relaxed: monotonic */
	const char *scope;        /* PTX's word */
};

LLVMAtomicOrdering emit_order(const struct insn *);
const char *emit_scope(const struct insn *); /* "gpu" if not spelled */
LLVMValueRef emit_rmw(struct emit *, const struct atomic *,
	LLVMAtomicRMWBinOp, LLVMValueRef v);
/* v goes there if old is there; { what was there, i1 it went } */
LLVMValueRef emit_cas(struct emit *, const struct atomic *,
	LLVMValueRef old, LLVMValueRef v);
LLVMValueRef emit_atomic_load(struct emit *, const struct atomic *,
	unsigned bits);

/* note.c: the metadata of all kernels of a linked image in its first note */
void note_merge(struct blob *image);

/* emit.def - how each form becomes LLVM IR */
typedef void emit_fn(struct emit *, const struct insn *, int with);

#define EMIT(form, how, with) emit_fn emit_##how;
#include "emit.def"
#undef EMIT

#endif
