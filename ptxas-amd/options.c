/* options.c - the command line of ptxas-amd, made into struct options.
 *
 * What is said about a value, and in which words, is what ptxas says.
 */
#include "ptxas.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option table[] = {
#define OPTION(id, ...) { __VA_ARGS__ },
#include "options.def"
#undef OPTION
	{ 0 }
};

/* where the output is a code object and no processor is named */
#define DEFAULT_GFX "gfx1100"

static const char versions[] =
	"1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 "
	"5.0 5.1 6.0 6.1 6.2 6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 "
	"8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0";

/* code for PTXAMD_ARCH goes into a portable image */
static void
read_environment(struct options *o)
{
	const char *list = command_environment();

	if (list && !command_gfx(&o->build, &o->command.arena, list))
		report_fatal(o->report, "Value '%s' is not defined for the "
			"environment variable PTXAMD_ARCH", list);
}

/* an .hsaco is code for an AMD GPU, whatever ptxas would do by default */
static const char *
guess_arch(struct options *o)
{
	const char *name = opt(o, OPT_OUTPUT)->text;
	size_t n = strlen(name);

	if (n < 6 || strcmp(name + n - 6, ".hsaco"))
		return opt(o, OPT_ARCH)->text;
	report_warning(o->report, "no -arch and no PTXAMD_ARCH: compiling "
		"for %s", DEFAULT_GFX);
	return DEFAULT_GFX;
}

static void
read_arch(struct options *o)
{
	const char *list = command_environment();
	unsigned *sm = &o->build.sm;

	o->arch = opt(o, OPT_ARCH)->text;
	if (!opt(o, OPT_ARCH)->given)
		o->arch = list ? list : guess_arch(o);
	o->mode = MODE_PORTABLE;
	if ((*sm = command_sm(o->arch, "compute_")))
		o->mode = MODE_CHECK;
	else if ((*sm = command_sm(o->arch, "sm_")) ||
	    (*sm = command_sm(o->arch, "lto_")))
		read_environment(o);
	else if (command_gfx(&o->build, &o->command.arena, o->arch))
		o->mode = MODE_CODE;
	else
		report_fatal(o->report, "Value '%s' is not defined for "
			"option 'gpu-name'", o->arch);
}

static int
fast_compile(struct options *o, int level)
{
	const char *s = opt(o, OPT_FAST_COMPILE)->text;

	if (!strcmp(s, "max"))
		return level < 1 ? level : 1;
	if (!strcmp(s, "mid"))
		return level < 2 ? level : 2;
	if (strcmp(s, "min") && strcmp(s, "0"))
		report_fatal(o->report, "Invalid value for --Ofast-compile/"
			"-Ofc (%s), is not 'max', 'mid', 'min', or '0'", s);
	return level;
}

static int
read_level(struct options *o)
{
	bool debug = opt(o, OPT_DEBUG)->given;
	long level = opt(o, OPT_LEVEL)->num;

	if (debug && opt(o, OPT_LEVEL)->given && level != 0)
		report_fatal(o->report, "Optimized debugging not supported");
	if (debug || level < 0)
		return 0;
	if (level > 3)
		level = 3;
	if (!opt(o, OPT_EXPENSIVE)->num && level == 3)
		level = 2;
	return fast_compile(o, (int)level);
}

static bool
read_line_info(struct options *o)
{
	bool debug = opt(o, OPT_DEBUG)->given;
	bool lines = opt(o, OPT_LINE_INFO)->given;
	bool none = opt(o, OPT_NO_DEBUG_INFO)->given;

	if (debug && lines)
		report_warning(o->report, "Conflicting options --device-debug "
			"and --generate-line-info specified, ignoring "
			"--generate-line-info option");
	if (none && !debug && !lines)
		report_warning(o->report, "Option suppress-debug-info requires "
			"option device-debug or lineinfo; ignoring since "
			"latter is not specified");
	return (debug || lines) && !none;
}

static int
read_jobs(const struct options *o)
{
	enum option_id id = opt(o, OPT_JOBS)->given ? OPT_JOBS
		: OPT_SPLIT_COMPILE;

	return command_jobs(opt(o, id)->given ? opt(o, id)->num : 1);
}

/* what has no effect, but might be expected to have one */
static void
warn(struct options *o)
{
	const struct option_value *v = opt(o, OPT_REG_USAGE);

	if (v->num < 0 || v->num > 10)
		report_warning(o->report, "Value of RegUsageLevel (%ld) is "
			"out of valid range {0..10}, option will be ignored",
			v->num);
	if (opt(o, OPT_FUNC_MAXRREGCOUNT)->given && !o->compile_only)
		report_warning(o->report, "Command line option "
			"'device-function-maxrregcount' not supported for "
			"'whole program compilation', will be ignored");
}

/* what decides how everything else is reported */
static void
read_report(const struct options *o)
{
	const struct option_value *carets = opt(o, OPT_CARETS);

	o->report->no_warnings = opt(o, OPT_NO_WARNINGS)->given;
	o->report->werror = opt(o, OPT_WERROR)->given;
	o->report->carets = carets->given ? carets->num : isatty(2);
}

/* one processor is shown: the first, gfx1100 if none is named */
static void
read_listing(struct options *o)
{
	const char *form = opt(o, OPT_EMIT)->text;

	if (!strcmp(form, "code"))
		return;
	o->listing = form;
	if (!o->build.ngfx)
		command_gfx(&o->build, &o->command.arena, DEFAULT_GFX);
	if (o->build.ngfx > 1 && strcmp(form, "ptx"))
		report_warning(o->report, "--emit=%s shows one processor: %s",
			form, o->build.gfx[0]);
}

/* what is not compiled needs no passes */
static void
read_passes(struct options *o)
{
	bool compiled = o->listing || (o->build.ngfx && !o->compile_only);

	o->passes = opt(o, OPT_PASSES)->text;
	if (!o->passes && !compiled)
		o->passes = "";
}

bool
options_read(struct options *o, struct report *r, int argc, char *argv[])
{
	struct build *b = &o->build;
	struct emit_options *e = &b->emit;

	*o = (struct options){ .report = r, .build.report = r };
	o->command.table = table;
	o->command.say = report_say;
	o->command.say_arg = r;
	if (!option_read(&o->command, argc, argv))
		return false;
	read_report(o);
	read_arch(o);
	o->compile_only = opt(o, OPT_COMPILE_ONLY)->given ||
		opt(o, OPT_EXTENSIBLE)->given;
	e->target = &target_amdgpu;
	e->level = read_level(o);
	e->fmad = opt(o, OPT_FMAD)->num;
	e->line_info = read_line_info(o);
	b->jobs = read_jobs(o);
	o->output = opt(o, OPT_OUTPUT)->text;
	read_listing(o);
	read_passes(o);
	b->text = build_text(&o->command.arena, e);
	warn(o);
	return !r->failed;
}

void
options_free(struct options *o)
{
	free(o->input.own);
	option_free(&o->command);
}

static void
print_versions(void)
{
	const char *s;

	for (s = versions; *s; s++)
		putchar(*s == ' ' ? '\n' : *s);
	putchar('\n');
}

bool
options_answer(const struct options *o)
{
	static const char usage[] = "ptxas-amd [options] <ptx file>,...";
	bool no_input = !o->command.ninput && !opt(o, OPT_TEXT)->given;

	if (opt(o, OPT_HELP)->given)
		command_help(table, usage);
	else if (opt(o, OPT_VERSION)->given)
		command_version("ptxas-amd: PTX assembler for AMD GPUs",
			"ptxas");
	else if (opt(o, OPT_LIST_VERSION)->given)
		print_versions();
	else if (opt(o, OPT_LIST_OPTIONS)->given)
		command_list(table, opt(o, OPT_LIST_OPTIONS)->text);
	else if (no_input)
		command_help(table, usage);
	else
		return false;
	return true;
}
