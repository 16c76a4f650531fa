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

static void
read_one(struct ptx *x, struct options *o)
{
	struct input *in = &o->input;
	const char *name = "application ptx input";

	if (o->command.ninput) {
		name = o->command.input[0];
		in->own = read_text(x, o, name, &in->size);
		in->text = in->own;
	} else {
		in->text = opt(o, OPT_TEXT)->list[0];
		in->size = strlen(in->text);
	}
	if (in->text)
		ptx_parse(x, name, in->text, in->size);
}
