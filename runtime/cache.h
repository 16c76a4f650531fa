/* cache.h - compiled code, kept on disk from run to run.
 *
 * A folder of files, one an entry, named by a key: a hash of everything that
 * decides the code.  Any number of processes use it at once, also over NFS: an
 * entry is written to a temporary name and renamed, and checked when it is
 * read; one that is damaged is a miss.  A folder or an entry that another user
 * could have written is not used.  A cache that cannot be read or written
 * only costs time: nothing here fails.
 *
 * The folder is $CUDA_CACHE_PATH, else $XDG_CACHE_HOME/ptx-amd, else
 * ~/.cache/ptx-amd.  CUDA_CACHE_DISABLE=1: no cache.  CUDA_CACHE_MAXSIZE:
 * bytes, 1 GiB if it is not set, 4 GiB at most; above it the entries that were
 * used least recently go.
 */
#ifndef CACHE_H
#define CACHE_H

#include "image.h"
#include <stdint.h>
#include <time.h>

struct cache {
	char *dir;          /* 0: disabled, or there is no place for one */
	const char *why;    /* … in words */
	uint64_t limit;     /* bytes */
	_Atomic uint64_t written; /* since the folder was last measured; ~0:
	                     * never */
};

struct cache_key { uint64_t h[2]; };

/* what a key is made of, piece by piece */
struct cache_hash {
	void *state;
};

/* the environment as it is now; close frees it */
struct cache cache_open(void);
void cache_close(struct cache *);

/* pieces are kept apart: "ab", "c" is not "a", "bc".  size of text: ~0 */
void cache_hash_begin(struct cache_hash *);
void cache_hash_add(struct cache_hash *, const void *, size_t);
void cache_hash_text(struct cache_hash *, const char *);
struct cache_key cache_hash_end(struct cache_hash *); /* frees it */

/* data 0: not there */
struct blob cache_get(struct cache *, struct cache_key);
bool cache_has(struct cache *, struct cache_key); /* as far as its head says */
/* what: a line for people, as "saxpy for gfx1100", and perhaps a second one
 * for tools; 199 bytes at most */
void cache_put(struct cache *, struct cache_key, const void *, size_t,
	const char *what);

/* for tools: an entry as it lies there */
struct cache_entry {
	struct cache_key key;
	uint64_t size;      /* of the file */
	time_t used;        /* last */
	bool good;          /* it has been checked, and is as it was written */
	char what[200], more[200]; /* its lines */
	char name[64];      /* of the file, in the folder */
};

enum cache_walk {
	CACHE_HEAD,         /* reads what an entry says of itself */
	CACHE_CHECK,        /* reads all of it */
};

/* calls fn for every entry, in no order; the number of them.  fn returns true
 * to have it removed */
size_t cache_walk(struct cache *, enum cache_walk,
	bool (*fn)(void *, const struct cache_entry *), void *);
/* removes the least recently used until all take at most limit bytes, and
 * what writers that died left behind; the bytes that went */
uint64_t cache_trim(struct cache *, uint64_t limit);

#endif
