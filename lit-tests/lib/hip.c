/* hip.c - HIP for test programs. */
#include "hip.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why ? why : "?");
	exit(2);
}

static void *
library(const char *program)
{
	const char *path = getenv("PTXAMD_HIP_LIBRARY");
	const char *slash = strrchr(program, '/');
	char beside[4096];
	void *lib;

	snprintf(beside, sizeof beside,
		"%.*s/../../lib/emu/libamdhip64.so",
		slash ? (int)(slash - program) : 1, slash ? program : ".");
	lib = dlopen(path ? path : beside, RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		fail("HIP", dlerror());
	return lib;
}

static void *
symbol(void *lib, const char *name)
{
	void *p = dlsym(lib, name);

	if (!p)
		fail(name, dlerror());
	return p;
}

const struct hip_api *
hip_open(const char *program, const char *arch)
{
	static struct hip_api api;
	void *lib;

	if (arch)
		setenv("PTXAMD_EMU_ARCH", arch, 1);
	lib = library(program);
#define HIP(name, params) *(void **)(void *)&api.name = symbol(lib, #name);
#include "hip_api.def"
#undef HIP
	*(void **)(void *)&api.hipGetErrorString =
		symbol(lib, "hipGetErrorString");
	*(void **)(void *)&api.hipGetDeviceProperties =
		dlsym(lib, "hipGetDeviceProperties");
	*(void **)(void *)&api.hipGetDevicePropertiesR0600 =
		dlsym(lib, "hipGetDevicePropertiesR0600");
	hip_must(&api, api.hipInit(0), "hipInit");
	return &api;
}

void
hip_must(const struct hip_api *h, int error, const char *what)
{
	if (error)
		fail(what, h->hipGetErrorString(error));
}

static int
launch(const struct hip_api *h, void *f, const void *param, size_t size,
	const unsigned grid[3], const unsigned block[3], unsigned shared)
{
	size_t i, at = (size + 7) & ~(size_t)7;
	size_t all = at + sizeof(struct launch);
	struct launch l = { .shared_dynamic = shared, .nsm = 1 };
	void *extra[] = { HIP_LAUNCH_BUFFER, 0, HIP_LAUNCH_SIZE, &all,
		HIP_LAUNCH_END };
	char *args = calloc(1, all);
	int err, fixed;

	for (i = 0; i < 3; i++) {
		l.ntid[i] = block[i];
		l.nctaid[i] = grid[i];
	}
	h->hipFuncGetAttribute(&fixed, HIP_FUNC_SHARED, f);
	l.shared_total = shared + (unsigned)fixed;
	memcpy(args, param, size);
	memcpy(args + at, &l, sizeof l);
	extra[1] = args;
	err = h->hipModuleLaunchKernel(f, grid[0], grid[1], grid[2], block[0],
		block[1], block[2], shared, 0, 0, extra);
	if (!err)
		err = h->hipDeviceSynchronize();
	free(args);
	return err;
}

int
hip_run(const struct hip_api *h, const struct blob *code, const char *kernel,
	const void *param, size_t size, const unsigned grid[3],
	const unsigned block[3], unsigned shared)
{
	void *module, *f;
	int err;

	err = h->hipModuleLoadData(&module, code->data);
	if (err)
		return err;
	err = h->hipModuleGetFunction(&f, module, kernel);
	if (!err)
		err = launch(h, f, param, size, grid, block, shared);
	h->hipModuleUnload(module);
	return err;
}
