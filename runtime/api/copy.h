/* copy.h - copies: what memcpy.c asks of copy.c. */
#ifndef COPY_H
#define COPY_H

#include "api.h"

enum side {
	SIDE_HOST,      /* an address of the host */
	SIDE_DEVICE,    /* of memory that the device may use */
	SIDE_ANY,       /* found out */
};

/* Checks the box, fills in from_host and to_host, and puts it into the
 * stream.  When it returns: see copy.c. */
CUresult copy_box(struct copy *, enum side dst, enum side src, CUstream,
	bool async);
CUresult copy_line(uint64_t dst, enum side to, uint64_t src, enum side from,
	size_t, CUstream, bool async);


/* checks the box, fills in from_host and to_host; not empty */
CUresult copy_check(struct copy *, enum side dst, enum side src);
/* a box as programs give it, lowered and checked; not empty */
CUresult copy_lower(const CUDA_MEMCPY3D *, struct copy *);
/* memset.c: the memory that it is all in */
CUresult fill_check(const struct fill *, struct region *);

#endif
