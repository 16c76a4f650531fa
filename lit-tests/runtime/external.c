/* external.c - memory that comes as a file descriptor. */
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

int
main(void)
{
	enum { SIZE = 1 << 16, AT = 5000, N = 1000 };
	CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {
		.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
		.size = SIZE };
	CUDA_EXTERNAL_MEMORY_BUFFER_DESC b = { .offset = AT, .size = N };
	char name[] = "/tmp/external-XXXXXX", *p;
	CUexternalMemory m;
	CUdeviceptr at, all;
	CUcontext c;
	int fd = mkstemp(name);

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	TRUE(fd >= 0 && unlink(name) == 0 && ftruncate(fd, SIZE) == 0);
	p = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	TRUE(p != MAP_FAILED);
	d.handle.fd = fd;
	d.size = SIZE + 1;
	IS(cuImportExternalMemory(&m, &d), CUDA_ERROR_INVALID_VALUE);
	d.size = SIZE;
	OK(cuImportExternalMemory(&m, &d));
	OK(cuExternalMemoryGetMappedBuffer(&at, m, &b));
	OK(cuMemsetD8_v2(at, 7, N));
	OK(cuCtxSynchronize());
	TRUE(p[AT] == 7 && p[AT + N - 1] == 7);
	TRUE(p[AT - 1] == 0 && p[AT + N] == 0);
	IS(cuMemsetD8_v2(at, 7, N + 1), CUDA_ERROR_INVALID_VALUE);
	b.offset = SIZE - N + 1;
	IS(cuExternalMemoryGetMappedBuffer(&all, m, &b),
		CUDA_ERROR_INVALID_VALUE);
	/* a second buffer, over the first one */
	b.offset = 0;
	b.size = SIZE;
	OK(cuExternalMemoryGetMappedBuffer(&all, m, &b));
	OK(cuDestroyExternalMemory(m));
	IS(cuDestroyExternalMemory(m), CUDA_ERROR_INVALID_HANDLE);
	OK(cuMemsetD8_v2(all, 9, SIZE));
	OK(cuCtxSynchronize());
	IS(p[AT], 9);
	OK(cuMemFree_v2(at));
	OK(cuMemFree_v2(all));
	IS(cuMemFree_v2(all), CUDA_ERROR_INVALID_VALUE);
	d.type = 2;
	IS(cuImportExternalMemory(&m, &d), CUDA_ERROR_NOT_SUPPORTED);
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
