/* open.c - opens libraries while it runs, twice each, and calls their run().
 *
 *	open library...
 *
 * It prints what run() answers: 0, if all is well.
 */
#include <dlfcn.h>
#include <stdio.h>

static int
use(const char *path)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*run)(void);
	int wrong;

	if (!h) {
		fprintf(stderr, "open: %s\n", dlerror());
		return 1;
	}
	*(void **)&run = dlsym(h, "run");
	if (!run) {
		fprintf(stderr, "open: %s: no run\n", path);
		return 1;
	}
	wrong = run();
	printf("run: %d\n", wrong);
	dlclose(h);
	return wrong;
}

int
main(int argc, char **argv)
{
	int i, failed = 0;

	for (i = 1; i < argc; i++)
		failed += use(argv[i]) != 0;
	for (i = 1; i < argc; i++)
		failed += use(argv[i]) != 0;
	return failed != 0;
}
