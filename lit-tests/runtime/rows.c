/* rows.c - the rows of cuda.def, as text.
 *
 *	rows markdown    doc/driver-api.md
 *	rows exported    the symbols that the library must export
 *	rows versions    name and version of each; with ptds: of the form of
 *	                 the per-thread default stream, too
 *	rows stubs       calls what is not there: it must say so, whatever its
 *	                 parameters
 *	rows nulls       calls what is there, all parameters 0, without and
 *	                 with a context: none may crash
 */
#include "check.h"

struct row {
	const char *name, *symbol, *streams;
	int version, stub;
};

#define IS_DONE 0
#define IS_STUB 1
static const struct row rows[] = {
#define CU(name, suffix, version, streams, needs, status, params) \
	{ #name, #name #suffix, #streams, version, IS_##status },
#include "cuda.def"
#undef CU
};

static void
exported(void)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];

		printf("%s\n", r->symbol);
		if (strcmp(r->streams, "NONE") != 0)
			printf("%s%s\n", r->symbol, strcmp(r->streams, "PTDS")
				? "_ptsz" : "_ptds");
	}
}

static void
versions(void)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];

		printf("%s %d\n", r->name, r->version);
		if (strcmp(r->streams, "NONE") != 0)
			printf("%s %d ptds\n", r->name,
				r->version < 7000 ? 7000 : r->version);
	}
}

struct chapter {
	const char *title;
	size_t first;            /* row */
};

/* AT_chapter is how many rows stand before it: END_chapter takes the number
 * back that AT_chapter used up */
enum {
#define CHAPTER(name, title) AT_##name, END_##name = AT_##name - 1,
#define CU(name, suffix, version, streams, needs, status, params) \
	ROW_##name##suffix,
#include "cuda.def"
#undef CU
};

static const struct chapter chapters[] = {
#define CHAPTER(name, title) { title, AT_##name },
#define CU(name, suffix, version, streams, needs, status, params)
#include "cuda.def"
#undef CU
};

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
		"| function | CUDA | per thread | |\n|---|---|---|---|\n",
		title, count_done(from, to), to - from);
	for (; from < to; from++) {
		const struct row *r = &rows[from];

		printf("| `%s` | %d.%d | %s | %s |\n", r->symbol,
			r->version / 1000, r->version % 1000 / 10,
			strcmp(r->streams, "PTDS") == 0 ? "`_ptds`"
			: strcmp(r->streams, "PTSZ") == 0 ? "`_ptsz`" : "",
			r->stub ? "" : "yes");
	}
}

static void
markdown(void)
{
	const size_t n = sizeof chapters / sizeof *chapters;
	const size_t all = sizeof rows / sizeof *rows;
	size_t i;

	printf("# Functions of the driver API\n\n"
		"What `libcuda.so.1` exports, with the CUDA that brought it"
		" and the form whose\ndefault stream is the thread's.  %zu of"
		" %zu work; the others answer\nCUDA_ERROR_NOT_SUPPORTED."
		"  Made from `runtime/cuda.def` by `make doc`.\n",
		count_done(0, all), all);
	for (i = 0; i < n; i++)
		chapter(chapters[i].title, chapters[i].first,
			i + 1 < n ? chapters[i + 1].first : all);
}

static int
stubs(void)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CUresult (*call)(long, long, long, long, long, long);
		void *p = 0;

		if (!rows[i].stub)
			continue;
		OK(cuGetProcAddress_v2(rows[i].name, &p, rows[i].version, 0,
			0));
		memcpy(&call, &p, sizeof p);
		if (call)
			IS(call(0, 0, 0, 0, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
	}
	return check_end();
}

/* in all forms that a row has */
static void
call_with_nulls(const struct row *r, uint64_t form)
{
	CUresult (*call)(long, long, long, long, long, long, long, long, long,
		long, long, long);
	void *p = 0;

	OK(cuGetProcAddress_v2(r->name, &p, r->version > 7000 ? r->version
		: form ? 7000 : r->version, form, 0));
	memcpy(&call, &p, sizeof p);
	if (call)
		TRUE(call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) >= 0);
}

static int
nulls(void)
{
	CUcontext c = 0;
	int round;
	size_t i;

	for (round = 0; round < 3; round++) {
		if (round == 1)
			OK(cuInit(0));
		if (round == 2)
			OK(cuCtxCreate_v2(&c, 0, 0));
		for (i = 0; i < sizeof rows / sizeof *rows; i++) {
			/* would start it before its time */
			if (rows[i].stub || (round == 0
				&& strcmp(rows[i].name, "cuInit") == 0))
				continue;
			if (round == 2) /* some take it away */
				OK(cuCtxSetCurrent(c));
			call_with_nulls(&rows[i], 0);
			if (round == 2)
				OK(cuCtxSetCurrent(c));
			call_with_nulls(&rows[i],
				CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
		}
	}
	return check_end();
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "stubs") == 0)
		return stubs();
	if (strcmp(what, "nulls") == 0)
		return nulls();
	if (strcmp(what, "markdown") == 0)
		markdown();
	else if (strcmp(what, "exported") == 0)
		exported();
	else if (strcmp(what, "versions") == 0)
		versions();
	else
		return 2;
	return 0;
}
