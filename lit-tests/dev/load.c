/* load.c - objects for the CPU, damaged at random: the loader takes them or
 * says why not, and never crashes.
 *
 *	load FILE.ptx KERNEL ROUNDS
 */
#include "compiler.h"
#include "dev/cpu_object.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
resolve(void *arg, const char *name)
{
	(void)name;
	return arg;
}

static uint32_t
dice(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* changes a few bytes, most often where the tables are, or cuts it off */
static size_t
damage(uint8_t *copy, size_t size, uint32_t *state)
{
	uint32_t n = 1 + dice(state) % 4;
	size_t at;

	for (; n; n--) {
		at = dice(state) % size;
		if (dice(state) % 4 == 0)
			at %= 64;
		else if (dice(state) % 4)
			at = size - 1 - at % (size / 4 + 1);
		copy[at] = dice(state) % 3 ? (uint8_t)dice(state)
			: (uint8_t)(dice(state) % 2 ? 0xff : 0);
	}
	return dice(state) % 8 ? size : dice(state) % size;
}

static struct blob
compile(const char *file, const char *kernel)
{
	const struct host_shape rows = { HOST_ROWS, 0, true };
	struct jit_options o = { .level = 3 };
	struct blob b = { 0, 0 };
	struct text log = { 0 };
	struct ptx x = { 0 };
	const struct jit *jit = jit_find(&log);
	struct program *p;
	size_t size;
	char *text = file_read(&x, file, &size);

	if (!jit || !text || program_load(&p, text, 0, 0, &log)) {
		fprintf(stderr, "%s", log.data ? log.data : "no input\n");
		return b;
	}
	free(text);
	b = jit->host(&p->x, &o, kernel, rows);
	program_free(p);
	return b;
}

int
main(int argc, char **argv)
{
	long rounds = argc > 3 ? atol(argv[3]) : 0, good = 0, bad = 0;
	struct blob b = compile(argv[1], argv[2]);
	uint8_t *copy = malloc(b.size + 1);
	struct object *o;
	uint32_t state = 1;
	char why[128];
	size_t n;

	o = b.data ? object_load(b.data, b.size, resolve, &state, why) : 0;
	if (!o || !copy) {
		fprintf(stderr, "the object itself: %s\n", b.data ? why : "");
		return 1;
	}
	object_free(o);
	for (; rounds; rounds--) {
		memcpy(copy, b.data, b.size);
		n = damage(copy, b.size, &state);
		o = object_load(copy, n, resolve, &state, why);
		good += o != 0;
		bad += o == 0;
		if (o)
			object_symbol(o, "nothing", 0);
		object_free(o);
	}
	printf("%s loaded, %s refused\n", good ? "some" : "none",
		bad ? "some" : "none");
	free(copy);
	free(b.data);
	return 0;
}
