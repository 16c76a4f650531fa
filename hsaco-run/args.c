/* args.c - arguments as they are written on the command line, and the
 * argument segment that they make. */
#include "hsaco.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

static void *
room(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		die("out of memory");
	return p;
}

static void
read_file(struct arg *a, const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		die("%s: cannot be read", path);
	if (fread(a->data, 1, a->size, f) != a->size && ferror(f))
		die("%s: cannot be read", path);
	fclose(f);
}

/* the same numbers from the same seed, on every machine */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* floats between 0 and 1, integers of all bits */
static void
fill_random(struct arg *a, uint64_t seed)
{
	size_t i, w = number_size(a->type);
	uint64_t v;

	for (i = 0; i < a->n; i++) {
		v = next_random(&seed);
		if (a->type >= F16)
			number_set(a->type, (double)(v >> 11) * 0x1p-53,
				a->data + i * w);
		else
			memcpy(a->data + i * w, &v, w);
	}
}

static void
fill(struct arg *a, const char *init)
{
	size_t i, w = number_size(a->type);

	if (!*init || !strcmp(init, "zero"))
		return;
	if (!strcmp(init, "iota"))
		for (i = 0; i < a->n; i++)
			number_set(a->type, (double)i, a->data + i * w);
	else if (!strncmp(init, "random", 6) && (!init[6] || init[6] == '='))
		fill_random(a, init[6] ? strtoull(init + 7, 0, 0) : 1);
	else if (!strncmp(init, "file=", 5))
		read_file(a, init + 5);
	else if (number_read(a->type, init, a->data))
		for (i = 1; i < a->n; i++)
			memcpy(a->data + i * w, a->data, w);
	else
		die("%s: \"%s\" is not zero, iota, random, file=… or a "
			"number", a->text, init);
}

/* what follows "buffer:" or "input:" */
static void
read_buffer(struct arg *a, const char *s)
{
	size_t len = strcspn(s, ":");
	int type = number_type(s, len);
	char *end;

	if (type < 0 || !s[len])
		die("%s: expected a type and a count", a->text);
	a->buffer = true;
	a->type = (enum number)type;
	a->n = strtoull(s + len + 1, &end, 0);
	if (end == s + len + 1 || (*end && *end != ':') || a->n > 1ull << 36)
		die("%s: expected a count", a->text);
	a->size = a->n * number_size(a->type);
	a->data = room(a->size);
	fill(a, *end ? end + 1 : end);
}

static void
read_hex(struct arg *a, const char *s)
{
	char two[3] = { 0 }, *end;
	size_t i;

	a->size = a->n = strlen(s) / 2;
	a->data = room(a->n);
	for (i = 0; i < a->n; i++) {
		memcpy(two, s + 2 * i, 2);
		a->data[i] = (uint8_t)strtoul(two, &end, 16);
		if (end != two + 2)
			die("%s: not hexadecimal", a->text);
	}
	if (strlen(s) % 2)
		die("%s: half a byte at the end", a->text);
}

void
arg_read(struct arg *a, const char *text)
{
	size_t len = strcspn(text, ":");
	int type = number_type(text, len);

	a->text = text;
	if (!strncmp(text, "buffer:", 7)) {
		a->print = true;
		read_buffer(a, text + 7);
	} else if (!strncmp(text, "input:", 6)) {
		read_buffer(a, text + 6);
	} else if (!strncmp(text, "hex:", 4)) {
		read_hex(a, text + 4);
	} else if (!strcmp(text, "null")) {
		a->size = 8;
		a->data = room(8);
	} else if (type >= 0 && text[len]) {
		a->type = (enum number)type;
		a->n = 1;
		a->size = number_size(a->type);
		a->data = room(a->size);
		if (!number_read(a->type, text + len + 1, a->data))
			die("%s: not a number of this type", text);
	} else {
		die("%s: not an argument; they begin with buffer:, input:, "
			"hex:, null, or a type", text);
	}
}

/* One argument of all bytes, and struct launch fits behind the parameters:
 * what ptxas-amd makes */
static bool
is_ours(const struct kernel_note *k)
{
	return k->nargs == 1 && k->arg[0].offset == 0 &&
		k->arg[0].size == k->kernarg && k->arg[0].kind &&
		!strcmp(k->arg[0].kind, "by_value") &&
		k->kernarg >= sizeof(struct launch);
}

static void
put(uint8_t *block, size_t size, size_t at, const struct arg *a, size_t most)
{
	size_t n = a->buffer ? sizeof a->device : a->size;

	if (n > most || at > size || n > size - at)
		die("%s: the kernel has %zu bytes for it", a->text,
			at > size ? 0 : most < size - at ? most : size - at);
	memcpy(block + at, a->buffer ? (const void *)&a->device : a->data, n);
}

/* a parameter of PTX stands at a multiple of its size */
static void
put_ours(const struct options *o, const struct kernel_note *k, uint8_t *block)
{
	size_t end = k->kernarg - sizeof(struct launch), at = 0, n, i;
	struct launch l = { .shared_dynamic = o->shared,
		.shared_total = k->lds + o->shared, .nsm = 1 };

	for (i = 0; i < o->nargs; i++) {
		n = o->arg[i].buffer ? 8 : o->arg[i].size;
		if (o->arg[i].buffer || n == 1 || n == 2 || n == 4 || n == 8)
			at = (at + n - 1) / n * n;
		put(block, end, at, &o->arg[i], n);
		at += n;
	}
	if (((at + 7) & ~(size_t)7) != end)
		die("%s: the kernel has %zu bytes of parameters, not %zu",
			k->name, end, at);
	memcpy(l.ntid, o->block, sizeof l.ntid);
	memcpy(l.nctaid, o->grid, sizeof l.nctaid);
	memcpy(block + end, &l, sizeof l);
}

static void
put_noted(const struct options *o, const struct kernel_note *k,
	uint8_t *block)
{
	size_t i, n = 0;

	for (i = 0; i < k->nargs; i++) {
		if (k->arg[i].kind && !strncmp(k->arg[i].kind, "hidden_", 7))
			continue;
		if (n == o->nargs)
			die("%s: argument %zu is missing", k->name, n);
		put(block, k->kernarg, k->arg[i].offset, &o->arg[n++],
			k->arg[i].size);
	}
	if (n != o->nargs)
		die("%s: the kernel has %zu arguments, not %zu", k->name, n,
			o->nargs);
}

void *
arg_block(const struct options *o, const struct kernel_note *k, size_t *size)
{
	uint8_t *block = room(k->kernarg);

	*size = k->kernarg;
	if (is_ours(k))
		put_ours(o, k, block);
	else
		put_noted(o, k, block);
	return block;
}
