/* report.c - messages on standard error, in the form of nvlink.
 *
 * Scripts look for these lines, so they are spelled to the blank.  Undefined
 * names have an exit status of their own.
 */
#include "nvlink.h"
#include <stdarg.h>
#include <string.h>

enum { STATUS_FAILED = 1, STATUS_UNDEFINED = 255 };

static const char *const severity_word[] = {
	[NOTE]    = "info   ",
	[WARNING] = "warning",
	[ERROR]   = "error  ",
};

static bool
is_silent(const struct report *r, enum severity s, const struct diag *d)
{
	if (s == NOTE)
		return r->no_infos;
	return s == WARNING && (r->no_warnings ||
		(r->no_arch_warning && !strncmp(d->text, "SM Arch", 7)));
}

void
report_diag(void *arg, const struct diag *d)
{
	struct report *r = arg;
	enum severity s = r->lenient && d->severity == ERROR ? WARNING :
		d->severity;
	const char *word = severity_word[s];
	bool error = s == ERROR || (s == WARNING && r->werror);

	if (is_silent(r, s, d))
		return;
	r->failed |= error;
	if (error)
		word = r->fatal && !d->loc.line ? "fatal  " :
			severity_word[ERROR];
	if (d->file && d->loc.line)
		fprintf(stderr, "nvlink %s, line %u; ", d->file, d->loc.line);
	else
		fprintf(stderr, "nvlink ");
	fprintf(stderr, "%s : %s\n", word, d->text);
	if (r->merged)
		diag_line(stderr, d);
}

void
report_say(void *arg, enum severity s, const char *text)
{
	struct report *r = arg;

	if (s == WARNING) {
		report_diag(r, &(struct diag){ .severity = s, .text = text });
		return;
	}
	r->failed = true;
	fprintf(stderr, "nvlink fatal   : %s\n", text);
}

static void
say(const char *word, const char *fmt, va_list ap)
{
	fprintf(stderr, "nvlink %s : ", word);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
}

void
report_fatal(struct report *r, const char *fmt, ...)
{
	va_list ap;

	r->failed = true;
	va_start(ap, fmt);
	say("fatal  ", fmt, ap);
	va_end(ap);
}

void
report_info(struct report *r, const char *fmt, ...)
{
	va_list ap;

	if (r->no_infos)
		return;
	va_start(ap, fmt);
	say("info   ", fmt, ap);
	va_end(ap);
}

int
report_end(struct report *r)
{
	if (r->nundefined)
		return STATUS_UNDEFINED;
	return r->failed ? STATUS_FAILED : 0;
}
