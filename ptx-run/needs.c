/* needs.c - which libraries of CUDA's a program loads, and which of their
 * functions it needs that ours do not have. */
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

/* libraries that are opened later, by their names in a file */
struct opened {
	struct lib *all, *from;
	const char *library_path;
};

static void
name_found(void *arg, const char *word)
{
	struct opened *o = arg;
	const char *text;

	if (strstr(word, ".so") && which(word, &text) != LIB_OTHER)
		search_add(o->all, o->from, word, o->library_path);
}

/* libraries of NVIDIA's name many others that they do not need */
static bool
is_program(const struct lib *l)
{
	const char *text;

	return l->open && which(l->name, &text) == LIB_OTHER &&
		strncmp(l->name, "libstdc++", 9)
		&& strncmp(l->name, "libc.", 5);
}

/* what is named alone is often tried and done without */
static void
print_named_lib(struct report *r, const struct lib *l, enum lib_kind kind,
	const char *text)
{
	if (kind == LIB_OLD || kind == LIB_NEEDED)
		report_line(r, "%s: %s: %s; its name is in the text, "
			"perhaps to open it: that will not work", l->name,
			*l->path ? l->path : "not found", text);
}

static void
print(struct report *r, const struct lib *l)
{
	const char *text, *place = *l->path ? l->path : "not found";
	enum lib_kind kind = which(l->name, &text);

	if (l->named && kind != LIB_OURS && kind != LIB_HARMLESS) {
		print_named_lib(r, l, kind, text);
		return;
	}
	switch (kind) {
	case LIB_OURS:
		report_line(r, "%s: %s%s%s%s; ours instead: %s", l->name,
			place, l->how ? " (" : "", l->how ? l->how : "",
			l->how ? ")" : "", text);
		break;
	case LIB_OLD:
	case LIB_NEEDED:
		report_problem(r, "%s: %s: %s", l->name, place, text);
		break;
	case LIB_HARMLESS:
		report_line(r, "%s: %s: %s", l->name, place, text);
		break;
	case LIB_OTHER:
		if (!*l->path)
			report_problem(r, "%s: not found", l->name);
		else if (!l->open)
			report_problem(r, "%s: %s: %s", l->name, place,
				l->why);
		break;
	}
}

static void
print_runtime(struct report *r, const struct lib *l)
{
	int major;

	switch (runtime_inside(&l->binary, &major)) {
	case RUNTIME_KNOWN:
		report_line(r, "%s: the runtime of CUDA %d is linked into it, "
			"and ours takes over", l->path, major);
		break;
	case RUNTIME_STRIPPED:
		report_problem(r, "%s: the runtime of CUDA is linked into it "
			"and has no symbols, so that ours cannot take over: "
			"do not strip it, or link with -cudart shared",
			l->path);
		break;
	case RUNTIME_NONE:
		break;
	}
}

void
needs_libraries(struct report *r, struct lib *all, const char *library_path)
{
	struct opened o = { all, 0, library_path };
	unsigned before = r->problems;
	const char *begins = r->section;
	struct lib *l;

	for (l = all; l; l = l->next) {
		o.from = l;
		if (is_program(l))
			binary_words(&l->binary, "lib", name_found, &o);
	}
	for (l = all->next; l; l = l->next)
		print(r, l);
	for (l = all; l; l = l->next)
		if (is_program(l))
			print_runtime(r, l);
	if (r->section == begins && r->problems == before)
		report_line(r, "none of CUDA's");
}

/* functions */

enum { ANY_RUNTIME = CUDA_11 | CUDA_12 | CUDA_13 };

struct use {
	struct report *r;
	struct lib *all;
	unsigned libs;          /* of the runtime, that it is linked with */
	const char **seen;      /* names, each once */
	size_t n, cap, bad;
};

static bool
is_new(struct use *u, const char *name)
{
	const char **more;
	size_t i;

	for (i = 0; i < u->n; i++)
		if (!strcmp(u->seen[i], name))
			return false;
	if (u->n == u->cap) {
		u->cap = u->cap ? 2 * u->cap : 128;
		more = realloc(u->seen, u->cap * sizeof *more);
		if (!more) {
			u->cap = u->n;
			return false;
		}
		u->seen = more;
	}
	u->seen[u->n++] = name;
	return true;
}

/* by a library that is neither ours nor NVIDIA's twin of ours */
static bool
is_elsewhere(const struct lib *all, const char *name)
{
	const char *text;

	for (; all; all = all->next)
		if (all->open && which(all->name, &text) != LIB_OURS &&
		    binary_defines(&all->binary, name))
			return true;
	return false;
}

static void
used(void *arg, const char *name, uint64_t address, uint64_t size)
{
	const struct api_function *f;
	struct use *u = arg;

	(void)size;
	if (!api_is_name(name) || !is_new(u, name))
		return;
	f = api_find(name, DRIVER | (u->libs ? u->libs : ANY_RUNTIME));
	if (f && f->done)
		return;
	/* a function inside is there, whether we know it or not */
	if (!f && (address || is_elsewhere(u->all, name))) {
		u->n--;
		return;
	}
	u->bad++;
	report_problem(u->r, f ? "%s is used: it answers that it is not "
		"supported" : "%s is used, and we do not know it", name);
}

static void
named(void *arg, const char *name)
{
	struct use *u = arg;

	if (api_is_name(name) && api_is_missing(name) && is_new(u, name))
		u->bad++;
}

/* as many as fit into a line */
static void
print_named(struct report *r, const struct use *u)
{
	enum { FIT = 60 };
	char line[FIT + 1] = "";
	size_t i, n = 0;

	for (i = 0; i < u->n; i++) {
		if (n + strlen(u->seen[i]) + 2 > FIT)
			break;
		n += (size_t)sprintf(line + n, "%s%s", n ? ", " : "",
			u->seen[i]);
	}
	if (i < u->n)
		report_line(r, "its text names %s and %zu more, perhaps to "
			"ask for them: they answer that they are not "
			"supported", line, u->n - i);
	else if (u->n)
		report_line(r, "its text names %s, perhaps to ask for it: it "
			"answers that it is not supported", line);
}

static unsigned
linked(const struct binary *b, int major)
{
	unsigned libs = major == 11 ? CUDA_11 : major == 12 ? CUDA_12 :
		major ? CUDA_13 : 0;
	size_t i;

	for (i = 0; i < b->nneeded; i++)
		if (!strncmp(b->needed[i], "libcudart", 9))
			libs |= strstr(b->needed[i], ".so.11") ? CUDA_11 :
				strstr(b->needed[i], ".so.12") ? CUDA_12 :
				CUDA_13;
	return libs;
}

void
needs_functions(struct report *r, struct lib *all)
{
	struct use u = { .r = r, .all = all }, text = { .r = r };
	enum runtime_kind kind;
	struct lib *l;
	int major;

	for (l = all; l; l = l->next) {
		if (!is_program(l))
			continue;
		kind = runtime_inside(&l->binary, &major);
		u.libs = linked(&l->binary, major);
		binary_undefined(&l->binary, used, &u);
		if (kind == RUNTIME_KNOWN)
			runtime_calls(&l->binary, used, &u);
		else if (kind == RUNTIME_NONE)
			binary_words(&l->binary, "cu", named, &text);
	}
	report_line(r, u.n ? "%zu are used, of which %zu work" :
		"none of CUDA's that a linker knows", u.n, u.n - u.bad);
	print_named(r, &text);
	free(u.seen);
	free(text.seen);
}
