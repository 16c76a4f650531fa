/* fork.c - a child of a process that used CUDA cannot, but ends as it likes. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static CUdeviceptr p;
static char host[1 << 20];

static int
child(void)
{
	CUcontext c;
	CUdeviceptr q;
	int n;

	IS(cuInit(0), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuCtxGetCurrent(&c), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuMemAlloc_v2(&q, 64), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuMemcpyHtoD_v2(p, host, 64), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
	IS(cuMemFree_v2(p), CUDA_ERROR_NOT_INITIALIZED);
	OK(cuDriverGetVersion(&n));
	return check_bad != 0;
}

int
main(void)
{
	CUcontext c;
	CUstream s;
	pid_t pid;
	int i, status, n;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	OK(cuStreamCreate(&s, 0));
	OK(cuMemAlloc_v2(&p, sizeof host));
	for (i = 0; i < 10; i++)
		OK(cuMemsetD8Async(p, 1, sizeof host, s));
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		exit(child());
	TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
	TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	OK(cuMemcpyDtoH_v2(host, p, sizeof host));
	IS(host[77], 1);
	OK(cuDeviceGetCount(&n));
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
