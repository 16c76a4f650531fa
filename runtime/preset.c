/* preset.c - what a module is compiled with where its program does not say.
 *
 * Without a variable the capability is 8.6: programs know it, it may run what
 * was made for 8.0 and 8.6, and it does not promise what came with 8.9 (FP8)
 * or 9.0 (clusters, TMA).
 */
#include "preset.h"
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>

enum { CC_MAJOR = 8, CC_MINOR = 6, LEVEL = 3 };

bool
preset_capability(int *major, int *minor)
{
	const char *s = getenv("PTXAMD_COMPUTE_CAPABILITY");

	if (s && sscanf(s, "%d.%d", major, minor) == 2 && *major >= 3 &&
	    *major < 100 && *minor >= 0 && *minor < 10)
		return true;
	*major = CC_MAJOR;
	*minor = CC_MINOR;
	return !s || !*s;
}

bool
preset_level(int *level)
{
	const char *s = getenv("PTXAMD_OPT_LEVEL");

	if (s && *s >= '0' && *s <= '3' && !s[1]) {
		*level = *s - '0';
		return true;
	}
	*level = LEVEL;
	return !s || !*s;
}

struct program
preset_program(void)
{
	struct program o = { .fmad = true,
		.outlines = &compile_outlines };
	int major, minor;

	preset_level(&o.level);
	preset_capability(&major, &minor);
	o.sm = (unsigned)(10 * major + minor);
	return o;
}
