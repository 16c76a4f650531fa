/* hip_value.c - words of memory that streams write and wait for. */
#include "hip.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct operation {
	void *p;
	uint64_t value, mask;
	unsigned size, how;
};

static int
write_word(void *arg, int error)
{
	struct operation *o = arg;

	if (!error && o->size == 8)
		__atomic_store_n((uint64_t *)o->p, o->value, __ATOMIC_SEQ_CST);
	else if (!error)
		__atomic_store_n((uint32_t *)o->p, (uint32_t)o->value,
			__ATOMIC_SEQ_CST);
	free(o);
	return hipSuccess;
}

static bool
has_come(const struct operation *o)
{
	uint64_t v, low = o->size == 8 ? UINT64_MAX : UINT32_MAX;

	v = o->size == 8 ? __atomic_load_n((uint64_t *)o->p, __ATOMIC_ACQUIRE)
		: __atomic_load_n((uint32_t *)o->p, __ATOMIC_ACQUIRE);
	v &= o->mask;
	switch (o->how) {
	case 0:
		return o->size == 8 ? (int64_t)(v - o->value) >= 0 :
			(int32_t)(uint32_t)(v - o->value) >= 0;
	case 1:
		return v == o->value;
	case 2:
		return (v & o->value) != 0;
	default:
		return (~(v | o->value) & low) != 0;
	}
}

static int
wait_word(void *arg, int error)
{
	const struct timespec pause = { 0, 20000 };
	struct operation *o = arg;

	while (!error && !has_come(o))
		nanosleep(&pause, 0);
	free(o);
	return hipSuccess;
}

static int
push(void *stream, stream_command *fn, const struct operation *o)
{
	struct operation *copy = malloc(sizeof *copy);
	uint64_t base, n;
	int err;

	if (!region_find((uint64_t)(uintptr_t)o->p, &base, &n) || o->how > 3) {
		free(copy);
		return hip_result(hipErrorInvalidValue);
	}
	if (!copy)
		return hip_result(hipErrorOutOfMemory);
	*copy = *o;
	err = stream_push(stream, fn, copy);
	if (err)
		free(copy);
	return hip_result(err);
}

int
hipStreamWriteValue32(void *stream, void *p, unsigned value, unsigned flags)
{
	(void)flags;
	return push(stream, write_word, &(struct operation){ p, value, 0, 4,
		0 });
}

int
hipStreamWriteValue64(void *stream, void *p, unsigned long long value,
	unsigned flags)
{
	(void)flags;
	return push(stream, write_word, &(struct operation){ p, value, 0, 8,
		0 });
}

int
hipStreamWaitValue32(void *stream, void *p, unsigned value, unsigned flags,
	unsigned mask)
{
	return push(stream, wait_word, &(struct operation){ p, value, mask, 4,
		flags });
}

int
hipStreamWaitValue64(void *stream, void *p, unsigned long long value,
	unsigned flags, unsigned long long mask)
{
	return push(stream, wait_word, &(struct operation){ p, value, mask, 8,
		flags });
}
