/* input.c - the inputs of ptxas-amd, parsed into one module.
 *
 * One input is taken as it is.  Several are linked, and the text of the
 * whole is parsed again: its places are what later messages name.
 */
#include "ptxas.h"
#include "link.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text_name[] = "application ptx input";

/* scripts look for this sentence; ptxas goes on to the next file */
static void
missing(const struct options *o, const char *name)
{
	report_fatal(o->report, "Input file '%s' could not be opened", name);
	o->report->aborted = false;
}

static void
read_file(struct ptx *x, struct options *o, const char *name)
{
	struct input *in = &o->input;
	diag_fn *consumer = x->diag;

	x->diag = 0;
	in->own = file_read(x, name, &in->size);
	x->diag = consumer;
	in->text = in->own;
	if (in->text)
		ptx_parse(x, name, in->text, in->size);
	else
		missing(o, name);
}

static void
read_text(struct ptx *x, struct options *o, const char *text)
{
	o->input.text = text;
	o->input.size = strlen(text);
	ptx_parse(x, text_name, text, o->input.size);
}

static void
add_inputs(struct link *l, const struct options *o)
{
	const struct option_value *v = opt(o, OPT_TEXT);
	const char *name;
	size_t i;

	for (i = 0; i < v->n; i++) {
		name = v->list[i];
		link_text(l, text_name, (struct bytes){
			(const unsigned char *)name, strlen(name) });
	}
	for (i = 0; i < o->command.ninput; i++) {
		name = o->command.input[i];
		if (strcmp(name, "-") && access(name, R_OK))
			missing(o, name);
		else
			link_file(l, name);
	}
}

static void
read_several(struct ptx *x, struct options *o)
{
	struct link l = { .x = x, .partial = true };
	struct input *in = &o->input;
	struct bytes merged;

	add_inputs(&l, o);
	link_resolve(&l);
	link_live(&l, 0, 0);
	merged = link_write(&l);
	if (merged.p) {
		in->text = in->own = (char *)merged.p;
		in->size = merged.n;
		ptx_parse(x, "merged inputs", in->text, in->size);
	}
	link_free(&l);
}

void
input_read(struct ptx *x, struct options *o)
{
	if (o->command.ninput + opt(o, OPT_TEXT)->n > 1)
		read_several(x, o);
	else if (o->command.ninput)
		read_file(x, o, o->command.input[0]);
	else
		read_text(x, o, opt(o, OPT_TEXT)->list[0]);
}
