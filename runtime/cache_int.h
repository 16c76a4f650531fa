/* cache_int.h - how an entry lies on disk; shared by cache.c and
 * cache_walk.c. */
#ifndef CACHE_INT_H
#define CACHE_INT_H

#include "cache.h"
#include <sys/stat.h>

#define CACHE_MAGIC     "ptxamd\n1" /* 8 bytes: the last is the format */
#define CACHE_TEMPORARY "new-"

enum { CACHE_NAME = 64 };

struct cache_head {
	char magic[8];
	struct cache_key key;
	struct cache_key sum; /* of this head with sum zero, and of the data */
	uint64_t size;        /* of the data, which follows */
	char what[200];
};

void cache_name(struct cache_key, char name[CACHE_NAME]);
int cache_folder(const struct cache *); /* open; below 0: it cannot be */
bool cache_is_private(const struct stat *);
struct cache_key cache_sum(const void *, size_t);
/* the data of an entry, malloc'ed; whole false: only the head is read and
 * checked.  0: not there, not private, damaged.  touch: it is used now */
void *cache_read(int folder, const char *name, struct cache_head *,
	struct stat *, bool whole, bool touch);

#endif
