/* report.c - lines of the report, the section's name before the first. */
#include "doctor.h"

#include <stdarg.h>

static void
line(struct report *r, const char *mark, const char *fmt, va_list ap)
{
	printf("%-11s %s", r->section, mark);
	vprintf(fmt, ap);
	putchar('\n');
	r->section = "";
}

void
report_section(struct report *r, const char *name)
{
	r->section = name;
}

void
report_line(struct report *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(r, "", fmt, ap);
	va_end(ap);
}

void
report_problem(struct report *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(r, "PROBLEM: ", fmt, ap);
	va_end(ap);
	r->problems++;
}
