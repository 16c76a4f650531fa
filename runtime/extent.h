/* extent.h - addresses handed out: device memory in pieces of any size.
 *
 * Never touches the memory itself, so that it may be a device's own.  A piece
 * that was freed is kept for the next one of its size.  All functions may be
 * called from several threads.
 */
#ifndef EXTENT_H
#define EXTENT_H

#include "cuda_api.h"
#include <stdbool.h>

struct extents;

struct extent_source {
	/* size bytes at a multiple of align (a power of two) */
	CUresult (*more)(void *arg, size_t size, uint64_t *addr);
	void (*less)(void *arg, uint64_t addr, size_t size);
	void *arg;
	unsigned align;          /* of every piece: 16 to 4096 */
	size_t chunk;            /* pieces below 16 KB are cut from such; up to
	                          * 256 KB from chunks twice as large, at
	                          * whole pages of 4 KB */
	size_t kept;             /* bytes of large ones kept, at most */
	uint64_t limit;          /* bytes handed out, at most */
};

struct extents *extents_new(const struct extent_source *);
/* gives all memory back */
void extents_delete(struct extents *);
/* size not 0.  CUDA_ERROR_OUT_OF_MEMORY: beyond the limit, or there is none */
CUresult extents_alloc(struct extents *, size_t, uint64_t *addr);
/* CUDA_ERROR_INVALID_VALUE: not the address of a piece */
CUresult extents_free(struct extents *, uint64_t addr);
/* from now on; what is out beyond it stays */
void extents_limit(struct extents *, uint64_t);
/* bytes handed out */
uint64_t extents_used(struct extents *);

#endif
