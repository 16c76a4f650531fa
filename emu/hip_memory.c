/* hip_memory.c - memory of the devices, which is this process's, and copies.
 *
 * Kernels see what is allocated or registered here and nothing else
 * (region.c).
 */
#include "hip.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGN = 4096 };

struct piece {
	struct piece *next;
	void *p;
	size_t size;
	bool registered;        /* not ours */
};

static struct {
	pthread_mutex_t lock;
	struct piece *list;
	size_t used;
} memory = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t
total(void)
{
	return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static int
enter(void *p, size_t size, bool registered)
{
	struct piece *n = malloc(sizeof *n);

	if (!n)
		return hipErrorOutOfMemory;
	n->p = p;
	n->size = size;
	n->registered = registered;
	pthread_mutex_lock(&memory.lock);
	n->next = memory.list;
	memory.list = n;
	if (!registered)
		memory.used += size;
	pthread_mutex_unlock(&memory.lock);
	region_add((uint64_t)(uintptr_t)p, size);
	return hipSuccess;
}

/* takes out what begins at p; false: nothing does */
static bool
take(void *p, bool registered)
{
	struct piece **at, *n = 0;

	pthread_mutex_lock(&memory.lock);
	for (at = &memory.list; *at; at = &(*at)->next)
		if ((*at)->p == p && (*at)->registered == registered) {
			n = *at;
			*at = n->next;
			if (!registered)
				memory.used -= n->size;
			break;
		}
	pthread_mutex_unlock(&memory.lock);
	free(n);
	return n != 0;
}

int
hipMalloc(void **p, size_t size)
{
	size_t room = (size + ALIGN - 1) / ALIGN * ALIGN;
	int err;

	if (!p)
		return hip_result(hipErrorInvalidValue);
	*p = 0;
	if (!size)
		return hipSuccess;
	if (size > total() || !(*p = aligned_alloc(ALIGN, room)))
		return hip_result(hipErrorOutOfMemory);
	err = enter(*p, size, false);
	if (err)
		free(*p);
	return hip_result(err);
}

int
hipFree(void *p)
{
	if (!p)
		return hipSuccess;
	streams_finish();
	if (!take(p, false))
		return hip_result(hipErrorInvalidValue);
	region_remove((uint64_t)(uintptr_t)p);
	free(p);
	return hipSuccess;
}

int
hipMallocManaged(void **p, size_t size, unsigned flags)
{
	(void)flags;
	return hipMalloc(p, size);
}

int
hipHostMalloc(void **p, size_t size, unsigned flags)
{
	(void)flags;
	return hipMalloc(p, size);
}

int
hipHostFree(void *p)
{
	return hipFree(p);
}

int
hipHostRegister(void *p, size_t size, unsigned flags)
{
	uint64_t base, n;

	(void)flags;
	if (!p || !size)
		return hip_result(hipErrorInvalidValue);
	if (region_find((uint64_t)(uintptr_t)p, &base, &n))
		return hip_result(hipErrorHostMemoryAlreadyRegistered);
	return hip_result(enter(p, size, true));
}

int
hipHostUnregister(void *p)
{
	streams_finish();
	if (!take(p, true))
		return hip_result(hipErrorHostMemoryNotRegistered);
	region_remove((uint64_t)(uintptr_t)p);
	return hipSuccess;
}

int
hipHostGetDevicePointer(void **device, void *host, unsigned flags)
{
	uint64_t base, n;

	if (flags || !region_find((uint64_t)(uintptr_t)host, &base, &n))
		return hip_result(hipErrorInvalidValue);
	*device = host;
	return hipSuccess;
}

int
hipMemGetInfo(size_t *left, size_t *all)
{
	pthread_mutex_lock(&memory.lock);
	*all = total();
	*left = *all > memory.used ? *all - memory.used : 0;
	pthread_mutex_unlock(&memory.lock);
	return hipSuccess;
}

/* a box of two dimensions that is copied, or filled where from is 0 */
struct transfer {
	char *to;
	const char *from;
	size_t to_pitch, from_pitch, width, height;
	unsigned element;
	uint32_t value;
};

static int
transfer(void *arg, int error)
{
	struct transfer *t = arg;
	size_t y, x;

	for (y = 0; !error && y < t->height; y++, t->to += t->to_pitch,
			t->from += t->from_pitch)
		if (!t->element)
			memmove(t->to, t->from, t->width);
		else if (t->element == 1)
			memset(t->to, (int)t->value, t->width);
		else
			for (x = 0; x < t->width; x++)
				memcpy(t->to + x * t->element, &t->value,
					t->element);
	free(t);
	return hipSuccess;
}

static int
push(const struct transfer *t, void *stream)
{
	struct transfer *copy = malloc(sizeof *copy);
	int err;

	if (!copy)
		return hip_result(hipErrorOutOfMemory);
	*copy = *t;
	err = stream_push(stream, transfer, copy);
	if (err)
		free(copy);
	return hip_result(err);
}

/* memory of the program that we know nothing of; it may change when the call
 * has returned */
static bool
is_pageable(const void *p)
{
	uint64_t base, n;

	return !region_find((uint64_t)(uintptr_t)p, &base, &n);
}

int
hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
	size_t from_pitch, size_t width, size_t height, int kind, void *stream)
{
	struct transfer t = { to, from, to_pitch, from_pitch, width, height,
		0, 0 };
	int err;

	if (kind < 0 || kind > HIP_DEFAULT)
		return hip_result(hipErrorInvalidMemcpyDirection);
	if (!width || !height)
		return hipSuccess;
	if (!to || !from || (height > 1 && (width > to_pitch ||
			width > from_pitch)))
		return hip_result(hipErrorInvalidValue);
	err = push(&t, stream);
	if (!err && (is_pageable(to) || is_pageable(from)))
		err = hipStreamSynchronize(stream);
	return err;
}

int
hipMemcpyAsync(void *to, const void *from, size_t n, int kind, void *stream)
{
	return hipMemcpy2DAsync(to, n, from, n, n, 1, kind, stream);
}

int
hipMemcpy(void *to, const void *from, size_t n, int kind)
{
	int err = hipMemcpyAsync(to, from, n, kind, 0);

	return err ? err : hipStreamSynchronize(0);
}

static int
fill(void *to, uint32_t value, size_t n, unsigned element, void *stream)
{
	struct transfer t = { to, 0, 0, 0, n, 1, element, value };

	if (!n)
		return hipSuccess;
	if (!to)
		return hip_result(hipErrorInvalidValue);
	return push(&t, stream);
}

int
hipMemsetAsync(void *to, int value, size_t n, void *stream)
{
	return fill(to, (uint32_t)value & 255, n, 1, stream);
}

int
hipMemset(void *to, int value, size_t n)
{
	int err = hipMemsetAsync(to, value, n, 0);

	return err ? err : hipStreamSynchronize(0);
}

int
hipMemsetD8Async(void *to, unsigned char value, size_t n, void *stream)
{
	return fill(to, value, n, 1, stream);
}

int
hipMemsetD16Async(void *to, unsigned short value, size_t n, void *stream)
{
	return fill(to, value, n, 2, stream);
}

int
hipMemsetD32Async(void *to, int value, size_t n, void *stream)
{
	return fill(to, (uint32_t)value, n, 4, stream);
}
