/* trace.c - calls told: begun, nested, ended.
 *
 * A line is written when a call ends.  If another is made within it, one is
 * written before that, which ends in an open brace, and the call's own line
 * begins with the closing one.
 */
#include "check.h"
#include "compile.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

atomic_int ptxamd_trace_state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t start;
static bool traced, checked;    /* PTXAMD_TRACE, PTXAMD_CHECK */

/* of a thread: the innermost call, how many there are, its number */
static _Thread_local struct {
	struct trace_call *call;
	int depth;
	long id;
} here __attribute__((tls_model("initial-exec")));

#include "trace/driver.inc"

static const char *
error_name(int r)
{
	const char *name = 0;

	return cuGetErrorName((CUresult)r, &name) ? 0 : name;
}

const struct trace_lib trace_driver = {
	.name = "driver",
	.type = type_list, .ntype = sizeof type_list / sizeof *type_list,
	.result = "CUresult", .error = error_name,
	.not_ready = CUDA_ERROR_NOT_READY,
};

void
trace_lock(void)
{
	pthread_mutex_lock(&lock);
}

void
trace_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

uint64_t
trace_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t
trace_start(void)
{
	return start;
}

/* the child tells of itself */
static void
in_child(void)
{
	pthread_mutex_init(&lock, 0);
	here.id = 0;
	trace_sum_forget();
}

static void
begin(void)
{
	start = trace_now();
	checked = check_wanted();
	traced = trace_open();
	if (!traced && !checked) {
		atomic_store(&ptxamd_trace_state, 1);
		return;
	}
	pthread_atfork(trace_lock, trace_unlock, in_child);
	if (traced) {
		compile_watch(trace_compiled);
		atexit(trace_summary);
	}
	atomic_store(&ptxamd_trace_state, 2);
}

bool
ptxamd_trace_wanted(void)
{
	pthread_once(&once, begin);
	return atomic_load(&ptxamd_trace_state) == 2;
}

/* lines */

void
line_add(struct line *l, const char *fmt, ...)
{
	size_t room = sizeof l->data - l->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->data + l->size, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->size += (size_t)n < room ? (size_t)n : room - 1;
}

void
line_json(struct line *l, const char *text, size_t most)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t end = l->size + most;

	if (end > sizeof l->data)
		end = sizeof l->data;
	for (; *s && l->size + 8 < end; s++)
		if (*s < 0x20 || *s >= 0x7f)
			line_add(l, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			line_add(l, "\\%c", *s);
		else
			l->data[l->size++] = (char)*s;
	l->data[l->size] = 0;
}

/* this thread's number; the first time its name is told, too */
long
trace_thread(void)
{
	char name[17] = "";
	struct line l = { .size = 0 };

	if (here.id)
		return here.id;
	here.id = (long)syscall(SYS_gettid);
	if (trace_has_chrome()) {
		prctl(PR_GET_NAME, name, 0, 0, 0);
		line_add(&l, "\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":"
			"%ld,\"tid\":%ld,\"args\":{\"name\":\"", (long)getpid(),
			here.id);
		line_json(&l, name, 200);
		line_add(&l, "\"}");
		trace_chrome(&l);
	}
	return here.id;
}

/* calls */

static void
add_place(struct line *l, uint64_t when, int depth)
{
	line_add(l, "%11.6f %ld %*s", (double)(when - start) / 1e9,
		trace_thread(), 2 * depth, "");
}

static void
add_call(struct line *l, const struct trace_call *t, bool follow)
{
	const struct trace_row *row = t->row;
	size_t i;

	line_add(l, "%s(", row->name);
	for (i = 0; row->arg[i].name; i++) {
		line_add(l, "%s%s = ", i ? ", " : "", row->arg[i].name);
		trace_value(l, row->lib, row->arg[i].type, t->value[i],
			row->arg[i].size, follow);
	}
	line_add(l, ")");
}

/* the call that is about to be made is within t */
static void
tell_begun(struct trace_call *t)
{
	struct line l = { .size = 0 };

	if (t->told || !trace_has_text())
		return;
	t->told = true;
	add_place(&l, t->begin, here.depth - 1);
	add_call(&l, t, false);
	line_add(&l, " {");
	trace_text(&l);
}

static void
tell_text(const struct trace_call *t, uint64_t end, bool failed,
	struct line *l)
{
	const struct trace_row *row = t->row;

	l->size = 0;
	add_place(l, t->begin, here.depth);
	if (t->told)
		line_add(l, "} ");
	add_call(l, t, !failed);
	if (t->result_type) {
		line_add(l, " = ");
		trace_value(l, row->lib, t->result_type, t->result,
			t->result_size, true);
	}
	line_add(l, " <%.3f us>", (double)(end - t->begin) / 1e3);
}

static void
tell_chrome(const struct trace_call *t, uint64_t end, bool failed)
{
	const struct trace_row *row = t->row;
	struct line l = { .size = 0 }, v;
	size_t i;

	line_add(&l, "\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%ld,"
		"\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f,\"args\":{", row->name,
		row->lib->name, (long)getpid(), trace_thread(),
		(double)t->begin / 1e3, (double)(end - t->begin) / 1e3);
	for (i = 0; row->arg[i].name && l.size < sizeof l.data / 2; i++) {
		v.size = 0;
		trace_value(&v, row->lib, row->arg[i].type, t->value[i],
			row->arg[i].size, !failed);
		line_add(&l, "%s\"%s\":\"", i ? "," : "", row->arg[i].name);
		line_json(&l, v.data, 400);
		line_add(&l, "\"");
	}
	if (t->result_type) {
		v.size = 0;
		trace_value(&v, row->lib, t->result_type, t->result,
			t->result_size, true);
		line_add(&l, "%s\"=\":\"", i ? "," : "");
		line_json(&l, v.data, 400);
		line_add(&l, "\"");
	}
	line_add(&l, "}");
	trace_chrome(&l);
}

void
ptxamd_trace_begin(struct trace_call *t, struct trace_row *row,
	const void *const *value)
{
	*t = (struct trace_call){ .row = row, .value = value };
	if (here.call)
		tell_begun(here.call);
	t->outer = here.call;
	here.call = t;
	here.depth++;
	t->begin = trace_now();
}

void
ptxamd_trace_end(struct trace_call *t, bool failed)
{
	uint64_t end = trace_now();
	struct line l;

	here.call = t->outer;
	here.depth--;
	if (trace_has_text() || failed) {
		tell_text(t, end, failed, &l);
		trace_lock();
		if (failed && !here.depth)
			trace_sum_failure(&l);
		trace_unlock();
		if (failed && checked && !here.depth)
			check_failure(t->row, &l);
		trace_text(&l);
	}
	if (trace_has_chrome())
		tell_chrome(t, end, failed);
	trace_lock();
	trace_sum_call(t->row, end - t->begin, failed);
	trace_unlock();
}

void
trace_callback(void (*fn)(void *), void *arg, const char *stream)
{
	static const struct trace_arg list[] = {
		{ "stream", "const char *", sizeof stream }, { 0, 0, 0 }
	};
	static struct trace_row row = { .name = "host function",
		.lib = &trace_driver, .arg = list };
	const void *const value[] = { &stream, 0 };
	struct trace_call t;

	ptxamd_trace_begin(&t, &row, value);
	fn(arg);
	ptxamd_trace_end(&t, false);
}
