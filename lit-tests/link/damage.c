/* damage.c - feeds a linker with damaged copies of a file.
 *
 *	damage FILE COUNT
 *
 * Every prefix of a small file, and COUNT copies with some bytes changed:
 * each must be taken or refused with a message, without a crash, and in
 * memory that is in proportion.  Prints how many were taken and refused.
 */
#include "link.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PREFIX = 4096, MAX_CHANGES = 8 };

struct tally {
	unsigned long taken, refused, silent;
	bool said;
};

static uint64_t
next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}

static void
note(void *arg, const struct diag *d)
{
	struct tally *t = arg;

	t->said |= d->severity == ERROR;
}

/* offers the linker n bytes as a file */
static void
offer(struct tally *t, const char *data, size_t n)
{
	struct ptx x = { .diag = note, .diag_arg = t };
	struct link l = { .x = &x };
	struct bytes text;
	char *copy = calloc(n + 1, 1);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	t->said = false;
	link_data(&l, "damaged", (struct bytes){ (unsigned char *)copy, n });
	link_resolve(&l);
	link_live(&l, 0, 0);
	text = link_write(&l);
	t->taken += text.p != 0;
	t->refused += x.nerror != 0;
	t->silent += !text.p && !t->said;
	free((void *)text.p);
	link_free(&l);
	ptx_free(&x);
	free(copy);
}

static void
damage(struct tally *t, const char *data, size_t n, uint64_t *seed)
{
	unsigned k = 1 + next(seed) % MAX_CHANGES;
	char *copy = malloc(n);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	while (k--)
		copy[next(seed) % n] = next(seed) & 1 ? (char)next(seed) :
			"\0\1\177\377"[next(seed) % 4];
	offer(t, copy, n);
	free(copy);
}

int
main(int argc, char *argv[])
{
	struct ptx x = {0};
	struct tally t = {0};
	uint64_t seed = 88172645463325252;
	char *data;
	long count;
	size_t n, k;

	if (argc != 3 || !(data = file_read(&x, argv[1], &n)) || !n)
		return 2;
	for (k = 0; k < n && k < MAX_PREFIX; k++)
		offer(&t, data, k);
	for (count = atol(argv[2]); count--; )
		damage(&t, data, n, &seed);
	printf("taken %lu refused %lu silent %lu\n", t.taken, t.refused,
		t.silent);
	free(data);
	return 0;
}
