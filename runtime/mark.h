/* mark.h - what an entry of the cache was compiled from.
 *
 * A key is a hash of all that; this is the same in parts, so that
 * ptx-cache explain can say which of them is another.  It is kept as text, in
 * the second line of what an entry says of itself.
 */
#ifndef MARK_H
#define MARK_H

#include <stdbool.h>
#include <stdint.h>

enum { MARK_TEXT = 96 };

struct mark {
	uint64_t program;       /* of its PTX, and what was changed in it */
	uint64_t kernel;        /* of its name */
	uint64_t compiler, machine;
	uint64_t options;       /* level, fmad, line info; shape of blocks */
};

void mark_write(const struct mark *, char text[MARK_TEXT]);
bool mark_read(struct mark *, const char *text); /* false: is none */

#endif
