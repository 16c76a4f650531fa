/* cpu_file.c - files of memory: what other processes can map, too. */
#include "cpu_int.h"
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* beyond the process's limit it would get a signal */
bool
memory_file_grow(int fd, uint64_t size)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_FSIZE, &r) == 0 && size > r.rlim_cur)
		return false;
	return ftruncate(fd, (off_t)size) == 0;
}

int
memory_file(uint64_t size)
{
	enum { CLOEXEC = 1 };
	int fd = (int)syscall(SYS_memfd_create, "ptxamd", CLOEXEC);

	if (fd < 0 || !size || memory_file_grow(fd, size))
		return fd;
	close(fd);
	return -1;
}
