/* pool.h - memory pools: memory that comes and goes in the order of streams.
 *
 * A pool has chunks of a device's memory, cut into pieces.  An allocation
 * has its address at once, and what is queued to its stream from then on may
 * use it.  A piece that was given back in a stream may be used again at once
 * in the same one, and in others as soon as they come after it: because they
 * waited for an event behind it (past.c), or because it is over.
 *
 * pool.c keeps the pieces and knows no API; pool_stream.c allocates and frees
 * in streams, pool_api.c has the pools themselves.
 */
#ifndef POOL_H
#define POOL_H

#include "stream.h"

struct piece;

/* where in a stream a piece was given back */
struct moment {
	unsigned holds;          /* pieces; by the pool's lock */
	const struct dev_ops *ops;
	struct mark *mark;
};

struct CUmemPoolHandle_st {
	struct device *device;
	CUmemPoolProps props;
	bool imported;           /* from another process: has no memory */
	bool doomed;             /* destroyed, but not all is given back */
	CUmemoryPool next;       /* of all; pool.c's */
	pthread_mutex_t lock;    /* of all that follows */
	struct chunk *chunks;
	struct piece *free;
	uint64_t reserved, reserved_high, used, used_high;
	uint64_t threshold;      /* bytes kept when a program synchronizes */
	int reuse[3];            /* by CUmemPool_attribute - 1 */
	uint8_t access[64];      /* CUmemAccess_flags of each device */
};

/* pool.c */

/* 0: out of memory */
CUmemoryPool pool_new(struct device *, const CUmemPoolProps *);
/* Takes size bytes for what is queued to s (locked; 0: for anybody) from now
 * on.  The piece is also the owner of a region, which is not made here. */
CUresult piece_take(CUmemoryPool, size_t, CUstream s, struct piece **,
	uint64_t *addr);
/* Gives a piece back, for what comes after what is queued to s (locked; 0:
 * nobody uses it any more). */
void piece_put(struct piece *, CUstream s);
CUmemoryPool piece_pool(const struct piece *);
/* what another process may open its first size bytes by */
CUresult piece_name(const struct piece *, size_t size, char name[64]);
/* gives memory back to the device, down to keep bytes if that can be */
void pool_trim(CUmemoryPool, uint64_t keep);
/* the program has waited for something: pools give back what is above their
 * threshold.  Costs nothing where there is no pool. */
void pools_settle(void);
/* all pieces are given back, or will be; the pool ends with the last */
void pool_end(CUmemoryPool);

/* pool_stream.c: for graphs, and for captures */

/* memory that nothing is queued for yet, and that stays until pool_return */
CUresult pool_reserve(CUmemoryPool, size_t, CUdeviceptr *);
/* … which nothing queued uses any more */
CUresult pool_return(CUdeviceptr);

/* pool_api.c */
bool pool_is(CUmemoryPool); /* a handle of one that is not destroyed */
/* those of a device; 0: out of memory */
CUmemoryPool pool_default(struct device *);
CUmemoryPool pool_current(struct device *);

#endif
