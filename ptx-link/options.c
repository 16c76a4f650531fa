/* options.c - the command line of ptx-link, made into struct options.
 *
 * What is said about a value, and in which words, is what nvlink says.
 */
#include "nvlink.h"
#include <string.h>

static const struct option table[] = {
#define OPTION(id, ...) { __VA_ARGS__ },
#include "options.def"
#undef OPTION
	{ 0 }
};

static unsigned
sm_number(const char *name)
{
	static const char *const prefix[] = { "sm_", "lto_", "compute_" };
	size_t k;
	unsigned sm = 0;

	for (k = 0; k < sizeof prefix / sizeof *prefix && !sm; k++)
		sm = command_sm(name, prefix[k]);
	return sm;
}

static void
read_arch(struct options *o)
{
	const char *environment = command_environment();
	struct arena *a = &o->command.arena;
	struct build *b = &o->build;

	o->arch = opt(o, OPT_ARCH)->given ? opt(o, OPT_ARCH)->text :
		environment;
	if (!o->arch) {
		report_fatal(o->report, "Unknown arch name '(null)'");
		return;
	}
	b->sm = sm_number(o->arch);
	if (!b->sm && !command_gfx(b, a, o->arch))
		report_fatal(o->report, "Value '%s' is not defined for "
			"option 'arch'", o->arch);
	if (b->sm && environment && !command_gfx(b, a, environment))
		report_fatal(o->report, "Value '%s' is not defined for the "
			"environment variable PTXAMD_ARCH", environment);
}

static int
read_level(const struct options *o)
{
	const char *fast = opt(o, OPT_FAST_COMPILE)->text;
	long level = opt(o, OPT_LEVEL)->num;

	if (opt(o, OPT_LEVEL)->given)
		return level < 0 ? 0 : level > 3 ? 3 : (int)level;
	if (opt(o, OPT_DEBUG)->given)
		return 0;
	return !strcmp(fast, "max") ? 1 : !strcmp(fast, "mid") ? 2 : -1;
}

static int
read_jobs(const struct options *o)
{
	static const enum option_id same[] = {
		OPT_JOBS, OPT_SPLIT_COMPILE, OPT_SPLIT_EXTENDED,
	};
	size_t k;
	long n = 1;

	for (k = sizeof same / sizeof *same; k--; )
		if (opt(o, same[k])->given)
			n = opt(o, same[k])->num;
	return command_jobs(n);
}

static void
read_report(struct options *o)
{
	o->report->no_infos = opt(o, OPT_NO_INFOS)->given;
	o->report->no_warnings = opt(o, OPT_NO_WARNINGS)->given;
	o->report->mute = opt(o, OPT_NO_ARCH_WARNING)->given ? "SM Arch" : 0;
	o->report->werror = opt(o, OPT_WERROR)->given;
}

static bool
is_question(const struct options *o)
{
	return opt(o, OPT_HELP)->given || opt(o, OPT_VERSION)->given ||
		opt(o, OPT_LIST_OPTIONS)->given;
}

bool
options_read(struct options *o, struct report *r, int argc, char *argv[])
{
	*o = (struct options){ .report = r, .build.report = r };
	o->command.table = table;
	o->command.say = report_say;
	o->command.say_arg = r;
	if (!option_read(&o->command, argc, argv))
		return false;
	if (is_question(o))
		return true;
	read_report(o);
	read_arch(o);
	o->level = read_level(o);
	o->line_info = opt(o, OPT_DEBUG)->given &&
		!opt(o, OPT_NO_DEBUG_INFO)->given;
	o->build.jobs = read_jobs(o);
	o->output = opt(o, OPT_OUTPUT)->text;
	if (!r->failed && !o->output)
		report_fatal(r, "Must specify output file with -o option");
	else if (!r->failed && !o->command.ninput &&
	    !opt(o, OPT_LIBRARY)->given)
		report_fatal(r, "No input files specified; use option --help "
			"for more information");
	return !r->failed;
}

void
options_free(struct options *o)
{
	option_free(&o->command);
}

bool
options_answer(const struct options *o)
{
	if (opt(o, OPT_HELP)->given)
		command_help(table, "ptx-link [options] <objects>");
	else if (opt(o, OPT_VERSION)->given)
		command_version("ptx-link: linker of PTX for AMD GPUs",
			"nvlink");
	else if (opt(o, OPT_LIST_OPTIONS)->given)
		command_list(table, opt(o, OPT_LIST_OPTIONS)->text);
	return is_question(o);
}
