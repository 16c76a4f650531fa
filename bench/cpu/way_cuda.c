/* way_cuda.c - a driver-API program: whichever libcuda.so.1 the loader finds.
 */
#include "bench.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t address;

static struct {
	int (*cuInit)(unsigned);
	int (*cuDeviceGet)(int *, int);
	int (*cuDevicePrimaryCtxRetain)(void **, int);
	int (*cuCtxSetCurrent)(void *);
	int (*cuModuleLoadData)(void **, const void *);
	int (*cuModuleUnload)(void *);
	int (*cuModuleGetFunction)(void **, void *, const char *);
	int (*cuMemAlloc_v2)(address *, size_t);
	int (*cuMemFree_v2)(address);
	int (*cuMemcpyHtoD_v2)(address, const void *, size_t);
	int (*cuMemcpyDtoH_v2)(void *, address, size_t);
	int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned,
		unsigned, unsigned, unsigned, void *, void **, void **);
	int (*cuCtxSynchronize)(void);
} cu;

#define NAME(f) { #f, (void **)&cu.f }
static const struct { const char *name; void **to; } name[] = {
	NAME(cuInit), NAME(cuDeviceGet), NAME(cuDevicePrimaryCtxRetain),
	NAME(cuCtxSetCurrent), NAME(cuModuleLoadData), NAME(cuModuleUnload),
	NAME(cuModuleGetFunction), NAME(cuMemAlloc_v2), NAME(cuMemFree_v2),
	NAME(cuMemcpyHtoD_v2), NAME(cuMemcpyDtoH_v2), NAME(cuLaunchKernel),
	NAME(cuCtxSynchronize),
};

static void *module, *function;
static address held[MAX_ARG];
static char message[128];

static const char *
check(int rc, const char *what)
{
	if (!rc)
		return 0;
	snprintf(message, sizeof message, "%s: error %d", what, rc);
	return message;
}

static const char *
open_it(void)
{
	void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
	const char *e;
	size_t i;
	int dev;

	if (!lib)
		return dlerror();
	for (i = 0; i < sizeof name / sizeof *name; i++)
		if (!(*name[i].to = dlsym(lib, name[i].name)))
			return name[i].name;
	if ((e = check(cu.cuInit(0), "cuInit"))
	|| (e = check(cu.cuDeviceGet(&dev, 0), "cuDeviceGet"))
	|| (e = check(cu.cuDevicePrimaryCtxRetain(&context, dev), "context")))
		return e;
	return check(cu.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

static char *
text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *s;
	long n;

	if (!f)
		return 0;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	s = calloc(1, (size_t)n + 1);
	if (s && fread(s, 1, (size_t)n, f) != (size_t)n)
		*s = 0;
	fclose(f);
	return s;
}

/* source: the PTX */
static const char *
load(const struct job *j, const char *source, void *const *buffer)
{
	char *ptx = text(source);
	const char *e;
	int i, n;

	if (!ptx)
		return "no PTX";
	e = check(cu.cuModuleLoadData(&module, ptx), "cuModuleLoadData");
	free(ptx);
	if (e || (e = check(cu.cuModuleGetFunction(&function, module,
		j->name), "cuModuleGetFunction")))
		return e;
	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++) {
		size_t size = j->arg[i].n * element_size(j->arg[i].of);

		if (!size)
			continue;
		if ((e = check(cu.cuMemAlloc_v2(&held[n], size), "cuMemAlloc"))
		|| (e = check(cu.cuMemcpyHtoD_v2(held[n], buffer[n], size),
			"cuMemcpyHtoD")))
			return e;
		n++;
	}
	return 0;
}

static const char *
run(const struct job *j)
{
	union { uint32_t u; int32_t i; float f; } number[MAX_ARG];
	void *param[MAX_ARG];
	const char *e;
	int i, n;

	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++) {
		const struct arg *a = &j->arg[i];

		param[i] = a->n ? (void *)&held[n++] : (void *)&number[i];
		if (a->kind == 'f')
			number[i].f = (float)a->value;
		else if (a->kind == 'i')
			number[i].i = (int32_t)a->value;
		else
			number[i].u = (uint32_t)a->value;
	}
	e = check(cu.cuLaunchKernel(function, j->grid[0], j->grid[1], 1,
		j->block[0], j->block[1], 1, 0, 0, param, 0), "cuLaunchKernel");
	return e ? e : check(cu.cuCtxSynchronize(), "cuCtxSynchronize");
}

static const char *
fetch(const struct job *j, void *const *buffer)
{
	const char *e = 0;
	int i, n;

	for (i = n = 0; !e && i < MAX_ARG && j->arg[i].kind; i++)
		if (j->arg[i].n) {
			e = check(cu.cuMemcpyDtoH_v2(buffer[n], held[n],
				j->arg[i].n * element_size(j->arg[i].of)),
				"cuMemcpyDtoH");
			n++;
		}
	return e;
}

static void
unload(void)
{
	int n;

	for (n = 0; n < MAX_ARG; n++)
		if (held[n])
			cu.cuMemFree_v2(held[n]);
	memset(held, 0, sizeof held);
	if (module)
		cu.cuModuleUnload(module);
	module = 0;
}

const struct way way_cuda = { "ptx-amd", open_it, load, run, fetch, unload };
