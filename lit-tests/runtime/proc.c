/* proc.c - cuGetProcAddress, as a CUDA runtime uses it.
 *
 *	proc LIBRARY REQUESTS
 *
 * REQUESTS has lines "name version" or "name version/ptds": what the runtime
 * of CUDA 13.0 asks a driver for.  The library is opened by hand.
 */
#include "check.h"
#include <dlfcn.h>

typedef CUresult proc_fn(const char *, void **, int, uint64_t,
	CUdriverProcAddressQueryResult *);

static void *library;
static proc_fn *proc;

static void *
symbol(const char *name)
{
	return dlsym(library, name);
}

/* every name is there, and what we get is an exported function of that name */
static void
request(char *line)
{
	char name[128], sym[160];
	int version, all = 0;
	bool thread = strstr(line, "/ptds") != 0;
	CUdriverProcAddressQueryResult status = 9;
	void *p = 0;
	int v;

	if (sscanf(line, "%127s %d", name, &version) != 2) {
		TRUE(!"a request");
		return;
	}
	OK(proc(name, &p, version, thread
		? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_SUCCESS);
	TRUE(p);
	for (v = 1; v <= 4; v++) {
		static const char *const suffix[] = { "", "_ptds", "_ptsz" };
		int i;

		for (i = thread ? 1 : 0; i < (thread ? 3 : 1); i++) {
			if (v == 1)
				snprintf(sym, sizeof sym, "%s%s", name,
					suffix[i]);
			else
				snprintf(sym, sizeof sym, "%s_v%d%s", name, v,
					suffix[i]);
			all += p && symbol(sym) == p;
		}
	}
	if (all != 1)
		printf("%s %d%s: not one of the exported\n", name, version,
			thread ? ", per thread" : "");
	IS(all, 1);
}

static void *
get(const char *name, int version)
{
	void *p = 0;

	OK(proc(name, &p, version, 0, 0));
	return p;
}

static void
versions(void)
{
	void *p = &p;
	CUdriverProcAddressQueryResult status;

	TRUE(get("cuMemAlloc", 2000) == symbol("cuMemAlloc"));
	TRUE(get("cuMemAlloc", 3010) == symbol("cuMemAlloc"));
	TRUE(get("cuMemAlloc", 3020) == symbol("cuMemAlloc_v2"));
	TRUE(get("cuMemAlloc", 99999) == symbol("cuMemAlloc_v2"));
	TRUE(get("cuCtxCreate", 11030) == symbol("cuCtxCreate_v2"));
	TRUE(get("cuCtxCreate", 11040) == symbol("cuCtxCreate_v3"));
	TRUE(get("cuCtxCreate", 13000) == symbol("cuCtxCreate_v4"));
	TRUE(get("cuGetProcAddress", 11030) == symbol("cuGetProcAddress"));
	TRUE(get("cuGetProcAddress", 12000) == symbol("cuGetProcAddress_v2"));
	TRUE(get("cuEventElapsedTime", 12080)
		== symbol("cuEventElapsedTime_v2"));

	/* a per-thread form that is not there is the plain one */
	OK(proc("cuInit", &p, 13000, 2, &status));
	TRUE(p == symbol("cuInit"));
	/* … and before CUDA 7 there were none */
	OK(proc("cuStreamQuery", &p, 6050, 2, &status));
	TRUE(p == symbol("cuStreamQuery"));
	OK(proc("cuStreamQuery", &p, 7000, 2, &status));
	TRUE(p == symbol("cuStreamQuery_ptsz"));
	OK(proc("cuStreamQuery", &p, 7000, 1, &status));
	TRUE(p == symbol("cuStreamQuery"));
}

static void
refusals(void)
{
	CUdriverProcAddressQueryResult status = 9;
	void *p = &p;

	OK(proc("", &p, 0, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	TRUE(!p);
	OK(proc("cuLibraryLoadData", &p, 11080, 0, &status));
	IS(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	IS(proc("cuMemAlloc_v2", &p, 13000, 0, 0), CUDA_ERROR_NOT_FOUND);
	IS(proc("cuNothing", &p, 13000, 0, 0), CUDA_ERROR_NOT_FOUND);
	IS(proc(0, &p, 13000, 0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(proc("cuInit", 0, 13000, 0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(proc("cuInit", &p, 13000, 3, 0), CUDA_ERROR_INVALID_VALUE);
	IS(proc("cuInit", &p, 13000, 4, 0), CUDA_ERROR_INVALID_VALUE);
}

static void
export_tables(void)
{
	CUresult (*table)(const void **, const CUuuid *);
	CUuuid id = { "any sixteen byte" };
	const void *p = &p;

	*(void **)&table = symbol("cuGetExportTable");
	IS(table(&p, &id), CUDA_ERROR_NOT_FOUND);
	TRUE(!p);
	IS(table(0, &id), CUDA_ERROR_INVALID_VALUE);
	IS(table(&p, 0), CUDA_ERROR_INVALID_VALUE);
}

int
main(int argc, char **argv)
{
	char line[256];
	FILE *f;
	int n = 0;

	if (argc != 3 || !(library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))
		|| !(f = fopen(argv[2], "r")))
		return 2;
	*(void **)&proc = symbol("cuGetProcAddress_v2");
	refusals();
	while (fgets(line, sizeof line, f)) {
		request(line);
		n++;
	}
	IS(n, 439);
	versions();
	export_tables();
	return check_end();
}
