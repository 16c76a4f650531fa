/* library.c - HIP: a real one where there is a GPU, else the emulator. */
#include "hsaco.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool
bind(struct library *l, void *lib)
{
	bool all = true;

#define FIND(to, name) (*(void **)(void *)&(to) = dlsym(lib, name))
#define HIP(name, params) all &= FIND(l->hip.name, #name) != 0;
#include "hip_api.def"
#undef HIP
	all &= FIND(l->hip.hipGetErrorString, "hipGetErrorString") != 0;
	FIND(l->stats, "emu_last_stats");
#undef FIND
	return all;
}

static bool
try(struct library *l, const char *path)
{
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int n;

	if (!lib)
		return false;
	if (bind(l, lib) && !l->hip.hipInit(0) &&
			!l->hip.hipGetDeviceCount(&n) && n > 0)
		return true;
	dlclose(lib);
	return false;
}

/* where make and make install put it, seen from the program */
static bool
try_emulator(struct library *l, const char *program)
{
	static const char *const place[] = { "../lib/emu",
		"../lib/ptx-amd/emu" };
	char *real = realpath("/proc/self/exe", 0), *slash, path[4096];
	bool ok = false;
	size_t i;

	slash = strrchr(real ? real : (char *)program, '/');
	for (i = 0; i < 2 && !ok && slash; i++) {
		snprintf(path, sizeof path, "%.*s/%s/libamdhip64.so",
			(int)(slash - (real ? real : program)),
			real ? real : program, place[i]);
		ok = try(l, path);
	}
	free(real);
	return ok;
}

void
library_open(struct library *l, const char *program, const char *arch)
{
	const char *path = getenv("PTXAMD_HIP_LIBRARY");

	if (arch)
		setenv("PTXAMD_EMU_ARCH", arch, 0);
	if (path && *path) {
		if (!try(l, path))
			die("%s: no HIP with a device", path);
		return;
	}
	if (!try(l, "libamdhip64.so.7") && !try(l, "libamdhip64.so.6") &&
			!try(l, "libamdhip64.so.5") && !try_emulator(l,
			program))
		die("there is no GPU, and the emulator is not there");
}

/* of a kernel's fault the emulator has said more already */
void
must(const struct library *l, int error, const char *what)
{
	if (error)
		die("%s: %s", what, l->hip.hipGetErrorString(error));
}
