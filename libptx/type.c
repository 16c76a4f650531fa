/* type.c - names and sizes of types, state spaces and special registers. */
#include "ptx.h"
#include <string.h>

const struct type_info type_info[NTYPE] = {
	[T_NONE] = { "", 0, 0, 0 },
#define TYPE(id, spelling, kind, bits, lanes) \
	[T_##id] = { spelling, kind, bits, lanes },
#include "../grammar/type.def"
#undef TYPE
};

const char *const space_name[NSPACE] = {
	[GENERIC] = "", [REG] = "reg", [SREG] = "sreg", [CONST] = "const",
	[GLOBAL] = "global", [LOCAL] = "local", [PARAM] = "param",
	[SHARED] = "shared", [TEX] = "tex",
};

const struct sreg_info sreg_info[NSREG] = {
#define SREG(id, spelling, type, vec) \
	[SREG_##id] = { spelling, SREG_##id, T_##type, vec },
#include "../grammar/sreg.def"
#undef SREG
};

enum type
type_find(const char *s, size_t n)
{
	size_t k;

	for (k = T_NONE + 1; k < NTYPE; k++)
		if (!strncmp(type_info[k].name, s, n)
		&& !type_info[k].name[n])
			return (enum type)k;
	return T_NONE;
}

enum space
space_find(const char *s, size_t n)
{
	const char *colon;
	int k;

	colon = memchr(s, ':', n);
	n = colon ? (size_t)(colon - s) : n;
	for (k = CONST; k < NSPACE; k++)
		if (!strncmp(space_name[k], s, n) && !space_name[k][n])
			return (enum space)k;
	return GENERIC;
}
