/* options.c - the command line of ptx-link, made into struct options.
 *
 * What is said about a value, and in which words, is what nvlink says.
 */
#include "nvlink.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option table[] = {
#define OPTION(id, ...) { __VA_ARGS__ },
#include "options.def"
#undef OPTION
	{ 0 }
};

/* the version of nvlink that this command line is modelled on */
#define RELEASE "13.0"
#define BUILD   "V13.0.88"

/* 80 for "sm_80", "compute_80a" and "lto_80"; 0 for no GPU of NVIDIA's */
static unsigned
sm_number(const char *name)
{
	const char *digits = strchr(name, '_');
	unsigned long sm;
	char *end;

	if (!digits || (strncmp(name, "sm_", 3) && strncmp(name, "lto_", 4) &&
	    strncmp(name, "compute_", 8)))
		return 0;
	sm = strtoul(digits + 1, &end, 10);
	if (*end == 'a' || *end == 'f')
		end++;
	return *end || sm < 10 || sm > 199 ? 0 : (unsigned)sm;
}

/* the processors in list; false: one of them is none of AMD's */
static bool
read_gfx(struct options *o, const char *list)
{
	struct arena *a = &o->command.arena;
	const char *name;
	size_t n;

	o->gfx = NEWN(a, strlen(list) / 2 + 1, const char *);
	for (;; list += n + 1) {
		n = strcspn(list, ",");
		name = arena_printf(a, "%.*s", (int)n, list);
		if (!target_amdgpu.has_arch(name))
			return false;
		o->gfx[o->ngfx++] = name;
		if (!list[n])
			return true;
	}
}

static void
read_arch(struct options *o)
{
	const char *environment = getenv("PTXAMD_ARCH");

	if (environment && !*environment)
		environment = 0;
	o->arch = opt(o, OPT_ARCH)->given ? opt(o, OPT_ARCH)->text :
		environment;
	if (!o->arch) {
		report_fatal(o->report, "Unknown arch name '(null)'");
		return;
	}
	o->sm = sm_number(o->arch);
	if (!o->sm && !read_gfx(o, o->arch))
		report_fatal(o->report, "Value '%s' is not defined for "
			"option 'arch'", o->arch);
	if (o->sm && environment && !read_gfx(o, environment))
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
	if (n == 0)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > 256 ? 256 : (int)n;
}

static void
read_report(struct options *o)
{
	o->report->no_infos = opt(o, OPT_NO_INFOS)->given;
	o->report->no_warnings = opt(o, OPT_NO_WARNINGS)->given;
	o->report->no_arch_warning = opt(o, OPT_NO_ARCH_WARNING)->given;
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
	*o = (struct options){ .report = r };
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
	o->jobs = read_jobs(o);
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
	if (opt(o, OPT_HELP)->given) {
		printf("\nUsage  : ptx-link [options] <objects>\n\n");
		option_help(table, stdout);
	} else if (opt(o, OPT_VERSION)->given) {
		printf("ptx-link: linker of PTX for AMD GPUs, of ptx-amd %s\n"
			"Takes the command line of nvlink, release %s, %s\n",
			PTXAMD_VERSION, RELEASE, BUILD);
	} else if (opt(o, OPT_LIST_OPTIONS)->given) {
		if (!strcmp(opt(o, OPT_LIST_OPTIONS)->text, "mdoc"))
			option_mdoc(table, stdout);
		else
			option_markdown(table, stdout);
	}
	return is_question(o);
}
