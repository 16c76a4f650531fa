/* version.c - whose libcuda.so.1 does a program have?  Prints its version;
 * with arguments, that of each library, which is opened by its path. */
#include <dlfcn.h>
#include <stdio.h>

int cuDriverGetVersion(int *version);
#ifdef UNKNOWN
int cuNobodyKnows(void);
int cuVDPAUCtxCreate_v2(void *, unsigned, int, unsigned, void *);
#endif

int
main(int argc, char *argv[])
{
	int (*get)(int *), version = 0, i;
	void *h;

	cuDriverGetVersion(&version);
	printf("linked: %d\n", version);
	for (i = 1; i < argc; i++) {
		h = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		*(void **)&get = h ? dlsym(h, "cuDriverGetVersion") : 0;
		version = 0;
		if (get)
			get(&version);
		printf("opened: %d\n", version);
	}
#ifdef UNKNOWN
	if (argc > 9)
		return cuNobodyKnows() + cuVDPAUCtxCreate_v2(0, 0, 0, 0, 0);
#endif
	return 0;
}
