/* api.c - HIP's functions as the emulator has them: devices, memory, streams,
 * events, modules, errors.
 *
 *	api CODE	with kernels of Inputs/api.hip for two emulated devices
 *
 * Prints each check that fails and "N checks, M wrong".
 */
#include "hip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct hip_api *h;
static int checks, wrong;

static void
check(bool ok, int line, const char *what)
{
	checks++;
	if (ok)
		return;
	wrong++;
	printf("%s:%d: %s\n", __FILE__, line, what);
}
#define CHECK(x) check(x, __LINE__, #x)
#define OK(call) check((call) == hipSuccess, __LINE__, #call)
#define IS(call, error) check((call) == (error), __LINE__, #call)

static void *
code(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *p = malloc(1 << 20);

	if (!f || !p || !fread(p, 1, 1 << 20, f)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	fclose(f);
	return p;
}

static void
devices(void)
{
	char p[HIP_PROPERTIES_SIZE], uuid[2][16];
	int n, v;

	OK(h->hipGetDeviceCount(&n));
	CHECK(n == 2);
	IS(h->hipSetDevice(2), hipErrorInvalidDevice);
	IS(h->hipPeekAtLastError(), hipErrorInvalidDevice);
	IS(h->hipGetLastError(), hipErrorInvalidDevice);
	OK(h->hipGetLastError());
	OK(h->hipSetDevice(1));
	OK(h->hipGetDevice(&v));
	CHECK(v == 1);
	OK(h->hipSetDevice(0));
	OK(h->hipGetDevicePropertiesR0600(p, 0));
	CHECK(!strcmp(p + HIP_ARCH_R0600, "gfx1100"));
	OK(h->hipGetDeviceProperties(p, 1));
	CHECK(!strcmp(p + HIP_ARCH_R0000, "gfx1100"));
	OK(h->hipDeviceGetUuid(uuid[0], 0));
	OK(h->hipDeviceGetUuid(uuid[1], 1));
	CHECK(memcmp(uuid[0], uuid[1], 16) != 0);
	OK(h->hipDeviceGetAttribute(&v, HIP_WARP, 0));
	CHECK(v == 32);
	IS(h->hipDeviceGetAttribute(&v, HIP_WARP, 7), hipErrorInvalidDevice);
}

static void
memory(void)
{
	uint32_t host[64], back[64], i;
	size_t before, after, total;
	void *p, *q;
	char *m;

	OK(h->hipMemGetInfo(&before, &total));
	OK(h->hipMalloc(&p, sizeof host));
	OK(h->hipMemGetInfo(&after, &total));
	CHECK(before - after == sizeof host);
	for (i = 0; i < 64; i++)
		host[i] = i * i;
	OK(h->hipMemcpy(p, host, sizeof host, HIP_TO_DEVICE));
	memset(host, 0, 16); /* copied before the call returned */
	OK(h->hipMemsetD32Async((uint32_t *)p + 60, 0x12345678, 2, 0));
	OK(h->hipMemsetD16Async((uint32_t *)p + 62, 0xabcd, 2, 0));
	OK(h->hipMemsetD8Async((uint32_t *)p + 63, 7, 3, 0));
	OK(h->hipMemcpy(back, p, sizeof back, HIP_DEFAULT));
	CHECK(back[3] == 9 && back[59] == 59 * 59);
	CHECK(back[60] == 0x12345678 && back[61] == 0x12345678);
	CHECK(back[62] == 0xabcdabcd && (back[63] & 0xffffff) == 0x070707);
	memset(back, 0, sizeof back);
	OK(h->hipMemcpy2DAsync(back, 16, p, 32, 12, 8, HIP_TO_HOST, 0));
	CHECK(back[2] == 4 && back[3] == 0 && back[4] == 64);
	IS(h->hipMemcpy2DAsync(back, 8, p, 32, 12, 8, HIP_TO_HOST, 0),
		hipErrorInvalidValue);
	IS(h->hipMemcpy(p, host, 4, 9), hipErrorInvalidMemcpyDirection);
	IS(h->hipFree((char *)p + 4), hipErrorInvalidValue);
	OK(h->hipFree(p));
	IS(h->hipFree(p), hipErrorInvalidValue);
	OK(h->hipFree(0));
	IS(h->hipMalloc(&p, (size_t)1 << 60), hipErrorOutOfMemory);
	m = malloc(10000);
	OK(h->hipHostRegister(m, 10000, 0));
	IS(h->hipHostRegister(m, 10000, 0),
		hipErrorHostMemoryAlreadyRegistered);
	OK(h->hipHostGetDevicePointer(&q, m + 8, 0));
	OK(h->hipHostUnregister(m));
	IS(h->hipHostUnregister(m), hipErrorHostMemoryNotRegistered);
	IS(h->hipHostGetDevicePointer(&q, m, 0), hipErrorInvalidValue);
	free(m);
	h->hipGetLastError();
}

static int order[3], norder;

static void
note(void *arg)
{
	struct timespec t = { 0, 20000000 };

	if (arg == &order[0])
		nanosleep(&t, 0);
	order[norder++] = (int)((int *)arg - order);
}

static void
streams(void)
{
	void *a, *b, *e, *f;
	float ms = -1;

	OK(h->hipStreamCreateWithFlags(&a, HIP_STREAM_NON_BLOCKING));
	OK(h->hipStreamCreate(&b));
	OK(h->hipEventCreate(&e));
	OK(h->hipEventCreate(&f));
	OK(h->hipEventQuery(e));
	OK(h->hipEventRecord(f, a));
	OK(h->hipLaunchHostFunc(a, note, &order[0]));
	OK(h->hipEventRecord(e, a));
	IS(h->hipStreamQuery(a), hipErrorNotReady);
	IS(h->hipEventQuery(e), hipErrorNotReady);
	OK(h->hipStreamWaitEvent(b, e, 0));
	OK(h->hipLaunchHostFunc(b, note, &order[1]));
	OK(h->hipLaunchHostFunc(0, note, &order[2])); /* waits for b */
	CHECK(norder == 3 && order[0] == 0 && order[1] == 1 && order[2] == 2);
	OK(h->hipStreamSynchronize(a));
	OK(h->hipStreamQuery(a));
	OK(h->hipEventSynchronize(e));
	OK(h->hipEventElapsedTime(&ms, f, e));
	CHECK(ms >= 19 && ms < 5000);
	OK(h->hipStreamDestroy(a));
	IS(h->hipStreamDestroy(a), hipErrorInvalidHandle);
	IS(h->hipStreamSynchronize(a), hipErrorInvalidHandle);
	OK(h->hipStreamDestroy(b));
	OK(h->hipEventDestroy(e));
	OK(h->hipEventDestroy(f));
	h->hipGetLastError();
}

static int
launch(void *f, unsigned blocks, unsigned threads, void *stream, void **args)
{
	return h->hipModuleLaunchKernel(f, blocks, 1, 1, threads, 1, 1, 0,
		stream, args, 0);
}

static void
modules(const void *image)
{
	uint32_t n = 1000, got[2] = { 0 };
	void *m, *count, *meet, *g, *p, *args[] = { &p, &n };
	size_t size;

	IS(h->hipModuleLoadData(&m, "no code object, of any kind at all"),
		hipErrorInvalidImage);
	OK(h->hipModuleLoadData(&m, image));
	OK(h->hipModuleGetFunction(&count, m, "count"));
	OK(h->hipModuleGetFunction(&meet, m, "meet"));
	IS(h->hipModuleGetFunction(&g, m, "nobody"), hipErrorNotFound);
	OK(h->hipModuleGetGlobal(&g, &size, m, "total"));
	CHECK(size == 4);
	IS(h->hipModuleGetGlobal(&p, &size, m, "nobody"), hipErrorNotFound);
	OK(h->hipMalloc(&p, 8));
	OK(h->hipMemset(p, 0, 8));
	OK(launch(count, 100, 96, 0, args)); /* adds up what is below n */
	OK(h->hipMemcpy(got, g, 4, HIP_TO_HOST));
	CHECK(got[0] == 1000);
	IS(launch(count, 0, 1, 0, args), hipErrorInvalidValue);
	IS(launch(count, 1, 1025, 0, args), hipErrorInvalidValue);
	IS(h->hipModuleLaunchKernel(count, 1, 1, 1, 1, 1, 1, 65537, 0, args,
		0), hipErrorLaunchOutOfResources);
	/* more blocks than run at once wait for each other */
	n = 50;
	OK(h->hipModuleLaunchCooperativeKernel(meet, 50, 1, 1, 40, 1, 1, 0, 0,
		args));
	OK(h->hipMemcpy(got, p, 8, HIP_TO_HOST));
	CHECK(got[0] == 50 && got[1] == 50);
	OK(h->hipFree(p));
	OK(h->hipModuleUnload(m));
	h->hipGetLastError();
}

static void
faults(const void *image)
{
	uint32_t one = 1, got = 7;
	void *m, *wild, *a, *b, *p, *args[1] = { &one };

	(void)args;
	OK(h->hipModuleLoadData(&m, image));
	OK(h->hipModuleGetFunction(&wild, m, "wild"));
	OK(h->hipMalloc(&p, 4));
	OK(h->hipStreamCreateWithFlags(&a, HIP_STREAM_NON_BLOCKING));
	OK(h->hipStreamCreateWithFlags(&b, HIP_STREAM_NON_BLOCKING));
	OK(launch(wild, 1, 1, a, 0));
	OK(h->hipMemsetAsync(p, 1, 4, b));
	IS(h->hipStreamSynchronize(a), hipErrorIllegalAddress);
	IS(h->hipMemsetAsync(p, 2, 4, a), hipErrorIllegalAddress);
	OK(h->hipStreamSynchronize(b)); /* the other one goes on */
	OK(h->hipMemcpyAsync(&got, p, 4, HIP_TO_HOST, b));
	CHECK(got == 0x01010101);
	IS(h->hipDeviceSynchronize(), hipErrorIllegalAddress);
	OK(h->hipDeviceReset());
	OK(h->hipDeviceSynchronize());
	OK(h->hipMemsetAsync(p, 2, 4, a));
	OK(h->hipStreamSynchronize(a));
	OK(h->hipStreamDestroy(a));
	OK(h->hipStreamDestroy(b));
	OK(h->hipFree(p));
	OK(h->hipModuleUnload(m));
}

int
main(int argc, char *argv[])
{
	void *image;

	if (argc != 2)
		return 2;
	image = code(argv[1]);
	setenv("PTXAMD_EMU_DEVICES", "2", 1);
	h = hip_open(argv[0], "gfx1100");
	devices();
	memory();
	streams();
	modules(image);
	faults(image);
	free(image);
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong != 0;
}
