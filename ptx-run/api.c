/* api.c - the functions that our libraries have, from their tables. */
#include "doctor.h"

#include <ctype.h>
#include <string.h>

#define IS_DONE   true
#define IS_DRIVER true
#define IS_STUB   false

#define LIBS_ALL    (CUDA_11 | CUDA_12 | CUDA_13)
#define LIBS_UPTO11 CUDA_11
#define LIBS_UPTO12 (CUDA_11 | CUDA_12)
#define LIBS_FROM12 (CUDA_12 | CUDA_13)
#define LIBS_ONLY12 CUDA_12
#define LIBS_FROM13 CUDA_13

#define FORM_NONE(name, libs, done)
#define FORM_PTDS(name, libs, done) { name "_ptds", libs, done },
#define FORM_PTSZ(name, libs, done) { name "_ptsz", libs, done },

static const struct api_function function[] = {
#define CU(name, suffix, version, streams, needs, status, ...) \
	{ #name #suffix, DRIVER, IS_##status }, \
	FORM_##streams(#name #suffix, DRIVER, IS_##status)
#include "cuda.def"
#undef CU
#define RT(libs, name, streams, needs, status, ...) \
	{ #name, LIBS_##libs, IS_##status }, \
	FORM_##streams(#name, LIBS_##libs, IS_##status)
#define RT_OTHER(libs, name, ...) { #name, LIBS_##libs, true },
#include "../libcudart-shim/cudart.def"
#undef RT
#undef RT_OTHER
};

enum { NFUNCTION = sizeof function / sizeof *function };

/* a name has several rows where the libraries differ: the best of them */
const struct api_function *
api_find(const char *name, unsigned libs)
{
	const struct api_function *f, *best = 0;

	for (f = function; f < function + NFUNCTION; f++)
		if (f->libs & libs && !strcmp(f->name, name) &&
		    (!best || f->done))
			best = f;
	return best;
}

/* cuGetProcAddress("cuMemAlloc") is answered with cuMemAlloc_v2 */
bool
api_is_missing(const char *name)
{
	const struct api_function *f;
	size_t n = strlen(name);
	bool known = false;

	for (f = function; f < function + NFUNCTION; f++)
		if (!strncmp(f->name, name, n) &&
		    (!f->name[n] || !strncmp(f->name + n, "_v", 2))) {
			known = true;
			if (f->done)
				return false;
		}
	return known;
}

bool
api_is_name(const char *name)
{
	if (!strncmp(name, "__cuda", 6))
		return strncmp(name, "__cudart", 8) != 0;
	if (strncmp(name, "cu", 2) != 0)
		return false;
	name += strncmp(name, "cuda", 4) ? 2 : 4;
	return isupper((unsigned char)*name);
}
