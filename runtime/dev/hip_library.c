/* hip_library.c - HIP's library, found when it is first asked for.
 *
 * PTXAMD_HIP_LIBRARY names it, or else libamdhip64.so.7, .6 or .5 is taken,
 * whichever the loader finds.  It stays loaded.
 */
#include "hip_int.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct {
	pthread_once_t once;
	struct hip_api api;
	const char *why;        /* it cannot be used; or 0 */
} library = { .once = PTHREAD_ONCE_INIT };

static void *
load(void)
{
	static const char *const names[] = { "libamdhip64.so.7",
		"libamdhip64.so.6", "libamdhip64.so.5" };
	const char *path = getenv("PTXAMD_HIP_LIBRARY");
	void *lib = 0;
	size_t i;

	if (path && *path)
		return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	for (i = 0; i < sizeof names / sizeof *names && !lib; i++)
		lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return lib;
}

static void
bind(void *lib)
{
	struct hip_api *a = &library.api;

#define FIND(name) *(void **)(void *)&a->name = dlsym(lib, #name);
#define NEED(name) FIND(name) \
	if (!a->name) library.why = "libamdhip64 has no " #name;
#define HIP(name, params) NEED(name)
#include "hip_api.def"
#undef HIP
#define HIP(name, params) FIND(name)
#include "hip_more.def"
#undef HIP
	FIND(hipGetDevicePropertiesR0600)
	FIND(hipGetDeviceProperties)
	NEED(hipGetErrorString)
	NEED(hipGetErrorName)
	if (!a->hipGetDevicePropertiesR0600 && !a->hipGetDeviceProperties)
		library.why = "libamdhip64 has no hipGetDeviceProperties";
#undef NEED
#undef FIND
}

static void
start(void)
{
	void *lib = load();

	if (!lib) {
		library.why = getenv("PTXAMD_HIP_LIBRARY") ?
			"PTXAMD_HIP_LIBRARY cannot be loaded" :
			"there is no libamdhip64";
		return;
	}
	bind(lib);
	if (!library.why && library.api.hipInit(0))
		library.why = "HIP finds no GPU";
}

const struct hip_api *
hip_library(const char **why)
{
	pthread_once(&library.once, start);
	if (!library.why)
		return &library.api;
	if (why)
		*why = library.why;
	return 0;
}

/* HIP's errors have CUDA's numbers, where CUDA has them */
CUresult
hip_error(int error)
{
	switch (error) {
	case hipErrorInvalidConfiguration:
	case hipErrorInvalidMemcpyDirection:
		return CUDA_ERROR_INVALID_VALUE;
	case hipErrorSharedObjectInitFailed:
		return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
	case hipSuccess:
	case hipErrorInvalidValue:
	case hipErrorOutOfMemory:
	case hipErrorNotInitialized:
	case hipErrorDeinitialized:
	case hipErrorNoDevice:
	case hipErrorInvalidDevice:
	case hipErrorInvalidImage:
	case hipErrorInvalidContext:
	case hipErrorNoBinaryForGpu:
	case hipErrorPeerAccessUnsupported:
	case hipErrorInvalidHandle:
	case hipErrorNotFound:
	case hipErrorNotReady:
	case hipErrorIllegalAddress:
	case hipErrorLaunchOutOfResources:
	case hipErrorLaunchTimeOut:
	case hipErrorPeerAccessAlreadyEnabled:
	case hipErrorHostMemoryAlreadyRegistered:
	case hipErrorHostMemoryNotRegistered:
	case hipErrorLaunchFailure:
	case hipErrorCooperativeLaunchTooLarge:
	case hipErrorNotSupported:
		return (CUresult)error;
	}
	return CUDA_ERROR_UNKNOWN;
}
