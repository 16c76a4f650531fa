/* logs.c - errors as text: kept, told, written. */
#include "check.h"
#include <unistd.h>

struct seen {
	unsigned calls, level;
	char text[500];
};

static void
see(void *data, CUlogLevel level, char *text, size_t n)
{
	struct seen *s = data;

	s->calls++;
	s->level = level;
	snprintf(s->text, sizeof s->text, "%.*s", (int)n, text);
}

int
main(int argc, char **argv)
{
	CUlogIterator at, before;
	CUlogsCallbackHandle h;
	CUcontext c;
	CUstream s;
	char text[5000], line[500] = "";
	struct seen seen = { 0 };
	size_t n = sizeof text, i;
	FILE *f;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuLogsCurrent(&at, 0));
	before = at;
	IS(cuMemFree_v2(99), CUDA_ERROR_INVALID_VALUE);
	OK(cuLogsDumpToMemory(&at, text, &n, 0));
	IS(n, strlen(text));
	TRUE(strstr(text, "[CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE)"
		" from cuMemFree_v2\n"));
	IS(at, before + 1);
	n = sizeof text;
	OK(cuLogsDumpToMemory(&at, text, &n, 0));
	IS(n, 0);
	n = 10;
	IS(cuLogsDumpToMemory(0, text, &n, 0), CUDA_ERROR_INVALID_VALUE);
	IS(n, 0);
	OK(cuLogsRegisterCallback(see, &seen, &h));
	IS(cuMemAlloc_v2(0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(seen.calls, 1);
	IS(seen.level, CU_LOG_LEVEL_ERROR);
	TRUE(strstr(seen.text, "from cuMemAlloc_v2"));
	/* what is not ready is no error */
	OK(cuStreamCreate(&s, 0));
	OK(cuStreamQuery(s));
	IS(seen.calls, 1);
	OK(cuLogsUnregisterCallback(h));
	IS(cuLogsUnregisterCallback(h), CUDA_ERROR_INVALID_VALUE);
	for (i = 0; i < 300; i++)
		IS(cuMemFree_v2(99), CUDA_ERROR_INVALID_VALUE);
	IS(seen.calls, 1);
	n = 250; /* two lines or one: the newest */
	OK(cuLogsDumpToMemory(0, text, &n, 0));
	TRUE(n > 90 && n < 250 && text[n - 1] == '\n');
	if (argc > 1) {
		OK(cuLogsDumpToFile(0, argv[1], 0));
		f = fopen(argv[1], "r");
		for (i = 0; f && fgets(line, sizeof line, f); i++)
			;
		IS(i, 100);
		TRUE(strstr(line, "from cuMemFree_v2"));
		if (f)
			fclose(f);
	}
	IS(cuLogsDumpToFile(0, "/nowhere/at/all", 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuLogsCurrent(0, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
