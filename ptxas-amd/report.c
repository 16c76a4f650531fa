/* report.c - messages on standard error, in the form of ptxas.
 *
 * Triton, XLA, CUDA.jl and build systems look for these lines, so they are
 * spelled to the blank: "ptxas k.ptx, line 3; error   : text", and "ptxas
 * fatal   : text" where there is no line.  Nothing else goes between them
 * unless carets are asked for or a person is reading.
 */
#include "ptxas.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static const char *const severity_word[] = {
	[NOTE]    = "info   ",
	[WARNING] = "warning",
	[ERROR]   = "error  ",
};

/* the severity that counts once -w and -Werror have been heard; -1: none */
static int
judge(struct report *r, enum severity s)
{
	if (s == ERROR && r->lenient)
		s = WARNING;
	if (s == WARNING && r->no_warnings)
		return -1;
	if (s == WARNING && r->werror)
		s = ERROR;
	r->failed |= s == ERROR;
	return s;
}

/* ptxas begins its sentences with a capital; names stay as they are */
static void
print_sentence(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");

	fprintf(stderr, "%c%s\n", n && s[n] == ' ' ? toupper(*s) : *s,
		*s ? s + 1 : s);
}

void
report_diag(void *arg, const struct diag *d)
{
	struct report *r = arg;
	int s = judge(r, d->severity);

	if (s < 0)
		return;
	if (d->file && d->loc.line)
		fprintf(stderr, "ptxas %s, line %u; ", d->file, d->loc.line);
	else
		fprintf(stderr, "ptxas ");
	fprintf(stderr, "%s : ", severity_word[s]);
	print_sentence(d->text);
	if (r->carets)
		diag_line(stderr, d);
}

void
report_say(void *arg, enum severity s, const char *text)
{
	struct report *r = arg;

	if (s == ERROR) {
		r->failed = r->aborted = true;
		fprintf(stderr, "ptxas fatal   : %s\n", text);
	} else {
		fprintf(stderr, "ptxas warning : %s\n", text);
	}
}

static void
say(const char *word, const char *fmt, va_list ap)
{
	fprintf(stderr, "ptxas %s : ", word);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
}

void
report_fatal(struct report *r, const char *fmt, ...)
{
	va_list ap;

	r->failed = r->aborted = true;
	va_start(ap, fmt);
	say("fatal  ", fmt, ap);
	va_end(ap);
}

void
report_error(struct report *r, const char *fmt, ...)
{
	va_list ap;

	r->failed = true;
	va_start(ap, fmt);
	say("error  ", fmt, ap);
	va_end(ap);
}

void
report_warning(struct report *r, const char *fmt, ...)
{
	int s = judge(r, WARNING);
	va_list ap;

	if (s < 0)
		return;
	va_start(ap, fmt);
	say(severity_word[s], fmt, ap);
	va_end(ap);
}

int
report_end(struct report *r)
{
	if (r->failed && !r->aborted)
		fprintf(stderr, "ptxas fatal   : "
			"Ptx assembly aborted due to errors\n");
	return r->failed ? 255 : 0;
}
