/* input.c - the inputs of ptxas-amd, parsed into one module. */
#include "ptxas.h"
#include <string.h>

/* the text of a file; the module is without a consumer meanwhile, since
 * scripts look for the words that ptxas has for a missing file */
static char *
read_text(struct ptx *x, const struct options *o, const char *name,
	size_t *size)
{
	diag_fn *consumer = x->diag;
	char *text;

	x->diag = 0;
	text = file_read(x, name, size);
	x->diag = consumer;
	if (!text) {
		report_fatal(o->report, "Input file '%s' could not be opened",
			name);
		o->report->aborted = false;
	}
	return text;
}
