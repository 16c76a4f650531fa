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

/* the version of ptxas that this command line is modelled on */
#define RELEASE "13.0"
#define BUILD   "V13.0.88"

/* where the output is a code object and no processor is named */
#define DEFAULT_GFX "gfx1100"

static const char versions[] =
	"1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 "
	"5.0 5.1 6.0 6.1 6.2 6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 "
	"8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0";

/* 80 for "sm_80" or "sm_80a", 0 for what is no name of a GPU of NVIDIA's */
static unsigned
sm_number(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	unsigned long sm;
	char *end;

	if (strncmp(name, prefix, n) || name[n] < '1' || name[n] > '9')
		return 0;
	sm = strtoul(name + n, &end, 10);
	if (*end == 'a' || *end == 'f')
		end++;
	return *end || sm < 10 || sm > 199 ? 0 : (unsigned)sm;
}

static bool
is_known(const struct options *o, const char *gfx)
{
	size_t i;

	for (i = 0; i < o->ngfx; i++)
		if (!strcmp(o->gfx[i], gfx))
			return true;
	return false;
}

/* the processors in list, each once; false: one of them is none of AMD's */
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
		if (!is_known(o, name))
			o->gfx[o->ngfx++] = name;
		if (!list[n])
			return true;
	}
}

/* code for PTXAMD_ARCH goes into a portable image */
static void
read_environment(struct options *o)
{
	const char *list = getenv("PTXAMD_ARCH");

	if (list && *list && !read_gfx(o, list))
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
	const char *list = getenv("PTXAMD_ARCH");

	o->arch = opt(o, OPT_ARCH)->text;
	if (!opt(o, OPT_ARCH)->given)
		o->arch = list && *list ? list : guess_arch(o);
	o->mode = MODE_PORTABLE;
	if ((o->sm = sm_number(o->arch, "compute_")))
		o->mode = MODE_CHECK;
	else if ((o->sm = sm_number(o->arch, "sm_")) ||
	    (o->sm = sm_number(o->arch, "lto_")))
		read_environment(o);
	else if (read_gfx(o, o->arch))
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
	long n = opt(o, id)->given ? opt(o, id)->num : 1;

	if (n == 0)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > 256 ? 256 : (int)n;
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
	if (!o->ngfx)
		read_gfx(o, DEFAULT_GFX);
	if (o->ngfx > 1 && strcmp(form, "ptx"))
		report_warning(o->report, "--emit=%s shows one processor: %s",
			form, o->gfx[0]);
}

/* what is not compiled needs no passes */
static void
read_passes(struct options *o)
{
	bool compiled = o->listing || (o->ngfx && !o->compile_only);

	o->passes = opt(o, OPT_PASSES)->text;
	if (!o->passes && !compiled)
		o->passes = "";
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
	read_report(o);
	read_arch(o);
	o->compile_only = opt(o, OPT_COMPILE_ONLY)->given ||
		opt(o, OPT_EXTENSIBLE)->given;
	o->emit.target = &target_amdgpu;
	o->emit.level = read_level(o);
	o->emit.fmad = opt(o, OPT_FMAD)->num;
	o->emit.line_info = read_line_info(o);
	o->jobs = read_jobs(o);
	o->output = opt(o, OPT_OUTPUT)->text;
	read_listing(o);
	read_passes(o);
	o->text = arena_printf(&o->command.arena, "opt-level=%d\n%s%s",
		o->emit.level, o->emit.fmad ? "" : "fmad=false\n",
		o->emit.line_info ? "generate-line-info=\n" : "");
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
print_help(void)
{
	printf("\nUsage  : ptxas-amd [options] <ptx file>,...\n\n");
	option_help(table, stdout);
}

static void
print_version(void)
{
	printf("ptxas-amd: PTX assembler for AMD GPUs, of ptx-amd %s\n"
		"Takes the command line of ptxas, release %s, %s\n",
		PTXAMD_VERSION, RELEASE, BUILD);
}

static void
print_versions(void)
{
	const char *s;

	for (s = versions; *s; s++)
		putchar(*s == ' ' ? '\n' : *s);
	putchar('\n');
}

static void
print_options(const char *form)
{
	if (!strcmp(form, "mdoc"))
		option_mdoc(table, stdout);
	else
		option_markdown(table, stdout);
}

bool
options_answer(const struct options *o)
{
	bool no_input = !o->command.ninput && !opt(o, OPT_TEXT)->given;

	if (opt(o, OPT_HELP)->given)
		print_help();
	else if (opt(o, OPT_VERSION)->given)
		print_version();
	else if (opt(o, OPT_LIST_VERSION)->given)
		print_versions();
	else if (opt(o, OPT_LIST_OPTIONS)->given)
		print_options(opt(o, OPT_LIST_OPTIONS)->text);
	else if (no_input)
		print_help();
	else
		return false;
	return true;
}
