/* hip_stream.c - streams: commands in order, by a thread each.
 *
 * The null stream waits for the other blocking streams before each of its
 * commands, and its callers wait for it; so blocking streams never run beside
 * it.  An error sticks to the stream it happened in: kernels and copies behind
 * it do nothing, and everybody who asks the stream learns of it.
 */
#include "hip.h"

#include <pthread.h>
#include <stdlib.h>

struct command {
	struct command *next;
	stream_command *fn;
	void *arg;
};

struct stream {
	struct stream *next;    /* in the list of all */
	pthread_t thread;
	pthread_cond_t work;
	struct command *first, **last;
	bool busy, closing, blocking;
	int error, device;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t done;    /* some stream has become idle */
	struct stream *list;
	struct stream *null[MAX_DEVICES];
} all = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.done = PTHREAD_COND_INITIALIZER };

static bool
is_idle(const struct stream *s)
{
	return !s->first && !s->busy;
}

static void *
serve(void *arg)
{
	struct stream *s = arg;
	struct command *c;
	int err;

	hipSetDevice(s->device);
	pthread_mutex_lock(&all.lock);
	for (;;) {
		while (!s->first && !s->closing)
			pthread_cond_wait(&s->work, &all.lock);
		c = s->first;
		if (!c)
			break;
		s->first = c->next;
		if (!s->first)
			s->last = &s->first;
		s->busy = true;
		err = s->error;
		pthread_mutex_unlock(&all.lock);
		err = c->fn(c->arg, err);
		free(c);
		pthread_mutex_lock(&all.lock);
		s->busy = false;
		if (err && !s->error)
			s->error = err;
		if (is_idle(s))
			pthread_cond_broadcast(&all.done);
	}
	pthread_mutex_unlock(&all.lock);
	return 0;
}

static struct stream *
open_stream(bool blocking)
{
	struct stream *s = calloc(1, sizeof *s);

	if (!s)
		return 0;
	s->last = &s->first;
	s->blocking = blocking;
	s->device = device_current();
	pthread_cond_init(&s->work, 0);
	if (pthread_create(&s->thread, 0, serve, s)) {
		pthread_cond_destroy(&s->work);
		free(s);
		return 0;
	}
	return s;
}

/* under the lock: the stream of a handle, or 0 */
static struct stream *
find(void *handle)
{
	struct stream *s, **null = &all.null[device_current()];

	if ((uintptr_t)handle > 2) {
		for (s = all.list; s && s != handle; s = s->next)
			;
		return s;
	}
	if (!*null && (*null = open_stream(false))) {
		(*null)->next = all.list;
		all.list = *null;
	}
	return *null;
}

static bool
is_null(const struct stream *s)
{
	return s == all.null[s->device];
}

static void
wait_idle(const struct stream *s)
{
	while (!is_idle(s))
		pthread_cond_wait(&all.done, &all.lock);
}

/* a stream may be closed while others wait: begin anew after each wait */
static void
wait_blocking(int device)
{
	struct stream *s = all.list;

	while (s)
		if (s->blocking && s->device == device && !is_idle(s)) {
			pthread_cond_wait(&all.done, &all.lock);
			s = all.list;
		} else {
			s = s->next;
		}
}

int
stream_push(void *handle, stream_command *fn, void *arg)
{
	struct command *c = calloc(1, sizeof *c);
	struct stream *s;
	int err = hipSuccess;

	if (!c)
		return hipErrorOutOfMemory;
	c->fn = fn;
	c->arg = arg;
	pthread_mutex_lock(&all.lock);
	s = find(handle);
	if (s && is_null(s))
		wait_blocking(s->device);
	err = !s ? hipErrorInvalidHandle : s->error;
	if (err) {
		free(c);
	} else {
		*s->last = c;
		s->last = &c->next;
		pthread_cond_signal(&s->work);
		if (is_null(s))
			wait_idle(s);
	}
	pthread_mutex_unlock(&all.lock);
	return err;
}

void
streams_finish(void)
{
	struct stream *s;

	pthread_mutex_lock(&all.lock);
	for (s = all.list; s; )
		if (!is_idle(s) && !pthread_equal(s->thread, pthread_self())) {
			pthread_cond_wait(&all.done, &all.lock);
			s = all.list;
		} else {
			s = s->next;
		}
	pthread_mutex_unlock(&all.lock);
}

int
hipStreamCreateWithPriority(void **out, unsigned flags, int priority)
{
	struct stream *s;

	(void)priority;
	if (!out || flags > HIP_STREAM_NON_BLOCKING)
		return hip_result(hipErrorInvalidValue);
	s = open_stream(!(flags & HIP_STREAM_NON_BLOCKING));
	if (!s)
		return hip_result(hipErrorOutOfMemory);
	pthread_mutex_lock(&all.lock);
	s->next = all.list;
	all.list = s;
	pthread_mutex_unlock(&all.lock);
	*out = s;
	return hipSuccess;
}

int
hipStreamCreateWithFlags(void **out, unsigned flags)
{
	return hipStreamCreateWithPriority(out, flags, 0);
}

int
hipStreamCreate(void **out)
{
	return hipStreamCreateWithPriority(out, 0, 0);
}

int
hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	*least = 0;
	*greatest = 0;
	return hipSuccess;
}

int
hipStreamDestroy(void *handle)
{
	struct stream *s, **at;

	pthread_mutex_lock(&all.lock);
	s = (uintptr_t)handle > 2 ? find(handle) : 0;
	if (!s) {
		pthread_mutex_unlock(&all.lock);
		return hip_result(hipErrorInvalidHandle);
	}
	wait_idle(s);
	for (at = &all.list; *at != s; at = &(*at)->next)
		;
	*at = s->next;
	s->closing = true;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&all.lock);
	pthread_join(s->thread, 0);
	pthread_cond_destroy(&s->work);
	free(s);
	return hipSuccess;
}

int
hipStreamSynchronize(void *handle)
{
	struct stream *s;
	int err;

	pthread_mutex_lock(&all.lock);
	s = find(handle);
	if (s && is_null(s))
		wait_blocking(s->device);
	if (s)
		wait_idle(s);
	err = s ? s->error : hipErrorInvalidHandle;
	pthread_mutex_unlock(&all.lock);
	return hip_result(err);
}

int
hipStreamQuery(void *handle)
{
	struct stream *s;
	int err;

	pthread_mutex_lock(&all.lock);
	s = find(handle);
	err = !s ? hipErrorInvalidHandle : s->error ? s->error :
		is_idle(s) ? hipSuccess : hipErrorNotReady;
	pthread_mutex_unlock(&all.lock);
	return hip_result(err);
}

int
hipDeviceSynchronize(void)
{
	struct stream *s;
	int err = hipSuccess, device = device_current();

	if (!device_count())
		return hip_result(hipErrorNoDevice);
	pthread_mutex_lock(&all.lock);
	for (s = all.list; s; )
		if (s->device == device && !is_idle(s)) {
			pthread_cond_wait(&all.done, &all.lock);
			s = all.list;
		} else {
			s = s->next;
		}
	for (s = all.list; s; s = s->next)
		if (s->device == device && s->error)
			err = s->error;
	pthread_mutex_unlock(&all.lock);
	return hip_result(err);
}

/* errors are forgotten; memory and modules stay with their owners */
int
hipDeviceReset(void)
{
	struct stream *s;

	hipDeviceSynchronize();
	pthread_mutex_lock(&all.lock);
	for (s = all.list; s; s = s->next)
		if (s->device == device_current())
			s->error = hipSuccess;
	pthread_mutex_unlock(&all.lock);
	hipGetLastError();
	return hipSuccess;
}

struct host_call {
	void (*fn)(void *);
	void *arg;
};

static int
call_host(void *arg, int error)
{
	struct host_call *c = arg;

	(void)error;
	c->fn(c->arg);
	free(c);
	return hipSuccess;
}

int
hipLaunchHostFunc(void *stream, void (*fn)(void *), void *arg)
{
	struct host_call *c = malloc(sizeof *c);
	int err;

	if (!c)
		return hip_result(hipErrorOutOfMemory);
	c->fn = fn;
	c->arg = arg;
	err = stream_push(stream, call_host, c);
	if (err)
		free(c);
	return hip_result(err);
}
