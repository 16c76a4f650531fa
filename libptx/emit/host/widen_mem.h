/* widen_mem.h - what the files of memory share.
 *
 * Memory is accessed in elements: integers, float or double, of 1 to 8 bytes.
 *  An access of a lane is n of them side by side.  What the address
 * does from lane to lane decides how all lanes' elements come and go.
 */
#ifndef WIDEN_MEM_H
#define WIDEN_MEM_H

#include "widen.h"

enum { ELEMENTS = 64 };         /* of one access, at most */

struct mem {
	LLVMValueRef p;         /* the scalar code's pointer */
	LLVMTypeRef type;       /* of an element */
	unsigned size, n;       /* bytes of an element; elements of a lane */
	unsigned align;         /* bytes, of a lane's access */
	bool is_volatile;       /* one access a lane, just here */
	bool atomic;            /* … in one piece: relaxed */
	bool invariant;
	struct shape s;         /* of the address */
	LLVMValueRef flat;      /* if not 0, in place of p: the flat pointer of
	                         * the first lane where s.seg is 1, or of all */
};

/* widen_mem.c - loads and stores in any way.  v: n values, in all lanes */
void widen_mem_load(struct widen *, const struct mem *, LLVMValueRef *v);
void widen_mem_store(struct widen *, const struct mem *,
	const LLVMValueRef *v);

/* widen_mem_space.c - addresses as flat pointers */
LLVMValueRef widen_beside(struct widen *, LLVMValueRef p, uint64_t bytes);
void widen_flat_runs(struct widen *, const struct mem *, unsigned seg,
	LLVMValueRef run[]);
LLVMValueRef widen_flat_wide(struct widen *, const struct mem *);
/* i1: is a lane of that run here? */
LLVMValueRef widen_run_here(struct widen *, unsigned run, unsigned seg);
/* widen_mem_align.c - ends the kernel if a lane's address is not a multiple of
 * a->align */
void widen_aligned(struct widen *, const struct mem *);

/* widen_mem_vector.c - neighbours in memory by vectors */
bool widen_is_vector(const struct mem *);
/* must all lanes be here for that? */
bool widen_needs_all(struct widen *, const struct mem *);
void widen_vector_load(struct widen *, const struct mem *,
	LLVMValueRef *v);
void widen_vector_store(struct widen *, const struct mem *,
	const LLVMValueRef *v);
/* len elements of nsrc vectors of len: e[i] counts through all of them, -1 is
 * any value */
LLVMValueRef widen_pick(struct widen *, const LLVMValueRef *src,
	unsigned nsrc, unsigned len, const int *e);
/* neighbours put together: q vectors of 32 to one of 32 elements that are q
 * times as wide, and back */
LLVMValueRef widen_merge(struct widen *, const LLVMValueRef *v, unsigned q);
void widen_split(struct widen *, LLVMValueRef wide, LLVMTypeRef, unsigned q,
	LLVMValueRef *v);

/* widen_mem_lanes.c - each lane for itself */
void widen_lanes_load(struct widen *, const struct mem *,
	LLVMValueRef *v);
void widen_lanes_store(struct widen *, const struct mem *,
	const LLVMValueRef *v);
/* wide in memory, so that a loop over lanes can take its elements; 0: room
 * for a wide of that type */
LLVMValueRef widen_spill(struct widen *, LLVMTypeRef, LLVMValueRef wide);
LLVMValueRef widen_spilt(struct widen *, LLVMTypeRef, LLVMValueRef slot,
	LLVMValueRef lane);
void widen_respill(struct widen *, LLVMTypeRef, LLVMValueRef slot,
	LLVMValueRef lane, LLVMValueRef v);
LLVMValueRef widen_unspill(struct widen *, LLVMTypeRef, LLVMValueRef slot);
/* the address of a->p in one lane, of those in slot = widen_spill_p() */
LLVMValueRef widen_spill_p(struct widen *, const struct mem *);
LLVMValueRef widen_spilt_p(struct widen *, const struct mem *,
	LLVMValueRef slot, LLVMValueRef lane);

/* widen_ahead.c - fetches what a loop reads next, where that is known */
void widen_ahead(struct widen *, const struct mem *);

/* widen_mem_cpu.c - what the processor's vectors can do */
bool widen_has_masks(struct widen *);   /* masked loads and stores of any
                                         * size; scatters of 4 and 8 bytes */
bool widen_has_gather(struct widen *);  /* of 4 and 8 bytes */

/* widen_local.c - accesses of local variables whose lanes are interleaved;
 * false: a is none of them */
bool widen_local_load(struct widen *, const struct mem *, LLVMValueRef *v);
bool widen_local_store(struct widen *, const struct mem *,
	const LLVMValueRef *v);

#endif
