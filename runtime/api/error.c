/* error.c - names and meanings of errors. */
#include "api.h"

struct error {
	const char *name, *text;
};

/* both 0: there is no such error */
static struct error
find(CUresult r)
{
	static const struct { int number; struct error e; } list[] = {
#define CU_ERROR(name, number, text) { number, { "CUDA_" #name, text } },
#include "error.def"
#undef CU_ERROR
	};
	size_t i;

	for (i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].number == (int)r)
			return list[i].e;
	return (struct error){ 0, 0 };
}

CUresult
cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = find(error).name;
	return *name ? 0 : CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = find(error).text;
	return *text ? 0 : CUDA_ERROR_INVALID_VALUE;
}
