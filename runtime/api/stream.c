/* stream.c - streams: found by handle, ordered, waited for, ended. */
#include "capture.h"
#include "trace.h"
#include <stdlib.h>

_Thread_local bool stream_in_call;

static atomic_ullong last_id;

/* a thread's default streams, one for each context that it used */
struct thread_stream {
	struct thread_stream *next;
	CUcontext context;
	unsigned long long id;   /* of the context */
	CUstream stream;
};

/* between the end of a thread and the end of a context */
static pthread_mutex_t ends = PTHREAD_MUTEX_INITIALIZER;

static struct streams *
streams_of(CUcontext c)
{
	return __atomic_load_n((struct streams **)&c->streams,
		__ATOMIC_ACQUIRE);
}

/* made when the first stream of the context is; c is locked */
static struct streams *
make_streams(CUcontext c)
{
	struct streams *l = c->streams;

	if (l)
		return l;
	l = calloc(1, sizeof *l);
	if (!l)
		return 0;
	pthread_mutex_init(&l->lock, 0);
	__atomic_store_n((struct streams **)&c->streams, l, __ATOMIC_RELEASE);
	return l;
}

static struct streams *
need_streams(CUcontext c)
{
	struct streams *l = streams_of(c);

	if (l)
		return l;
	pthread_mutex_lock(&c->lock);
	l = make_streams(c);
	pthread_mutex_unlock(&c->lock);
	return l;
}

/* birth and death */

/* numbered under the lock: next_held needs the list in that order */
static void
enlist(struct streams *l, CUstream s)
{
	pthread_mutex_lock(&l->lock);
	s->id = atomic_fetch_add(&last_id, 1) + 1;
	s->next = l->all;
	s->link = &l->all;
	if (s->next)
		s->next->link = &s->next;
	l->all = s;
	pthread_mutex_unlock(&l->lock);
}

static void
unlink_stream(CUstream s)
{
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
}

static void
delist(struct streams *l, CUstream s)
{
	pthread_mutex_lock(&l->lock);
	unlink_stream(s);
	pthread_mutex_unlock(&l->lock);
}

static void
release(CUstream s)
{
	pthread_mutex_destroy(&s->lock);
	free(s->shown);
	s->shown = 0;
	if (s->kind == STREAM_GHOST)
		free(s);
	else
		handle_free(HANDLE_STREAM, s);
}

static void
let_go(CUstream s)
{
	if (atomic_fetch_sub(&s->holds, 1) > 1)
		return;
	s->context->device->ops->queue_close(s->queue);
	release(s);
}

/* false: another thread destroyed it in the meantime */
static bool
hold(CUstream s)
{
	unsigned n = atomic_load(&s->holds);

	while (n && !atomic_compare_exchange_weak(&s->holds, &n, n + 1))
		;
	return n != 0;
}

/* Closing a queue waits for its work, and a program may have to do something
 * before that ends.  So its stream is replaced by one that has no handle.
 * False: there is no need, or no memory. */
static bool
leave_ghost(CUstream s)
{
	struct queue *queue = s->queue;
	unsigned last = 1;
	CUstream g;

	if (s->kind != STREAM_OWN || !atomic_load(&s->context->alive) ||
	    atomic_load(&s->holds) > 1 ||
	    s->context->device->ops->idle(queue) != CUDA_ERROR_NOT_READY)
		return false;
	g = calloc(1, sizeof *g);
	if (!g || !atomic_compare_exchange_strong(&s->holds, &last, 0)) {
		free(g);
		return false;
	}
	g->context = s->context;
	g->queue = queue;
	g->kind = STREAM_GHOST;
	g->flags = s->flags;
	atomic_init(&g->holds, 1);
	atomic_init(&g->dirty, atomic_load(&s->dirty));
	pthread_mutex_init(&g->lock, 0);
	enlist(streams_of(s->context), g);
	release(s);
	return true;
}

void
stream_destroy(CUstream s)
{
	capture_leave(s);
	if (s->kind == STREAM_OWN)
		disown(s->context, &s->owned);
	delist(streams_of(s->context), s);
	if (!leave_ghost(s))
		let_go(s);
}

/* ends ghosts that have nothing more to do */
static void
reap(struct streams *l)
{
	CUstream s, next, dead = 0;

	pthread_mutex_lock(&l->lock);
	for (s = l->all; s; s = next) {
		next = s->next;
		if (s->kind != STREAM_GHOST || s->context->device->ops->idle(
		    s->queue) == CUDA_ERROR_NOT_READY)
			continue;
		unlink_stream(s);
		s->next = dead;
		dead = s;
	}
	pthread_mutex_unlock(&l->lock);
	while ((s = dead)) {
		dead = s->next;
		let_go(s);
	}
}

static void
destroy_owned(struct owned *o)
{
	stream_destroy((CUstream)(void *)o);
}

CUresult
stream_new(CUcontext c, enum stream_kind kind, unsigned flags, int priority,
	CUstream *out)
{
	const struct device *dev = c->device;
	struct streams *l = need_streams(c);
	CUstream s = l ? handle_new(HANDLE_STREAM, sizeof *s) : 0;
	CUresult err;

	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	reap(l);
	s->context = c;
	s->kind = kind;
	s->flags = flags;
	s->priority = priority;
	s->owned.destroy = destroy_owned;
	atomic_init(&s->holds, 1);
	err = dev->ops->queue_open(dev->dev, flags, priority, context_fault,
		c, &s->queue);
	if (err) {
		handle_free(HANDLE_STREAM, s);
		return err;
	}
	pthread_mutex_init(&s->lock, 0);
	enlist(l, s);
	trace_stream(s->queue, s, kind == STREAM_LEGACY);
	if (kind == STREAM_OWN)
		own(c, OWNED_STREAM, &s->owned);
	*out = s;
	return CUDA_SUCCESS;
}

/* the default streams */

static CUresult
make_legacy(CUcontext c, CUstream *out)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	CUresult err = CUDA_SUCCESS;

	pthread_mutex_lock(&lock);
	*out = c->legacy;
	if (!*out)
		err = stream_new(c, STREAM_LEGACY, 0, 0, out);
	if (!err)
		__atomic_store_n(&c->legacy, *out, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return err;
}

static CUresult
find_legacy(CUcontext c, CUstream *out)
{
	*out = __atomic_load_n(&c->legacy, __ATOMIC_ACQUIRE);
	return *out ? CUDA_SUCCESS : make_legacy(c, out);
}

/* one that a thread left behind */
static CUstream
take_spare(struct streams *l)
{
	CUstream s;

	pthread_mutex_lock(&l->lock);
	for (s = l->all; s && !s->spare; s = s->next)
		;
	if (s)
		s->spare = false;
	pthread_mutex_unlock(&l->lock);
	return s;
}

static CUresult
make_per_thread(CUcontext c, CUstream *out)
{
	struct streams *l = need_streams(c);
	struct thread_stream *t = malloc(sizeof *t);
	CUresult err = CUDA_SUCCESS;

	if (!t || !l) {
		free(t);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	t->stream = take_spare(l);
	if (!t->stream)
		err = stream_new(c, STREAM_THREAD, 0, 0, &t->stream);
	if (err) {
		free(t);
		return err;
	}
	t->context = c;
	t->id = c->id;
	t->next = rt_thread.streams;
	rt_thread.streams = t;
	*out = t->stream;
	return CUDA_SUCCESS;
}

static CUresult
find_per_thread(CUcontext c, CUstream *out)
{
	struct thread_stream *t;

	for (t = rt_thread.streams; t; t = t->next)
		if (t->context == c && t->id == c->id) {
			*out = t->stream;
			return CUDA_SUCCESS;
		}
	return make_per_thread(c, out);
}

CUresult
stream_find(CUstream h, CUstream *out)
{
	CUcontext c;

	if ((uintptr_t)h > (uintptr_t)CU_STREAM_PER_THREAD) {
		*out = h;
		return handle_is(HANDLE_STREAM, h) ? CUDA_SUCCESS :
			CUDA_ERROR_INVALID_HANDLE;
	}
	c = context_current();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (h == CU_STREAM_PER_THREAD || (!h && rt_thread.per_thread))
		return find_per_thread(c, out);
	return find_legacy(c, out);
}

/* order */

static CUresult
wait_for(CUstream s, CUstream other)
{
	const struct dev_ops *ops = s->context->device->ops;
	uint64_t freed = atomic_load(&other->freed);
	struct mark *mark;
	CUresult err;

	if (freed)
		past_add(&s->past, other->id, freed);
	if (!ops->idle(other->queue))
		return CUDA_SUCCESS;
	err = ops->mark(other->queue, false, &mark);
	if (err)
		return err;
	err = ops->wait(s->queue, mark);
	ops->unmark(mark);
	return err;
}

static bool
is_blocking(CUstream s)
{
	return s->kind != STREAM_LEGACY && !(s->flags & CU_STREAM_NON_BLOCKING);
}

static CUresult
order_legacy(CUstream s)
{
	struct streams *l = streams_of(s->context);
	CUresult err = CUDA_SUCCESS;
	CUstream t;

	pthread_mutex_lock(&l->lock);
	for (t = l->all; t && !err; t = t->next)
		if (is_blocking(t) && atomic_exchange(&t->dirty, false))
			err = wait_for(s, t);
	pthread_mutex_unlock(&l->lock);
	return err;
}

/* the epoch is read before the mark is set: it covers no more than that */
static CUresult
order_behind_legacy(CUstream s)
{
	struct streams *l = streams_of(s->context);
	uint64_t epoch = atomic_load_explicit(&l->epoch,
		memory_order_acquire);
	CUresult err;

	if (s->seen == epoch)
		return CUDA_SUCCESS;
	err = wait_for(s, s->context->legacy);
	if (!err)
		s->seen = epoch;
	return err;
}

static CUresult
order(CUstream s)
{
	CUresult err;

	if (s->kind == STREAM_LEGACY) {
		err = capture_implicit(s->context);
		return err ? err : order_legacy(s);
	}
	return is_blocking(s) ? order_behind_legacy(s) : CUDA_SUCCESS;
}

static bool
is_captured(CUstream s)
{
	return atomic_load_explicit(&s->capture, memory_order_acquire);
}

CUresult
stream_enter(CUstream h, CUstream *out)
{
	CUstream s;
	CUresult err;

	if (stream_in_call)
		return CUDA_ERROR_NOT_PERMITTED;
	err = stream_find(h, &s);
	if (err)
		return err;
	if (!hold(s))
		return CUDA_ERROR_INVALID_HANDLE;
	pthread_mutex_lock(&s->lock);
	err = stream_error(s);
	if (!err && !is_captured(s))
		err = order(s);
	if (err) {
		pthread_mutex_unlock(&s->lock);
		let_go(s);
		return err;
	}
	*out = s;
	return CUDA_SUCCESS;
}

CUresult
stream_begin(CUstream h, CUstream *out, struct queue **queue)
{
	CUresult err = stream_enter(h, out);

	if (err)
		return err;
	if (is_captured(*out)) {
		err = capture_refuse(*out);
		pthread_mutex_unlock(&(*out)->lock);
		let_go(*out);
		return err;
	}
	*queue = (*out)->queue;
	return CUDA_SUCCESS;
}

/* only now is the work there that others have to wait for */
void
stream_end(CUstream s)
{
	if (is_captured(s))
		;
	else if (s->kind == STREAM_LEGACY)
		atomic_fetch_add(&streams_of(s->context)->epoch, 1);
	else if (is_blocking(s))
		atomic_store_explicit(&s->dirty, true, memory_order_release);
	pthread_mutex_unlock(&s->lock);
	let_go(s);
}

/* waiting */

static CUresult
sync_held(CUstream s)
{
	CUresult err = CUDA_SUCCESS, fault;

	if (s->kind == STREAM_LEGACY) {
		pthread_mutex_lock(&s->lock);
		err = order(s);
		pthread_mutex_unlock(&s->lock);
	}
	if (!err)
		err = s->context->device->ops->sync(s->queue);
	fault = stream_error(s);
	return fault ? fault : err;
}

CUresult
stream_sync(CUstream h)
{
	CUstream s;
	CUresult err;

	if (stream_in_call)
		return CUDA_ERROR_NOT_PERMITTED;
	err = stream_find(h, &s);
	if (err)
		return err;
	if (is_captured(s))
		return capture_refuse(s);
	if (!hold(s))
		return CUDA_ERROR_INVALID_HANDLE;
	err = sync_held(s);
	let_go(s);
	return err;
}

/* the stream behind s in the list, held, and s let go; 0: the end */
static CUstream
next_held(struct streams *l, CUstream s, uint64_t *before)
{
	CUstream t;

	pthread_mutex_lock(&l->lock);
	for (t = l->all; t && t->id >= *before; t = t->next)
		;
	if (t) {
		*before = t->id;
		atomic_fetch_add(&t->holds, 1);
	}
	pthread_mutex_unlock(&l->lock);
	if (s)
		let_go(s);
	return t;
}

/* newest first, as the list is; streams that come meanwhile do not count */
CUresult
streams_sync(CUcontext c)
{
	struct streams *l = streams_of(c);
	uint64_t before = UINT64_MAX;
	CUresult err = CUDA_SUCCESS, e;
	CUstream s = 0;

	if (stream_in_call)
		return CUDA_ERROR_NOT_PERMITTED;
	while (l && (s = next_held(l, s, &before))) {
		e = c->device->ops->sync(s->queue);
		err = err ? err : e;
	}
	e = (CUresult)atomic_load(&c->error);
	return e ? e : err;
}

/* ends of threads and contexts */

void
streams_thread_exit(struct thread *thread)
{
	struct thread_stream *t;
	struct streams *l;

	pthread_mutex_lock(&ends);
	while ((t = thread->streams)) {
		thread->streams = t->next;
		l = atomic_load(&t->context->alive) &&
			t->context->id == t->id ? streams_of(t->context) : 0;
		if (l) {
			pthread_mutex_lock(&l->lock);
			t->stream->spare = true;
			pthread_mutex_unlock(&l->lock);
		}
		free(t);
	}
	pthread_mutex_unlock(&ends);
}

/* the streams that programs made are gone already */
void
streams_context_end(CUcontext c)
{
	struct streams *l = streams_of(c);

	if (!l)
		return;
	pthread_mutex_lock(&ends);
	while (l->all)
		stream_destroy(l->all);
	queues_end(l->spare, c);
	c->legacy = 0;
	c->streams = 0;
	pthread_mutex_destroy(&l->lock);
	free(l);
	pthread_mutex_unlock(&ends);
}
