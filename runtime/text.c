/* text.c - text that grows: logs that go to several places at the end.
 *
 * What does not fit into memory is left out: a log is never worth a failure.
 */
#include "text.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* room for n bytes more and a NUL */
static bool
reserve(struct text *t, size_t n)
{
	size_t cap = t->cap ? t->cap : 256;
	char *wider;

	while (cap - t->size <= n)
		cap *= 2;
	if (cap == t->cap)
		return true;
	wider = realloc(t->data, cap);
	if (!wider)
		return false;
	t->data = wider;
	t->cap = cap;
	return true;
}

void
text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(0, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !reserve(t, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(t->data + t->size, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->size += (size_t)n;
}

void
text_free(struct text *t)
{
	free(t->data);
	*t = (struct text){0};
}

void
text_diag(void *arg, const struct diag *d)
{
	struct text *t = arg;
	char *s = 0;
	size_t n;
	FILE *f;

	f = open_memstream(&s, &n);
	if (!f)
		return;
	diag_print(f, d);
	if (!fclose(f) && s)
		text_add(t, "%s", s);
	free(s);
}
