/* rows.c - the rows of cudart.def, as doc/runtime-api.md. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct row {
	const char *name, *libs, *streams;
	bool stub;
};

#define IS_DONE   false
#define IS_DRIVER false
#define IS_STUB   true

/* AT_chapter is how many rows stand before it */
enum {
#define CHAPTER(name, title) AT_##name, END_##name = AT_##name - 1,
#define RT(libs, name, streams, needs, status, does, params) \
	ROW_##libs##name,
#define RT_OTHER(libs, name, type, params) ROW_##libs##name,
#include "../../libcudart-shim/cudart.def"
#undef RT
#undef RT_OTHER
};

static const struct chapter {
	const char *title;
	size_t first;
} chapters[] = {
#define CHAPTER(name, title) { title, AT_##name },
#define RT(libs, name, streams, needs, status, does, params)
#define RT_OTHER(libs, name, type, params)
#include "../../libcudart-shim/cudart.def"
#undef RT
#undef RT_OTHER
};

static const struct row rows[] = {
#define RT(libs, name, streams, needs, status, does, params) \
	{ #name, #libs, #streams, IS_##status },
#define RT_OTHER(libs, name, type, params) { #name, #libs, "NONE", false },
#include "../../libcudart-shim/cudart.def"
};

static const char *
versions(const char *libs)
{
	static const char *const name[][2] = {
		{ "ALL", "11 12 13" }, { "UPTO11", "11" },
		{ "UPTO12", "11 12" }, { "FROM12", "12 13" },
		{ "ONLY12", "12" }, { "FROM13", "13" }
	};
	size_t i;

	for (i = 0; strcmp(name[i][0], libs) != 0; i++)
		;
	return name[i][1];
}

static size_t
count_done(size_t from, size_t to)
{
	size_t n = 0;

	for (; from < to; from++)
		n += !rows[from].stub;
	return n;
}

static void
chapter(const char *title, size_t from, size_t to)
{
	printf("\n## %s\n\n%zu of %zu.\n\n"
		"| function | libraries | per thread | |\n|---|---|---|---|\n",
		title, count_done(from, to), to - from);
	for (; from < to; from++) {
		const struct row *r = &rows[from];

		printf("| `%s` | %s | %s | %s |\n", r->name,
			versions(r->libs),
			strcmp(r->streams, "PTDS") == 0 ? "`_ptds`"
			: strcmp(r->streams, "PTSZ") == 0 ? "`_ptsz`" : "",
			r->stub ? "" : "yes");
	}
}

int
main(void)
{
	const size_t n = sizeof chapters / sizeof *chapters;
	const size_t all = sizeof rows / sizeof *rows;
	size_t i;

	printf("# Functions of the runtime API\n\n"
		"What `libcudart.so.11.0`, `.12` and `.13` export, and the"
		" form whose default\nstream is the thread's.  %zu of %zu"
		" work, as far as the driver has what they ask\nfor; the"
		" others answer cudaErrorNotSupported.  Made from\n"
		"`libcudart-shim/cudart.def` by `make doc`.\n",
		count_done(0, all), all);
	for (i = 0; i < n; i++)
		chapter(chapters[i].title, chapters[i].first,
			i + 1 < n ? chapters[i + 1].first : all);
	return 0;
}
