/* abi.c - prints sizes, offsets and values of the driver API's types, as
 * declared by the header that is included: ours, or with -DNVIDIA theirs. */
#ifdef NVIDIA
#include <cuda.h>
#else
#include "cuda_api.h"
#endif
#include <stddef.h>
#include <stdio.h>

#define SIZE(t) printf(#t " %zu\n", sizeof(t));
#define AT(t, m) printf(#t "." #m " %zu\n", offsetof(t, m));
#define IS(v) printf(#v " %lld\n", (long long)(v));

int
main(void)
{
#define CU_ERROR(name, number, text) IS(CUDA_##name)
#include "error.def"
#undef CU_ERROR
#define ATTR(name, number, value) IS(CU_DEVICE_ATTRIBUTE_##name)
#define ALIAS(name, number) IS(CU_DEVICE_ATTRIBUTE_##name)
#include "attr.def"
#include "abi.def"
	return 0;
}
