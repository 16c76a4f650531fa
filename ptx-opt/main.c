/* ptx-opt - read PTX, run passes over it, write PTX. */
#include "ptx.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *input, *output;
	char *passes;       /* names joined by commas; malloc'ed */
	FILE *dump;
	bool check;
};

static void
list_passes(FILE *f)
{
	const struct pass *p;

	for (p = passes; p->name; p++)
		fprintf(f, "  %-12s %s\n", p->name, p->help);
}

static void
usage(FILE *f)
{
	fputs("usage: ptx-opt [-OVd] [-p pass[,pass]...]... [-o file] [file]\n"
		"       ptx-opt -i [file]... | --list | --sample form n "
		"| --version\n"
		"\n"
		"  -p passes  run these, in this order; \"default\": all\n"
		"  -O         -p default\n"
		"  -d         after every pass that changed something, print\n"
		"             the module to standard error\n"
		"  -V         check after every pass that what it left prints\n"
		"             and parses to itself\n"
		"  -o file    where the result goes [standard output]\n"
		"  -i         print the instruction reference; files: the "
		"tests it names\n"
		"  --list     print the passes\n"
		"  --sample   print n random uses of an instruction form\n"
		"\npasses, in the order of default:\n", f);
	list_passes(f);
}

static void
add_passes(struct options *o, const char *names)
{
	size_t len;

	len = o->passes ? strlen(o->passes) : 0;
	o->passes = realloc(o->passes, len + strlen(names) + 2);
	if (!o->passes)
		abort();
	if (len)
		o->passes[len++] = ',';
	strcpy(o->passes + len, names);
}

/* the instruction reference; of each form, which file holds it */
static void
print_reference(int nfile, char *file[])
{
	const char *used[NINSN] = {0};
	struct ptx x;
	char *text;
	size_t size;
	int k;

	for (k = 0; k < nfile; k++) {
		x = (struct ptx){ .file = file[k] };
		text = file_read(&x, file[k], &size);
		if (text)
			ptx_parse(&x, file[k], text, size);
		isa_mark(&x, used);
		ptx_free(&x);
		free(text);
	}
	isa_print(stdout, used);
}

static int
print_sample(const char *form, int n)
{
	enum insn_id id;

	id = isa_find(form);
	if (!id)
		fprintf(stderr, "ptx-opt: no instruction form '%s'\n", form);
	return id && isa_sample(id, n, (uint32_t)n, stdout) == n ? 0 : 1;
}

/* what does not read a module */
static bool
answer(int argc, char *argv[])
{
	if (argc < 2)
		return false;
	if (!strcmp(argv[1], "-i")) {
		print_reference(argc - 2, argv + 2);
		return true;
	}
	if (!strcmp(argv[1], "--sample") && argc == 4)
		exit(print_sample(argv[2], atoi(argv[3])));
	if (!strcmp(argv[1], "--help"))
		usage(stdout);
	else if (!strcmp(argv[1], "--list"))
		list_passes(stdout);
	else if (!strcmp(argv[1], "--version"))
		puts("ptx-opt (ptx-amd) " PTXAMD_VERSION);
	else
		return false;
	return true;
}

static bool
set_option(struct options *o, int c)
{
	switch (c) {
	case 'O': add_passes(o, "default"); return true;
	case 'V': o->check = true; return true;
	case 'd': o->dump = stderr; return true;
	case 'o': o->output = optarg; return true;
	case 'p': add_passes(o, optarg); return true;
	}
	return false;
}

/* options may also stand behind the file */
static bool
read_options(struct options *o, int argc, char *argv[])
{
	int c;

	while (optind < argc) {
		while ((c = getopt(argc, argv, "OVdo:p:")) != -1)
			if (!set_option(o, c))
				return false;
		if (optind == argc)
			break;
		if (o->input)
			return false;
		o->input = argv[optind++];
	}
	if (!o->input)
		o->input = "-";
	return true;
}

/* the module as text, all of it or nothing */
static void
write_module(struct ptx *x, const char *name)
{
	FILE *f;
	char *text;
	size_t size;

	if (x->nerror)
		return;
	text = 0;
	f = open_memstream(&text, &size);
	if (!f)
		abort();
	ptx_print(x, f);
	if (fclose(f))
		abort();
	file_write(x, name, text, size);
	free(text);
}

int
main(int argc, char *argv[])
{
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	struct options o = { .output = "-" };
	char *text;
	size_t size;
	int failed;

	stdout_check();
	if (answer(argc, argv))
		return 0;
	if (!read_options(&o, argc, argv)) {
		usage(stderr);
		return 2;
	}
	x.check_passes = o.check;

	text = file_read(&x, o.input, &size);
	if (text)
		ptx_parse(&x, o.input, text, size);
	ptx_verify(&x);
	pass_run(&x, o.passes ? o.passes : "", o.dump);
	write_module(&x, o.output);

	failed = x.nerror > 0;
	ptx_free(&x);
	free(text);
	free(o.passes);
	return failed;
}
