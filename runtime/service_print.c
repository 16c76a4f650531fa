/* service_print.c - printf of kernels: CUDA's conversions by C's. */
#include "service_print.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* the arguments that are not read yet */
struct args {
	const uint8_t *p;
	const uint8_t *end;  /* of an entry's; 0: a block, as CUDA has it */
	unsigned count;
};

/* one of bytes (4, 8) */
static bool
next(struct args *a, size_t bytes, uint64_t *v)
{
	*v = 0;
	if (!a->end) {
		a->p += -(uintptr_t)a->p & (bytes - 1);
		memcpy(v, a->p, bytes);
		a->p += bytes;
		return true;
	}
	if (a->end - a->p < 8)
		return false;
	memcpy(v, a->p, 8);
	a->p += 8;
	return true;
}

/* one conversion: % flags width .precision, with numbers for the stars, and
 * what the C library calls this size of integer */
struct conversion {
	char spec[64];
	size_t n;
	bool wide;       /* 64 bits */
	bool foreign;    /* not one of CUDA's: printed as it stands */
	char kind;
};

static void
add(struct conversion *c, const char *s)
{
	size_t n = strlen(s);

	if (c->n + n + 4 < sizeof c->spec) {
		memcpy(c->spec + c->n, s, n + 1);
		c->n += n;
	}
}

/* from the character behind %; where it ends, or 0: arguments ran out */
static const char *
read_conversion(const char *f, struct args *a, struct conversion *c)
{
	char text[16] = "";
	uint64_t v;

	c->n = 0;
	c->wide = c->foreign = false;
	add(c, "%");
	for (; *f && strchr("-+ #0123456789.*'", *f); f++) {
		text[0] = *f;
		text[1] = 0;
		if (*f == '*') {
			if (!next(a, 4, &v))
				return 0;
			snprintf(text, sizeof text, "%d", (int)v);
		}
		add(c, text);
	}
	for (; *f && strchr("hljztL", *f); f++) {
		text[0] = *f;
		text[1] = 0;
		c->foreign |= *f != 'h' && *f != 'l';
		c->wide |= *f != 'h';
		if (*f == 'h' || c->foreign)
			add(c, text);
	}
	c->kind = *f;
	c->foreign |= !strchr("diuxXoceEfFgGaAsp", *f);
	return *f ? f + 1 : f;
}

static void
put_integer(FILE *out, struct conversion *c, uint64_t v)
{
	bool is_signed = c->kind == 'd' || c->kind == 'i';
	char kind[2] = { c->kind, 0 };

	if (c->wide)
		add(c, "ll");
	add(c, kind);
	if (c->wide && is_signed)
		fprintf(out, c->spec, (long long)v);
	else if (c->wide)
		fprintf(out, c->spec, (unsigned long long)v);
	else if (is_signed)
		fprintf(out, c->spec, (int)v);
	else
		fprintf(out, c->spec, (unsigned)v);
}

/* its text lies in the entry, behind how long it is */
static bool
put_packed(FILE *out, struct conversion *c, uint64_t n, struct args *a)
{
	uint64_t padded = (n + 8) & ~(uint64_t)7;
	char *copy;

	if (n >= (uint64_t)(a->end - a->p))
		return false;
	copy = calloc(1, n + 1);
	if (!copy)
		return false;
	memcpy(copy, a->p, n);
	a->p += padded < (uint64_t)(a->end - a->p) ? padded
		: (uint64_t)(a->end - a->p);
	fprintf(out, c->spec, copy);
	free(copy);
	return true;
}

static bool
put_string(FILE *out, struct conversion *c, uint64_t v, struct args *a)
{
	uint64_t none = a->end ? UINT64_MAX : 0;

	add(c, "s");
	if (v != none && a->end)
		return put_packed(out, c, v, a);
	fprintf(out, c->spec, v == none ? "(null)"
		: (const char *)(uintptr_t)v);
	return true;
}

static void
put_value(FILE *out, struct conversion *c, uint64_t v)
{
	char kind[2] = { c->kind, 0 };
	double d;

	if (c->foreign) {
		fprintf(out, "%s%c", c->spec, c->kind);
	} else if (strchr("diuxXoc", c->kind)) {
		c->wide &= c->kind != 'c';
		put_integer(out, c, v);
	} else if (strchr("eEfFgGaA", c->kind)) {
		memcpy(&d, &v, sizeof d);
		add(c, kind);
		fprintf(out, c->spec, d);
	} else {
		add(c, "p");
		fprintf(out, c->spec, (void *)(uintptr_t)v);
	}
}

/* false: its argument is not there */
static bool
put_conversion(FILE *out, struct conversion *c, struct args *a)
{
	bool four = !c->wide && strchr("diuxXoc", c->kind);
	uint64_t v;

	if (c->kind == '%') {
		fprintf(out, "%s%%", c->spec);
		return true;
	}
	if (!next(a, four ? 4 : 8, &v))
		return false;
	a->count++;
	if (c->kind == 's' && !c->foreign)
		return put_string(out, c, v, a);
	put_value(out, c, v);
	return true;
}

static unsigned
print(FILE *out, const char *f, struct args *a)
{
	struct conversion c;

	while (*f) {
		if (*f != '%') {
			putc(*f++, out);
			continue;
		}
		f++;
		if (*f == '%') {
			putc(*f++, out);
			continue;
		}
		f = read_conversion(f, a, &c);
		if (!f || !c.kind || !put_conversion(out, &c, a))
			break;
	}
	return a->count;
}

unsigned
print_entry(FILE *out, const char *format, const void *data, size_t size)
{
	struct args a = { data, (const uint8_t *)data + size, 0 };

	return print(out, format, &a);
}

unsigned
print_block(FILE *out, const char *format, const void *block)
{
	struct args a = { block, 0, 0 };

	return print(out, format, &a);
}
