/* chaos.c - calls in random order, with handles that live, lived, or never
 * did, from several threads: nothing may crash, hang, or take what is not
 * there for what is.
 *
 *	chaos SEED STEPS THREADS
 */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 12, BYTES = 5000 };

/* How many handles died; the memory of one is used again after 64 of its
 * kind, so it is then no longer known to be none.  Of threads each may sleep
 * while the others do that. */
static atomic_uint deaths;
static unsigned remembered = 20;

/* handles of one thread; dead ones stay in their slot for a while */
struct state {
	unsigned seed, steps;
	struct { CUcontext h; bool live; unsigned died; } context[SLOTS];
	struct { CUstream h; bool live; int of; unsigned died; } stream[SLOTS];
	struct { CUevent h; bool live; int of; unsigned died; } event[SLOTS];
	struct { CUdeviceptr h; bool live; int of; } memory[SLOTS];
	int current;             /* slot of the current context; -1: none */
	const char *wrong;
};

static CUdevice dev;

static unsigned
pick(struct state *s, unsigned n)
{
	s->seed = s->seed * 1664525 + 1013904223;
	return (s->seed >> 8) % n;
}

static void
expect(struct state *s, const char *what, CUresult r, bool fine)
{
	if (!s->wrong && (r == CUDA_SUCCESS) != fine)
		s->wrong = what;
}

/* forgets what has been dead for long */
static void
forget(struct state *s)
{
	unsigned now = atomic_load(&deaths);
	int i;

	for (i = 0; i < SLOTS; i++) {
		if (!s->context[i].live && now - s->context[i].died
			> remembered)
			s->context[i].h = 0;
		if (!s->stream[i].live && now - s->stream[i].died
			> remembered)
			s->stream[i].h = 0;
		if (!s->event[i].live && now - s->event[i].died
			> remembered)
			s->event[i].h = 0;
	}
}

static bool
have_context(const struct state *s)
{
	return s->current >= 0 && s->context[s->current].live;
}

/* what belonged to a context ended with it */
static void
drop(struct state *s, int c)
{
	int i;

	s->context[c].live = false;
	s->context[c].died = atomic_fetch_add(&deaths, 1);
	for (i = 0; i < SLOTS; i++) {
		if (s->stream[i].live && s->stream[i].of == c) {
			s->stream[i].live = false;
			s->stream[i].died = atomic_fetch_add(&deaths, 1);
		}
		if (s->event[i].live && s->event[i].of == c) {
			s->event[i].live = false;
			s->event[i].died = atomic_fetch_add(&deaths, 1);
		}
		s->memory[i].live &= s->memory[i].of != c;
	}
}

static void
contexts(struct state *s, unsigned i)
{
	switch (pick(s, 4)) {
	case 0:
		if (s->context[i].live || s->current >= 0)
			break;
		expect(s, "create", cuCtxCreate_v2(&s->context[i].h, 0, dev),
			true);
		s->context[i].live = true;
		s->current = (int)i;
		break;
	case 1:
		expect(s, "destroy", cuCtxDestroy_v2(s->context[i].h),
			s->context[i].live);
		if (s->context[i].live)
			drop(s, (int)i);
		if (s->current == (int)i)
			s->current = -1;
		break;
	case 2:
		if (!s->context[i].live)
			break;
		expect(s, "set", cuCtxSetCurrent(s->context[i].h), true);
		s->current = (int)i;
		break;
	case 3:
		expect(s, "synchronize", cuCtxSynchronize(), have_context(s));
	}
}

static void
streams(struct state *s, unsigned i)
{
	bool live = s->stream[i].live;

	switch (pick(s, 4)) {
	case 0:
		if (live)
			break;
		expect(s, "stream", cuStreamCreate(&s->stream[i].h,
			pick(s, 2)), have_context(s));
		s->stream[i].live = have_context(s);
		s->stream[i].of = s->current;
		break;
	case 1:
		if (have_context(s))
			expect(s, "end of stream",
				cuStreamDestroy_v2(s->stream[i].h), live);
		if (have_context(s) && live) {
			s->stream[i].live = false;
			s->stream[i].died = atomic_fetch_add(&deaths, 1);
		}
		break;
	case 2:
		if (have_context(s) && s->stream[i].h)
			expect(s, "wait for stream",
				cuStreamSynchronize(s->stream[i].h), live);
		break;
	case 3:
		if (have_context(s) && s->stream[i].h)
			cuStreamQuery(s->stream[i].h);
	}
}

static void
events(struct state *s, unsigned i)
{
	unsigned k = pick(s, SLOTS);
	bool live = s->event[i].live;

	if (!have_context(s))
		return;
	switch (pick(s, 4)) {
	case 0:
		if (live)
			break;
		expect(s, "event", cuEventCreate(&s->event[i].h, 0), true);
		s->event[i].live = true;
		s->event[i].of = s->current;
		break;
	case 1:
		expect(s, "end of event", cuEventDestroy_v2(s->event[i].h),
			live);
		s->event[i].live = false;
		if (live)
			s->event[i].died = atomic_fetch_add(&deaths, 1);
		break;
	case 2:
		if (s->stream[k].h && (!live || !s->stream[k].live
			|| s->event[i].of == s->stream[k].of))
			expect(s, "record", cuEventRecord(s->event[i].h,
				s->stream[k].h), live && s->stream[k].live);
		break;
	case 3:
		expect(s, "wait for event", cuEventSynchronize(s->event[i].h),
			live);
	}
}

/* only the stream of its slot uses a piece of memory, so that there is an
 * order in which it is written */
static void
memories(struct state *s, unsigned i)
{
	bool live = s->memory[i].live;
	bool ours = s->stream[i].live && s->stream[i].of == s->memory[i].of;
	unsigned char bytes[BYTES];

	if (!have_context(s))
		return;
	memset(bytes, (int)i, sizeof bytes);
	switch (pick(s, 5)) {
	case 0:
		if (live)
			break;
		expect(s, "alloc", cuMemAlloc_v2(&s->memory[i].h, BYTES), true);
		s->memory[i].live = true;
		s->memory[i].of = s->current;
		break;
	case 1:
		/* a dead address may be another thread's by now */
		if (live)
			expect(s, "free", cuMemFree_v2(s->memory[i].h), true);
		s->memory[i].live = false;
		break;
	case 2:
		if (live && ours)
			expect(s, "copy", cuMemcpyHtoDAsync_v2(
				s->memory[i].h, bytes, 1 + pick(s, BYTES),
				s->stream[i].h), true);
		break;
	case 3:
		if (live && s->stream[i].h && (ours || !s->stream[i].live))
			expect(s, "fill", cuMemsetD8Async(s->memory[i].h,
				(unsigned char)i, 1 + pick(s, BYTES),
				s->stream[i].h), ours);
		break;
	case 4:
		if (live)
			expect(s, "past the end", cuMemcpyDtoH_v2(bytes,
				s->memory[i].h + 1 + pick(s, BYTES), BYTES),
				false);
	}
}

static void *
run(void *arg)
{
	struct state *s = arg;
	int i;

	s->current = -1;
	while (s->steps-- && !s->wrong) {
		unsigned slot = pick(s, SLOTS);

		forget(s);
		switch (pick(s, 8)) {
		case 0: contexts(s, slot % 4); break;
		case 1: case 2: streams(s, slot); break;
		case 3: case 4: events(s, slot); break;
		default: memories(s, slot);
		}
	}
	for (i = 0; i < SLOTS; i++)
		if (s->context[i].live)
			cuCtxDestroy_v2(s->context[i].h);
	return 0;
}

int
main(int argc, char **argv)
{
	enum { MOST = 8 };
	static struct state s[MOST];
	int i, n = argc > 3 ? atoi(argv[3]) : 1;
	pthread_t t[MOST];

	if (n > MOST)
		n = MOST;
	if (n > 1)
		remembered = 0;
	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	for (i = 0; i < n; i++) {
		s[i].seed = (unsigned)(atoi(argc > 1 ? argv[1] : "1") * 77 + i);
		s[i].steps = (unsigned)atoi(argc > 2 ? argv[2] : "1000");
		OK(pthread_create(&t[i], 0, run, &s[i]));
	}
	for (i = 0; i < n; i++) {
		pthread_join(t[i], 0);
		if (s[i].wrong)
			printf("thread %d: %s\n", i, s[i].wrong);
		TRUE(!s[i].wrong);
	}
	return check_end();
}
