/* image.h - arrays, textures and surfaces in the runtime library. */
#ifndef RT_IMAGE_H
#define RT_IMAGE_H

#include "rt.h"

/* channel.c: what an element is, as the driver says it; the answer is an
 * error, or 0 */
cudaError_t channel_format(const struct channel_desc *, CUarray_format *,
	unsigned *channels);
/* … and as the runtime says it; all zeroes: it has no name for that */
struct channel_desc channel_desc(CUarray_format, unsigned channels);
/* bytes of an element; 0: unknown */
size_t channel_size(CUarray_format, unsigned channels);

/* texture.c: does the format go with that filter and mode?  Adds what the mode
 * is to the driver's flags. */
cudaError_t texture_flags(CUarray_format, bool linear, int mode,
	unsigned *flags);

#endif
