/* trace_summary.c - where the time went: kernels, copies, calls, compiling.
 *
 * Written when the program ends, behind the text of the trace or, where there
 * is none, on stderr.
 */
#include "trace.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	struct trace_sum *kernel;
	struct trace_row *row;
	struct { uint64_t n, bytes, ns; } copy[TRACE_COPIES];
	struct { uint64_t n, ns, cached; } compile;
	char failure[512];
} sum;

struct trace_sum *
trace_kernel(const char *name)
{
	struct trace_sum *k;

	for (k = sum.kernel; k; k = k->next)
		if (!strcmp(k->name, name))
			return k;
	k = calloc(1, sizeof *k);
	if (!k || !(k->name = strdup(name))) {
		free(k);
		return 0;
	}
	k->next = sum.kernel;
	return sum.kernel = k;
}

void
trace_sum_kernel(struct trace_sum *k, uint64_t ns)
{
	k->n++;
	k->ns += ns;
	if (ns > k->most)
		k->most = ns;
}

void
trace_sum_copy(enum trace_copy c, uint64_t bytes, uint64_t ns)
{
	sum.copy[c].n++;
	sum.copy[c].bytes += bytes;
	sum.copy[c].ns += ns;
}

void
trace_sum_compile(bool cached, uint64_t ns)
{
	if (cached) {
		sum.compile.cached++;
		return;
	}
	sum.compile.n++;
	sum.compile.ns += ns;
}

void
trace_sum_call(struct trace_row *row, uint64_t ns, bool failed)
{
	if (!row->listed) {
		row->listed = true;
		row->next = sum.row;
		sum.row = row;
	}
	row->calls++;
	row->failed += failed;
	row->ns += ns;
}

void
trace_sum_failure(const struct line *l)
{
	if (!*sum.failure)
		snprintf(sum.failure, sizeof sum.failure, "%.*s",
			(int)l->size, l->data);
}

void
trace_sum_forget(void)
{
	struct trace_sum *k;
	struct trace_row *r;

	for (r = sum.row; r; r = r->next)
		r->calls = r->failed = r->ns = 0;
	for (k = sum.kernel; k; k = k->next)
		k->n = k->ns = k->most = 0;
	memset(sum.copy, 0, sizeof sum.copy);
	memset(&sum.compile, 0, sizeof sum.compile);
	*sum.failure = 0;
}

/* writing */

static void __attribute__((format(printf, 1, 2)))
say(const char *fmt, ...)
{
	struct line l = { .size = 0 };
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l.data, sizeof l.data - 1, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	l.size = (size_t)n < sizeof l.data - 1 ? (size_t)n :
		sizeof l.data - 2;
	if (trace_has_text()) {
		trace_text(&l);
		return;
	}
	l.data[l.size++] = '\n';
	if (write(STDERR_FILENO, l.data, l.size) < 0)
		return; /* nowhere to say so */
}

static double
ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static double
mean_us(uint64_t ns, uint64_t n)
{
	return n ? (double)ns / 1e3 / (double)n : 0;
}

/* a list's items as an array, those that took longest first */
static int
by_kernel_time(const void *a, const void *b)
{
	const struct trace_sum *const *x = a, *const *y = b;

	return ((*x)->ns < (*y)->ns) - ((*x)->ns > (*y)->ns);
}

static int
by_call_time(const void *a, const void *b)
{
	const struct trace_row *const *x = a, *const *y = b;

	return ((*x)->ns < (*y)->ns) - ((*x)->ns > (*y)->ns);
}

static void
say_kernels(void)
{
	struct trace_sum *k, **list;
	size_t n = 0, i;

	for (k = sum.kernel; k; k = k->next)
		n += k->n != 0;
	list = n ? calloc(n, sizeof *list) : 0;
	if (!list)
		return;
	for (i = 0, k = sum.kernel; k; k = k->next)
		if (k->n)
			list[i++] = k;
	qsort(list, n, sizeof *list, by_kernel_time);
	say("%12s %9s %12s %12s  kernel", "ms", "launches", "mean us",
		"max us");
	for (i = 0; i < n; i++)
		say("%12.3f %9llu %12.3f %12.3f  %s", ms(list[i]->ns),
			(unsigned long long)list[i]->n,
			mean_us(list[i]->ns, list[i]->n),
			(double)list[i]->most / 1e3, list[i]->name);
	free(list);
}

static void
say_copies(void)
{
	static const char *const name[] = {
		[TRACE_TO_DEVICE] = "host to device",
		[TRACE_TO_HOST] = "device to host",
		[TRACE_ON_DEVICE] = "device to device",
		[TRACE_ON_HOST] = "host to host",
		[TRACE_FILL] = "fill",
	};
	bool first = true;
	int i;

	for (i = 0; i < TRACE_COPIES; i++) {
		if (!sum.copy[i].n)
			continue;
		if (first)
			say("%12s %9s %12s %12s  copy", "ms", "count",
				"mean us", "bytes");
		first = false;
		say("%12.3f %9llu %12.3f %12llu  %s", ms(sum.copy[i].ns),
			(unsigned long long)sum.copy[i].n,
			mean_us(sum.copy[i].ns, sum.copy[i].n),
			(unsigned long long)sum.copy[i].bytes, name[i]);
	}
}

static void
say_calls(void)
{
	struct trace_row *r, **list;
	size_t n = 0, i;

	for (r = sum.row; r; r = r->next)
		n += r->calls != 0;
	list = n ? calloc(n, sizeof *list) : 0;
	if (!list)
		return;
	for (i = 0, r = sum.row; r; r = r->next)
		if (r->calls)
			list[i++] = r;
	qsort(list, n, sizeof *list, by_call_time);
	say("%12s %9s %12s %12s  call", "ms", "calls", "mean us", "failed");
	for (i = 0; i < n; i++)
		say("%12.3f %9llu %12.3f %12llu  %s", ms(list[i]->ns),
			(unsigned long long)list[i]->calls,
			mean_us(list[i]->ns, list[i]->calls),
			(unsigned long long)list[i]->failed, list[i]->name);
	free(list);
}

/* a process that made no call, as the child of a fork, has nothing to say */
void
trace_summary(void)
{
	const struct trace_row *r;

	trace_lock();
	for (r = sum.row; r && !r->calls; r = r->next)
		;
	if (r) {
		say("ptx-amd: summary of process %ld, %.3f s", (long)getpid(),
			(double)(trace_now() - trace_start()) / 1e9);
		say_kernels();
		say_copies();
		say_calls();
		if (sum.compile.n + sum.compile.cached)
			say("compiled: %llu in %.3f ms; from the cache: %llu",
				(unsigned long long)sum.compile.n,
				ms(sum.compile.ns),
				(unsigned long long)sum.compile.cached);
		if (*sum.failure)
			say("first failing call: %s", sum.failure);
	}
	trace_unlock();
}
