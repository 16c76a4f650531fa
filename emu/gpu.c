/* gpu.c - the processors. */
#include "emu.h"

#include <string.h>

const struct gpu gpu_list[] = {
#define GPU(name, ...) { #name, __VA_ARGS__ },
#include "isa/gpu.def"
#undef GPU
	{ 0 },
};

const struct gpu *
gpu_find(const char *name)
{
	size_t i, n = strcspn(name, ":");

	for (i = 0; gpu_list[i].name; i++)
		if (strlen(gpu_list[i].name) == n &&
				!strncmp(gpu_list[i].name, name, n))
			return &gpu_list[i];
	return 0;
}
