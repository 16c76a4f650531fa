/* which.c - what a library is to us, by its name. */
#include "doctor.h"

#include <string.h>

static const struct companion {
	const char *name, *text;
	enum lib_kind kind;
} companion[] = {
#define COMPANION(name, state, text) { name, text, LIB_##state },
#include "companion.def"
#undef COMPANION
};

/* "12" of "libcudart.so.12", "libcudart-d0da41ae.so.12": as audit/audit.c has
 * it; 0: another library */
static const char *
version(const char *name, const char *stem)
{
	size_t n = strlen(stem);

	if (strncmp(name, stem, n) != 0)
		return 0;
	name += n;
	if (*name == '-')
		name += 1 + strspn(name + 1, "0123456789abcdef");
	if (strncmp(name, ".so", 3) != 0)
		return 0;
	return name[3] == '.' ? name + 4 : name + 3;
}

static enum lib_kind
runtime(const char *v, const char **text)
{
	*text = !strncmp(v, "11", 2) ? "libcudart.so.11.0" :
		!strncmp(v, "12", 2) ? "libcudart.so.12" :
		!strncmp(v, "13", 2) || !*v ? "libcudart.so.13" : 0;
	if (*text)
		return LIB_OURS;
	*text = "ours are of CUDA 11, 12 and 13";
	return LIB_OLD;
}

enum lib_kind
which(const char *name, const char **text)
{
	const char *base = strrchr(name, '/'), *v;
	size_t i;

	name = base ? base + 1 : name;
	*text = "libcuda.so.1";
	if (version(name, "libcuda"))
		return LIB_OURS;
	v = version(name, "libcudart");
	if (v)
		return runtime(v, text);
	for (i = 0; i < sizeof companion / sizeof *companion; i++)
		if (!strncmp(name, companion[i].name,
		    strlen(companion[i].name))) {
			*text = companion[i].text;
			return companion[i].kind;
		}
	return LIB_OTHER;
}
