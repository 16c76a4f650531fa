/* text.h - text that grows: logs that go to several places at the end. */
#ifndef TEXT_H
#define TEXT_H

#include "ptx.h"

struct text {
	char *data;         /* ends in NUL; 0: nothing yet */
	size_t size, cap;   /* without the NUL */
};

void text_add(struct text *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void text_free(struct text *);
/* a diag_fn: file, line, message, the line and a caret, as the tools print */
void text_diag(void *text, const struct diag *);

#endif
