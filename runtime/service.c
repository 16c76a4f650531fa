/* service.c - the host's side of what kernels ask for.
 *
 * Entries are served in the order of their tickets; one that is not filled
 * yet holds up those behind it, so that output stays in order.
 */
#include "service.h"
#include "launch.h"
#include "service_print.h"
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
	_Atomic bool printed;    /* and not flushed */
	_Atomic bool asserted;   /* and nobody has asked */
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

static void
serve_printf(const struct service_entry *e, size_t size)
{
	const char *f = (const char *)e->data;
	size_t n = strnlen(f, size), padded = (n + 8) & ~(size_t)7;

	if (n == size)
		return;
	if (padded > size)
		padded = size;
	print_entry(stdout, f, f + padded, size - padded);
}

/* the string behind s, or "" beyond the end */
static const char *
after(const char *s, const char *end)
{
	size_t n = strnlen(s, (size_t)(end - s));

	return s + n + 1 < end ? s + n + 1 : "";
}

/* as CUDA's own runtime words it */
static void
put_assert(const char *message, const char *file, uint64_t line,
	const char *function, const uint32_t at[6])
{
	fflush(stdout);
	fprintf(stderr, "%s:%" PRIu64 ": %s: block: [%" PRIu32 ",%" PRIu32
		",%" PRIu32 "], thread: [%" PRIu32 ",%" PRIu32 ",%" PRIu32
		"] Assertion `%s` failed.\n", file, line, function, at[0],
		at[1], at[2], at[3], at[4], at[5], message);
}

static void
serve_assert(struct service_entry *e, size_t size)
{
	char *message = (char *)e->data;
	const char *file = "", *function = "", *end = message + size;
	uint32_t at[6];

	if (size) {
		message[size - 1] = 0;
		file = after(message, end);
	}
	if (*file)
		function = after(file, end);
	memcpy(at, &e->argument[1], sizeof at);
	put_assert(size ? message : "", file, e->argument[0], function, at);
}

static uint64_t
serve_malloc(struct server *s, uint64_t size)
{
	uint64_t addr;

	if (!s->heap || !size || extents_alloc(s->heap, size, &addr))
		return 0;
	return addr;
}

static void
serve_free(struct server *s, uint64_t addr)
{
	if (s->heap && addr)
		extents_free(s->heap, addr);
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
		serve_free(s, e->argument[0]);
		return false;
	case SERVICE_ASSERT:
		serve_assert(e, size);
		atomic_store(&s->asserted, true);
		return false;
	}
	return false;
}

static uint64_t
load(uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/* entries that are filled, in order; with the lock held */
static void
serve_ring(struct server *s)
{
	struct service_entry *e;
	uint64_t ticket, turn;
	bool waits;

	for (ticket = s->served; ticket != load(&s->service->next); ticket++) {
		e = (struct service_entry *)(s->ring +
			(ticket & ((1u << SHIFT) - 1)) * ENTRY);
		turn = (ticket >> SHIFT) * 3 + 1;
		if (load(&e->turn) != turn)
			break;
		if (e->function == SERVICE_PRINTF)
			atomic_store(&s->printed, true);
		waits = serve(s, e);
		__atomic_store_n(&e->turn, turn + (waits ? 1 : 2),
			__ATOMIC_RELEASE);
	}
	atomic_store_explicit(&s->served, ticket, memory_order_release);
}

void
server_serve(struct server *s)
{
	if (load(&s->service->next) !=
	    atomic_load_explicit(&s->served, memory_order_acquire)) {
		pthread_mutex_lock(&s->lock);
		serve_ring(s);
		pthread_mutex_unlock(&s->lock);
	}
	if (atomic_load_explicit(&s->printed, memory_order_relaxed) &&
	    atomic_exchange(&s->printed, false))
		fflush(stdout);
}

static const char *
text(uint64_t addr)
{
	return (const char *)(uintptr_t)addr;
}

/* The text is complete before stdout is locked: an argument may point to
 * nowhere, and that ends the kernel. */
static uint64_t
ask_printf(struct server *s, uint64_t format, uint64_t block)
{
	char *copy = strdup(text(format)), *out = 0;
	unsigned count = 0;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	if (copy && f)
		count = print_block(f, copy, text(block));
	if (f && fclose(f) == 0)
		fwrite(out, 1, size, stdout);
	free(copy);
	free(out);
	atomic_store(&s->printed, true);
	return count;
}

static void
ask_assert(const uint64_t argument[4], const uint32_t at[6])
{
	char *message = strdup(text(argument[0]));
	char *file = strdup(text(argument[1]));
	char *function = strdup(text(argument[3]));

	if (message && file && function)
		put_assert(message, file, argument[2], function, at);
	free(message);
	free(file);
	free(function);
}

uint64_t
server_ask(struct server *s, uint32_t function, const uint64_t argument[4],
	const uint32_t at[6])
{
	switch ((enum service_function)function) {
	case SERVICE_PRINTF:
		return ask_printf(s, argument[0], argument[1]);
	case SERVICE_MALLOC:
		return serve_malloc(s, argument[0]);
	case SERVICE_FREE:
		serve_free(s, argument[0]);
		return 0;
	case SERVICE_ASSERT:
		ask_assert(argument, at);
		return 0;
	}
	return 0;
}

bool
server_asserted(struct server *s)
{
	return atomic_exchange(&s->asserted, false);
}
