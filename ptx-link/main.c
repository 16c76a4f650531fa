/* main.c - ptx-link: modules and objects to one image, in nvlink's place.
 *
 * A stage that finds an error reports it, and the stages after it do
 * nothing, so that nothing here tests for failure once the command line is
 * read.  Undefined names have an exit status of their own.
 */
#include "nvlink.h"
#include <stdlib.h>

enum { STATUS_FAILED = 1, STATUS_UNDEFINED = 255 };

/* nvlink ends with these words, and build systems look for them */
static void
resolve(struct link *l, struct report *r)
{
	bool failed = r->failed;

	link_resolve(l);
	if (r->failed && !failed)
		report_fatal(r, "merge_elf failed");
}

int
main(int argc, char *argv[])
{
	struct report r = { .tool = "nvlink" };
	struct ptx x = { .diag = report_diag, .diag_arg = &r };
	struct ptx merged = { .diag = report_diag, .diag_arg = &r };
	struct link l = { .x = &x };
	struct options o;
	struct bytes text;
	bool undefined;

	stdout_check();
	/* what is asked for? */
	if (!options_read(&o, &r, argc, argv) || options_answer(&o)) {
		options_free(&o);
		return r.failed ? STATUS_FAILED : 0;
	}

	/* files to modules */
	input_read(&l, &o);

	/* who defines what, and what of it is needed? */
	resolve(&l, &r);
	link_live(&l, opt(&o, OPT_KERNELS)->list, opt(&o, OPT_KERNELS)->n);
	undefined = l.nundefined != 0;

	/* modules to one module */
	text = link_write(&l);
	r.carets = true;
	if (text.p) {
		ptx_parse(&merged, o.output, (const char *)text.p, text.n);
		ptx_verify(&merged);
	}

	/* the module to a file, if all went well */
	product_write(&l, &merged, &o);
	input_register(&l, &o);

	ptx_free(&merged);
	free((void *)text.p);
	link_free(&l);
	options_free(&o);
	ptx_free(&x);
	return undefined ? STATUS_UNDEFINED : r.failed ? STATUS_FAILED : 0;
}
