/* cache_hash.c - keys: XXH3 of 128 bits. */
#include "cache_int.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

struct cache_key
cache_sum(const void *data, size_t size)
{
	XXH128_hash_t h = XXH3_128bits(data, size);

	return (struct cache_key){ { h.low64, h.high64 } };
}

void
cache_hash_begin(struct cache_hash *h)
{
	h->state = XXH3_createState();
	if (h->state)
		XXH3_128bits_reset(h->state);
}

void
cache_hash_add(struct cache_hash *h, const void *data, size_t size)
{
	uint64_t n = size;

	if (!h->state)
		return;
	XXH3_128bits_update(h->state, &n, sizeof n);
	XXH3_128bits_update(h->state, data, size);
}

void
cache_hash_text(struct cache_hash *h, const char *text)
{
	cache_hash_add(h, text, strlen(text));
}

/* without memory for the state, all keys are zero: which no entry has */
struct cache_key
cache_hash_end(struct cache_hash *h)
{
	XXH128_hash_t v;

	if (!h->state)
		return (struct cache_key){ { 0, 0 } };
	v = XXH3_128bits_digest(h->state);
	XXH3_freeState(h->state);
	h->state = 0;
	return (struct cache_key){ { v.low64, v.high64 } };
}
