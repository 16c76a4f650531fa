/* image.c - make images, read them back, and read thousands of damaged ones.
 *
 * Each copy is damaged in a few bytes or cut, and lies in memory of just its
 * size, so that a sanitizer build notices a step too far.
 */
#include "image.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000 };

static uint32_t
next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void
damage(unsigned char *p, size_t n, uint32_t *seed)
{
	unsigned k = 1 + next(seed) % 4;
	size_t at;

	while (k--) {
		at = next(seed) % (next(seed) % 2 ? n : 64);
		p[at] = next(seed) % 3 ? next(seed) : next(seed) % 2 ? 255 : 0;
	}
}

/* adds up all bytes that the image says are there */
static unsigned
touch(const struct image *i)
{
	unsigned sum = 0;
	size_t k, n;

	for (k = 0; k < i->ncode; k++) {
		sum += strlen(i->code[k].arch);
		for (n = 0; n < i->code[k].size; n++)
			sum += ((const char *)i->code[k].data)[n];
	}
	for (n = 0; n < i->options_size; n++)
		sum += i->options[n];
	if (i->ptx && strlen(i->ptx) != i->ptx_size)
		abort();
	return sum;
}

static void
fuzz(const char *name, const struct blob *b)
{
	unsigned good = 0, sum = 0;
	uint32_t seed = 1;
	struct image i;
	size_t n;
	void *p;
	int k;

	for (k = 0; k < ROUNDS; k++) {
		n = next(&seed) % 4 ? b->size : next(&seed) % b->size;
		p = malloc(n ? n : 1);
		memcpy(p, b->data, n);
		if (n >= 64)
			damage(p, n, &seed);
		if (image_read(&i, p, n)) {
			good++;
			sum += touch(&i);
			image_free(&i);
		}
		free(p);
	}
	printf("%s: %s, %s\n", name, good ? "some read" : "none read",
		good < ROUNDS ? "some refused" : "none refused");
	if (sum == 0)
		printf("nothing in them\n");
}

static void
show(const char *name, struct blob b)
{
	struct image i;
	size_t k;

	if (!image_read(&i, b.data, b.size)) {
		printf("%s: cannot be read back\n", name);
		return;
	}
	printf("%s: kind %d, sm_%u%s", name, i.kind, i.sm,
		i.relocatable ? ", relocatable" : "");
	if (i.ptx)
		printf(", ptx '%s', options '%.*s'", i.ptx,
			(int)i.options_size, i.options);
	for (k = 0; k < i.ncode; k++)
		printf(", %s '%.*s'", i.code[k].arch, (int)i.code[k].size,
			(const char *)i.code[k].data);
	printf("\n");
	if (image_find(&i, "gfx1030"))
		printf("%s: has what it has not\n", name);
	image_free(&i);
	fuzz(name, &b);
	free(b.data);
}

int
main(void)
{
	struct image_code code[] = {
		{ "gfx1100", "one", 3 }, { "gfx90a", "seven", 5 },
	};
	struct image i = {
		.sm = 90, .ptx = ".version", .ptx_size = 8,
		.options = "fmad=false", .options_size = 10,
		.code = code, .ncode = 2,
	};

	show("bundle", image_bundle(code, 2));
	show("portable", image_portable(&i));
	i.ncode = 0;
	i.relocatable = true;
	show("relocatable", image_portable(&i));
	return 0;
}
