/* doctor.c - would a program run with our libraries, and on what?
 *
 * The program is read, never started.
 */
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

static void
about_us(struct report *r, const char *libraries)
{
	report_section(r, "ptx-amd");
	report_line(r, "%s (%s), in %s", PTXAMD_VERSION, PTXAMD_BUILD,
		libraries);
}

/* false: there is no program that could be read */
static bool
about_app(struct report *r, struct app *a, const char *name)
{
	char here[PATH_SIZE];

	app_find(a, name);
	if (a->kind == APP_MISSING && !strchr(name, '/') &&
	    snprintf(here, sizeof here, "./%s", name) < PATH_SIZE)
		app_find(a, here);
	report_section(r, "program");
	switch (a->kind) {
	case APP_DYNAMIC:
		report_line(r, "%s", a->path);
		return true;
	case APP_SCRIPT:
		report_line(r, "%s: a script; of it only its interpreter %s is "
			"examined, not what it opens or starts", a->path,
			a->interpreter);
		return *a->interpreter != 0;
	case APP_STATIC:
	case APP_SECURE:
	case APP_FOREIGN:
	case APP_FORBIDDEN:
		report_problem(r, "%s: %s", a->path, a->why);
		return true;
	case APP_LIBRARY:
	case APP_OTHER:
		report_line(r, "%s: %s", a->path, a->why);
		return true;
	case APP_MISSING:
		report_problem(r, "%s: %s", a->path, a->why);
	}
	return false;
}

/* code of the program and of its libraries but those of NVIDIA's and ours;
 * a file that is no program should hold some */
static void
about_code(struct report *r, const struct run_options *o,
	const struct lib *all, bool must, const char *gfx)
{
	const char *text, *begins;
	const struct lib *l;

	report_section(r, "GPU code");
	begins = r->section;
	code_report(r, o, all->path, gfx);
	for (l = all->next; l; l = l->next)
		if (l->open && which(l->name, &text) == LIB_OTHER)
			code_report(r, o, l->path, gfx);
	if (r->section != begins)
		return;
	if (must)
		report_problem(r, "none, and it is no program either");
	else
		report_line(r, "none");
}

static void
examine(struct report *r, const struct run_options *o, const struct app *a,
	const char *gfx)
{
	const char *path = *a->interpreter ? a->interpreter : a->path;
	const char *library_path = getenv("LD_LIBRARY_PATH");
	struct lib *all = search_all(path, library_path);

	if (!all)
		return;
	if (all->open) {
		report_section(r, "libraries");
		needs_libraries(r, all, library_path);
		report_section(r, "functions");
		needs_functions(r, all);
	} else if (a->kind == APP_DYNAMIC || a->kind == APP_SCRIPT) {
		report_problem(r, "%s: %s", path, all->why);
	}
	about_code(r, o, all, a->kind == APP_OTHER, gfx);
	search_free(all);
}

int
doctor(const struct run_options *o, const char *libraries, const char *name)
{
	struct report r = { "", 0 };
	char gfx[32];
	struct app a;

	if (!setting_options(o, libraries))
		return EXIT_USAGE;
	about_us(&r, libraries);
	machine_report(&r, libraries, gfx);
	if (name && about_app(&r, &a, name))
		examine(&r, o, &a, gfx);
	report_section(&r, "result");
	if (!r.problems)
		report_line(&r, name ? "it would run" : "programs can run");
	else
		report_line(&r, name ? "it would not run: %u problem%s" :
			"no program can run: %u problem%s", r.problems,
			r.problems == 1 ? "" : "s");
	return r.problems != 0;
}
