/* product.c - code for each processor, and the file that is made of it.
 *
 * Nothing is written when an error was reported, so that an older output
 * stays: unless --keep-going is given, which leaves out the kernels that
 * cannot be compiled.
 */
#include "ptxas.h"
#include <stdlib.h>

struct product *
product_make(struct ptx *x, struct options *o)
{
	struct product *p = build_start(&o->build);

	if (!o->report->failed && !o->compile_only && !o->listing)
		build_code(&o->build, x, p);
	return p;
}

static unsigned
target_sm(const struct ptx *x)
{
	unsigned sm = 0;

	if (x->target)
		sscanf(x->target, "sm_%3u", &sm);
	return sm;
}

static struct blob
relocatable(struct ptx *x, const struct options *o, struct bytes ptx)
{
	struct object obj = {
		.sm = o->build.sm ? o->build.sm : target_sm(x),
		.options = o->build.text,
		.ptx = ptx,
	};

	return object_make(x, &obj);
}

static struct blob
assemble(struct ptx *x, struct options *o, const struct product *p)
{
	struct bytes ptx = {
		(const unsigned char *)o->input.text, o->input.size
	};

	if (o->listing)
		return listing(x, o);
	if (o->compile_only)
		return relocatable(x, o, ptx);
	return build_image(&o->build, p, ptx);
}

/* did an error spoil the output?  One that was a warning always does. */
static bool
is_spoilt(const struct options *o, const struct product *p)
{
	const struct report *r = o->report;
	size_t n = 0;

	if (!opt(o, OPT_KEEP_GOING)->given || r->aborted || r->warned)
		return r->failed;
	for (; p->arch; p++)
		n += p->nstats;
	return r->failed && !n;
}

void
product_write(struct ptx *x, struct options *o, const struct product *p)
{
	struct blob b;
	bool written;

	if (o->mode == MODE_CHECK || is_spoilt(o, p))
		return;
	b = assemble(x, o, p);
	if (!b.data && !o->report->failed)
		report_fatal(o->report, "Out of memory");
	if (!b.data)
		return;
	x->diag = 0;
	written = file_write(x, o->output, b.data, b.size);
	free(b.data);
	if (!written)
		report_fatal(o->report, "Output file '%s' could not be opened",
			o->output);
	else
		o->report->failed = o->report->warned;
}
