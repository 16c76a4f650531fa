/* amdgpu.c - AMD GPUs as a target: processors, kernels, lanes, order.
 *
 * A CUDA warp is 32 lanes everywhere.  On processors whose waves have 64
 * lanes a wave holds two warps: lanes, votes and shuffles work on the half
 * that the thread is in.
 */
#include "amdgpu.h"

#include <string.h>

static const struct arch {
	const char *name;
	unsigned flags;
} archs[] = {
#define ARCH(name, flags) { name, flags },
#include "amdgpu.def"
#undef ARCH
};

static const struct arch *
find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof archs / sizeof *archs; i++)
		if (!strcmp(archs[i].name, name))
			return &archs[i];
	return 0;
}

static bool
has_arch(const char *name)
{
	return find(name) != 0;
}

unsigned
amdgpu_flags(const struct emit *e)
{
	return find(e->o->arch)->flags;
}

static const char *
features(const char *arch)
{
	(void)arch;
	return "";
}
