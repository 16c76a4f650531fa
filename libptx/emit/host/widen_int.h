/* widen_int.h - what the core of widening shares; chapters use widen.h. */
#ifndef WIDEN_INT_H
#define WIDEN_INT_H

#include "widen.h"

struct widen_part {
	LLVMTypeRef ty;
	struct shape shape;
	bool known;              /* the analysis has been here */
	/* as built in the block that defines it: the first lanes of the runs,
	 * where maybe is set how many of their lanes come before the wrap (i32;
	 * all of them if there is none), or all of it */
	LLVMValueRef run[RUNS], turn[RUNS], wide;
	/* where other blocks find it */
	LLVMValueRef run_slot[RUNS], turn_slot[RUNS], wide_slot;
};

struct widen_value {
	LLVMValueRef scalar;
	struct widen_value *next;  /* of the same hash */
	struct widen_block *home;  /* 0: an argument */
	bool crosses;              /* is used outside of home */
	bool fixed;                /* the same whenever it is computed */
	unsigned heard;            /* depends on what others write in the loop
	                            * of this number; see widen_spin.c */
	const struct widen_row *row;
	unsigned nparts;
	struct widen_part *part;
};

struct widen_block {
	LLVMBasicBlockRef from;    /* the scalar block */
	unsigned order;            /* its index in w->block */
	unsigned nsucc;            /* different successors */
	struct widen_block **succ; /* … a return has end */
	bool divergent;            /* its lanes part at its end */
	bool merged;               /* its lanes may come by several edges, or
	                            * at several times */
	bool reached;
	bool spins;                /* head of a loop that is left when another
	                            * lane, warp or block writes something */
	LLVMValueRef gather;       /* it begins with this call of ptx.gather */
	uint64_t *elsewhere;       /* blocks (by order) where other lanes may
	                            * be pending when this one is run */
	LLVMBasicBlockRef body, guard;
	LLVMValueRef pending;      /* slot of a mask: lanes to be run here */
};

struct widen_place {
	LLVMBasicBlockRef from;
	struct widen_block *at;
};

struct widen_row {
	const char *name;          /* 0: of an opcode */
	shape_fn *shape;
	widen_fn *how;
};

struct widen_map {
	struct arena a;
	struct widen_value **slot;
	size_t size, count;        /* size: a power of 2 */
};

/* widen_value.c */
/* the value of an instruction or argument; made on first use */
struct widen_value *widen_value(struct widen *, LLVMValueRef);
void widen_map_free(struct widen *);
/* a part of insn is the part from of v */
void widen_move(struct widen *, LLVMValueRef insn, unsigned part,
	LLVMValueRef v, unsigned from);
/* A part in all the forms that a shape needs: run, and turn if it is
 * maybe; only wide if it is varying.  The shape that is asked for must be the
 * part's own or say less. */
struct widen_forms {
	LLVMValueRef run[RUNS], turn[RUNS], wide;
};
void widen_get(struct widen *, LLVMValueRef v, unsigned part,
	struct shape as, struct widen_forms *);
/* the result of insn, in the forms of its shape */
void widen_put(struct widen *, LLVMValueRef insn, unsigned part,
	const struct widen_forms *);
/* the same where other blocks find it, in the lanes of mask (0: in all) */
void widen_store(struct widen *, struct widen_part *,
	const struct widen_forms *, LLVMValueRef mask);
/* a phi, where its block begins */
void widen_load_phi(struct widen *, struct widen_value *);

/* widen_op.c: an operation on each lane alone: build() gets the operands all
 * as scalars or all as vectors */
typedef LLVMValueRef build_fn(struct widen *, LLVMValueRef insn,
	LLVMValueRef op[]);
void widen_lanewise(struct widen *, LLVMValueRef insn, unsigned nop,
	build_fn *);

/* widen_shape.c */
const struct widen_row *widen_row(struct widen *, LLVMValueRef insn);
/* finds all shapes and how the lanes flow */
void widen_analyse(struct widen *);

/* widen_order.c: w->block in an order in which a join comes after all ways
 * to it, and a loop is in one piece; w->nblock of them, and the end */
void widen_order(struct widen *);
struct widen_block *widen_block(struct widen *, LLVMBasicBlockRef);

/* widen_flow.c */
/* recomputes where lanes may be; true: they may be in more places */
bool widen_flow(struct widen *);
/* the first block of the set; 0: it is empty */
struct widen_block *widen_next(struct widen *, const uint64_t *set);
bool widen_has(const uint64_t *set, const struct widen_block *);
bool widen_is_empty(struct widen *, const uint64_t *set);

/* widen_control.c: how the block w->at begins, and what ends it */
void widen_begin(struct widen *, struct widen_block *);
void widen_end(struct widen *);
LLVMBasicBlockRef widen_body(struct widen *, struct widen_block *);

/* widen_spin.c: do lanes wait here for each other?  Marks loops that spin;
 * needs the flow of lanes */
bool widen_lanes_wait(struct widen *);
/* a round of a loop that spins: lets others go on, now and then */
void widen_round(struct widen *);

/* widen_dispatch.c - blocks of a dispatched function */
/* every call of ptx.gather begins a block; before widen_order() */
void widen_split_gathers(LLVMValueRef fn);
void widen_dispatcher(struct widen *); /* made at first */
LLVMValueRef widen_arrivals(struct widen *, struct widen_block *); /* mask */
void widen_arrive(struct widen *, struct widen_block *, LLVMValueRef mask);
void widen_dispatch(struct widen *);   /* on to any block with lanes */
/* behind a gather, i32: lanes at other places that met those here; else 0 */
LLVMValueRef widen_peers(struct widen *);
/* v, <32 x i32>, and in lanes at other places what those brought */
LLVMValueRef widen_brought(struct widen *, LLVMValueRef v);
/* i32: lanes that are to come to the barrier insn at other places, and met
 * those here */
LLVMValueRef widen_company(struct widen *, LLVMValueRef insn);
/* slots, or 0: lanes (i32) for which others came to the barrier before it was
 * their turn, and what it gave (i64) */
LLVMValueRef widen_counted(struct widen *);
LLVMValueRef widen_reduced(struct widen *);

/* widen_call.c */
LLVMTypeRef widen_signature(struct widen *, LLVMTypeRef scalar);
/* the function of the name of fn with a suffix, made if need be */
LLVMValueRef widen_named(struct widen *, LLVMValueRef fn, const char *suffix,
	LLVMTypeRef);
LLVMValueRef widen_declare(struct widen *, LLVMValueRef fn);
void widen_attributes(struct widen *, LLVMValueRef fn);
shape_fn shape_call;
widen_fn widen_call;

/* widen_func.c: fn, of which the vector form is to */
void widen_function(struct widen *, LLVMValueRef fn, LLVMValueRef to);

#endif
