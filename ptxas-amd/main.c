/* main.c - ptxas-amd: PTX to code for AMD GPUs, with ptxas's command line.
 *
 * The whole compiler is the list in compile().  A stage that finds an error
 * reports it, and the stages after it do nothing, so that nothing there
 * tests for failure.
 */
#include "ptxas.h"

static void
compile(struct options *o)
{
	struct ptx x = { .diag = report_diag, .diag_arg = o->report };
	struct product *p;

	/* text to instructions, and are they legal? */
	input_read(&x, o);
	ptx_verify(&x);

	/* what the command line says about kernels and instructions */
	directives_apply(&x, o);
	externs_check(&x, o);
	usage_doubles(&x, o);

	/* instructions to simpler instructions */
	pass_run(&x, o->passes, 0);

	/* code for each processor, and what it uses of one */
	p = product_make(&x, o);
	usage_report(&x, o, p);

	/* code to a file, unless something is wrong */
	product_write(&x, o, p);

	build_free(p);
	ptx_free(&x);
}

/* the last line, and the exit status */
static int
end(const struct report *r)
{
	if (r->failed && !r->aborted)
		fprintf(stderr, "ptxas fatal   : "
			"Ptx assembly aborted due to errors\n");
	return r->failed ? 255 : 0;
}

int
main(int argc, char *argv[])
{
	struct report r = { .tool = "ptxas", .capitals = true };
	struct options o;

	stdout_check();
	if (options_read(&o, &r, argc, argv) && !options_answer(&o))
		compile(&o);
	options_free(&o);
	return end(&r);
}
