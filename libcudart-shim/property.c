/* property.c - cudaGetDeviceProperties, for each form of its structure.
 *
 * The members stand in property.def; where one lies follows from those before
 * it, as C lays out structures.
 */
#include "rt.h"
#include <string.h>

enum {
	V11 = 1, V12 = 2, V13 = 4,
	ALL = V11 | V12 | V13, OLD = V11 | V12, FROM12 = V12 | V13,
	ONLY12 = V12, FROM13 = V13
};

struct member {
	const char *name;
	int versions;
	size_t size, count;      /* of an element, of elements */
	int attribute[3];
};

#define UNWRAP(...) __VA_ARGS__
static const struct member members[] = {
#define P(versions, type, name, count, attributes) \
	{ #name, versions, sizeof(type), count, { UNWRAP attributes } },
#include "property.def"
#undef P
};

/* what no attribute tells */
static cudaError_t
fill_special(const char *name, char *at, size_t size, int device)
{
	CUuuid uuid;
	size_t bytes;
	CUresult r = CUDA_SUCCESS;

	if (strcmp(name, "name") == 0) {
		r = cuDeviceGetName(at, (int)size, device);
	} else if (strcmp(name, "uuid") == 0) {
		r = cuDeviceGetUuid_v2(&uuid, device);
		if (!r)
			memcpy(at, &uuid, sizeof uuid);
	} else if (strcmp(name, "totalGlobalMem") == 0) {
		r = cuDeviceTotalMem_v2(&bytes, device);
		if (!r)
			memcpy(at, &bytes, sizeof bytes);
	}
	return r;
}

static cudaError_t
fill(const struct member *m, char *at, int device)
{
	size_t i, wide;
	int v;
	CUresult r = CUDA_SUCCESS;

	memset(at, 0, m->size * m->count);
	if (!m->attribute[0])
		return fill_special(m->name, at, m->size * m->count, device);
	for (i = 0; i < m->count && !r; i++) {
		r = cuDeviceGetAttribute(&v,
			(CUdevice_attribute)m->attribute[i], device);
		if (r)
			break;
		wide = (size_t)v;
		if (m->size == sizeof wide)
			memcpy(at + i * m->size, &wide, m->size);
		else
			memcpy(at + i * m->size, &v, m->size);
	}
	return r;
}

static cudaError_t
properties(char *prop, int version, int device)
{
	const struct member *m;
	size_t at = 0;
	CUdevice known;
	cudaError_t r;

	if (!prop)
		return cudaErrorInvalidValue;
	r = cuDeviceGet(&known, device);
	for (m = members; !r && m < members + sizeof members / sizeof *members;
	    m++) {
		if (!(m->versions & version))
			continue;
		at = (at + m->size - 1) / m->size * m->size;
		r = fill(m, prop + at, device);
		at += m->size * m->count;
	}
	return r;
}

cudaError_t
properties_11(void *prop, int device)
{
	return properties(prop, V11, device);
}

cudaError_t
properties_12(void *prop, int device)
{
	return properties(prop, V12, device);
}

cudaError_t
properties_13(void *prop, int device)
{
	return properties(prop, V13, device);
}
