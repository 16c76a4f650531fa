/* hip_event.c - events: places in streams. */
#include "hip.h"

#include <pthread.h>
#include <stdlib.h>

/* one recording of an event; a newer one may exist while others still wait
 * for this one */
struct record {
	unsigned refs;
	bool done;
	uint64_t time;
};

struct event {
	struct record *record;  /* the newest, or 0 */
	bool timing;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reached = PTHREAD_COND_INITIALIZER;

static void
release(struct record *r)
{
	if (r && !--r->refs)
		free(r);
}

int
hipEventCreateWithFlags(void **out, unsigned flags)
{
	struct event *e = calloc(1, sizeof *e);

	if (!e || !out) {
		free(e);
		return hip_result(out ? hipErrorOutOfMemory :
			hipErrorInvalidValue);
	}
	e->timing = !(flags & HIP_EVENT_NO_TIMING);
	*out = e;
	return hipSuccess;
}

int
hipEventCreate(void **out)
{
	return hipEventCreateWithFlags(out, 0);
}

int
hipEventDestroy(void *handle)
{
	struct event *e = handle;

	if (!e)
		return hip_result(hipErrorInvalidHandle);
	pthread_mutex_lock(&lock);
	release(e->record);
	pthread_mutex_unlock(&lock);
	free(e);
	return hipSuccess;
}

static int
reach(void *arg, int error)
{
	struct record *r = arg;

	(void)error;
	pthread_mutex_lock(&lock);
	r->done = true;
	r->time = emu_time();
	release(r);
	pthread_cond_broadcast(&reached);
	pthread_mutex_unlock(&lock);
	return hipSuccess;
}

int
hipEventRecord(void *handle, void *stream)
{
	struct event *e = handle;
	struct record *r;
	int err;

	if (!e)
		return hip_result(hipErrorInvalidHandle);
	r = calloc(1, sizeof *r);
	if (!r)
		return hip_result(hipErrorOutOfMemory);
	r->refs = 2;
	pthread_mutex_lock(&lock);
	release(e->record);
	e->record = r;
	pthread_mutex_unlock(&lock);
	err = stream_push(stream, reach, r);
	if (err)
		reach(r, err);
	return hip_result(err);
}

int
hipEventQuery(void *handle)
{
	struct event *e = handle;
	bool done;

	if (!e)
		return hip_result(hipErrorInvalidHandle);
	pthread_mutex_lock(&lock);
	done = !e->record || e->record->done;
	pthread_mutex_unlock(&lock);
	return done ? hipSuccess : hipErrorNotReady;
}

/* takes the reference that the caller has */
static int
await(void *arg, int error)
{
	struct record *r = arg;

	(void)error;
	pthread_mutex_lock(&lock);
	while (!r->done)
		pthread_cond_wait(&reached, &lock);
	release(r);
	pthread_mutex_unlock(&lock);
	return hipSuccess;
}

static struct record *
newest(struct event *e)
{
	struct record *r;

	pthread_mutex_lock(&lock);
	r = e->record;
	if (r)
		r->refs++;
	pthread_mutex_unlock(&lock);
	return r;
}

int
hipEventSynchronize(void *handle)
{
	struct record *r;

	if (!handle)
		return hip_result(hipErrorInvalidHandle);
	r = newest(handle);
	return r ? await(r, 0) : hipSuccess;
}

int
hipStreamWaitEvent(void *stream, void *handle, unsigned flags)
{
	struct record *r;
	int err;

	if (flags || !handle)
		return hip_result(hipErrorInvalidValue);
	r = newest(handle);
	if (!r)
		return hipSuccess;
	err = stream_push(stream, await, r);
	if (err) {
		pthread_mutex_lock(&lock);
		release(r);
		pthread_mutex_unlock(&lock);
	}
	return hip_result(err);
}

int
hipEventElapsedTime(float *ms, void *from, void *to)
{
	struct event *a = from, *b = to;
	int err = hipSuccess;

	if (!a || !b || !a->timing || !b->timing)
		return hip_result(hipErrorInvalidHandle);
	pthread_mutex_lock(&lock);
	if (!a->record || !b->record)
		err = hipErrorInvalidHandle;
	else if (!a->record->done || !b->record->done)
		err = hipErrorNotReady;
	else
		*ms = (float)((double)(int64_t)(b->record->time -
			a->record->time) / 1e6);
	pthread_mutex_unlock(&lock);
	return hip_result(err);
}
