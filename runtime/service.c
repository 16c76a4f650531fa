/* service.c - the host's side of what kernels ask for.
 *
 * Entries are served in the order of their tickets; one that is not filled
 * yet holds up those behind it, so that output stays in order.
 */
#include "service.h"
#include "launch.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFT = 9, ENTRY = (SERVER_SIZE - 64) >> SHIFT };

struct server {
	pthread_mutex_t lock;
	struct service *service;
	uint8_t *ring;
	uint64_t device;
	struct extents *heap;
	_Atomic uint64_t served; /* tickets */
};

struct server *
server_open(void *memory, uint64_t device, struct extents *heap)
{
	struct server *s = calloc(1, sizeof *s);

	if (!s)
		return 0;
	memset(memory, 0, SERVER_SIZE);
	pthread_mutex_init(&s->lock, 0);
	s->service = memory;
	s->ring = (uint8_t *)memory + 64;
	s->device = device;
	s->heap = heap;
	s->service->ring = device + 64;
	s->service->shift = SHIFT;
	s->service->entry = ENTRY;
	return s;
}

void
server_close(struct server *s)
{
	if (!s)
		return;
	pthread_mutex_destroy(&s->lock);
	free(s);
}

uint64_t
server_address(const struct server *s)
{
	return s->device;
}

/* the arguments of a printf that are not read yet */
struct args {
	const uint8_t *p, *end;
};

static bool
next(struct args *a, uint64_t *v)
{
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
			if (!next(a, &v))
				return 0;
			snprintf(text, sizeof text, "%d", (int)v);
		}
		add(c, text);
	}
	for (; *f && strchr("hljztL", *f); f++) {
		text[0] = *f;
		text[1] = 0;
		c->foreign |= *f != 'h' && *f != 'l';
		if (*f == 'h' || c->foreign)
			add(c, text);
		else
			c->wide = true;
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

static bool
put_string(FILE *out, struct conversion *c, uint64_t n, struct args *a)
{
	uint64_t padded = (n + 8) & ~(uint64_t)7;
	char *copy;

	if (n == UINT64_MAX) {
		add(c, "s");
		fprintf(out, c->spec, "(null)");
		return true;
	}
	if (n >= (uint64_t)(a->end - a->p))
		return false;
	copy = calloc(1, n + 1);
	if (!copy)
		return false;
	memcpy(copy, a->p, n);
	a->p += padded < (uint64_t)(a->end - a->p) ? padded
		: (uint64_t)(a->end - a->p);
	add(c, "s");
	fprintf(out, c->spec, copy);
	free(copy);
	return true;
}

/* false: its arguments are not all there */
static bool
put_conversion(FILE *out, struct conversion *c, struct args *a)
{
	char kind[2] = { c->kind, 0 };
	double d;
	uint64_t v;

	if (c->kind == '%') {
		fprintf(out, "%s%%", c->spec);
		return true;
	}
	if (!next(a, &v))
		return false;
	if (c->foreign) {
		fprintf(out, "%s%c", c->spec, c->kind);
	} else if (strchr("diuxXoc", c->kind)) {
		if (c->kind == 'c')
			c->wide = false;
		put_integer(out, c, v);
	} else if (strchr("eEfFgGaA", c->kind)) {
		memcpy(&d, &v, sizeof d);
		add(c, kind);
		fprintf(out, c->spec, d);
	} else if (c->kind == 's') {
		return put_string(out, c, v, a);
	} else {
		add(c, "p");
		fprintf(out, c->spec, (void *)(uintptr_t)v);
	}
	return true;
}

static void
print(FILE *out, const char *f, struct args a)
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
		f = read_conversion(f, &a, &c);
		if (!f || !c.kind || !put_conversion(out, &c, &a))
			return;
	}
}

static void
serve_printf(const struct service_entry *e, size_t size)
{
	const char *f = (const char *)e->data;
	size_t n = strnlen(f, size), padded = (n + 8) & ~(size_t)7;
	struct args a = { (const uint8_t *)e->data + padded,
		(const uint8_t *)e->data + size };

	if (n == size)
		return;
	if (padded > size)
		a.p = a.end;
	print(stdout, f, a);
}

/* the string behind s, or "" beyond the end */
static const char *
after(const char *s, const char *end)
{
	size_t n = strnlen(s, (size_t)(end - s));

	return s + n + 1 < end ? s + n + 1 : "";
}

static void
serve_assert(struct service_entry *e, size_t size)
{
	char *message = (char *)e->data;
	const char *file = "", *function = "", *end = message + size;
	uint32_t at[6];

	if (size)
		message[size - 1] = 0;
	if (size)
		file = after(message, end);
	if (*file)
		function = after(file, end);
	memcpy(at, &e->argument[1], sizeof at);
	fflush(stdout);
	fprintf(stderr, "%s:%" PRIu64 ": %s: block: [%" PRIu32 ",%" PRIu32
		",%" PRIu32 "], thread: [%" PRIu32 ",%" PRIu32 ",%" PRIu32
		"] Assertion `%s` failed.\n", file, e->argument[0], function,
		at[0], at[1], at[2], at[3], at[4], at[5],
		size ? message : "");
}

static uint64_t
serve_malloc(struct server *s, uint64_t size)
{
	uint64_t addr;

	if (!s->heap || !size || extents_alloc(s->heap, size, &addr))
		return 0;
	return addr;
}

/* true: the thread waits for the result */
static bool
serve(struct server *s, struct service_entry *e)
{
	size_t size = e->size, room = ENTRY - sizeof *e;

	if (size > room)
		size = room;
	switch ((enum service_function)e->function) {
	case SERVICE_PRINTF:
		serve_printf(e, size);
		return false;
	case SERVICE_MALLOC:
		e->result = serve_malloc(s, e->argument[0]);
		return true;
	case SERVICE_FREE:
		if (s->heap && e->argument[0])
			extents_free(s->heap, e->argument[0]);
		return false;
	case SERVICE_ASSERT:
		serve_assert(e, size);
		return false;
	}
	return false;
}

static uint64_t
load(uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

void
server_serve(struct server *s)
{
	struct service_entry *e;
	uint64_t ticket, turn;
	bool printed = false, waits;

	if (load(&s->service->next) ==
	    atomic_load_explicit(&s->served, memory_order_acquire))
		return;
	pthread_mutex_lock(&s->lock);
	for (ticket = s->served; ticket != load(&s->service->next); ticket++) {
		e = (struct service_entry *)(s->ring +
			(ticket & ((1u << SHIFT) - 1)) * ENTRY);
		turn = (ticket >> SHIFT) * 3 + 1;
		if (load(&e->turn) != turn)
			break;
		printed |= e->function == SERVICE_PRINTF;
		waits = serve(s, e);
		__atomic_store_n(&e->turn, turn + (waits ? 1 : 2),
			__ATOMIC_RELEASE);
	}
	atomic_store_explicit(&s->served, ticket, memory_order_release);
	if (printed)
		fflush(stdout);
	pthread_mutex_unlock(&s->lock);
}
