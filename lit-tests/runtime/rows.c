/* rows.c - the rows of cuda.def, as text.
 *
 *	rows exported    the symbols that the library must export
 *	rows versions    name and version of each; with ptds: of the form of
 *	                 the per-thread default stream, too
 *	rows stubs       calls what is not there: it must say so, whatever its
 *	                 parameters
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

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "stubs") == 0)
		return stubs();
	if (strcmp(what, "exported") == 0)
		exported();
	else if (strcmp(what, "versions") == 0)
		versions();
	else
		return 2;
	return 0;
}
