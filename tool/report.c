/* report.c - messages on standard error, in the form of NVIDIA's tools.
 *
 * Triton, XLA, CUDA.jl and build systems look for these lines, so they are
 * spelled to the blank: "ptxas k.ptx, line 3; error   : text", and "ptxas
 * fatal   : text" where there is no line.  Nothing else goes between them
 * unless carets are asked for or a person is reading.
 */
#include "tool.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static const char *const severity_word[] = {
	[NOTE]    = "info   ",
	[WARNING] = "warning",
	[ERROR]   = "error  ",
};
static const char fatal_word[] = "fatal  ";

static bool
is_silent(const struct report *r, enum severity s, const char *text)
{
	if (s == NOTE)
		return r->no_infos;
	return s == WARNING && (r->no_warnings ||
		(r->mute && !strncmp(text, r->mute, strlen(r->mute))));
}

/* the severity that counts, and is counted; -1: the message is not printed */
static int
judge(struct report *r, enum severity s, const char *text)
{
	if (s == ERROR && r->lenient)
		s = WARNING;
	if (is_silent(r, s, text))
		return -1;
	if (s == WARNING && r->werror) {
		r->warned = true;
		s = ERROR;
	}
	r->failed |= s == ERROR;
	return s;
}

/* ptxas begins its sentences with a capital; names stay as they are */
static void
print_sentence(const struct report *r, const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");

	if (r->capitals && n && s[n] == ' ')
		fputc(toupper(*s++), stderr);
	fputs(s, stderr);
	if (r->arch)
		fprintf(stderr, ", for %s", r->arch);
	fputc('\n', stderr);
}

void
report_diag(void *arg, const struct diag *d)
{
	struct report *r = arg;
	int s = judge(r, d->severity, d->text);
	bool placed = d->file && d->loc.line;

	if (s < 0)
		return;
	fprintf(stderr, "%s ", r->tool);
	if (placed)
		fprintf(stderr, "%s, line %u; ", d->file, d->loc.line);
	fprintf(stderr, "%s : ", s == ERROR && r->fatal && !d->loc.line ?
		fatal_word : severity_word[s]);
	print_sentence(r, d->text);
	if (r->carets)
		diag_line(stderr, d);
}

void
report_say(void *arg, enum severity s, const char *text)
{
	if (s == ERROR)
		report_fatal(arg, "%s", text);
	else
		report_text(arg, s, "%s", text);
}

static void
say(const struct report *r, const char *word, const char *fmt, va_list ap)
{
	fprintf(stderr, "%s %s : ", r->tool, word);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void
report_fatal(struct report *r, const char *fmt, ...)
{
	va_list ap;

	r->failed = r->aborted = true;
	va_start(ap, fmt);
	say(r, fatal_word, fmt, ap);
	va_end(ap);
}

void
report_text(struct report *r, enum severity severity, const char *fmt, ...)
{
	int s = judge(r, severity, fmt);
	va_list ap;

	if (s < 0)
		return;
	va_start(ap, fmt);
	say(r, severity_word[s], fmt, ap);
	va_end(ap);
}
