/* trace_device.c - what devices do: kernels, copies and fills, as they ran.
 *
 * With a trace, the API calls devices through the functions here.  Those that
 * put work into a queue have it measured, and tell of it when it is done.
 */
#include "trace.h"
#include "stream.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* queues and kernels by address */
struct named {
	struct named *next;
	const void *key;
	struct trace_sum *kernel;
	unsigned track;          /* of a queue: its number */
	char stream[40];
};

static const struct dev_ops *real;  /* there is one kind of device */
static struct dev_ops told;
static struct named *bucket[256];
static unsigned tracks;
static atomic_uint flows;

/* tracks of streams stand beside those of threads, whose numbers are small */
enum { TRACK = 1 << 30 };

static struct named **
bucket_of(const void *key)
{
	return &bucket[((uintptr_t)key * 0x9e3779b97f4a7c15u >> 40) % 256];
}

/* locked; made if need be; 0: out of memory */
static struct named *
named(const void *key)
{
	struct named **b = bucket_of(key), *n;

	for (n = *b; n && n->key != key; n = n->next)
		;
	if (n)
		return n;
	n = calloc(1, sizeof *n);
	if (!n)
		return 0;
	n->key = key;
	n->next = *b;
	return *b = n;
}

/* a command that is being measured */
struct span {
	struct trace_sum *kernel;      /* 0: a copy or fill */
	enum trace_copy copy;
	uint64_t bytes;
	unsigned track;
	char stream[40];
	struct { uint32_t grid[3], block[3], shared; } shape;
	unsigned flow;                 /* number of the arrow from its call */
};

static const char *const copy_name[] = {
	[TRACE_TO_DEVICE] = "copy host to device",
	[TRACE_TO_HOST] = "copy device to host",
	[TRACE_ON_DEVICE] = "copy device to device",
	[TRACE_ON_HOST] = "copy host to host",
	[TRACE_FILL] = "fill",
};

static void
tell_text(const struct span *s, uint64_t begin, uint64_t end)
{
	const uint32_t *g = s->shape.grid, *b = s->shape.block;
	struct line l = { .size = 0 };

	line_add(&l, "%11.6f %s: ", (double)(int64_t)(begin - trace_start()) /
		1e9, s->stream);
	if (s->kernel)
		line_add(&l, "kernel %s grid (%u,%u,%u) block (%u,%u,%u) "
			"shared %u", s->kernel->name, g[0], g[1], g[2], b[0],
			b[1], b[2], s->shape.shared);
	else
		line_add(&l, "%s %llu bytes", copy_name[s->copy],
			(unsigned long long)s->bytes);
	line_add(&l, " <%.3f us>", (double)(end - begin) / 1e3);
	trace_text(&l);
}

static void
tell_chrome(const struct span *s, uint64_t begin, uint64_t end)
{
	const uint32_t *g = s->shape.grid, *b = s->shape.block;
	struct line l = { .size = 0 };

	line_add(&l, "\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%ld,\"tid\":%u,"
		"\"ts\":%.3f,\"dur\":%.3f,\"name\":\"",
		s->kernel ? "kernel" : "copy", (long)getpid(),
		TRACK + s->track, (double)begin / 1e3,
		(double)(end - begin) / 1e3);
	line_json(&l, s->kernel ? s->kernel->name : copy_name[s->copy], 1000);
	if (s->kernel)
		line_add(&l, "\",\"args\":{\"grid\":\"%u,%u,%u\",\"block\":"
			"\"%u,%u,%u\",\"shared\":%u}", g[0], g[1], g[2],
			b[0], b[1], b[2], s->shape.shared);
	else
		line_add(&l, "\",\"args\":{\"bytes\":%llu}",
			(unsigned long long)s->bytes);
	trace_chrome(&l);
}

/* an arrow from the call that is being made to what it has begun */
static void
tell_arrow(char which, unsigned flow, long track, uint64_t when)
{
	struct line l = { .size = 0 };

	if (!trace_has_chrome() || !flow)
		return;
	line_add(&l, "\"ph\":\"%c\",\"bp\":\"e\",\"cat\":\"launch\",\"name\":"
		"\"launch\",\"id\":%u,\"pid\":%ld,\"tid\":%ld,\"ts\":%.3f",
		which, flow, (long)getpid(), track, (double)when / 1e3);
	trace_chrome(&l);
}

/* begin 0: it never ran */
static void
done(void *arg, uint64_t begin, uint64_t end)
{
	struct span *s = arg;

	if (begin) {
		trace_lock();
		if (s->kernel)
			trace_sum_kernel(s->kernel, end - begin);
		else
			trace_sum_copy(s->copy, s->bytes, end - begin);
		trace_unlock();
		if (trace_has_text())
			tell_text(s, begin, end);
		if (trace_has_chrome())
			tell_chrome(s, begin, end);
		tell_arrow('f', s->flow, TRACK + (long)s->track, begin);
	}
	free(s);
}

static void
tell_track(unsigned track, const char *name)
{
	struct line l = { .size = 0 };

	line_add(&l, "\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%ld,"
		"\"tid\":%u,\"args\":{\"name\":\"%s\"}", (long)getpid(),
		TRACK + track, name);
	trace_chrome(&l);
	l.size = 0;
	line_add(&l, "\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%ld,"
		"\"tid\":%u,\"args\":{\"sort_index\":%u}", (long)getpid(),
		TRACK + track, TRACK + track);
	trace_chrome(&l);
}

/* locked; a queue that is no stream's is known by a number */
static bool
christen(struct named *n)
{
	if (!n || n->track)
		return false;
	n->track = ++tracks;
	snprintf(n->stream, sizeof n->stream, "queue %u", n->track);
	return true;
}

/* for the next command of q; 0: it will not be measured */
static struct span *
span_begin(struct queue *q)
{
	struct span *s = calloc(1, sizeof *s);
	struct named *n;
	bool fresh;

	trace_lock();
	n = s ? named(q) : 0;
	fresh = christen(n);
	if (n) {
		s->track = n->track;
		memcpy(s->stream, n->stream, sizeof s->stream);
	}
	trace_unlock();
	if (fresh)
		tell_track(s->track, s->stream);
	if (s && real->measure(q, done, s)) {
		free(s);
		s = 0;
	}
	return s;
}

static CUresult
span_end(struct queue *q, struct span *s, CUresult err)
{
	if (err && s) {
		real->measure(q, 0, 0);
		free(s);
	}
	return err;
}

static enum trace_copy
direction(const struct copy *c)
{
	if (c->from_host)
		return c->to_host ? TRACE_ON_HOST : TRACE_TO_DEVICE;
	return c->to_host ? TRACE_TO_HOST : TRACE_ON_DEVICE;
}

/* what has nothing to do is no command */
static CUresult
copy(struct queue *q, const struct copy *c)
{
	struct span *s;

	if (!c->width || !c->height || !c->depth)
		return real->copy(q, c);
	s = span_begin(q);
	if (s) {
		s->copy = direction(c);
		s->bytes = (uint64_t)c->width * c->height * c->depth;
	}
	return span_end(q, s, real->copy(q, c));
}

static CUresult
fill(struct queue *q, const struct fill *f)
{
	struct span *s;

	if (!f->width || !f->height)
		return real->fill(q, f);
	s = span_begin(q);
	if (s) {
		s->copy = TRACE_FILL;
		s->bytes = (uint64_t)f->width * f->height * f->element;
	}
	return span_end(q, s, real->fill(q, f));
}

static CUresult
launch(struct queue *q, const struct dev_launch *l)
{
	uint64_t now = trace_now();
	struct span *s = span_begin(q);
	struct named *n;

	if (s) {
		trace_lock();
		n = named(l->entry);
		s->kernel = n && n->kernel ? n->kernel : trace_kernel("?");
		trace_unlock();
		memcpy(s->shape.grid, l->grid, sizeof s->shape.grid);
		memcpy(s->shape.block, l->block, sizeof s->shape.block);
		s->shape.shared = l->shared;
		s->flow = atomic_fetch_add(&flows, 1) + 1;
		tell_arrow('s', s->flow, trace_thread(), now);
	}
	return span_end(q, s, real->launch(q, l));
}

static CUresult
entry(struct code *c, const char *kernel, struct entry **out,
	struct entry_info *info, struct text *log)
{
	CUresult err = real->entry(c, kernel, out, info, log);
	struct named *n;

	if (err)
		return err;
	trace_lock();
	n = named(*out);
	if (n)
		n->kernel = trace_kernel(kernel);
	trace_unlock();
	return 0;
}

/* functions that programs have streams call */

struct called {
	void (*fn)(void *);
	void *arg;
	char stream[40];
};

static void
run(void *arg)
{
	struct called *c = arg;

	trace_callback(c->fn, c->arg, c->stream);
	free(c);
}

/* free: our own use of it */
static CUresult
call(struct queue *q, void (*fn)(void *), void *arg)
{
	struct called *c = fn == free ? 0 : calloc(1, sizeof *c);
	struct named *n;
	CUresult err;

	if (!c)
		return real->call(q, fn, arg);
	c->fn = fn;
	c->arg = arg;
	trace_lock();
	n = named(q);
	if (n)
		memcpy(c->stream, n->stream, sizeof c->stream);
	trace_unlock();
	err = real->call(q, run, c);
	if (err)
		free(c);
	return err;
}

/* another queue may come to lie there */
static void
queue_close(struct queue *q)
{
	struct named *n;

	real->queue_close(q);
	trace_lock();
	n = named(q);
	if (n)
		n->track = 0;
	trace_unlock();
}

const struct dev_ops *
trace_ops(const struct dev_ops *ops)
{
	if (!trace_on())
		return ops;
	real = ops;
	told = *ops;
	told.copy = copy;
	told.fill = fill;
	told.launch = launch;
	told.call = call;
	told.entry = entry;
	told.queue_close = queue_close;
	return &told;
}

/* streams */

static void
name_stream(struct line *l, CUstream s, bool legacy)
{
	if (legacy)
		line_add(l, "default stream");
	else
		trace_handle(l, "CUstream", s);
	if (s->context->device->index)
		line_add(l, " of device %d", s->context->device->index);
}

void
trace_stream(struct queue *q, CUstream s, bool legacy)
{
	struct line l = { .size = 0 };
	struct named *n;
	unsigned track;

	if (!trace_on())
		return;
	name_stream(&l, s, legacy);
	trace_lock();
	track = ++tracks;
	n = named(q);
	if (n) {
		n->track = track;
		l.data[sizeof n->stream - 1] = 0;
		strcpy(n->stream, l.data);
	}
	trace_unlock();
	tell_track(track, l.data);
}
