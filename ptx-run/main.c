/* ptx-run - runs a CUDA program with our libraries, or says whether it
 * would. */
#include "ptx.h"
#include "run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum id {
#define OPTION(name, argument, help) OPTION_##name,
#include "options.def"
#undef OPTION
	NOPTION
};

static const struct option_row {
	const char *name, *argument, *help;
} row[] = {
#define OPTION(name, argument, help) { #name, argument, help },
#include "options.def"
#undef OPTION
};

void
complain(const char *fmt, ...)
{
	va_list ap;

	fputs("ptx-run: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* "opt_level" is written --opt-level */
static bool
is_named(const char *name, const char *word, size_t n)
{
	size_t i;

	for (i = 0; i < n && name[i]; i++)
		if ((name[i] == '_' ? '-' : name[i]) != word[i])
			return false;
	return i == n && !name[i];
}

static void
usage(FILE *f)
{
	char left[64], *p;
	int i;

	fputs("usage: ptx-run [option]... [--] APP [argument]...\n"
		"       ptx-run --doctor [option]... [APP]\n\n", f);
	for (i = 0; i < NOPTION; i++) {
		snprintf(left, sizeof left, "--%s%s%s", row[i].name,
			*row[i].argument && *row[i].argument != '[' ? "=" : "",
			row[i].argument);
		for (p = left; (p = strchr(p, '_')); )
			*p = '-';
		fprintf(f, "  %-18s %s\n", left, row[i].help);
	}
}

static void
take(struct run_options *o, enum id id, const char *value)
{
	switch (id) {
	case OPTION_device:    o->device = value; break;
	case OPTION_arch:      o->arch = value; break;
	case OPTION_check:     o->check = true; break;
	case OPTION_trace:     o->trace = value ? value : ""; break;
	case OPTION_opt_level: o->level = value; break;
	case OPTION_no_cache:  o->no_cache = true; break;
	case OPTION_quiet:     o->quiet = true; break;
	case OPTION_env:       o->env = true; break;
	case OPTION_doctor:    o->doctor = true; break;
	case OPTION_help:
		usage(stdout);
		exit(0);
	case OPTION_version:
		printf("ptx-run %s (%s)\n", PTXAMD_VERSION, PTXAMD_BUILD);
		exit(0);
	case NOPTION:
		break;
	}
}

static void
mistake(const char *what, const char *word)
{
	complain("%s '%s'", what, word);
	usage(stderr);
	exit(EXIT_USAGE);
}

/* one option, which argv begins with; how many words it took */
static int
read_option(struct run_options *o, char *argv[])
{
	const char *word = argv[0] + 2, *value = strchr(word, '=');
	size_t n = value ? (size_t)(value - word) : strlen(word);
	int i, used = 1;

	if (argv[0][1] != '-')
		mistake("unknown option", argv[0]);
	for (i = 0; i < NOPTION && !is_named(row[i].name, word, n); i++)
		;
	if (i == NOPTION)
		mistake("unknown option", argv[0]);
	value += value != 0;
	if (value && !*row[i].argument)
		mistake("nothing may stand behind", row[i].name);
	if (!value && *row[i].argument && *row[i].argument != '[') {
		value = argv[used++];
		if (!value)
			mistake("something is missing behind", argv[0]);
	}
	take(o, (enum id)i, value);
	return used;
}

/* the words of the program and its arguments */
static char **
read_options(struct run_options *o, char *argv[])
{
	for (argv++; *argv && **argv == '-' && argv[0][1]; )
		if (!strcmp(*argv, "--"))
			return argv + 1;
		else
			argv += read_option(o, argv);
	return argv;
}

/* does not return */
static void
start(const struct run_options *o, char *argv[])
{
	struct app a;

	app_find(&a, argv[0]);
	if (!o->quiet && (a.kind == APP_STATIC || a.kind == APP_SECURE ||
	    a.kind == APP_FOREIGN))
		complain("%s: %s", a.path, a.why);
	execvp(argv[0], argv);
	complain("%s: %s", argv[0], strerror(errno));
	exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT);
}

int
main(int argc, char *argv[])
{
	struct run_options o = { 0 };
	char folder[PATH_SIZE];

	stdout_check();
	(void)argc;
	argv = read_options(&o, argv);
	if (!where_libraries(folder))
		return EXIT_USAGE;
	if (o.doctor)
		return doctor(&o, folder, *argv);
	if (!setting_options(&o, folder))
		return EXIT_USAGE;
	setting_libraries(folder);
	if (o.env)
		setting_print(stdout);
	else if (*argv)
		start(&o, argv);
	else
		mistake("no program", "");
	return 0;
}
