/* exit.c - the end of a process: with work queued, calls from functions that
 * run at exit, threads still in calls.
 *
 *	exit queued|late|threads
 */
#include "check.h"
#include <pthread.h>
#include <unistd.h>

enum { N = 8 << 20 };

static CUcontext context;
static CUdeviceptr p;
static CUstream stream;

/* whatever they answer, they come back */
static void
late(void)
{
	CUdeviceptr q;
	int n;

	cuMemAlloc_v2(&q, 100);
	cuMemcpyDtoH_v2(&n, p, sizeof n);
	cuStreamSynchronize(stream);
	cuStreamDestroy_v2(stream);
	cuMemFree_v2(p);
	cuCtxDestroy_v2(context);
	printf("late\n");
}

static void *
busy(void *arg)
{
	CUdeviceptr q;

	(void)arg;
	cuCtxSetCurrent(context);
	for (;;)
		if (cuMemAlloc_v2(&q, 1000) == 0) {
			cuMemsetD8_v2(q, 1, 1000);
			cuMemFree_v2(q);
		}
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;
	int i;

	if (strcmp(what, "late") == 0)
		atexit(late);
	OK(cuInit(0));
	OK(cuCtxCreate_v2(&context, 0, 0));
	OK(cuStreamCreate(&stream, 0));
	OK(cuMemAlloc_v2(&p, N));
	for (i = 0; i < 20; i++)
		OK(cuMemsetD8Async(p, (unsigned char)i, N, stream));
	if (strcmp(what, "threads") == 0) {
		for (i = 0; i < 3; i++)
			OK(pthread_create(&t, 0, busy, 0));
		usleep(20000);
	}
	return check_end();
}
