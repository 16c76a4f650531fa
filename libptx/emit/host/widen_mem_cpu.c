/* widen_mem_cpu.c - what vector accesses the processor has. */
#include "widen_mem.h"

#include <string.h>

/* of processors by name, where the target spells out no features */
static const struct {
	const char *arch;
	bool avx512;            /* or AVX2 at least */
} cpus[] = {
	{ "x86-64-v3", false },
	{ "x86-64-v4", true },
	{ "haswell", false },
	{ "skylake", false },
	{ "skylake-avx512", true },
	{ "icelake-server", true },
	{ "sapphirerapids", true },
	{ "alderlake", false },
	{ "znver1", false },
	{ "znver2", false },
	{ "znver3", false },
	{ "znver4", true },
};

static bool
has(struct widen *w, const char *feature, bool avx512)
{
	size_t i;

	for (i = 0; i < sizeof cpus / sizeof *cpus; i++)
		if (!strcmp(cpus[i].arch, w->o->arch))
			return cpus[i].avx512 >= avx512;
	return strstr(w->o->target->features(w->o->arch), feature) != 0;
}

bool
widen_has_masks(struct widen *w)
{
	return has(w, "+avx512bw", true) && has(w, "+avx512vl", true);
}

bool
widen_has_gather(struct widen *w)
{
	return has(w, "+avx2", false);
}
