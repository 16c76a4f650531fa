/* fill.c - entries for tests of the cache.
 *
 *	fill [-r] NAME...
 *
 * Writes an entry a name; -r: reads them, and says how many were there.
 */
#include "cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char *argv[])
{
	bool reads = argc > 1 && !strcmp(argv[1], "-r");
	struct cache c = cache_open();
	struct cache_hash h;
	struct blob b;
	int i, there = 0;

	for (i = 1 + reads; i < argc; i++) {
		cache_hash_begin(&h);
		cache_hash_text(&h, argv[i]);
		if (!reads) {
			cache_put(&c, cache_hash_end(&h), argv[i],
				strlen(argv[i]), argv[i]);
			continue;
		}
		b = cache_get(&c, cache_hash_end(&h));
		there += b.data && b.size == strlen(argv[i])
			&& !memcmp(b.data, argv[i], b.size);
		free(b.data);
	}
	if (reads)
		printf("%d there, %d missing\n", there, argc - 2 - there);
	cache_close(&c);
	return 0;
}
