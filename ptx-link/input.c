/* input.c - the files and libraries of the command line.
 *
 * Libraries come after files, as they do in nvlink.  cudadevrt is never
 * read: its code would link, and run on NVIDIA's hardware only.
 */
#include "nvlink.h"
#include <string.h>

static bool
is_device_runtime(const char *file)
{
	const char *slash = strrchr(file, '/');

	return !strcmp(slash ? slash + 1 : file, "libcudadevrt.a");
}

void
input_read(struct link *l, const struct options *o)
{
	const struct option_value *lib = opt(o, OPT_LIBRARY);
	const struct option_value *dir = opt(o, OPT_LIBRARY_PATH);
	size_t k;

	l->sm = o->build.sm;
	l->target = opt(o, OPT_REPORT_ARCH)->given ? o->arch : 0;
	l->partial = opt(o, OPT_RELOCATABLE)->given;
	l->prelinked = opt(o, OPT_REGISTER)->given;
	o->report->fatal = true;
	for (k = 0; k < o->command.ninput; k++)
		if (!is_device_runtime(o->command.input[k]))
			link_file(l, o->command.input[k]);
	for (k = 0; k < lib->n; k++)
		if (strcmp(lib->list[k], "cudadevrt"))
			link_library(l, lib->list[k], dir->list, dir->n);
	o->report->fatal = false;
}

/* the file is C that the CUDA headers give a meaning to */
void
input_register(const struct link *l, const struct options *o)
{
	const char *name = opt(o, OPT_REGISTER)->text;
	size_t k;
	FILE *f;

	if (!name || o->report->failed || l->nundefined)
		return;
	f = fopen(name, "w");
	if (!f) {
		report_fatal(o->report, "Could not open output file '%s'",
			name);
		return;
	}
	fprintf(f, "#define NUM_PRELINKED_OBJECTS %zu\n", l->nid);
	for (k = 0; k < l->nid; k++)
		fprintf(f, "DEFINE_REGISTER_FUNC(%s)\n", l->id[k]);
	fclose(f);
}
