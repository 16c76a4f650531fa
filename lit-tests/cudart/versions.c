/* versions.c - the libraries of CUDA 11, 12 and 13 in one process: what each
 * exports and how large its structures are.
 *
 *	versions dir
 */
#define _GNU_SOURCE /* dlvsym */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int checks, wrong;

#define TRUE(...) check((__VA_ARGS__) != 0, #__VA_ARGS__, __LINE__)

static void
check(int ok, const char *what, int line)
{
	checks++;
	if (!ok) {
		wrong++;
		printf("line %d: %s\n", line, what);
	}
}

typedef unsigned any_fn(void *, uintptr_t, uintptr_t, void *);

static any_fn *
function(void *lib, const char *name)
{
	void *p = dlsym(lib, name);
	any_fn *f;

	memcpy(&f, &p, sizeof f);
	return f;
}

/* a texture of 400 bytes of memory at p */
static uintptr_t
texture(void *lib, void *p)
{
	/* cudaResourceDesc, and a cudaTextureDesc of zeroes */
	struct {
		int type;
		void *p;
		int channel[5];
		size_t size;
		size_t rest[16];
	} r = { 2, p, { 32, 0, 0, 0, 2 }, 400, { 0 } };
	unsigned char zero[128] = { 0 };
	unsigned long long t = 0;

	TRUE(function(lib, "cudaCreateTextureObject")(&t, (uintptr_t)&r,
		(uintptr_t)zero, 0) == 0);
	return (uintptr_t)t;
}

/* how many bytes a call writes, which fills what it is given */
static size_t
written(any_fn *f, uintptr_t second)
{
	static unsigned char a[4096], b[4096];
	size_t n = sizeof a;

	memset(a, 0x55, sizeof a);
	memset(b, 0xaa, sizeof b);
	TRUE(f(a, second, 0, 0) == 0 && f(b, second, 0, 0) == 0);
	while (n && a[n - 1] == 0x55 && b[n - 1] == 0xaa)
		n--;
	return n;
}

static void *
library(const char *dir, const char *name, int want)
{
	char path[4096];
	int version = 0;
	void *h;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	TRUE(h);
	if (!h)
		return 0;
	TRUE(function(h, "cudaRuntimeGetVersion")(&version, 0, 0, 0) == 0);
	TRUE(version / 1000 == want);
	TRUE(dlvsym(h, "cudaMalloc", name) != 0);
	return h;
}

int
main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : ".";
	void *l11 = library(dir, "libcudart.so.11.0", 11), *p = 0;
	void *l12 = library(dir, "libcudart.so.12", 12);
	void *l13 = library(dir, "libcudart.so.13", 13);
	uintptr_t t;

	if (!l11 || !l12 || !l13)
		return 1;
	TRUE(function(l11, "cudaThreadExit") && function(l11,
		"__cudaRegisterTexture"));
	TRUE(!function(l11, "__cudaLaunchKernel") && !function(l11,
		"cudaGetDeviceProperties_v2"));
	TRUE(function(l12, "cudaMemAdvise_v2") && function(l12,
		"cudaStreamGetCaptureInfo_v3"));
	TRUE(!function(l13, "cudaThreadExit") && !function(l13,
		"cudaGetDeviceProperties_v2"));
	TRUE(written(function(l11, "cudaGetDeviceProperties"), 0) == 728);
	TRUE(written(function(l12, "cudaGetDeviceProperties"), 0) == 728);
	TRUE(written(function(l12, "cudaGetDeviceProperties_v2"), 0) == 1032);
	TRUE(written(function(l13, "cudaGetDeviceProperties"), 0) == 1008);

	/* what one allocates another frees: the memory is the driver's */
	TRUE(function(l11, "cudaMalloc")(&p, 100, 0, 0) == 0 && p);
	TRUE(written(function(l12, "cudaPointerGetAttributes"),
		(uintptr_t)p) == 24);
	TRUE(written(function(l13, "cudaPointerGetAttributes"),
		(uintptr_t)p) == 24 + 8 * sizeof(long));
	t = texture(l11, p);
	TRUE(written(function(l11, "cudaGetTextureObjectTextureDesc"), t)
		== 68);
	TRUE(written(function(l11, "cudaGetTextureObjectTextureDesc_v2"), t)
		== 72);
	TRUE(written(function(l12, "cudaGetTextureObjectTextureDesc"), t)
		== 72);
	TRUE(written(function(l11, "cudaGetTextureObjectResourceDesc"), t)
		== 64);
	TRUE(written(function(l13, "cudaGetTextureObjectResourceDesc"), t)
		== 144);
	TRUE(written(function(l12, "cudaGetTextureObjectResourceViewDesc"), t)
		== 48);
	TRUE(written(function(l13, "cudaGetTextureObjectResourceViewDesc"), t)
		== 112);
	TRUE(function(l12, "cudaDestroyTextureObject")((void *)t, 0, 0, 0)
		== 0);
	TRUE(function(l13, "cudaFree")(p, 0, 0, 0) == 0);
	TRUE(function(l12, "cudaFree")(p, 0, 0, 0) == 1);
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong != 0;
}
