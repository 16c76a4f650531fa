/* trace.c - PTXAMD_TRACE: every call of the API as a line of text.
 *
 * PTXAMD_TRACE=1 writes to stderr, anything else is a file, to whose end lines
 * are added.  A line is one write, so that threads and processes do not mix.
 */
#include "trace.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int trace_state;

static atomic_int file = STDERR_FILENO;

bool
trace_wanted(void)
{
	const char *s = env_text("PTXAMD_TRACE");
	bool wanted = s && strcmp(s, "0") != 0;
	int f;

	if (wanted && strcmp(s, "1") != 0 && atomic_load(&trace_state) == 0) {
		f = open(s, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
		if (f >= 0)
			atomic_store(&file, f);
	}
	atomic_store(&trace_state, wanted ? 2 : 1);
	return wanted;
}

/* what does not fit is left out */
static void
add(struct trace *t, const char *fmt, ...)
{
	size_t room = sizeof t->line - t->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->line + t->size, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->size += (size_t)n < room ? (size_t)n : room - 1;
}

void
trace_begin(struct trace *t, const char *function)
{
	t->size = 0;
	t->first = true;
	add(t, "%ld %s(", (long)syscall(SYS_gettid), function);
}

static void
add_number(struct trace *t, const void *value, size_t size)
{
	long long v = 0;

	if (size == sizeof(int))
		v = *(const int *)value;
	else
		memcpy(&v, value, size < sizeof v ? size : sizeof v);
	add(t, "%lld", v);
}

static void
add_text(struct trace *t, const char *s)
{
	enum { MOST = 60 };
	size_t n = s ? strcspn(s, "\n") : 0;

	if (!s)
		add(t, "0");
	else if (n > MOST || s[n])
		add(t, "\"%.*s…\"", n > MOST ? MOST : (int)n, s);
	else
		add(t, "\"%s\"", s);
}

static void
add_target(struct trace *t, enum trace_kind kind, const void *p)
{
	if (kind == TRACE_TO_INT)
		add(t, "&%d", *(const int *)p);
	else if (kind == TRACE_TO_SIZE)
		add(t, "&%zu", *(const size_t *)p);
	else
		add(t, "&%#llx", *(const unsigned long long *)p);
}

void
trace_value(struct trace *t, const char *name, enum trace_kind kind,
	const void *value, size_t size, CUresult r)
{
	const void *p = 0;

	if (size == sizeof p)
		memcpy(&p, value, sizeof p);
	add(t, "%s%s = ", t->first ? "" : ", ", name);
	t->first = false;
	if (kind == TRACE_NUMBER)
		add_number(t, value, size);
	else if (kind == TRACE_TEXT)
		add_text(t, p);
	else if (kind >= TRACE_TO_INT && kind <= TRACE_TO_HEX && p && !r)
		add_target(t, kind, p);
	else if (size == sizeof p)
		add(t, p ? "%p" : "0", p);
	else if (size < sizeof p)
		add_number(t, value, size);
	else
		add(t, "{%zu bytes}", size);
}

void
trace_end(struct trace *t, CUresult r)
{
	const char *name = 0;

	if (r && cuGetErrorName(r, &name) == 0)
		add(t, ") = %d %s", (int)r, name);
	else
		add(t, ") = %d", (int)r);
	t->line[t->size] = '\n';
	if (write(atomic_load(&file), t->line, t->size + 1) < 0)
		return; /* nowhere to say so */
}
