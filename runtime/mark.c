/* mark.c - what an entry of the cache was compiled from, as text. */
#include "mark.h"
#include <inttypes.h>
#include <stdio.h>

void
mark_write(const struct mark *m, char text[MARK_TEXT])
{
	snprintf(text, MARK_TEXT, "%" PRIx64 " %" PRIx64 " %" PRIx64
		" %" PRIx64 " %" PRIx64, m->program, m->kernel, m->compiler,
		m->machine, m->options);
}

bool
mark_read(struct mark *m, const char *text)
{
	return sscanf(text, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		" %" SCNx64, &m->program, &m->kernel, &m->compiler,
		&m->machine, &m->options) == 5;
}
